package webboards

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/cellimage"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// still is a platform that sends one snapshot.
type still struct{ *model.Snapshot }

func (s still) Latest() *model.Snapshot     { return s.Snapshot }
func (still) Reconfigure(feeds.Filter)      {}
func (still) Reconnect(feeds.Options) error { return nil }
func (still) RetryNow()                     {}
func (still) Run(ctx context.Context) error { <-ctx.Done(); return nil }
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

// newPlatform returns a snapshot of a service in which callers wait, and of agents with the given last
// name.
func newPlatform() still {
	now := time.Now()
	store := model.NewStore()
	count := func(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: model.IntOf(n)} }
	for i := range 3 {
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
		UserStats: model.ServiceUsers{LoggedUsers: count(3), ReadyUsers: count(0), NotReadyUsers: count(1)},
	})
	h := model.Health{Link: model.Link{State: model.LinkUp, Since: now, LastFrame: now}}
	for _, op := range []model.Op{model.OpServices, model.OpGroups, model.OpUsers, model.OpUserStats, model.OpOperators, model.OpProfiles, model.OpCampaigns} {
		h.Subscriptions = append(h.Subscriptions, model.Subscription{Name: op, State: model.SubLive, Since: now, LastData: now, VerifiedAt: now})
	}
	return still{store.Publish(now, h)}
}

// newTestContent returns the content of a server with users of all kinds.
func newTestContent(t *testing.T) *content {
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
	}
	env := &app.Environment{Simulated: true}
	log := slog.New(slog.DiscardHandler)
	s := app.NewBoardServer(env, &c, log)
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.AddPlatform(func(o app.PlatformOptions) (*app.Platform, error) {
		o.IsObserver = true
		return env.OpenWithSource(ctx, &c, newPlatform(), log, o)
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
	p, err := c.Page(t.Context(), user)
	if err != nil {
		t.Fatal(err)
	}
	return p.Title + string(p.Main)
}

// TestPage checks that a page tells the floor, and escapes names.
func TestPage(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	text := pageOf(t, c, "anna")
	for _, want := range []string{"&lt;script&gt;", "As of <time>", "Who can take a break", "Forecast", "<td>7</td>", "<td>3:10</td>", `data-title="`} {
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
		if got := Address(&config.Web{Listen: test.listen, Hosts: []string{test.host}}, "/x"); got != test.want {
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
		if _, err := c.Page(t.Context(), user); err == nil {
			t.Errorf("%q sees a page", user)
		}
		if _, ok := c.Viewer(user); ok {
			t.Errorf("%q has access", user)
		}
	}
}

// TestSharedPage checks that users who see the same share a page, and others do not.
func TestSharedPage(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	for _, user := range []string{"anna", "ben", "carl", "dora", "anna"} {
		pageOf(t, c, user)
	}
	if n := len(c.desks); n != 4 {
		t.Errorf("%d desks", n)
	}
}

// TestWallPicture checks the picture of a wall, and that walls with the same cells share it.
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
	if err != nil || img.Bounds().Dx() != 160*cellimage.CellWidth || img.Bounds().Dy() != 46*cellimage.CellHeight {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	w := c.walls["hall"]
	w.mu.Lock()
	screen := strings.ToLower(w.screen.String())
	w.mu.Unlock()
	if strings.Contains(screen, "featherstone") || strings.Contains(screen, "fiona") || !strings.Contains(screen, "agent") {
		t.Errorf("the wall shows:\n%s", screen)
	}
	if _, err := c.Picture(t.Context(), "yard"); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Second)
	one, err1 := c.draw(c.walls["hall"], later)
	two, err2 := c.draw(c.walls["yard"], later)
	for tries := 0; one != two && tries < 200; tries++ { // each board draws at its own pace, so one may be a frame ahead
		<-time.After(50 * time.Millisecond)
		later = time.Now().Add(time.Second) // a wall keeps the picture of a second
		one, err1 = c.draw(c.walls["hall"], later)
		two, err2 = c.draw(c.walls["yard"], later)
	}
	if err1 != nil || err2 != nil || one != two {
		t.Errorf("walls with the same cells have different pictures: %v, %v\n%s\n%s", err1, err2, c.walls["hall"].screen, c.walls["yard"].screen)
	}
	if next, err := c.draw(c.walls["hall"], later.Add(time.Second)); err != nil || next == one || bytes.Equal(next.PNG, one.PNG) {
		t.Errorf("the picture a second later is the same: %v", err)
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
	w.ended = nil
	if _, err := c.draw(w, time.Now().Add(time.Minute)); err == nil {
		t.Error("the picture of a board that draws nothing is shown")
	}
}
