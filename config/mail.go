package config

import (
	"net"
	"net/mail"
	"slices"
	"strconv"

	"wallboard/secret"
)

// Mail is who is told by mail, and the server that takes it. It is spoken to under
// TLS: from the first byte on port 465, else with STARTTLS, which only a server on
// this machine need not have.
type Mail struct {
	To       []string `toml:"mail"`      // Addresses of mail, without names.
	From     string   `toml:"mail_from"` // Address of the sender.
	SMTP     string   `toml:"smtp"`      // Mail server and port, "smtp.example.com:587".
	SMTPUser string   `toml:"smtp_user"` // User name on the mail server; "" does not log in.

	SMTPPassword        secret.Text `toml:"smtp_password"`         // Password on the mail server; resolved, wherever it came from.
	SMTPPasswordEnv     string      `toml:"smtp_password_env"`     // Where SMTPPassword comes from.
	SMTPPasswordFile    string      `toml:"smtp_password_file"`    // Where SMTPPassword comes from.
	SMTPPasswordKeyring string      `toml:"smtp_password_keyring"` // Where SMTPPassword comes from.
}

func (m *Mail) smtpPassword(path string) sources {
	return sources{path + ".smtp_password", &m.SMTPPassword, m.SMTPPasswordEnv, m.SMTPPasswordFile, m.SMTPPasswordKeyring}
}

// mostMails bounds how many are told by one mail.
const mostMails = 20

func (m *Mail) check(r *report, path string) {
	if len(m.To) == 0 {
		for _, set := range []struct {
			key  string
			some bool
		}{
			{"mail_from", m.From != ""},
			{"smtp", m.SMTP != ""},
			{"smtp_user", m.SMTPUser != ""},
			{"smtp_password", len(m.smtpPassword(path).given()) > 0},
		} {
			if set.some {
				r.add(join(path, set.key), "does not fit: there is no mail", "take it out, or write who gets mail")
			}
		}
		return
	}
	for i, to := range m.To {
		if i == mostMails || !isMail(to) || slices.Contains(m.To[:i], to) {
			r.add(element(join(path, "mail"), i), "is no address of mail, stands there twice or is one too many",
				`write it like "shift@example.com"; `+strconv.Itoa(mostMails)+" at most")
		}
	}
	if !isMail(m.From) {
		r.add(join(path, "mail_from"), "is no address of mail", `write it like "wallboard@example.com"`)
	}
	host, port, err := net.SplitHostPort(m.SMTP)
	if n, wrong := strconv.ParseUint(port, 10, 16); err != nil || host == "" || wrong != nil || n == 0 {
		r.add(join(path, "smtp"), "is no mail server", `write it like "smtp.example.com:587"`)
	}
	noControl(r, join(path, "smtp_user"), m.SMTPUser)
	if given := len(m.smtpPassword(path).given()) > 0; given != (m.SMTPUser != "") {
		r.add(join(path, "smtp_user"), "and smtp_password belong together", "set both, or neither where the server wants no log in")
	}
}

// isMail reports whether a text is an address and nothing else: no name, no comment,
// no line.
func isMail(text string) bool {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Name != "" || a.Address != text {
		return false
	}
	for _, c := range text {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}
