package config

import (
	"reflect"
	"strings"
)

type problemCase struct{ name, text, want string }

// rtd is the beginning of a file whose problems come after it.
const rtd = minimal

// problemCases lists files with problems and their complete error output.
func problemCases() []problemCase {
	var all []problemCase
	for _, part := range [][]problemCase{
		shapeCases(), typeCases(), valueCases(), addressCases(), nameCases(), dialectCases(), restCases(), auditCases(), privacyCases(),
		alertCases(), silenceCases(), hoursCases(), breakCases(), notifyCases(), commandCases(), syntaxCases(), kioskCases(), serveCases(),
	} {
		all = append(all, part...)
	}
	return all
}

func shapeCases() []problemCase {
	return []problemCase{
		{"none", rtd, ``},
		{"byte order mark", "\ufeff" + rtd, ``},
		{"mark of another encoding", "\xfe\xff[ui]\nthem = \"dark\"\n" + rtd, `
DIR/config.toml:2: ui.them: unknown key; did you mean ui.theme?`},
		{"empty", ``, `
DIR/config.toml: rtd.access_token: is missing: rtd.auth = "token" needs it; set one of rtd.access_token_file, rtd.access_token_keyring, rtd.access_token_env
DIR/config.toml: rtd.url: is missing; write the address of the real-time display service, for example "https://host/rtd", or run ` + "`wallboard demo`"},
		{"part of a key", rtd + "token_file = \"token\"\n", `
DIR/config.toml:4: rtd.token_file: unknown key; did you mean rtd.access_token_file?`},
		{"unknown key", rtd + "[ui]\nthem = \"dark\"\n", `
DIR/config.toml:5: ui.them: unknown key; did you mean ui.theme?`},
		{"swapped letters", rtd + "[ui]\nmuose = true\n", `
DIR/config.toml:5: ui.muose: unknown key; did you mean ui.mouse?`},
		{"key in capitals", rtd + "[ui]\nTheme = \"dark\"\n", `
DIR/config.toml:5: ui.Theme: unknown key; did you mean ui.theme?`},
		{"key nothing like", rtd + "[log]\ncolour = 1\n", `
DIR/config.toml:5: log.colour: unknown key; allowed in [log]: file, level, max_size, keep`},
		{"key of another table", rtd + "[ui]\nlevel = \"info\"\n", `
DIR/config.toml:5: ui.level: unknown key; did you mean log.level?`},
		{"key outside of its table", "theme = \"dark\"\n" + rtd, `
DIR/config.toml:1: theme: unknown key; did you mean ui.theme?`},
		{"unknown table", rtd + "[uii]\ntheme = \"dark\"\n", `
DIR/config.toml:4: uii: unknown key; did you mean ui?`},
		{"table nothing like", rtd + "\n[database]\nx = 1\n", `
DIR/config.toml:5: database: unknown key; allowed at the top: read_only, rtd, rest, history, audit, record, privacy, service_level, hours, holiday, marks, calendar, tolerance, kpi, threshold, alert, builtin, break, silence, playbook, notify, command, ui, keys, page, kiosk, serve, cluster, log, platform`},
		{"empty key", rtd + "\"\" = 1\n[log]\n\"\" = 1\n", `
DIR/config.toml:4: rtd."": unknown key; allowed in [rtd]: ` + strings.Join(keysOf(reflect.TypeFor[RTD]()), ", ") + `
DIR/config.toml:6: log."": unknown key; allowed in [log]: file, level, max_size, keep`},
		{"hostile key", rtd + "[ui]\n\"\\u001b[31m\\u202e\" = 1\n", `
DIR/config.toml:5: ui."\x1b[31m\u202e": unknown key; allowed in [ui]: theme, language, ascii, mouse, flash, recovery_bell, window_title, desktop_notifications, site, page, refresh, service_level_target`},
		{"misspelt secret", "[rtd]\nurl = \"https://pbx.example.com\"\nauth = \"cookie\"\naccess_toke = \"" + canary + "\"\n", `
DIR/config.toml:1: rtd.access_token: is missing: rtd.auth = "cookie" needs it; set one of rtd.access_token_file, rtd.access_token_keyring, rtd.access_token_env
DIR/config.toml:4: rtd.access_toke: unknown key; did you mean rtd.access_token?`},
		{"beginning of a key", rtd + "[log]\nmax = 1\n", `
DIR/config.toml:5: log.max: unknown key; did you mean log.max_size?`},
		{"beginning of a key in a list", rtd + "[[threshold]]\nkpi = \"longestWait\"\nwarning = 30\ncrit = 60\n", `
DIR/config.toml:7: threshold[0].crit: unknown key; did you mean threshold[0].critical?`},
		{"key that another table has", strings.Replace(rtd, "[rtd]\n", "[rtd]\nuser = \"super\"\n", 1), `
DIR/config.toml:2: rtd.user: unknown key; did you mean rtd.username?`},
	}
}

func typeCases() []problemCase {
	return []problemCase{
		{"text", rtd + "[ui]\ntheme = 1\n", `
DIR/config.toml:5: ui.theme: must be a text, but is a whole number; write it in quotes`},
		{"truth", rtd + "[ui]\nmouse = \"yes\"\n", `
DIR/config.toml:5: ui.mouse: must be true or false, but is a text; write true or false, without quotes`},
		{"filter", rtd + `user_site = 2
[rtd.filter]
surname = "a\tb"
sites = [1, 0]
statuses = ["READY", "BUSY_dn_call_in"]
channels = ["CALL", "FAX", "CALL"]
profile_types = ["BOSS"]
services = ["S1", "S1"]
custom_stat_keys = [""]
`, `
DIR/config.toml:6: rtd.filter.surname: contains characters that cannot be printed; remove control characters, tabs and newlines
DIR/config.toml:7: rtd.filter.sites: cannot be used with rtd.user_site; keep one of the two
DIR/config.toml:7: rtd.filter.sites[1]: 0 is not positive or is listed twice; allowed: the number of a site, once
DIR/config.toml:8: rtd.filter.statuses[1]: "BUSY_dn_call_in" is not allowed; allowed: READY, NOT_READY, BUSY, NOT_READY_BUSY, BOOKED, WNR
DIR/config.toml:9: rtd.filter.channels[1]: "FAX" is not allowed; allowed: CALL, CUSTOM_1, CUSTOM_2, CUSTOM_3, VIDEO, CHAT, MAIL_ACD, LIVEHELP, OMNIDESK
DIR/config.toml:9: rtd.filter.channels[2]: "CALL" is listed twice; keep one of them
DIR/config.toml:10: rtd.filter.profile_types[0]: "BOSS" is not allowed; allowed: AGENT, OPERATOR
DIR/config.toml:11: rtd.filter.services[1]: "S1" is listed twice; keep one of them
DIR/config.toml:12: rtd.filter.custom_stat_keys[0]: is empty; write a code, or remove the entry`},
		{"how much is kept", rtd + "max_records = 99\nmax_codes = 200001\n", `
DIR/config.toml:4: rtd.max_records: 99 is out of range; allowed: 100 to 5000000
DIR/config.toml:5: rtd.max_codes: 200001 is out of range; allowed: 1 to 200000`},
		{"login with a token that is missing", "[rtd]\nurl = \"https://pbx.example.com/rtd\"\nauth = \"token_login\"\n", `
DIR/config.toml:1: rtd.access_token: is missing: rtd.auth = "token_login" needs it; set one of rtd.access_token_file, rtd.access_token_keyring, rtd.access_token_env`},
		{"whole number", rtd + "user_site = 1.5\n", `
DIR/config.toml:4: rtd.user_site: must be a whole number, but is a number with a fraction; write it without quotes, for example 12`},
		{"large number", rtd + "user_site = 2147483648\n", `
DIR/config.toml:4: rtd.user_site: is out of range; allowed: numbers of 32 bits`},
		{"number", rtd + "[ui]\nservice_level_target = \"80%\"\n", `
DIR/config.toml:5: ui.service_level_target: must be a number, but is a text; write it without quotes, for example 0.8`},
		{"duration", rtd + "[ui]\nrefresh = 100\n", `
DIR/config.toml:5: ui.refresh: must be a duration, but is a whole number; write it in quotes with its unit, for example "100ms" or "2s"`},
		{"list", rtd + "services = \"SRV01\"\n", `
DIR/config.toml:4: rtd.services: must be a list, but is a text; write it in brackets, for example ["SRV01", "SRV02"]`},
		{"elements", rtd + "services = [\n  \"SRV01\",\n  2,\n  \"SRV03\",\n  true,\n]\n", `
DIR/config.toml:6: rtd.services[1]: must be a text, but is a whole number; write it in quotes
DIR/config.toml:8: rtd.services[3]: must be a text, but is true or false; write it in quotes`},
		{"element twice after one of a wrong type", rtd + "services = [\"A\", 2, \"A\"]\n", `
DIR/config.toml:4: rtd.services[1]: must be a text, but is a whole number; write it in quotes
DIR/config.toml:4: rtd.services[2]: "A" is listed twice; keep one of them`},
		{"list of numbers", rtd + "campaigns = [1, \"2\"]\n", `
DIR/config.toml:4: rtd.campaigns[1]: must be a whole number, but is a text; write it without quotes, for example 12`},
		{"table", "ui = 1979-05-27\n" + rtd, `
DIR/config.toml:1: ui: must be a table, but is a date or time; write [ui] on a line of its own and its keys below`},
		{"array of tables for table", rtd + "[[ui]]\n", `
DIR/config.toml:4: ui: must be a table, but is an array of tables; write [ui] on a line of its own and its keys below`},
		{"table for array of tables", rtd + "[rtd.names]\nkind = \"service\"\n", `
DIR/config.toml:4: rtd.names: must be an array of tables, but is a table; write [[rtd.names]] on a line of its own and its keys below`},
		{"secret", "[rtd]\nurl = \"https://pbx.example.com\"\naccess_token = 12345678\n", `
DIR/config.toml:3: rtd.access_token: must be a text, but is a whole number; write it in quotes`},
		{"root", rtd + "[rtd.dialect.roots]\nusers = [\"a\"]\n", `
DIR/config.toml:5: rtd.dialect.roots.users: must be a text, but is a list; write it in quotes`},
		{"roots", rtd + "dialect.roots = \"onUsers\"\n", `
DIR/config.toml:4: rtd.dialect.roots: must be a table, but is a text; write [rtd.dialect.roots] on a line of its own and its keys below`},
	}
}

func valueCases() []problemCase {
	return []problemCase{
		{"auth", rtd + "auth = \"tokn\"\n", `
DIR/config.toml:4: rtd.auth: "tokn" is not allowed; did you mean "token"? allowed: token, cookie, login, token_login`},
		{"unknown auth without a secret", "[rtd]\nurl = \"https://pbx.example.com\"\nauth = \"password\"\n", `
DIR/config.toml:3: rtd.auth: "password" is not allowed; allowed: token, cookie, login, token_login`},
		{"subprotocol", rtd + "subprotocol = \"mqtt\"\n", `
DIR/config.toml:4: rtd.subprotocol: "mqtt" is not allowed; allowed: auto, graphql-transport-ws, graphql-ws`},
		{"empty subprotocol", rtd + "subprotocol = \"\"\n", `
DIR/config.toml:4: rtd.subprotocol: is empty; allowed: auto, graphql-transport-ws, graphql-ws`},
		{"no user name", "[rtd]\nurl = \"https://pbx.example.com\"\nauth = \"login\"\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:1: rtd.username: is missing; rtd.auth = "login" needs it`},
		{"user name with newline", rtd + "username = \"a\\nb\"\n", `
DIR/config.toml:4: rtd.username: contains characters that cannot be printed; remove control characters, tabs and newlines`},
		{"not a duration", rtd + "publish_interval = \"fast\"\n", `
DIR/config.toml:4: rtd.publish_interval: "fast" is not a duration; write it in quotes with its unit, for example "100ms" or "2s"`},
		{"short interval", rtd + "publish_interval = \"1ms\"\n", `
DIR/config.toml:4: rtd.publish_interval: 1ms is out of range; allowed: 50ms to 5s`},
		{"long interval", rtd + "[ui]\nrefresh = \"1h\"\n", `
DIR/config.toml:5: ui.refresh: 1h0m0s is out of range; allowed: 50ms to 5s`},
		{"negative site", rtd + "user_site = -1\n", `
DIR/config.toml:4: rtd.user_site: is negative; allowed: the number of a site, or 0 for all sites`},
		{"codes", rtd + "services = [\"A\", \"\", \"A\"]\ngroups = [\"\\u001b\"]\ncampaigns = [0, 7, 7]\n", `
DIR/config.toml:4: rtd.services[1]: is empty; write a code, or remove the entry
DIR/config.toml:4: rtd.services[2]: "A" is listed twice; keep one of them
DIR/config.toml:5: rtd.groups[0]: contains characters that cannot be printed; remove control characters, tabs and newlines
DIR/config.toml:6: rtd.campaigns[0]: 0 is not positive or is listed twice; allowed: the id of a campaign, once
DIR/config.toml:6: rtd.campaigns[2]: 7 is not positive or is listed twice; allowed: the id of a campaign, once`},
		{"theme", rtd + "[ui]\ntheme = \"blue\"\n", `
DIR/config.toml:5: ui.theme: "blue" is not allowed; allowed: auto, dark, light`},
		{"long value", rtd + "[ui]\ntheme = \"" + long + "\"\n", `
DIR/config.toml:5: ui.theme: "` + long[:40] + `…" is not allowed; allowed: auto, dark, light`},
		{"page", rtd + "[ui]\npage = \"agent\"\n", `
DIR/config.toml:5: ui.page: "agent" is not allowed; did you mean "agents"? allowed: overview, agents`},
		{"percent", rtd + "[ui]\nservice_level_target = 80\n", `
DIR/config.toml:5: ui.service_level_target: 80 is not a share; allowed: a share above 0 and up to 1, here 0.8 for 80 %`},
		{"zero target", rtd + "[ui]\nservice_level_target = 0\n", `
DIR/config.toml:5: ui.service_level_target: 0 is not a share; allowed: a share above 0 and up to 1`},
		{"target not a number", rtd + "[ui]\nservice_level_target = nan\n", `
DIR/config.toml:5: ui.service_level_target: nan is not a share; allowed: a share above 0 and up to 1`},
		{"level", rtd + "[log]\nlevel = \"trace\"\n", `
DIR/config.toml:5: log.level: "trace" is not allowed; allowed: debug, info, warn, error`},
		{"ca file missing", rtd + "ca_file = \"ca.pem\"\n", `
DIR/config.toml:4: rtd.ca_file: cannot be read: no such file or directory; name a readable file of PEM certificates`},
		{"ca file without certificate", rtd + "ca_file = \"config.toml\"\n", `
DIR/config.toml:4: rtd.ca_file: contains no certificate in PEM format; a certificate begins with -----BEGIN CERTIFICATE-----`},
	}
}

// rest is the beginning of a file whose problems are in [rest].
const rest = rtd + "[rest]\n"

func restCases() []problemCase {
	const good = rest + "url = \"https://pbx.example.com/platform\"\naccess_token = \"" + canary + "\"\n"
	return []problemCase{
		{"no rest", rest, ``},
		{"rest", good, ``},
		{"rest read-only", "read_only = true\n" + good, ``},
		{"rest with nothing but a login", rest + "username = \"supervisor\"\n", `
DIR/config.toml:4: rest.password: is missing: rest.auth = "session" needs it; set one of rest.password_file, rest.password_keyring, rest.password_env
DIR/config.toml:4: rest.url: is missing; write the address of the configuration service, for example "https://host/rest-base", without the /rest of its operations, or remove [rest]`},
		{"session without a login", rest + "url = \"https://pbx.example.com\"\n", `
DIR/config.toml:4: rest.password: is missing: rest.auth = "session" needs it; set one of rest.password_file, rest.password_keyring, rest.password_env
DIR/config.toml:4: rest.username: is missing; rest.auth = "session" needs it`},
		{"bearer without a token", rest + "url = \"https://pbx.example.com\"\nauth = \"bearer\"\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:4: rest.access_token: is missing: rest.auth = "bearer" needs it; set one of rest.access_token_file, rest.access_token_keyring, rest.access_token_env`},
		{"basic without a user name", rest + "url = \"https://pbx.example.com\"\nauth = \"basic\"\npassword_env = \"WALLBOARD_PASSWORD\"\n", `
DIR/config.toml:4: rest.username: is missing; rest.auth = "basic" needs it`},
		{"plain rest", rest + "url = \"http://pbx.example.com/platform\"\naccess_token = \"" + canary + "\"\n", `
DIR/config.toml:5: rest.url: http:// sends the secrets unencrypted; use https://; http:// is for this machine only, unless insecure_skip_verify = true accepts the risk, which marks the board permanently`},
		{"password in the address", rest + "url = \"https://a:" + canary + "@pbx.example.com\"\naccess_token = \"" + canary + "\"\n", `
DIR/config.toml:5: rest.url: contains a user name or a password; remove them from the address; use rest.username and rest.password_file`},
		{"rest values", good + "auth = \"token\"\nedition = \"1.5\"\ntimeout = \"1ms\"\nversion = \"\\n\"\nca_file = \"none.pem\"\n", `
DIR/config.toml:7: rest.auth: "token" is not allowed; allowed: session, bearer, basic
DIR/config.toml:8: rest.edition: "1.5" is not allowed; allowed: auto, 1.0.2, 1.4.0
DIR/config.toml:9: rest.timeout: 1ms is out of range; allowed: 1s to 2m0s
DIR/config.toml:10: rest.version: contains characters that cannot be printed; remove control characters, tabs and newlines
DIR/config.toml:11: rest.ca_file: cannot be read: no such file or directory; name a readable file of PEM certificates`},
		{"paths", good + "[rest.paths]\ndail = \"/rest/x\"\ndial = \"/x\"\nmessage-history = \"/rest/x?y\"\n", `
DIR/config.toml:8: rest.paths.dail: is not an operation of the service; did you mean dial?
DIR/config.toml:9: rest.paths.dial: is not the path of an operation; write it like "/rest/…", without a query
DIR/config.toml:10: rest.paths.message-history: is not the path of an operation; write it like "/rest/…", without a query`},
	}
}

func auditCases() []problemCase {
	const audit = rtd + "[audit]\n"
	return []problemCase{
		{"audit", audit + "file = \"a\"\nmax_size = \"64KiB\"\nkeep = 1\n", ``},
		{"audit values", audit + "max_size = \"1KiB\"\nkeep = 0\n", `
DIR/config.toml:5: audit.max_size: 1KiB is out of range; allowed: 64KiB to 1GiB
DIR/config.toml:6: audit.keep: 0 is out of range; allowed: 1 to 1000`},
		{"size as a number", audit + "max_size = 1000000\n", `
DIR/config.toml:5: audit.max_size: must be a size, but is a whole number; write it in quotes with its unit, for example "512KiB" or "10MiB"`},
		{"not a size", audit + "max_size = \"big MiB\"\n", `
DIR/config.toml:5: audit.max_size: "big MiB" is not a size; write it in quotes with its unit, for example "512KiB" or "10MiB"`},
	}
}

func privacyCases() []problemCase {
	const (
		first  = `recipients = ["age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"]` + "\n"
		sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINuLYkR6/R2T9c1+ZEFmCY6jX8eptVYVN4hjIZ9TuZGM"
		second = `second_key = ["age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"]` + "\n"
	)
	return []problemCase{
		{"encrypted", rtd + "[record]\n" + first + "key_files = [\"key.txt\"]\n[privacy]\nlongest_retention = \"72h\"\n", ``},
		{"kept too long", rtd + "[privacy]\nlongest_retention = \"24h\"\n", `
DIR/config.toml: record.max_age: 72h0m0s is longer than privacy.longest_retention; allowed: up to 24h0m0s`},
		{"smallest group", rtd + "[privacy]\nsmallest_group = 101\n", `
DIR/config.toml:5: privacy.smallest_group: 101 is out of range; allowed: 2 to 100`},
		{"smallest group without effect", rtd + "[privacy]\nsmallest_group = 1\n", `
DIR/config.toml:5: privacy.smallest_group: 1 is out of range; allowed: 2 to 100`},
		{"negative retention", rtd + "[privacy]\nlongest_retention = \"-1h\"\n", `
DIR/config.toml:5: privacy.longest_retention: -1h0m0s is negative; write a positive duration, or 0 for no limit`},
		{"not a public key", rtd + "[record]\nrecipients = [\"AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQ\"]\n", `
DIR/config.toml:5: record.recipients: one of them is a private key; a public key of age begins with age1; write the public keys that age-keygen prints, or lines of ~/.ssh/id_ed25519.pub`},
		{"second key alone", rtd + "[privacy]\n" + second, `
DIR/config.toml:5: privacy.second_key: has no effect without record.recipients; write the keys of the first person there`},
		{"one person with both keys", rtd + "[record]\n" + first + "[privacy]\n" + second, `
DIR/config.toml:7: privacy.second_key: one of the keys is also in record.recipients; two persons need different keys`},
		{"one person with both keys and another comment", rtd + "[record]\nrecipients = [\"" + sshKey + " anna\"]\n[privacy]\nsecond_key = [\"" + sshKey + " bob\"]\n", `
DIR/config.toml:7: privacy.second_key: one of the keys is also in record.recipients; two persons need different keys`},
	}
}

const long = "0123456789012345678901234567890123456789012345678901234567890"

func addressCases() []problemCase {
	const head, tail = "[rtd]\naccess_token = \"" + canary + "\"\nurl = \"", "\"\n"
	const ws = rtd + "ws_url = \""
	return []problemCase{
		{"no scheme", head + "pbx.example.com/rtd" + tail, `
DIR/config.toml:3: rtd.url: must begin with https:// or http://; write it like https://host/rtd`},
		{"ws for url", head + "wss://pbx.example.com/rtd" + tail, `
DIR/config.toml:3: rtd.url: must begin with https:// or http://; write it like https://host/rtd`},
		{"https for ws_url", ws + "https://pbx.example.com/rtd" + tail, `
DIR/config.toml:4: rtd.ws_url: must begin with wss:// or ws://; write it like wss://host/rtd`},
		{"no host", head + "https:///rtd" + tail, `
DIR/config.toml:3: rtd.url: has no host; write it like https://host/rtd`},
		{"password", head + "https://supervisor:" + canary + "@pbx.example.com/rtd" + tail, `
DIR/config.toml:3: rtd.url: contains a user name or a password; remove them from the address; use rtd.username and rtd.password_file`},
		{"password that breaks it", head + "https://supervisor:" + canary + "%zz@pbx.example.com/rtd" + tail, `
DIR/config.toml:3: rtd.url: is not a valid address; write it like https://host/rtd`},
		{"query", head + "https://pbx.example.com/rtd?token=" + canary + tail, `
DIR/config.toml:3: rtd.url: contains a query (?) or a fragment (#); write only scheme, host, port and path`},
		{"port", head + "https://pbx.example.com:70000" + tail, `
DIR/config.toml:3: rtd.url: has a port out of range; allowed: 1 to 65535`},
		{"plain", head + "http://pbx.example.com/rtd" + tail, `
DIR/config.toml:3: rtd.url: http:// sends the secrets unencrypted; use https://; http:// is for this machine only, unless insecure_skip_verify = true accepts the risk, which marks the board permanently`},
		{"plain ws", ws + "ws://10.0.0.1/rtd" + tail, `
DIR/config.toml:4: rtd.ws_url: ws:// sends the secrets unencrypted; use wss://; ws:// is for this machine only, unless insecure_skip_verify = true accepts the risk, which marks the board permanently`},
		{"plain accepted", head + "http://pbx.example.com/rtd\"\ninsecure_skip_verify = true\n", ``},
		{"plain on this machine", head + "http://[::1]:8080/rtd" + tail, ``},
	}
}

func nameCases() []problemCase {
	return []problemCase{
		{"incomplete name", rtd + "[[rtd.names]]\nkind = \"service\"\n\n[[rtd.names]]\nkind = \"site\"\ncode = \"1\"\nname = \"Rome\"\n", `
DIR/config.toml:4: rtd.names[0].code: is missing; every name needs kind, code and name
DIR/config.toml:4: rtd.names[0].name: is missing; every name needs kind, code and name`},
		{"kind", rtd + "[[rtd.names]]\nkind = \"srvice\"\ncode = \"A\"\nname = \"B\"\n", `
DIR/config.toml:5: rtd.names[0].kind: "srvice" is not allowed; did you mean "service"? allowed: service, group, campaign, activity, profile, site, user`},
		{"campaign code", rtd + "[[rtd.names]]\nkind = \"campaign\"\ncode = \"C1\"\nname = \"B\"\n", `
DIR/config.toml:6: rtd.names[0].code: "C1" is not a whole number; the code of a campaign is its id`},
		{"code of a wrong type", rtd + "[[rtd.names]]\nkind = \"campaign\"\ncode = 12\nname = \"B\"\n", `
DIR/config.toml:6: rtd.names[0].code: must be a text, but is a whole number; write it in quotes`},
		{"second name", rtd + "[[rtd.names]]\nkind = \"user\"\ncode = \"a\"\nname = \"A\"\n[[rtd.names]]\nkind = \"user\"\ncode = \"a\"\nname = \"B\"\n", `
DIR/config.toml:10: rtd.names[1].code: gives user "a" a second name, that at line 4; keep one of them`},
		{"unknown key", rtd + "[[rtd.names]]\nkind = \"user\"\ncode = \"a\"\nnme = \"A\"\n", `
DIR/config.toml:4: rtd.names[0].name: is missing; every name needs kind, code and name
DIR/config.toml:7: rtd.names[0].nme: unknown key; did you mean rtd.names[0].name?`},
		{"inline", rtd + "names = [\n  { kind = \"user\", code = \"a\", name = \"A\" },\n  3,\n  { kind = \"usr\", code = \"a\", name = \"A\" },\n]\n", `
DIR/config.toml:6: rtd.names[1]: must be a table, but is a whole number; write { kind = "service", code = "SRV01", name = "Sales IT" }
DIR/config.toml:7: rtd.names[2].kind: "usr" is not allowed; did you mean "user"? allowed: service, group, campaign, activity, profile, site, user`},
	}
}

func dialectCases() []problemCase {
	return []problemCase{
		{"operation", rtd + "[rtd.dialect.roots]\nserviceStat = \"x\"\n", `
DIR/config.toml:5: rtd.dialect.roots.serviceStat: is not an operation of the service; did you mean serviceStats?`},
		{"root name", rtd + "[rtd.dialect.roots]\nusers = \"on users\"\n", `
DIR/config.toml:5: rtd.dialect.roots.users: "on users" is not a name in GraphQL; allowed: letters, digits and _, not beginning with a digit`},
	}
}

func syntaxCases() []problemCase {
	return []problemCase{
		{"no quotes", "[rtd]\nurl = \"https://pbx.example.com\"\npassword = " + canary + "\n", `
DIR/config.toml:3: rtd.password: has no value, or one that is not valid TOML; a text stands in quotes: key = "text"`},
		{"open quotes", "[rtd]\npassword = \"" + canary + "\nurl = \"\"\n", `
DIR/config.toml:2: rtd.password: the quotes are not closed on this line; a text stands in quotes: key = "text"`},
		{"no value", "[ui]\ntheme\nmouse = true\n", `
DIR/config.toml:2: ui: = is missing after the key; write key = value`},
		{"twice", "[ui]\ntheme = \"a\"\ntheme = \"b\"\n", `
DIR/config.toml:3: ui.theme: is set twice; keep one of them`},
		{"text after", "[rtd]\npassword = \"\" " + canary + "\n", `
DIR/config.toml:2: rtd: something follows the value; one setting per line; a text stands in quotes: key = "text"`},
		{"open list", "[rtd]\nservices = [\"a\" \"b\"]\n", `
DIR/config.toml:2: rtd.services: a comma or the closing bracket of the list is missing; write ["one", "two"]`},
		{"not utf-8", "[ui]\nsite = \"\xff\"\n", `
DIR/config.toml:2: ui.site: the file is not UTF-8; save it as UTF-8`},
		{"number out of range", "[rtd]\npassword = 99999999999999999999\n", `
DIR/config.toml:2: rtd.password: the number is out of range`},
		{"digits", "[rtd]\npassword = 0123\n", `
DIR/config.toml:2: rtd.password: is not valid TOML; see https://toml.io; a text stands in quotes: key = "text"`},
		{"backslash", "[rtd]\npassword = \"a\\qb\"\n", `
DIR/config.toml:2: rtd.password: a \ in double quotes starts an escape sequence; write it in single quotes, or \\ for each \`},
	}
}
