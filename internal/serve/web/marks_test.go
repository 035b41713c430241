package web

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/lib/secret"
	"wallboard/model"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

const markToken = "a long enough token"

// markClient posts marks to a server over a real socket.
type markClient struct {
	t     *testing.T
	now   time.Time
	books []*statefile.NoteBook
	*MarkServer
}

func newMarkClient(t *testing.T) *markClient {
	t.Helper()
	c := &markClient{t: t, now: noon}
	for _, name := range []string{"north", "south"} {
		c.books = append(c.books, statefile.OpenNotes(filepath.Join(t.TempDir(), name+".jsonl"), slog.New(slog.DiscardHandler)))
	}
	var err error
	c.MarkServer, err = ServeMarks(MarkServerOptions{
		Listen: "127.0.0.1:0", Token: secret.New(markToken), Write: c.write, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return c.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c
}

func (c *markClient) write(text string, at, until time.Time) (model.Note, error) {
	return statefile.WriteMark(c.books, text, at, until)
}

// send sends a request, after a pause so that the rate does not matter.
func (c *markClient) send(method, path, kind, body string, change func(*http.Request)) (status int, answer string) {
	c.t.Helper()
	c.now = c.now.Add(markInterval)
	r, err := http.NewRequestWithContext(context.Background(), method, "http://"+c.Address()+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+markToken)
	r.Header.Set("Content-Type", kind)
	if change != nil {
		change(r)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

const (
	asJSON = "application/json; charset=utf-8"
	asForm = "application/x-www-form-urlencoded"
)

// TestPostMark posts marks as JSON and as a form, which are then in the notes of all platforms.
func TestPostMark(t *testing.T) {
	t.Parallel()
	c := newMarkClient(t)
	status, answer := c.send("POST", "/mark", asJSON, `{"text":"news\u001b[2Jletter","at":"10:02"}`, nil)
	var note model.Note
	if err := json.Unmarshal([]byte(answer), &note); err != nil || status != http.StatusCreated {
		t.Fatalf("status %d: %s", status, answer)
	}
	if status, answer = c.send("POST", "/mark", asForm, "text=IVR+down&until=15:00", nil); status != http.StatusCreated {
		t.Fatalf("status %d: %s", status, answer)
	}
	if status, answer = c.send("POST", "/mark", asForm, "text=spot&at=2026-03-02T13:00:00%2B01:00&until=2026-03-02T18:00:00Z", nil); status != http.StatusCreated {
		t.Fatalf("status %d: %s", status, answer)
	}
	for _, book := range c.books {
		all := book.All()
		if len(all) != 3 {
			t.Fatalf("%d notes", len(all))
		}
		if n := all[0]; n.ID != note.ID || n.Text != "news␛[2Jletter" || !n.At.Equal(noon.Add(-118*time.Minute)) || !n.Until.IsZero() {
			t.Errorf("the mark is %+v", n)
		}
		if n := all[2]; n.Text != "IVR down" || n.Until.Hour() != 15 || !n.At.Equal(noon.Add(2*markInterval)) {
			t.Errorf("the note is %+v", n)
		}
		if n := all[1]; !n.At.Equal(noon) || n.Until.Hour() != 18 {
			t.Errorf("the spot is %+v", n)
		}
	}
}

// TestRefusedMarks checks that the server refuses foreign and malformed requests with a reason, and
// writes nothing.
func TestRefusedMarks(t *testing.T) {
	t.Parallel()
	c := newMarkClient(t)
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, one := range map[string]struct {
		method, path, kind, body string
		change                   func(*http.Request)
		status                   int
		says                     string
	}{
		"no token":        {"POST", "/mark", asForm, "text=x", set("Authorization", ""), 401, "Bearer TOKEN"},
		"wrong token":     {"POST", "/mark", asForm, "text=x", set("Authorization", "Bearer x"), 401, "Bearer TOKEN"},
		"another scheme":  {"POST", "/mark", asForm, "text=x", set("Authorization", "Basic "+markToken), 401, "Bearer TOKEN"},
		"a foreign host":  {"POST", "/mark", asForm, "text=x", func(r *http.Request) { r.Host = "evil.example:9126" }, 403, "loopback"},
		"a foreign page":  {"POST", "/mark", asForm, "text=x", set("Origin", "https://evil.example"), 403, "web page"},
		"an opaque page":  {"POST", "/mark", asForm, "text=x", set("Origin", "null"), 403, "web page"},
		"another port":    {"POST", "/mark", asForm, "text=x", set("Origin", "http://127.0.0.1:1"), 403, "web page"},
		"a cross site":    {"POST", "/mark", asForm, "text=x", set("Sec-Fetch-Site", "cross-site"), 403, "web page"},
		"another path":    {"POST", "/", asForm, "text=x", nil, 404, "/mark"},
		"another method":  {"GET", "/mark", asForm, "", nil, 405, "POST"},
		"a text":          {"POST", "/mark", "text/plain", "text=x", nil, 415, "application/json"},
		"no text":         {"POST", "/mark", asForm, "at=10:02", nil, 400, "text is missing"},
		"a blank text":    {"POST", "/mark", asJSON, `{"text":"  "}`, nil, 400, "text is missing"},
		"broken JSON":     {"POST", "/mark", asJSON, `{"text":`, nil, 400, "the fields are text, at and until"},
		"two values":      {"POST", "/mark", asJSON, `{"text":"x"}{}`, nil, 400, "more than one value"},
		"unknown in JSON": {"POST", "/mark", asJSON, `{"text":"x","label":"y"}`, nil, 400, `unknown field "label"`},
		"unknown in form": {"POST", "/mark", asForm, "text=x&label=y", nil, 400, `unknown field "label"`},
		"a wrong time":    {"POST", "/mark", asForm, "text=x&at=noon", nil, 400, `at "noon": want a time such as`},
		"a wrong end":     {"POST", "/mark", asForm, "text=x&until=late", nil, 400, `until "late"`},
		"long ago":        {"POST", "/mark", asForm, "text=x&at=2020-01-01T00:00:00Z", nil, 400, "last 7 days"},
		"far ahead":       {"POST", "/mark", asForm, "text=x&at=2026-03-05T00:00:00Z", nil, 400, "24 hours"},
		"end before":      {"POST", "/mark", asForm, "text=x&until=2026-03-01T00:00:00Z", nil, 400, "until must be after at"},
		"too large":       {"POST", "/mark", asForm, "text=" + strings.Repeat("x", maxMarkBody), nil, 413, "4096 bytes"},
	} {
		status, answer := c.send(one.method, one.path, one.kind, one.body, one.change)
		if status != one.status || !strings.Contains(answer, one.says) || strings.Contains(answer, markToken) {
			t.Errorf("%s: status %d, want %d with %q: %s", name, status, one.status, one.says, answer)
		}
	}
	if all := c.books[0].All(); len(all) > 0 {
		t.Errorf("written: %+v", all)
	}
}

// TestMarkRate checks that the server refuses requests above its rate, also with a wrong token.
func TestMarkRate(t *testing.T) {
	t.Parallel()
	c := newMarkClient(t)
	refused := 0
	for range 2 * markBurst {
		status, _ := c.send("POST", "/mark", asForm, "text=x", func(r *http.Request) {
			r.Header.Set("Authorization", "Bearer guess")
			c.now = noon
		})
		if status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused != markBurst {
		t.Errorf("%d of %d requests were refused", refused, 2*markBurst)
	}
	c.now = noon.Add(time.Hour)
	if status, answer := c.send("POST", "/mark", asForm, "text=x", nil); status != http.StatusCreated {
		t.Errorf("later: status %d: %s", status, answer)
	}
}

// TestServeRefuses checks that a server needs a loopback address and a token.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"0.0.0.0:9126": "other machines", ":9126": "other machines", "192.0.2.1:9126": "other machines", "board.example:9126": "other machines",
		"127.0.0.1": "not an address with a port", "127.0.0.1:http": "not an address with a port", "127.0.0.1:9126": "needs a token",
	} {
		s, err := ServeMarks(MarkServerOptions{Listen: address, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			s.Stop()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", address, err, want)
		}
	}
	for _, address := range []string{"127.0.0.1:9126", "[::1]:9126", "localhost:9126", "127.1.2.3:0"} {
		if err := checkListen(address); err != nil {
			t.Error(err)
		}
	}
}
