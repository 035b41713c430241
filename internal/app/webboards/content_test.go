package webboards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"image/png"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/serve/web"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/alerts"
)

// still is a platform with a single snapshot.
type still struct{ *model.Snapshot }

func (s still) Latest() *model.Snapshot        { return s.Snapshot }
func (still) Reconfigure(feeds.RuntimeOptions) {}
func (still) Reconnect(feeds.Options) error    { return nil }
func (still) RetryNow()                        {}
func (still) Run(ctx context.Context) error    { <-ctx.Done(); return nil }
func (s still) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if s.Seq > after {
		return s.Snapshot, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

const (
	firstName = `<img src=x onerror=alert(1)>Fiona`
	lastName  = "Featherstonehaugh"
	service   = `<script>alert("service")</script>`
)

// newPlatform returns a snapshot of a service in which callers wait, and of a number of agents.
func newPlatform(agents int) still {
	now := time.Now()
	store := model.NewStore()
	count := func(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: model.IntOf(n)} }
	for i := range agents {
		user := fmt.Sprintf("featherstone%d", i)
		figures := model.AgentFigures{Channel: model.Call, Status: model.Ready, UserSite: model.IntOf(1), TimeInState: model.InstantOf(now.Add(-time.Hour))}
		store.Users.Put(&model.User{Username: model.TextOf(user), Name: model.TextOf(firstName), Surname: model.TextOf(lastName), Services: []string{"SRV01"}, Skillsets: []string{"G1"}})
		store.UserStats.Put(&model.UserStat{AgentFigures: figures, Username: model.TextOf(user), Name: model.TextOf(firstName), Surname: model.TextOf(lastName)})
	}
	store.Services.Put(&model.Service{
		Code: model.TextOf("SRV01"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(7), MaxTimeCallOnQueue: model.IntOf(190), ReceivedCalls: model.IntOf(100),
			AnsweredCalls: model.IntOf(90), AnsweredCallsUnderSpeedLimit: model.IntOf(50), HangupCalls: model.IntOf(10),
		},
		UserStats: model.ServiceUsers{LoggedUsers: count(int64(agents)), ReadyUsers: count(0), NotReadyUsers: count(1)},
	})
	h := model.Health{Link: model.Link{State: model.LinkUp, Since: now, LastFrame: now}}
	for _, op := range []model.Op{model.OpServices, model.OpGroups, model.OpUsers, model.OpUserStats, model.OpOperators, model.OpProfiles, model.OpCampaigns} {
		h.Subscriptions = append(h.Subscriptions, model.Subscription{Name: op, State: model.SubLive, Since: now, LastData: now, VerifiedAt: now})
	}
	return still{store.Publish(now, h)}
}

// newTestContent returns the content of a server with users of all kinds and a floor with three agents.
func newTestContent(t *testing.T) *content {
	t.Helper()
	return newContentOf(t, 3)
}

// newContentOf is like newTestContent, for a floor with the given number of agents.
func newContentOf(t *testing.T, agents int) *content {
	t.Helper()
	c := config.Default()
	c.Audit.File = filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	c.RTD.Names = []config.Name{{Kind: "service", Code: "SRV01", Name: service}}
	c.Serve.Users = []config.ServeUser{
		{Name: "anna", Web: true},
		{Name: "ben", Web: true, ConfiguredNames: "initials"},
		{Name: "carl", Web: true, ConfiguredNames: "hidden"},
		{Name: "dora", Web: true, Services: []string{"SRV02"}},
		{Name: "hall", Web: true, Role: config.RoleKiosk, Pages: []string{"Agents"}},
		{Name: "yard", Web: true, Role: config.RoleKiosk, Pages: []string{"Agents"}},
		{Name: "eve", Keys: []string{"ssh only"}},
		{Name: "frank", Web: true},
	}
	env := &app.Environment{Simulated: true}
	log := slog.New(slog.DiscardHandler)
	s := app.NewBoardServer(env, &c, log)
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.AddPlatform(func(o app.PlatformOptions) (*app.Platform, error) {
		o.IsObserver = true
		return env.OpenWithSource(ctx, &c, newPlatform(agents), log, o)
	}); err != nil {
		t.Fatal(err)
	}
	content := newContent(ctx, s, log)
	t.Cleanup(func() {
		cancel()
		content.wait()
		s.Close()
	})
	return content
}

func pageOf(t *testing.T, c *content, user string) string {
	t.Helper()
	p, err := c.Page(t.Context(), user, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Title + string(p.Main)
}

// TestPage checks that a page describes the floor and escapes names.
func TestPage(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	text := pageOf(t, c, "anna")
	for _, want := range []string{"&lt;script&gt;", "As of ", "Who can take a break", "Forecast", "<td>7</td>", "<td>3:10</td>", `data-title="`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not contain %q:\n%s", want, text)
		}
	}
	for _, forbidden := range []string{"<script", "<img", `alert("`, "onerror=alert(1)>F"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("the page contains %q:\n%s", forbidden, text)
		}
	}
	if strings.Count(text, "<h1>") != 1 || strings.Count(text, "<section") != strings.Count(text, "</section>") {
		t.Errorf("headings or sections:\n%s", text)
	}
}

// TestAddress checks the addresses in links.
func TestAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ listen, host, want string }{
		{":8443", "board.example.com", "https://board.example.com:8443/x"},
		{":443", "board.example.com", "https://board.example.com/x"},
		{"[::]:8443", "2001:db8::1", "https://[2001:db8::1]:8443/x"},
		{"[::]:443", "2001:db8::1", "https://[2001:db8::1]/x"},
	} {
		if got := web.Address(test.listen, []string{test.host}, "/x"); got != test.want {
			t.Errorf("%s, %s: %s", test.listen, test.host, got)
		}
	}
}

// TestMasks checks that pages contain only what their users may see.
func TestMasks(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	for _, user := range []string{"ben", "carl"} {
		for range 3 {
			text := strings.ToLower(pageOf(t, c, user))
			if strings.Contains(text, "featherstone") || strings.Contains(text, "fiona") {
				t.Errorf("%s sees a name:\n%s", user, text)
			}
		}
	}
	if text := pageOf(t, c, "dora"); strings.Contains(text, "alert(&#34;service") {
		t.Errorf("dora sees another part of the floor:\n%s", text)
	}
	for _, user := range []string{"eve", "nobody", ""} {
		if _, err := c.Page(t.Context(), user, nil); err == nil {
			t.Errorf("%q sees a page", user)
		}
		if _, ok := c.Viewer(user); ok {
			t.Errorf("%q has access", user)
		}
	}
}

// TestRights checks that the viewer of a user changes with the visibility, which ends the user's
// terminals.
func TestRights(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	before, _ := c.Viewer("anna")
	u := &c.server.CurrentConfig().Serve.Users[0]
	for _, change := range []func(){
		func() { u.Services = []string{"SRV02"} }, func() { u.ConfiguredNames = "hidden" }, func() { u.Platforms = []string{"north"} },
	} {
		change()
		after, ok := c.Viewer("anna")
		if !ok || after == before {
			t.Errorf("after a change: %+v", after)
		}
		before = after
	}
}

// TestSharedPage checks that users who see the same share a page, and others do not.
func TestSharedPage(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	for _, user := range []string{"anna", "ben", "carl", "dora", "anna"} {
		pageOf(t, c, user)
	}
	if n := len(c.pageCaches); n != 4 {
		t.Errorf("%d desks", n)
	}
}

// TestWallPicture checks the picture of a wall.
func TestWallPicture(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	if _, err := c.Picture(t.Context(), "anna"); err == nil {
		t.Error("a user at a desk has a wall")
	}
	hall, err := c.Picture(t.Context(), "hall")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(hall.PNG))
	if err != nil || img.Bounds().Dx() != 160*CellWidth || img.Bounds().Dy() != 46*CellHeight {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	w := c.walls["hall"]
	w.mu.Lock()
	screen := strings.ToLower(w.screen.String())
	w.mu.Unlock()
	if strings.Contains(screen, "featherstone") || strings.Contains(screen, "fiona") || !strings.Contains(screen, "agent") {
		t.Errorf("the wall shows:\n%s", screen)
	}
}

// TestLargeFloor checks that the picture and the page of a floor with 5,000 agents are as small as those
// of any floor.
func TestLargeFloor(t *testing.T) {
	t.Parallel()
	c := newContentOf(t, 5000)
	p, err := c.Picture(t.Context(), "hall")
	for errors.Is(err, errNotDrawn) && t.Context().Err() == nil { // on a slow machine
		p, err = c.Picture(t.Context(), "hall")
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.PNG); n == 0 || n > 300_000 {
		t.Errorf("the picture has %d bytes", n)
	}
	if page := pageOf(t, c, "anna"); !strings.Contains(page, "waiting") || len(page) > 50_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestSharedPicture checks that walls share a picture of the same cells, for a second.
func TestSharedPicture(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	now := time.Now()
	walls := [2]*wall{}
	for i := range walls {
		walls[i] = &wall{columns: 40, rows: 12, zone: time.UTC, screen: terminal.NewScreen(40, 12), lastProgress: now}
		_, _ = walls[i].screen.Write([]byte("\x1b[31m8 callers waiting"))
	}
	draw := func(w *wall, at time.Time) *web.Picture {
		p, err := c.draw(w, at)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one := draw(walls[0], now)
	if two := draw(walls[1], now); two != one {
		t.Error("walls with the same cells have different pictures")
	}
	next := draw(walls[0], now.Add(time.Second))
	if next == one || bytes.Equal(next.PNG, one.PNG) {
		t.Error("the picture a second later is the same")
	}
	_, _ = walls[1].screen.Write([]byte(", longest 0:20"))
	if two := draw(walls[1], now.Add(time.Second)); two == next || bytes.Equal(two.PNG, next.PNG) {
		t.Error("walls with different cells have the same picture")
	}
}

// TestStuckWall checks that the picture of a board that has stopped drawing is refused.
func TestStuckWall(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	if _, err := c.Picture(t.Context(), "hall"); err != nil {
		t.Fatal(err)
	}
	w := c.walls["hall"]
	w.stop()
	c.wait()
	if _, err := c.draw(w, time.Now()); err == nil {
		t.Error("the picture of a board that has ended is shown")
	}
	w.endError = nil
	if _, err := c.draw(w, time.Now().Add(time.Minute)); err == nil {
		t.Error("the picture of a board that draws nothing is shown")
	}
}

// TestTakeOver takes over a situation, as the button on a page does.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	text := pageOf(t, c, "anna")
	_, rest, found := strings.Cut(text, `name="situation" value="`)
	id, _, _ := strings.Cut(rest, `"`)
	if id = html.UnescapeString(id); !found || !strings.Contains(text, ">I have it</button>") {
		t.Fatalf("no button:\n%s", text)
	}
	for _, test := range []struct {
		user  string
		floor int
		id    string
	}{{"hall", 1, id}, {"eve", 1, id}, {"", 1, id}, {"anna", 0, id}, {"anna", 2, id}, {"anna", 1, "nothing"}, {"dora", 1, id}} {
		if err := c.TakeOver(t.Context(), test.user, test.floor, test.id); err == nil {
			t.Errorf("%q takes %q on floor %d over", test.user, test.id, test.floor)
		}
	}
	if err := c.TakeOver(t.Context(), "anna", 1, id); err != nil {
		t.Fatal(err)
	}
	if err := c.TakeOver(t.Context(), "frank", 1, id); !errors.Is(err, errTakenOver) {
		t.Errorf("a user of a page that is a moment old: %v", err)
	}
	if err := c.TakeOver(t.Context(), "anna", 1, id); err != nil {
		t.Errorf("anna again: %v", err)
	}
	if text := pageOf(t, c, "anna"); !strings.Contains(text, "Taken over by anna") || strings.Contains(text, id) {
		t.Errorf("the page after the take-over:\n%s", text)
	}
	log, err := os.ReadFile(c.server.CurrentConfig().Audit.File)
	if err != nil || !strings.Contains(string(log), "take-over") || !strings.Contains(string(log), `"anna"`) {
		t.Errorf("the audit log: %v\n%s", err, log)
	}
}

// TestPageLanguages checks that the page is complete in each language.
func TestPageLanguages(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	english := []string{">Situations<", ">Waiting<", ">Service level<", ">Who can take a break<", ">I have it<", "As of ", " waiting", "Critical", "since "}
	for tag, want := range map[string]string{"de": "Ich übernehme", "fr": "Je m&#39;en charge", "it": "Ci penso io", "es": "Me encargo"} {
		l, ok := words.AvailableLanguages.Lookup(tag)
		if !ok {
			t.Fatalf("no language %s", tag)
		}
		p, err := c.Page(t.Context(), "anna", l)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(p.Main), "id=\"waiting", "")
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %q:\n%s", tag, want, text)
		}
		for _, s := range english {
			if s != ">Situations<" && strings.Contains(text, s) || s == ">Situations<" && tag != "fr" && strings.Contains(text, s) {
				t.Errorf("%s: the page contains %q:\n%s", tag, s, text)
			}
		}
	}
}

// TestMoment checks that the link of a situation leads to a time at which the situation existed.
func TestMoment(t *testing.T) {
	t.Parallel()
	day := func(hour, minute, second int) time.Time {
		return time.Date(2026, 11, 30, hour, minute, second, 0, time.UTC)
	}
	for _, test := range []struct {
		since time.Time
		path  string
		now   time.Time
		want  time.Time
	}{
		{day(14, 5, 0), "/at/14:05", day(15, 0, 0), day(14, 5, 0)},
		{day(14, 5, 1), "/at/14:06", day(15, 0, 0), day(14, 6, 0)},
		{day(14, 5, 1), "/at/14:06", day(14, 5, 20), time.Time{}},
		{day(14, 5, 59), "/at/14:06", day(14, 6, 0), day(14, 6, 0)},
		{day(23, 59, 30), "/at/00:00", day(23, 59, 40), day(0, 0, 0)},
	} {
		path := web.SituationTimePath(test.since)
		clock, err := time.Parse("15:04", strings.TrimPrefix(path, "/at/"))
		if got := lastOccurrence(clock, test.now); err != nil || path != test.path || !got.Equal(test.want) {
			t.Errorf("a situation since %v: %s, which is %v at %v, want %s and %v", test.since, path, got, test.now, test.path, test.want)
		}
	}
}

// TestTerminal runs the board of a user in a browser's terminal.
func TestTerminal(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	screen := &lockedScreen{Screen: terminal.NewScreen(100, 30)}
	in, keys := io.Pipe()
	defer keys.Close() //nolint:errcheck // never fails
	done := make(chan error, 1)
	go func() {
		done <- c.RunTerminal(ctx, "anna", web.Terminal{In: in, Out: screen, Columns: 100, Rows: 30, Language: "en"})
	}()
	screen.await(t, "waiting")
	if _, err := io.WriteString(keys, "t"); err != nil { // takes over an alert
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := c.RunTerminal(t.Context(), "hall", web.Terminal{In: in, Out: screen, Columns: 100, Rows: 30}); err == nil {
		t.Error("a wall has a terminal")
	}
	o := ui.Options{Actions: ui.Actions{User: "anna"}}
	o.OtherViewers.Member = hub.NewRoom(nil).Enter(hub.Participant{Name: "anna"})
	people := o.OtherViewers.Member.Viewers
	makeViewOnly(&o)
	if err := o.Actions.Recorder(&alerts.Action{Kind: alerts.TakeOver}); err == nil || o.Actions.Controller != nil || o.Actions.Sender != nil {
		t.Error("the board in a terminal can change something")
	}
	if all, _ := people(); len(all) > 0 {
		t.Errorf("other viewers can write to %v, who would not see it", all)
	}
}

// lockedScreen is a screen that goroutines share.
type lockedScreen struct {
	mu sync.Mutex
	*terminal.Screen
}

func (s *lockedScreen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Screen.Write(b)
}

func (s *lockedScreen) Close() error { return nil }

// await waits until the screen shows a text.
func (s *lockedScreen) await(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(time.Minute); ; <-time.After(50 * time.Millisecond) {
		s.mu.Lock()
		shown := s.String()
		s.mu.Unlock()
		if strings.Contains(shown, text) {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("no %q:\n%s", text, shown)
		}
	}
}
