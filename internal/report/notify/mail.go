package notify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/smtp"
	"net/textproto"
	"os"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
)

// Mail is a target that sends mail through an SMTP server.
type Mail struct {
	To       []string // addresses without display names
	From     string   // address of the sender
	Server   string   // host:port; port 465 uses TLS from the start, all others STARTTLS
	User     string   // "": no login
	Password secret.Text
	TLS      *tls.Config // nil: the certificates of the system are trusted
}

// sendMail sends a message by SMTP over TLS. It does without TLS only for a server on this machine.
func (t *Target) sendMail(ctx context.Context, m *message, now time.Time) error {
	return t.Mail.deliver(ctx, t.Mail.renderMail(m, now))
}

// deliver sends content, a complete mail, to all recipients.
func (ml *Mail) deliver(ctx context.Context, content []byte) error {
	c, stop, err := ml.connect(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err = c.Mail(ml.From); err != nil {
		return ml.refusalError("does not take the sender", err)
	}
	for _, to := range ml.To {
		if err = c.Rcpt(to); err != nil {
			return ml.refusalError("does not take a recipient", err)
		}
	}
	w, err := c.Data()
	if err != nil {
		return ml.refusalError("does not take the message", err)
	}
	if _, err = w.Write(content); err != nil {
		return errors.New("the connection to the mail server broke") // the server drops the incomplete message
	}
	if err = w.Close(); err == nil {
		_ = c.Quit()
		return nil
	}
	if _, answered := errors.AsType[*textproto.Error](err); !answered {
		return fmt.Errorf("%w: the mail server did not answer", ErrDeliveryUnknown)
	}
	return ml.refusalError("does not take the message", err)
}

// connect connects to the server, starts TLS and logs in. It does without TLS only for a
// server on this machine. stop closes the connection.
func (ml *Mail) connect(ctx context.Context) (c *smtp.Client, stop func(), err error) {
	host, port, err := net.SplitHostPort(ml.Server)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the address of the mail server cannot be used", ErrRefused)
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ml.TLS != nil {
		config = ml.TLS.Clone()
	}
	config.ServerName = host
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", ml.Server)
	if err != nil {
		return nil, nil, errors.New("the mail server cannot be reached")
	}
	if end, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(end)
	}
	const implicit = "465"
	if port == implicit {
		conn = tls.Client(conn, config)
	}
	if c, err = smtp.NewClient(conn, host); err != nil {
		_ = conn.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, nil, errSilentMailServer
		}
		return nil, nil, errors.New("the mail server does not speak SMTP")
	}
	stop = func() { _ = c.Close() }
	if err = ml.startTLS(c, config, port == implicit); err == nil && ml.User != "" {
		err = ml.login(c, host)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return c, stop, nil
}

// errSilentMailServer means that a mail server accepted a connection and then sent nothing.
var errSilentMailServer = errors.New("the mail server does not answer")

// startTLS starts TLS. If already is true, the connection already uses TLS, and startTLS does
// nothing. Without TLS, it returns an error unless the server is on this machine.
func (ml *Mail) startTLS(c *smtp.Client, config *tls.Config, already bool) error {
	if already {
		return nil
	}
	if offered, _ := c.Extension("STARTTLS"); offered {
		switch err := c.StartTLS(config); {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return errSilentMailServer
		case err != nil:
			return errors.New("the mail server's certificate is not accepted, or TLS fails")
		}
		return nil
	}
	if ip := net.ParseIP(config.ServerName); config.ServerName == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("%w: the mail server does not speak STARTTLS", ErrRefused)
}

// login logs in with the method PLAIN or, if the server does not offer PLAIN, with LOGIN.
func (ml *Mail) login(c *smtp.Client, host string) error {
	offered, ways := c.Extension("AUTH")
	if !offered {
		return fmt.Errorf("%w: the mail server offers no login", ErrRefused)
	}
	var auth smtp.Auth = &loginAuth{ml.User, ml.Password}
	if strings.Contains(" "+strings.ToUpper(ways)+" ", " PLAIN ") {
		auth = smtp.PlainAuth("", ml.User, ml.Password.Reveal(), host)
	}
	if err := c.Auth(auth); err != nil {
		return ml.refusalError("does not accept the login", err)
	}
	return nil
}

// loginAuth implements the login method LOGIN, because some servers offer no other one.
type loginAuth struct {
	user     string
	password secret.Text
}

// Start implements [smtp.Auth]. It refuses a connection to another machine without TLS.
func (l *loginAuth) Start(s *smtp.ServerInfo) (string, []byte, error) {
	if ip := net.ParseIP(s.Name); !s.TLS && s.Name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", nil, errors.New("the connection is not encrypted")
	}
	return "LOGIN", nil, nil
}

// Next implements [smtp.Auth].
func (l *loginAuth) Next(asked []byte, more bool) ([]byte, error) {
	switch {
	case !more:
		return nil, nil
	case strings.HasPrefix(strings.ToLower(string(asked)), "user"):
		return []byte(l.user), nil
	case strings.HasPrefix(strings.ToLower(string(asked)), "pass"):
		return []byte(l.password.Reveal()), nil
	}
	return nil, errors.New("the mail server sent an unexpected prompt")
}

// refusalError returns an error for a refusal by the server. what describes the refusal. A
// code of 500 or higher means that the refusal is final, so the error wraps ErrRefused. The
// error does not contain the server's message, which may quote the mail or the login.
func (ml *Mail) refusalError(what string, err error) error {
	if said, ok := errors.AsType[*textproto.Error](err); ok {
		if said.Code >= 500 {
			return fmt.Errorf("%w: the mail server %s (code %d)", ErrRefused, what, said.Code)
		}
		return fmt.Errorf("the mail server %s now (code %d)", what, said.Code)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errSilentMailServer
	}
	return fmt.Errorf("the mail server %s", what)
}

// renderMail returns a complete mail about an alert.
func (ml *Mail) renderMail(m *message, now time.Time) []byte {
	body := strings.Join(append([]string{m.bodyText()}, m.details()...), "\n\n") + "\n\n" + m.ruleAndPlace() + "\n"
	return ml.renderPlainMail(m.headline()+": "+m.bodyText(), body, m.ID, string(m.Event), now)
}

// renderPlainMail returns a complete mail with its headers. Text from the platform occurs only in
// the subject and the body, encoded so that it cannot add headers. Mail programs group mails
// with the same topic. event distinguishes the mails of a topic.
func (ml *Mail) renderPlainMail(subject, text, topic, event string, now time.Time) []byte {
	var b bytes.Buffer
	header := func(name, value string) { b.WriteString(name + ": " + value + "\r\n") }
	header("From", "Wallboard <"+ml.From+">")
	header("To", strings.Join(ml.To, ", "))
	header("Subject", encodedSubject(subject))
	header("Date", now.Format(time.RFC1123Z))
	_, host, _ := strings.Cut(ml.From, "@")
	thread := shortHash(topic)
	header("Message-ID", "<"+thread+"."+shortHash(event+now.Format(time.RFC3339Nano))+"@"+host+">")
	header("References", "<"+thread+"@"+host+">")
	header("Auto-Submitted", "auto-generated")
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	body := quotedprintable.NewWriter(&b)
	_, _ = body.Write([]byte(text))
	_ = body.Close()
	return b.Bytes()
}

// encodedSubject returns subject encoded for a header.
func encodedSubject(subject string) string {
	const most = 150
	text := truncate(oneLine(subject), most)
	return strings.ReplaceAll(mime.QEncoding.Encode("utf-8", text), "?= =?", "?=\r\n =?")
}

// oneLine replaces each sequence of white space in text, including line breaks, with a blank.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shortHash returns the first 12 bytes of the SHA-256 hash of s in hexadecimal.
func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	const length = 12
	return hex.EncodeToString(sum[:length])
}
