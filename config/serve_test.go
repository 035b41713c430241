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
DIR/config.toml:12: serve.user[0].names: "initials" hides whom an action would be for; take it out, or write role = "view"`},
		{"part of the floor", rtd + anna + "services = [\"S1\", \"\", \"S1\"]\nsites = [0, 2]\n", `
DIR/config.toml:7: serve.user[0].services[1]: is empty; write a code, or take the entry out
DIR/config.toml:7: serve.user[0].services[2]: "S1" stands there twice; keep one of them
DIR/config.toml:8: serve.user[0].sites[0]: 0 is not positive or stands there twice; allowed: the number of a site, once`},
		{"act on a part", rtd + rest + anna + "role = \"act\"\ngroups = [\"G1\"]\n", `
DIR/config.toml:11: serve.user[0].role: "act" is for everything that the login of [rest] may do, not for a part of the floor; give them a login of their own in [serve.user.rest], so that the platform decides`},
		{"login of who only looks", rtd + rest + anna + "[serve.user.rest]\nusername = \"anna\"\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:11: serve.user[0].rest: is of no use to who cannot act; take it out, or write role = "act"`},
		{"login without a name", rtd + rest + anna + "role = \"act\"\n[serve.user.rest]\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:12: serve.user[0].rest.username: is missing; rest.auth = "session" needs it`},
		{"login without a secret", rtd + rest + anna + "role = \"act\"\n[serve.user.rest]\nusername = \"anna\"\n", `
DIR/config.toml:12: serve.user[0].rest.password: is missing: [serve.user[0].rest] needs it; set one of serve.user[0].rest.password_file, serve.user[0].rest.password_keyring, serve.user[0].rest.password_env`},
		{"values of [serve]", rtd + "[serve]\nlisten = \"2222\"\nmax_viewers = 0\nevery = \"1ms\"\n", `
DIR/config.toml:5: serve.listen: "2222" is no address; write it like "127.0.0.1:2222" or ":2222"
DIR/config.toml:6: serve.max_viewers: 0 is out of range; allowed: 1 to 5000
DIR/config.toml:7: serve.every: 1ms is out of range; allowed: 100ms to 10s`},
		{"start page", rtd + anna + "pages = [\"Agents\"]\npage = \"overview\"\n", `
DIR/config.toml:8: serve.user[0].page: "overview" is not among their pages; allowed: one of pages; without any, each page of the board`},
		{"start page that all have", rtd + anna + "pages = [\"Agents\"]\npage = \"agents\"\n", ``},
		{"pages", rtd + anna + "pages = [\"Agents\", \"Servces\", \"agents\"]\n", `
DIR/config.toml:7: serve.user[0].pages[1]: "Servces" is not allowed; allowed: overview, agents
DIR/config.toml:7: serve.user[0].pages[2]: "agents" stands there twice; keep one of them`},
		{"two of one key", rtd + anna + "[[serve.user]]\nname = \"ben\"\nkeys = [\"ssh-ed25519 AAAA ben\"]\n[[serve.user]]\nname = \"ben\"\nsessions = -1\n", `
DIR/config.toml:9: serve.user[1].keys[0]: is the key of "anna" already; a key says who somebody is: each belongs to one user
DIR/config.toml:10: serve.user[2].keys: are missing; nobody can come in as "ben" without a key; or name trusted_ca_file
DIR/config.toml:11: serve.user[2].name: "ben" stands there twice; give each user one [[serve.user]] with all their keys
DIR/config.toml:12: serve.user[2].sessions: is negative; allowed: a number, or 0 for 20`},
	}
}
