package config

func serveCases() []problemCase {
	const (
		rest = "[rest]\nurl = \"https://pbx.example.com/rest-base\"\nusername = \"boss\"\npassword_env = \"WALLBOARD_PASSWORD\"\n"
		anna = "[[serve.user]]\nname = \"anna\"\nkeys = [\"ssh-ed25519 AAAA\"]\n"
	)
	return []problemCase{
		{"user", rtd + anna, ``},
		{"who acts", rtd + rest + anna + "role = \"act\"\n[serve.user.rest]\nusername = \"anna\"\npassword_keyring = \"wallboard/supervisor\"\n", ``},
		{"role", rtd + anna + "role = \"boss\"\n", `
DIR/config.toml:7: serve.user[0].role: "boss" is not allowed; allowed: view, act, admin, kiosk`},
		{"act without [rest]", rtd + anna + "role = \"act\"\n", `
DIR/config.toml:7: serve.user[0].role: "act" can do nothing without [rest]; write [rest], or role = "view"`},
		{"act on who is hidden", rtd + rest + anna + "role = \"admin\"\nnames = \"initials\"\n", `
DIR/config.toml:12: serve.user[0].names: "initials" hides the target of an action; remove it, or write role = "view"`},
		{"part of the floor", rtd + anna + "services = [\"S1\", \"\", \"S1\"]\nsites = [0, 2]\n", `
DIR/config.toml:7: serve.user[0].services[1]: is empty; write a code, or remove the entry
DIR/config.toml:7: serve.user[0].services[2]: "S1" is listed twice; keep one of them
DIR/config.toml:8: serve.user[0].sites[0]: 0 is not positive or is listed twice; allowed: the number of a site, once`},
		{"act on a part", rtd + rest + anna + "role = \"act\"\ngroups = [\"G1\"]\n", `
DIR/config.toml:11: serve.user[0].role: "act" may do everything that the login of [rest] may do, not only on a part of the floor; set a separate login in [serve.user.rest], so that the platform checks the permissions`},
		{"login of who only looks", rtd + rest + anna + "[serve.user.rest]\nusername = \"anna\"\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:11: serve.user[0].rest: has no effect for a user who cannot act; remove it, or write role = "act"`},
		{"login without a name", rtd + rest + anna + "role = \"act\"\n[serve.user.rest]\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:12: serve.user[0].rest.username: is missing; rest.auth = "session" needs it`},
		{"login without a secret", rtd + rest + anna + "role = \"act\"\n[serve.user.rest]\nusername = \"anna\"\n", `
DIR/config.toml:12: serve.user[0].rest.password: is missing: [serve.user[0].rest] needs it; set one of serve.user[0].rest.password_file, serve.user[0].rest.password_keyring, serve.user[0].rest.password_env`},
		{"values of [serve]", rtd + "[serve]\nlisten = \"2222\"\nmax_viewers = 0\nevery = \"1ms\"\n", `
DIR/config.toml:5: serve.listen: "2222" is not an address; write it like "127.0.0.1:2222" or ":2222"
DIR/config.toml:6: serve.max_viewers: 0 is out of range; allowed: 1 to 5000
DIR/config.toml:7: serve.every: 1ms is out of range; allowed: 100ms to 10s`},
		{"start page", rtd + anna + "pages = [\"Agents\"]\npage = \"overview\"\n", `
DIR/config.toml:8: serve.user[0].page: "overview" is not one of the user's pages; allowed: one of pages or, if pages is empty, any page of the board`},
		{"start page that all have", rtd + anna + "pages = [\"Agents\"]\npage = \"agents\"\n", ``},
		{"pages", rtd + anna + "pages = [\"Agents\", \"Servces\", \"agents\"]\n", `
DIR/config.toml:7: serve.user[0].pages[1]: "Servces" is not allowed; allowed: overview, agents
DIR/config.toml:7: serve.user[0].pages[2]: "agents" is listed twice; keep one of them`},
		{"two of one key", rtd + anna + "[[serve.user]]\nname = \"ben\"\nkeys = [\"ssh-ed25519 AAAA ben\"]\n[[serve.user]]\nname = \"ben\"\nsessions = -1\n", `
DIR/config.toml:9: serve.user[1].keys[0]: is already the key of "anna"; a key identifies a user: each key belongs to one user
DIR/config.toml:10: serve.user[2].keys: are missing; "ben" cannot log in without a key; add one, or set trusted_ca_file
DIR/config.toml:11: serve.user[2].name: "ben" is used twice; write one [[serve.user]] per user with all their keys
DIR/config.toml:12: serve.user[2].sessions: is negative; allowed: a number, or 0 for 20`},
	}
}
