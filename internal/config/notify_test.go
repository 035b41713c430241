package config

import (
	"testing"
	"time"
)

func notifyCases() []problemCase {
	const floor = "[[notify]]\nname = \"floor\"\ncommand = [\"true\"]\n"
	return []problemCase{
		{"nobody of that name", rtd + floor + "[[alert]]\nname = \"a\"\nwhen = \"queuedCalls > 1\"\nnotify = [\"flor\"]\n", `
DIR/config.toml:10: alert[0].notify[0]: there is no [[notify]] named "flor"; did you mean floor?`},
		{"no way", rtd + "[[notify]]\nname = \"floor\"\n", `
DIR/config.toml:4: notify[0]: has 0 delivery methods; set exactly one of command, webhook (or webhook_file, …), mail and sms`},
		{"no name", rtd + "[[notify]]\ncommand = [\"true\"]\n", `
DIR/config.toml:4: notify[0].name: is missing; every [[notify]] needs a name, for the notify lists of rules`},
		{"twice", rtd + floor + floor, `
DIR/config.toml:8: notify[1].name: "floor" is used twice; choose another name`},
		{"values", rtd + floor + "quiet = \"late\"\nmax_per_hour = 0\non = [\"start\"]\nseverity = \"bad\"\ntimeout = \"1h\"\nlanguage = \"xx\"\nheader_env = \"X_Y\"\n", `
DIR/config.toml:4: notify[0].header: has no effect without a webhook; remove it
DIR/config.toml:7: notify[0].quiet: is not a range of hours; write it like "22:00-07:00"
DIR/config.toml:8: notify[0].max_per_hour: 0 is out of range; allowed: 1 to 1000
DIR/config.toml:9: notify[0].on[0]: "start" is not allowed; allowed: begin, escalate, end
DIR/config.toml:10: notify[0].severity: "bad" is not allowed; allowed: warning, critical
DIR/config.toml:11: notify[0].timeout: 1h0m0s is out of range; allowed: 1s to 5m0s
DIR/config.toml:12: notify[0].language: "xx" is not allowed; allowed: de, en, es, fr, it`},
		{"pasted sms numbers", rtd + "[rest]\nurl = \"https://pbx.example.com/platform\"\naccess_token = \"t\"\n" + "[[notify]]\nname = \"floor\"\nsms = [\"\u202a+39０471000000\u202c\"]\n", ``},
		{"sms without [rest]", rtd + "[[notify]]\nname = \"floor\"\nsms = [\"+39\", \"call me\"]\n", `
DIR/config.toml:6: notify[0].sms: cannot be sent: SMS need [rest], and read_only must not be set; set [rest], or use command or webhook
DIR/config.toml:6: notify[0].sms[0]: is not a telephone number, is listed twice or is over the maximum number; write digits, like "+390471000000"; 20 at most
DIR/config.toml:6: notify[0].sms[1]: is not a telephone number, is listed twice or is over the maximum number; write digits, like "+390471000000"; 20 at most`},
		{"mail", rtd + "[[notify]]\nname = \"floor\"\nmail = [\"Anna <a@b.example>\", \"a@b.example\\r\\nBcc: x@y.example\", \"a@b.example\"]\nsmtp = \"mail\"\nsmtp_user = \"u\"\nformat = \"teams\"\n", `
DIR/config.toml:4: notify[0].mail_from: is not an e-mail address; write it like "wallboard@example.com"
DIR/config.toml:6: notify[0].mail[0]: is not an e-mail address, is listed twice or is over the maximum number; write it like "shift@example.com"; 20 at most
DIR/config.toml:6: notify[0].mail[1]: is not an e-mail address, is listed twice or is over the maximum number; write it like "shift@example.com"; 20 at most
DIR/config.toml:7: notify[0].smtp: is not the address of a mail server; write it like "smtp.example.com:587"
DIR/config.toml:8: notify[0].smtp_user: and smtp_password must be set together; set both, or neither if the server needs no login
DIR/config.toml:9: notify[0].format: has no effect without a webhook; remove it`},
		{"no mail", rtd + floor + "smtp = \"a:25\"\n", `
DIR/config.toml:7: notify[0].smtp: has no effect without mail; remove it, or set mail`},
		{"webhook in the clear", rtd + "[[notify]]\nname = \"floor\"\nwebhook = \"http://chat.example.com/" + canary + "\"\n", `
DIR/config.toml:6: notify[0].webhook: is not the address of a webhook; write it like https://host/path; http:// is for this machine only`},
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	n := Notify{Quiet: "22:00-07:30"}
	if from, to := n.QuietHours(); from != 22*time.Hour || to != 7*time.Hour+30*time.Minute {
		t.Errorf("hours are %v to %v", from, to)
	}
	if from, to := (&Notify{}).QuietHours(); from != to {
		t.Errorf("no hours are %v to %v", from, to)
	}
}
