//go:build linux

package cli

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/world"
	"wallboard/ui/pages"
)

// TestActOnTheFloor acts on the demo with the whole program, from keys to the screen and
// the audit log.
func TestActOnTheFloor(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	config := configFile(t, "[ui]\ntheme = \"dark\"\n[audit]\nfile = \""+filepath.Join(dir, "audit.jsonl")+"\"\n")
	// Only the dialer calls, at high speed.
	x := newTerminal(t, dir, "demo", "--config", config, "--seed", "7", "--rate", "0.000001", "--drama=false", "--speed", "60")
	x.shows("LIVE")

	const campaign = "Payment Reminder 1"
	x.press("5")
	x.row(campaign, "Running")
	x.press("x")
	x.shows("Contacts are on a call")
	x.press(enter) // enter answers no and closes the question
	x.row(campaign, "Running")
	x.press("x")
	x.shows("Contacts are on a call")
	x.press("y")
	x.row(campaign, " 0/0 ", "✓") // all calls of the campaign have ended, each visible in its row
	x.answered()

	const agent = "Berg Ingrid" // an agent who is ready and has a phone
	x.press("4/", agent, enter)
	x.row(agent, "Ready")
	x.press("d")
	x.shows("Dial for "+agent, "Number")
	x.press("333"+world.NumberTalks, ctrlS)
	x.row(agent, "▷", "✓") // the feed confirms the outgoing call
	x.answered()
	x.press("x")
	x.shows("Hang up "+agent+"'s call?", "333"+world.NumberTalks)
	x.press("y")
	x.row(agent, "○ Ready", "✓")
	x.answered()
	x.press("q")
	x.leaves()

	type act struct {
		Action, About, Outcome string
		Finished               bool // the entry has an intent and an outcome
	}
	var got []act
	for e, err := range audit.Read(filepath.Join(dir, "demo-audit.jsonl"), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, act{e.Action, cmp.Or(e.Parameters["username"], e.Target), e.Outcome, e.Finished})
	}
	want := []act{
		{"campaign-stop", "campaign 305", "confirmed", true},
		{"dial", "agent ingrid.berg", "confirmed", true},
		{"hangup", "ingrid.berg", "confirmed", true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit file has %v, want %v", got, want)
	}
}

// requests are the requests to a configuration service.
type requests struct {
	some  chan struct{} // closed at the first request
	mu    sync.Mutex
	paths []string
}

func (r *requests) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.paths)
}

// watch records the requests of the commands.
func (s *scripts) watch() *requests {
	s.t.Helper()
	target, err := url.Parse(s.srv.RESTURL())
	if err != nil {
		s.t.Fatal(err)
	}
	r, proxy := &requests{some: make(chan struct{})}, httputil.NewSingleHostReverseProxy(target)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		if r.paths = append(r.paths, req.Method+" "+req.URL.Path); len(r.paths) == 1 {
			close(r.some)
		}
		r.mu.Unlock()
		proxy.ServeHTTP(w, req)
	}))
	s.t.Cleanup(between.Close)
	text, err := os.ReadFile(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	rest := strings.NewReplacer(`"`+s.srv.RESTURL()+`"`, `"`+between.URL+`"`)
	s.config = configFile(s.t, rest.Replace(string(text)))
	return r
}

// TestReadOnlyBoardAsksForNothing presses every key of a read-only board on every page.
func TestReadOnlyBoardAsksForNothing(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	r := s.watch()
	x := newTerminal(t, testkit.PrivateDir(t), "--read-only", "--config", s.config)
	x.shows("LIVE", "read-only")
	for page := range pages.Names() {
		x.press(everyKey(strconv.Itoa(page+1), esc))
	}
	for _, page := range []string{"4", "5"} { // the pages of agents and of campaigns
		x.press(everyKey(page+enter, esc+esc)) // on the page of the selected agent or campaign
		for _, command := range []string{"dial", "hang up", "stop", "start", "edit", "sms", "my actions", "create"} {
			x.press(page, ":", command, enter, "123", ctrlS, enter, "y", esc, esc, esc)
		}
	}
	x.press("4/the end", enter)
	x.shows(`filter "the end"`) // all previous keys have been handled
	x.press(ctrlC)
	x.leaves()
	if asked, done := r.seen(), s.srv.REST().Executions(); len(asked) > 0 || len(done) > 0 {
		t.Errorf("a board that can only look asked for %v, and the platform did %v", asked, done)
	}

	// The same board with actions enabled sends requests.
	x = newTerminal(t, testkit.PrivateDir(t), "--config", s.config)
	x.shows("LIVE")
	select {
	case <-r.some:
	case <-time.After(patience):
		t.Error("the way to the configuration service is not watched")
	}
	x.press("q")
	x.leaves()
}

// everyKey returns every key except those that quit or suspend, each with a prefix and a
// suffix.
func everyKey(before, after string) string {
	keys := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1b[5~", "\x1b[6~", "\x1bOP"}
	for c := range byte(0x80) {
		if c != '\x03' && c != '\x1a' && c != '\x1b' && c != 'q' {
			keys = append(keys, string(rune(c)))
		}
	}
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(before + k + after)
	}
	return b.String()
}
