package config

import (
	"net"
	"net/mail"
	"slices"
	"strconv"

	"wallboard/internal/lib/secret"
)

// Mail sets recipients of e-mail and the mail server. The connection always uses TLS: from
// the start on port 465, else with STARTTLS. Only a server on this machine may do without.
type Mail struct {
	To       []string `toml:"mail"`      // E-mail addresses of the recipients, without names.
	From     string   `toml:"mail_from"` // E-mail address of the sender.
	SMTP     string   `toml:"smtp"`      // Mail server and port, "smtp.example.com:587".
	SMTPUser string   `toml:"smtp_user"` // User name on the mail server; "": no login.

	SMTPPassword        secret.Text `toml:"smtp_password"`         // Password on the mail server; only in a configuration file with mode 0600.
	SMTPPasswordEnv     string      `toml:"smtp_password_env"`     // Environment variable that holds the mail password.
	SMTPPasswordFile    string      `toml:"smtp_password_file"`    // File that holds the mail password on one line, as for password_file.
	SMTPPasswordKeyring string      `toml:"smtp_password_keyring"` // Mail password in the keyring of the operating system, as "service/user".
}

func (m *Mail) smtpPasswordSources(path string) secretSources {
	return secretSources{path + ".smtp_password", &m.SMTPPassword, m.SMTPPasswordEnv, m.SMTPPasswordFile, m.SMTPPasswordKeyring}
}

const maxMailRecipients = 20

func (m *Mail) check(r *report, path string) {
	if len(m.To) == 0 {
		for _, set := range []struct {
			key   string
			isSet bool
		}{
			{"mail_from", m.From != ""},
			{"smtp", m.SMTP != ""},
			{"smtp_user", m.SMTPUser != ""},
			{"smtp_password", len(m.smtpPasswordSources(path).setKeys()) > 0},
		} {
			if set.isSet {
				r.add(joinKey(path, set.key), "has no effect without mail", "remove it, or set mail")
			}
		}
		return
	}
	for i, to := range m.To {
		if i == maxMailRecipients || !isMailAddress(to) || slices.Contains(m.To[:i], to) {
			r.add(elementKey(joinKey(path, "mail"), i), "is not an e-mail address, is listed twice or is over the maximum number",
				`write it like "shift@example.com"; `+strconv.Itoa(maxMailRecipients)+" at most")
		}
	}
	if !isMailAddress(m.From) {
		r.add(joinKey(path, "mail_from"), "is not an e-mail address", `write it like "wallboard@example.com"`)
	}
	host, port, err := net.SplitHostPort(m.SMTP)
	if n, portErr := strconv.ParseUint(port, 10, 16); err != nil || host == "" || portErr != nil || n == 0 {
		r.add(joinKey(path, "smtp"), "is not the address of a mail server", `write it like "smtp.example.com:587"`)
	}
	checkPrintable(r, joinKey(path, "smtp_user"), m.SMTPUser)
	if hasPassword := len(m.smtpPasswordSources(path).setKeys()) > 0; hasPassword != (m.SMTPUser != "") {
		r.add(joinKey(path, "smtp_user"), "and smtp_password must be set together", "set both, or neither if the server needs no login")
	}
}

// isMailAddress reports whether text is only an e-mail address, without a name, comment or line
// break.
func isMailAddress(text string) bool {
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
