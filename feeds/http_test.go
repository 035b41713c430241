package feeds

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"wallboard/feeds/graphql"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// attacked returns a feed whose platform answers every request like an
// attacker.
func attacked(t *testing.T, answer func(io.Writer)) *Feed {
	t.Helper()
	var all sync.WaitGroup
	t.Cleanup(all.Wait)
	f, err := New(Options{
		URL: "http://rtd.test/rtd", WSURL: "ws://rtd.test/rtd", Auth: AuthLogin,
		Credentials: Credentials{Username: "anna", Password: secret.New("wallboard-password"), AccessToken: secret.New("wallboard-token")},
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			all.Go(func() {
				defer theirs.Close() //nolint:errcheck // it is over
				if _, err := theirs.Read(make([]byte, 64<<10)); err == nil {
					answer(theirs)
				}
			})
			return ours, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// requestsOf returns the requests that a feed sends over plain HTTP.
func requestsOf(t *testing.T) map[string]func(*Feed) error {
	return map[string]func(*Feed) error{
		"login": func(f *Feed) error { return f.login.ApplyCredentials(t.Context(), &graphql.Options{}) },
		"poll": func(f *Feed) error {
			o := f.opts
			o.Auth = AuthCookie // a poll with a cookie needs no login before it
			var err error
			if f.login, err = newLogin(&o, f.timeRequest); err != nil {
				return err
			}
			p, err := f.openPoll(t.Context(), &handler{feed: f})
			if err == nil {
				p.Close()
			}
			return err
		},
		"clock": func(f *Feed) error {
			if f.login.ReadClock(t.Context()) {
				return nil
			}
			return io.ErrUnexpectedEOF
		},
	}
}

const answered = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// TestAttacksOverHTTP measures the cost of endless answers.
func TestAttacksOverHTTP(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	piece := bytes.Repeat([]byte("x"), 4096)
	endless := func(begin string, piece []byte) func(io.Writer) {
		return func(w io.Writer) {
			_, err := io.WriteString(w, begin)
			for n := 0; err == nil && n < 96<<20; n += len(piece) {
				_, err = w.Write(piece)
			}
		}
	}
	for name, answer := range map[string]func(io.Writer){
		"an endless header": endless(answered+"X: ", piece),
		"endless headers":   endless(answered, bytes.Repeat([]byte("Set-Cookie: a=b\r\n"), 200)),
		"an endless body":   endless(answered+"\r\n{\"data\":\"", piece),
		"a compressed one": func(w io.Writer) {
			_, _ = io.WriteString(w, answered+"Content-Encoding: gzip\r\n\r\n")
			z := gzip.NewWriter(w)
			for _, err := io.WriteString(z, `{"data":"`); err == nil; {
				_, err = z.Write(piece)
			}
		},
		"many interim answers": endless("", bytes.Repeat([]byte("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"), 100)),
	} {
		for asked, ask := range requestsOf(t) {
			f := attacked(t, answer)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := ask(f)
			runtime.ReadMemStats(&after)
			if err == nil && asked != "clock" {
				t.Errorf("%s, %s: accepted as an answer", asked, name)
			}
			most := uint64(2 << 20)
			if asked == "poll" && !strings.Contains(name, "header") {
				most = 72 << 20 // a full state of 16 MiB is accepted; a growing buffer needs twice that
				if testkit.Race {
					most *= 2
				}
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > most {
				t.Errorf("%s, %s: %d bytes were allocated: %v", asked, name, cost, err)
			}
		}
	}
}

// TestAnswersAreNotQuoted puts session ids into malformed answers.
func TestAnswersAreNotQuoted(t *testing.T) {
	t.Parallel()
	const canary = "fresh-session-canary"
	for _, text := range []string{
		answered + "Set-Cookie vendorRtdSessionID=" + canary + "\r\n\r\n",
		answered + "Set-Cookie\x00: vendorRtdSessionID=" + canary + "\r\n\r\n",
		"Set-Cookie: vendorRtdSessionID=" + canary + "\r\n\r\n",
		"HTTP/1.1 " + canary + "\r\n\r\n",
		answered + "Content-Length: " + canary + "\r\n\r\n",
		answered + "Transfer-Encoding: " + canary + "\r\n\r\n",
		answered + "Set-Cookie: vendorRtdSessionID=" + canary + "\r\n\r\n{\"data\":null,\"errors\":[{\"message\":\"no " + canary + "\"}]}",
		"HTTP/1.1 403 " + canary + "\r\n\r\n",
	} {
		for asked, ask := range requestsOf(t) {
			f := attacked(t, func(w io.Writer) { _, _ = io.WriteString(w, text) })
			err := ask(f)
			if err == nil {
				continue
			}
			if told := f.clean(graphql.ErrorReason(err)); strings.Contains(told, canary) {
				t.Errorf("%s: %q is reported as %q", asked, text, told)
			}
		}
	}
}

// TestWebSocketAttemptWhilePolling checks that an attempt to open a WebSocket while the feed polls does not
// take the link down, and that any other attempt says what is being tried.
func TestWebSocketAttemptWhilePolling(t *testing.T) {
	t.Parallel()
	f, err := New(Options{
		URL: "http://x", WSURL: "ws://x", Auth: AuthToken, Credentials: Credentials{AccessToken: secret.New("token")},
		DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("refused") },
	})
	if err != nil {
		t.Fatal(err)
	}
	l := newConnectionLoop(f)
	for _, polling := range []bool{false, true} {
		f.setLink(model.LinkUp, "")
		l.policy.polling = polling
		if _, err := l.dial(t.Context(), noHandler{}); err == nil {
			t.Fatal("connected")
		}
		if link := f.connection.displayed; (link.State == model.LinkUp) != polling || (link.Trying == "") != polling {
			t.Errorf("polling %v: the link is %s, trying %q", polling, link.State, link.Trying)
		}
	}
}
