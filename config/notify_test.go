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
DIR/config.toml:4: notify[0]: has 0 ways to tell somebody; set one of command, webhook (or webhook_file, …), mail and sms`},
		{"no name", rtd + "[[notify]]\ncommand = [\"true\"]\n", `
DIR/config.toml:4: notify[0].name: is missing; every [[notify]] needs a name, by which rules name it`},
		{"twice", rtd + floor + floor, `
DIR/config.toml:8: notify[1].name: "floor" stands there twice; choose another name`},
		{"values", rtd + floor + "quiet = \"late\"\nmax_per_hour = 0\non = [\"start\"]\nseverity = \"bad\"\ntimeout = \"1h\"\nheader_env = \"X_Y\"\n", `
DIR/config.toml:4: notify[0].header: does not fit: there is no webhook; take it out
DIR/config.toml:7: notify[0].quiet: is no part of a day; write it like "22:00-07:00"
DIR/config.toml:8: notify[0].max_per_hour: 0 is out of range; allowed: 1 to 1000
DIR/config.toml:9: notify[0].on[0]: "start" is not allowed; allowed: begin, escalate, end
DIR/config.toml:10: notify[0].severity: "bad" is not allowed; allowed: warning, critical
DIR/config.toml:11: notify[0].timeout: 1h0m0s is out of range; allowed: 1s to 5m0s`},
		{"sms without [rest]", rtd + "[[notify]]\nname = \"floor\"\nsms = [\"+39\", \"call me\"]\n", `
DIR/config.toml:6: notify[0].sms: cannot work: SMS are sent through [rest], and not when read_only is set; set [rest], or use command or webhook
DIR/config.toml:6: notify[0].sms[0]: is no telephone number, stands there twice or is one too many; write digits, like "+390471000000"; 20 at most
DIR/config.toml:6: notify[0].sms[1]: is no telephone number, stands there twice or is one too many; write digits, like "+390471000000"; 20 at most`},
		{"mail", rtd + "[[notify]]\nname = \"floor\"\nmail = [\"Anna <a@b.example>\", \"a@b.example\\r\\nBcc: x@y.example\", \"a@b.example\"]\nsmtp = \"mail\"\nsmtp_user = \"u\"\nformat = \"teams\"\n", `
DIR/config.toml:4: notify[0].mail_from: is no address of mail; write it like "wallboard@example.com"
DIR/config.toml:6: notify[0].mail[0]: is no address of mail, stands there twice or is one too many; write it like "shift@example.com"; 20 at most
DIR/config.toml:6: notify[0].mail[1]: is no address of mail, stands there twice or is one too many; write it like "shift@example.com"; 20 at most
DIR/config.toml:7: notify[0].smtp: is no mail server; write it like "smtp.example.com:587"
DIR/config.toml:8: notify[0].smtp_user: and smtp_password belong together; set both, or neither where the server wants no log in
DIR/config.toml:9: notify[0].format: does not fit: there is no webhook; take it out`},
		{"no mail", rtd + floor + "smtp = \"a:25\"\n", `
DIR/config.toml:7: notify[0].smtp: does not fit: there is no mail; take it out, or write who gets mail`},
		{"webhook in the clear", rtd + "[[notify]]\nname = \"floor\"\nwebhook = \"http://chat.example.com/" + canary + "\"\n", `
DIR/config.toml:6: notify[0].webhook: is no address of a webhook; write it like https://host/path; http:// is for this machine only`},
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	n := Notify{Quiet: "22:00-07:30"}
	if from, to := n.Hours(); from != 22*time.Hour || to != 7*time.Hour+30*time.Minute {
		t.Errorf("hours are %v to %v", from, to)
	}
	if from, to := (&Notify{}).Hours(); from != to {
		t.Errorf("no hours are %v to %v", from, to)
	}
}
