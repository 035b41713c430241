package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/term"
)

// witness is a terminal that checks every frame for forbidden words.
type witness struct {
	screen    *terminal.Screen
	forbidden map[string]bool

	mu     sync.Mutex
	frames int
	found  string
}

func (w *witness) Close() error { return nil }

func (w *witness) Write(b []byte) (int, error) {
	n, err := w.screen.Write(b)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frames++
	text := w.screen.String()
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if w.forbidden[word] && w.found == "" {
			w.found = word + " in\n" + text
		}
	}
	return n, err
}

func wordsOf(texts ...string) []string {
	return strings.FieldsFunc(strings.Join(texts, " "), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// outsideOf returns the words that a restricted user must not see.
func outsideOf(c *config.Config, s *model.Snapshot, u *config.ServeUser) map[string]bool {
	part, names := u.Part(), c.Names()
	out, allowed := make(map[string]bool), make(map[string]bool)
	put := func(seen bool, texts ...string) {
		for _, w := range wordsOf(texts...) {
			if utf8.RuneCountInString(w) < 3 { // skips initials
				continue
			}
			out[w] = true
			if seen {
				allowed[w] = true
			}
		}
	}
	full := u.NameMode() == "full"
	sees := func(service string) bool { return len(part.Services) == 0 || slices.Contains(part.Services, service) }
	for r := range s.Users.All() {
		serves := len(part.Services) == 0 || slices.ContainsFunc(r.Services, sees)
		put(full && serves, r.Username.String(), r.Name.String(), r.Surname.String())
	}
	for r := range s.Services.All() {
		put(sees(r.Code.String()), r.Code.String(), names.NameOf(model.NameService, r.Code.String()))
	}
	for r := range s.Campaigns.All() {
		put(part.IsWholeFloor(), names.NameOf(model.NameCampaign, strconv.FormatInt(r.Key(), 10)))
	}
	for r := range s.Groups.All() {
		put(!part.DerivesGroups() || servedBy(s, r.Code.String(), part.Services), r.Code.String(), names.NameOf(model.NameGroup, r.Code.String()))
	}
	for _, w := range []string{"Agent", "Service", "Support", "Call"} { // words that the board itself uses
		allowed[w] = true
	}
	for w := range allowed {
		delete(out, w)
	}
	return out
}

// servedBy reports whether a group has agents and all of them serve one of the services.
func servedBy(s *model.Snapshot, group string, services []string) bool {
	some := false
	for r := range s.Users.All() {
		if !slices.Contains(r.Skillsets, group) {
			continue
		}
		if !slices.ContainsFunc(r.Services, func(code string) bool { return slices.Contains(services, code) }) {
			return false
		}
		some = true
	}
	return some
}

// TestNoNameFromOutside shows all pages of a busy day to restricted users: no frame
// contains a forbidden word. SERVE_FRAMES is the number of frames.
func TestNoNameFromOutside(t *testing.T) {
	t.Parallel()
	frames := 1000
	if n, err := strconv.Atoi(os.Getenv("SERVE_FRAMES")); err == nil {
		frames = n
	}
	synctest.Test(t, func(t *testing.T) {
		so := simulator.Options{Speed: 20, World: world.Options{Seed: 7, Services: 6, Groups: 4, Agents: 30, Operators: 2, Campaigns: 1, Drama: true}}
		for _, u := range []config.ServeUser{
			{Name: "one service"},
			{Name: "no names", ConfiguredNames: "hidden"},
			{Name: "a service without names", ConfiguredNames: "initials"},
			{Name: "hall", Role: config.RoleKiosk},
		} {
			x := newRig(t, so, nil) // a new day for each user, because nobody is logged in at night
			x.live(time.Minute)
			c := config.Default()
			for _, n := range x.srv.DisplayNames() {
				c.RTD.Names = append(c.RTD.Names, config.Name{Kind: n.Kind, Code: n.Code, Name: "Zq" + n.Kind + n.Code}) // not a word that the board uses
			}
			if strings.Contains(u.Name, "service") {
				u.Services = []string{x.feed.Latest().Services.Sorted()[0].Code.String()}
			}
			witnessed(t, x, &c, &u, frames/4)
			x.stop()
		}
	})
}

// hub connects boards to the platform until ctx ends.
func (x *rig) hub(ctx context.Context, c *config.Config, all *sync.WaitGroup) *hub.Hub {
	x.t.Helper()
	engine := func(part model.FloorPart) (*alert.Engine, error) {
		return app.NewEngine(app.Restrict(c, part), c.Names())
	}
	h, err := hub.New(hub.Options{Source: x.feed, Engine: engine, Names: c.Names(), Salt: "s"})
	if err != nil {
		x.t.Fatal(err)
	}
	all.Go(func() { h.Run(ctx) })
	return h
}

// witnessed shows a board until it has drawn a number of frames.
func witnessed(t *testing.T, x *rig, c *config.Config, u *config.ServeUser, frames int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	v, err := x.hub(ctx, c, &all).NewViewer(hub.Visibility{Names: model.NameMode(u.NameMode()), Part: u.Part()}, 100*time.Millisecond, 0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := app.ViewerOptions(c, u, v, []string{"LANG=C.UTF-8"})
	if err != nil {
		t.Fatal(err)
	}
	keys, typed := io.Pipe()
	defer keys.Close() //nolint:errcheck // nobody reads any more
	w := &witness{screen: terminal.NewScreen(140, 45), forbidden: outsideOf(c, x.feed.Latest(), u)}
	if len(w.forbidden) < 5 {
		t.Fatalf("%s: nothing is hidden: %v", u.Name, w.forbidden)
	}
	if s := v.Latest(); s.Users.Len() == 0 || s.UserStats.Len() == 0 {
		t.Fatalf("%s: no agent is visible", u.Name)
	}
	all.Go(func() {
		err := ui.Serve(ctx, o, term.Viewer{
			In: keys, Out: w, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Size: term.Size{Width: 140, Height: 45}, Interval: 100 * time.Millisecond,
		})
		if err != nil {
			t.Error(err)
		}
	})
	press := []string{
		"1", "2", "\r", "w", "\x1b", "\x1b", "3", "\r", "\x1b", "4", "j", "\r", "w", "\x1b", "\x1b", "5", "\r", "\x1b", "6", "7", "\r", "w", "\x1b", "\x1b", "8", "9", "0",
		":open", "\x1b", ":snooze", "\x1b", ":service", "\x1b", "?", "\x1b", "H", "\x1b", "t", "\x1b", "c", "G",
	}
	for i := 0; ; i++ {
		pass(300 * time.Millisecond)
		w.mu.Lock()
		got, found := w.frames, w.found
		w.mu.Unlock()
		if found != "" {
			t.Fatalf("%s: after %q: %s", u.Name, press[max(i-1, 0)%len(press)], found)
		}
		if got >= frames {
			t.Logf("%s: %d frames, %d words are hidden", u.Name, got, len(w.forbidden))
			break
		}
		if _, err := fmt.Fprint(typed, press[i%len(press)]); err != nil {
			t.Fatal(err)
		}
	}
	_ = typed.Close()
}
