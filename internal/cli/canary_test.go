package cli

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

// canaries are secrets with characters that encodings change.
func canaries() map[string]string {
	return map[string]string{
		"password": `canary+pass "word"/1&<b>`, "token": "canary.tok/en+2%==", "key": "canary-key/3+&",
		"header": "canary-header-4", "webhook": "canary-webhook-5",
	}
}

// echo returns everything in a request, in various encodings.
func echo(r *http.Request) string {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20)) // what could be read before an error
	said := []string{r.RequestURI, string(body), fmt.Sprint(r.Header)}
	if user, password, ok := r.BasicAuth(); ok {
		said = append(said, user+":"+password, password)
	}
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), "Bearer ")
	said = append(said, token, r.Header.Get("X-Vendor-Apikey"), r.Header.Get("Cookie"))
	for _, s := range slices.Clone(said) {
		said = append(said, url.QueryEscape(s), html.EscapeString(s), base64.StdEncoding.EncodeToString([]byte(s)))
	}
	slices.Reverse(said) // the raw secrets come last, because clients truncate long texts
	return strings.Join(said, " ")
}

// treacherous are platforms that quote credentials in their answers.
func treacherous() map[string]http.HandlerFunc {
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	status := func(code int, form func(string) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			said := form(echo(r))
			w.Header().Set("Server", "canary.tok/en+2%==")
			w.Header().Set("Location", "/elsewhere?token="+url.QueryEscape(canaries()["token"]))
			http.SetCookie(w, &http.Cookie{Name: "JSESSIONID", Value: "canary-session-6"})
			http.SetCookie(w, &http.Cookie{Name: "vendorRtdSessionID", Value: "canary-session-7"})
			w.WriteHeader(code)
			_, _ = io.WriteString(w, said) // the client may be gone
		}
	}
	raw := func(s string) string { return s }
	message := func(s string) string {
		return `{"message":` + quoted(s) + `,"exception":"CanaryException","version":` + quoted(s) + `}`
	}
	errors := func(s string) string { return `{"data":null,"errors":[{"message":` + quoted(s) + `}]}` }
	page := func(s string) string {
		return "<html><title>" + html.EscapeString(s) + "</title><pre>" + s + "</pre></html>"
	}
	all := map[string]http.HandlerFunc{
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"closes": speak(func(said []byte) (byte, []byte) {
			return 0x8, append([]byte{0x11, 0x30}, said[:min(len(said), 120)]...)
		}),
		"refuses": speak(func(said []byte) (byte, []byte) {
			return 0x8, append([]byte{0x11, 0x31}, said[:min(len(said), 120)]...)
		}),
		"connection": speak(func(said []byte) (byte, []byte) {
			return 0x1, []byte(`{"type":"connection_error","payload":{"message":` + quoted(string(said)) + `}}`)
		}),
		"unknown frames": speak(func(said []byte) (byte, []byte) { return 0x1, []byte(`{"type":` + quoted(string(said)) + `}`) }),
		"no HTTP": func(w http.ResponseWriter, r *http.Request) {
			said := echo(r)
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, said+"\r\n\r\n")
				_ = conn.Close()
			}
		},
	}
	for _, code := range []int{200, 302, 401, 403, 412, 429, 500, 502} {
		if code%2 == 0 {
			all[fmt.Sprint(code, " raw")] = status(code, raw)
			all[fmt.Sprint(code, " message")] = status(code, message)
		} else {
			all[fmt.Sprint(code, " page")] = status(code, page)
		}
		all[fmt.Sprint(code, " errors")] = status(code, errors)
	}
	return all
}

// speak upgrades to a WebSocket and answers the first message with a frame.
func speak(answer func(said []byte) (opcode byte, payload []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Sec-Websocket-Key")
		if key == "" {
			w.WriteHeader(http.StatusUpgradeRequired)
			_, _ = io.WriteString(w, echo(r)) // the client may be gone
			return
		}
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close() //nolint:errcheck // the client may be gone
		sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		proto, _, _ := strings.Cut(r.Header.Get("Sec-Websocket-Protocol"), ",") // the first that is offered
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
			"Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]), proto)
		head := make([]byte, 14)
		if _, err := io.ReadFull(rw, head[:2]); err != nil {
			return
		}
		n := int(head[1] & 0x7f)
		if n == 126 {
			_, _ = io.ReadFull(rw, head[2:4])
			n = int(binary.BigEndian.Uint16(head[2:4]))
		}
		said := make([]byte, 4+n)
		if _, err := io.ReadFull(rw, said); err != nil {
			return
		}
		for i := range n {
			said[4+i] ^= said[i%4]
		}
		opcode, payload := answer(said[4:])
		frame := append([]byte{0x80 | opcode, 126}, byte(len(payload)>>8), byte(len(payload)))
		if len(payload) < 126 {
			frame = []byte{0x80 | opcode, byte(len(payload))}
		}
		_, _ = conn.Write(append(frame, payload...))
		_, _ = io.Copy(io.Discard, rw) // until the client leaves
	}
}

// TestNoSecretIsShown lets every command fail in every way on platforms that quote
// credentials, and searches output, errors, log and audit log for secrets.
func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	commands := [][]string{
		{"dump", "--for", "300ms"},
		{"status", "--for", "300ms"},
		{"config", "check"},
		{"auth", "version"},
		{"auth", "login"},
		{"list", "search"},
		{"sms", "send", "--yes", "--phone-number", "0612", "--message", "hello"},
		{"call", "dial", "0612", "--user", "anna", "--yes"},
		{"history", "calls", "--count"},
		{"history", "report"},
	}
	eachTreacherous(t, func(t *testing.T, i int, platform http.HandlerFunc, login [2]string) {
		srv := httptest.NewServer(platform)
		defer srv.Close()
		dir := testkit.PrivateDir(t)
		path := treacherousConfig(t, srv.URL, dir, login)
		var all sync.WaitGroup // in parallel, because some commands wait until their timeout
		for j, args := range commands {
			if (i+j)%2 == 0 {
				args = append(slices.Clone(args), "--json")
			}
			all.Go(func() {
				var out, errs bytes.Buffer
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				Run(ctx, append(slices.Clone(args), "--config", path), cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
				shows(t, strings.Join(args, " ")+" output", out.String())
				shows(t, strings.Join(args, " ")+" errors", errs.String())
			})
		}
		all.Wait()
		if n := showsFiles(t, dir); n == 0 {
			t.Fatal("no log was written")
		}
	})
}

// eachTreacherous runs a test with each treacherous platform and a login method.
func eachTreacherous(t *testing.T, test func(t *testing.T, i int, platform http.HandlerFunc, login [2]string)) {
	t.Helper()
	platforms := treacherous()
	logins := [][2]string{{"login", "session"}, {"token", "bearer"}, {"cookie", "basic"}}
	for i, name := range slices.Sorted(maps.Keys(platforms)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, i, platforms[name], logins[i%len(logins)])
		})
	}
}

// treacherousConfig is a configuration full of secrets.
func treacherousConfig(t *testing.T, address, dir string, login [2]string) string {
	t.Helper()
	c := canaries()
	secrets := fmt.Sprintf("username = \"supervisor\"\npassword = %q\n", c["password"])
	token := fmt.Sprintf("access_token = %q\n", c["token"])
	pick := func(bearer bool) string {
		if bearer {
			return token
		}
		return secrets
	}
	return configFile(t, fmt.Sprintf("[rtd]\nurl = %q\nauth = %q\n%s[rest]\nurl = %q\nauth = %q\n%s[history]\nurl = %q\napi_key = %q\n"+
		"[audit]\nfile = %q\n[log]\nfile = %q\nlevel = \"debug\"\n"+
		"[[notify]]\nname = \"chat\"\nwebhook = %q\nheader = %q\ndefault = true\n",
		address+"/rtd", login[0], pick(login[0] != "login"), address+"/platform", login[1], pick(login[1] == "bearer"), address+"/past", c["key"],
		filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "log"),
		"https://127.0.0.1:1/hooks/"+c["webhook"], "Authorization: Bearer "+c["header"]))
}

// shows fails if a text contains a secret in any encoding.
func shows(t *testing.T, where, text string) {
	t.Helper()
	for name, c := range canaries() {
		if got := secret.Redact(text, c); got != text {
			at := strings.Index(got, secret.Redacted)
			t.Errorf("%s: the %s is in …%.200s", where, name, got[max(0, at-60):])
		}
	}
	if at := strings.Index(text, "canary-session"); at >= 0 {
		t.Errorf("%s: a session is in …%.200s", where, text[max(0, at-60):])
	}
}
