package notify

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
)

// mailServer is a mail server that handles one connection after the other.
type mailServer struct {
	tls    *tls.Config // nil: the server does not support TLS
	auth   string      // login methods that the server offers over TLS
	refuse string      // the command that the server refuses, and its answer
	hangUp bool        // the server accepts a message but does not answer

	heard []string // commands, and the lines after DATA
	mails []string
}

// serve accepts connections until done is called.
func (s *mailServer) serve(t *testing.T) (address string, done func()) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.talk(conn)
		}
	}()
	return l.Addr().String(), func() { _ = l.Close(); <-over }
}

func (s *mailServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	r, secure := bufio.NewReader(conn), false
	say := func(line string) { _, _ = io.WriteString(conn, line+"\r\n") }
	say("220 mail.example ESMTP")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.heard = append(s.heard, line)
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		if refused, answer, ok := strings.Cut(s.refuse, " "); ok && refused == verb {
			say(answer)
			continue
		}
		switch verb {
		case "EHLO":
			if s.tls != nil && !secure {
				say("250-mail.example\r\n250 STARTTLS")
			} else {
				say("250-mail.example\r\n250 AUTH " + s.auth)
			}
		case "STARTTLS":
			say("220 go on")
			c := tls.Server(conn, s.tls)
			if c.HandshakeContext(context.Background()) != nil {
				return
			}
			conn, r, secure = c, bufio.NewReader(c), true
		case "AUTH":
			for _, ask := range []string{"Username:", "Password:"} {
				if strings.HasPrefix(line, "AUTH PLAIN") {
					break
				}
				say("334 " + base64.StdEncoding.EncodeToString([]byte(ask)))
				answer, _ := r.ReadString('\n')
				b, _ := base64.StdEncoding.DecodeString(strings.TrimSpace(answer))
				s.heard = append(s.heard, string(b))
			}
			say("235 welcome")
		case "DATA":
			say("354 go on")
			var text strings.Builder
			for line := ""; line != ".\r\n"; text.WriteString(line) {
				if line, err = r.ReadString('\n'); err != nil {
					return
				}
			}
			s.mails = append(s.mails, text.String())
			if s.hangUp {
				return
			}
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

// certificate returns the TLS configuration of a server on this machine, and that of a client that trusts the
// server's certificate.
func certificate(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}},
		&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}
}

func mailTo(server string, trust *tls.Config) *Target {
	return &Target{Name: "mail", Mail: &Mail{
		To: []string{"shift@example.com", "boss@example.com"}, From: "wallboard@example.com",
		Server: server, User: "board", Password: secret.New("s3cret"), TLS: trust,
	}}
}

// TestMail sends one mail over TLS. Names of the platform must not change its headers.
func TestMail(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 1, 0, 0, time.UTC)
	for way, said := range map[string][]string{
		"PLAIN LOGIN": {"AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00board\x00s3cret"))},
		"LOGIN":       {"AUTH LOGIN", "board", "s3cret"},
	} {
		server, trust := certificate(t)
		s := &mailServer{tls: server, auth: way}
		address, done := s.serve(t)
		c := hostileAlert(alert.ChangeCleared)
		c.Alert.Ended = c.Alert.Since.Add(70 * time.Second)
		target := mailTo(address, trust)
		if err := target.sendMail(t.Context(), newMessage("mail", pendingMessage{event: EventEnd, alert: c.Alert}, 0, 0, nil), now); err != nil {
			t.Fatal(err)
		}
		done()
		want := append([]string{"EHLO localhost", "STARTTLS", "EHLO localhost"}, said...)
		want = append(want, "MAIL FROM:<wallboard@example.com>", "RCPT TO:<shift@example.com>", "RCPT TO:<boss@example.com>", "DATA", "QUIT")
		if diff := cmp.Diff(want, s.heard); diff != "" {
			t.Errorf("%s: the server heard something else:\n%s", way, diff)
		}
		if len(s.mails) != 1 {
			t.Fatalf("%d mails", len(s.mails))
		}
		checkMail(t, s.mails[0])
	}
}

// checkMail reads a mail as a mail program does.
func checkMail(t *testing.T, text string) {
	t.Helper()
	got, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	headers := make(map[string]string)
	for name, values := range got.Header {
		headers[name] = strings.Join(values, "|")
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(headers["Subject"])
	if err != nil {
		t.Error(err)
	}
	thread := shortHash("a")
	if !strings.HasPrefix(headers["Message-Id"], "<"+thread+".") {
		t.Errorf("Message-ID is %s", headers["Message-Id"])
	}
	delete(headers, "Message-Id")
	delete(headers, "Subject")
	want := map[string]string{
		"From": "Wallboard <wallboard@example.com>", "To": "shift@example.com, boss@example.com",
		"Date": "Mon, 02 Mar 2026 12:01:00 +0000", "References": "<" + thread + "@example.com>",
		"Auto-Submitted": "auto-generated", "Mime-Version": "1.0",
		"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable",
	}
	if diff := cmp.Diff(want, headers); diff != "" {
		t.Errorf("the headers are others:\n%s", diff)
	}
	if want := truncate("Resolved after 1:10: "+oneLine(cleanText(hostile)), 150); subject != want {
		t.Errorf("the subject is %q, want %q", subject, want)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil {
		t.Error(err)
	}
	if want := cleanText(hostile) + "\n\nlongest wait · service S · CALL · since 2026-03-02 12:00:00 UTC\n"; !strings.HasPrefix(strings.ReplaceAll(string(body), "\r\n", "\n"), want) {
		t.Errorf("the body is %q, want %q", body, want)
	}
	for line := range strings.SplitSeq(text, "\r\n") {
		const most = 998 // RFC 5322, 2.1.1
		if len(line) > most {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// TestMailFails checks the errors of failed mails, which say whether to try again.
func TestMailFails(t *testing.T) {
	t.Parallel()
	server, trust := certificate(t)
	m := newMessage("mail", pendingMessage{event: EventBegin, alert: hostileAlert(alert.ChangeRaised).Alert}, 0, 0, nil)
	for name, tt := range map[string]struct {
		server mailServer
		change func(*Mail)
		is     error
		want   string
	}{
		"refuses a recipient":   {mailServer{tls: server, auth: "LOGIN", refuse: "RCPT 550 s3cret"}, nil, ErrRefused, "does not take a recipient (code 550)"},
		"is busy":               {mailServer{tls: server, auth: "LOGIN", refuse: "MAIL 451 later"}, nil, nil, "does not take the sender now (code 451)"},
		"refuses the password":  {mailServer{tls: server, auth: "LOGIN", refuse: "AUTH 535 no"}, nil, ErrRefused, "does not accept the login (code 535)"},
		"hangs up":              {mailServer{tls: server, auth: "LOGIN", hangUp: true}, nil, ErrDeliveryUnknown, "did not answer"},
		"is somebody else":      {mailServer{tls: server, auth: "LOGIN"}, func(ml *Mail) { ml.TLS = nil }, nil, "certificate"},
		"offers no login":       {mailServer{}, nil, nil, ""},
		"wants none, is local":  {mailServer{}, func(ml *Mail) { ml.User = "" }, nil, ""},
		"cannot be an address":  {mailServer{}, func(ml *Mail) { ml.Server = "nowhere" }, ErrRefused, "cannot be used"},
		"is not there any more": {mailServer{}, func(ml *Mail) { ml.Server = "127.0.0.1:1" }, nil, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tt.server
			address, done := s.serve(t)
			defer done()
			target := mailTo(address, trust)
			if tt.change != nil {
				tt.change(target.Mail)
			}
			err := target.sendMail(t.Context(), m, time.Now())
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want == "":
			case err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) ||
				tt.is == nil && (errors.Is(err, ErrRefused) || errors.Is(err, ErrDeliveryUnknown)):
				t.Errorf("error is %v, want %q (%v)", err, tt.want, tt.is)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error contains the password: %v", err)
			}
		})
	}
}

// TestMailNeedsTLS checks that mail without TLS is only sent to a server on this machine.
func TestMailNeedsTLS(t *testing.T) {
	t.Parallel()
	for host, refused := range map[string]bool{"mail.example.com": true, "192.0.2.1": true, "127.0.0.1": false, "localhost": false} {
		ours, theirs := net.Pipe()
		go func() {
			s := &mailServer{}
			s.talk(theirs)
		}()
		err := talkTo(t, ours, host)
		if errors.Is(err, ErrRefused) != refused {
			t.Errorf("%s: error is %v", host, err)
		}
		_ = ours.Close()
	}
}

// talkTo starts TLS with the server at the other end of conn, as if the name of the server were host.
func talkTo(t *testing.T, conn net.Conn, host string) error {
	t.Helper()
	c, err := smtp.NewClient(conn, host)
	if err != nil {
		t.Fatal(err)
	}
	return (&Mail{}).startTLS(c, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}, false)
}
