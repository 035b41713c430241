package cli

import (
	"bufio"
	"encoding/binary"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"wallboard/internal/lib/testkit"
)

// secretService is a D-Bus session bus with a Secret Service that holds one secret.
type secretService struct {
	address string // value of $DBUS_SESSION_BUS_ADDRESS

	mu     sync.Mutex
	secret string
}

// secretsPath is the path of all objects of a secretService.
const secretsPath dbus.ObjectPath = "/org/freedesktop/secrets/collection/login/1"

func newSecretService(t *testing.T, secret string) *secretService {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "bus")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := &secretService{address: "unix:path=" + path, secret: secret}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { s.serve(t, conn) })
		}
	})
	t.Cleanup(func() { _ = listener.Close() }) // the programs close their connections when they end
	return s
}

// set replaces the secret.
func (s *secretService) set(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret = secret
}

// serve authenticates a client and answers its calls until it disconnects.
func (s *secretService) serve(t *testing.T, conn net.Conn) {
	defer conn.Close() //nolint:errcheck // nothing is written any more
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.Trim(line, "\x00\r\n")
		if line == "BEGIN" {
			break
		}
		answer, ok := map[string]string{"AUTH": "REJECTED EXTERNAL", "AUTH EXTERNAL": "OK 0123456789abcdef0123456789abcdef"}[line]
		if !ok {
			answer = "ERROR"
		}
		if _, err := conn.Write([]byte(answer + "\r\n")); err != nil {
			return
		}
	}
	for {
		call, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		reply := &dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{
			dbus.FieldReplySerial: dbus.MakeVariant(call.Serial()),
		}}
		member, _ := call.Headers[dbus.FieldMember].Value().(string)
		if reply.Body = s.answer(member); reply.Body == nil {
			reply.Type = dbus.TypeError
			reply.Headers[dbus.FieldErrorName] = dbus.MakeVariant("org.freedesktop.DBus.Error.UnknownMethod")
		} else if len(reply.Body) > 0 {
			reply.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(reply.Body...))
		}
		if err := reply.EncodeTo(conn, binary.LittleEndian); err != nil {
			t.Errorf("%s: %v", member, err)
			return
		}
	}
}

// answer returns the results of a method; nil: it is unknown.
func (s *secretService) answer(member string) []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	const noPrompt dbus.ObjectPath = "/"
	switch member {
	case "Hello":
		return []any{":1.1"}
	case "Unlock":
		return []any{[]dbus.ObjectPath{secretsPath}, noPrompt}
	case "SearchItems":
		return []any{[]dbus.ObjectPath{secretsPath}}
	case "OpenSession":
		return []any{dbus.MakeVariant(""), secretsPath}
	case "GetSecret":
		return []any{struct {
			Session           dbus.ObjectPath
			Parameters, Value []byte
			ContentType       string
		}{secretsPath, []byte{}, []byte(s.secret), "text/plain"}}
	case "Close":
		return []any{}
	}
	return nil
}
