package frame_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

func newLook(t testing.TB) *style.Look {
	t.Helper()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	return style.New(style.Options{Theme: theme, Location: time.UTC}, render.Options{})
}

func now() time.Time { return time.Date(2026, 3, 2, 9, 0, 30, 0, time.UTC) }

// moment returns a moment of a floor with a health of its feed.
func moment(t testing.TB, width int, h model.Health) *frame.Frame {
	t.Helper()
	view := &floorview.View{LocalNow: now(), Channel: model.Call}
	view.SetNewest(model.NewStore().Publish(now(), h))
	return &frame.Frame{
		Look: newLook(t), Floor: view, Subscriptions: []model.Op{model.OpServices},
		Width: width, Height: 40, Title: "Bolzano", Control: frame.Control{Configured: true, CanAct: true},
	}
}

func healthy() model.Health {
	return model.Health{
		Link:          model.Link{State: model.LinkUp, LastFrame: now()},
		Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, LastData: now()}},
	}
}

// TestTabsLie checks that tabs are side by side, include the current page, and fit the
// screen.
func TestTabsLie(t *testing.T) {
	t.Parallel()
	lk := newLook(t)
	rapid.Check(t, func(t *rapid.T) {
		tabs := frame.Tabs{}
		for i := range rapid.IntRange(1, 30).Draw(t, "pages") {
			tabs.Names = append(tabs.Names, rapid.StringMatching(`[A-Z][a-z]{1,11}`).Draw(t, "name"))
			tabs.Keys = append(tabs.Keys, rapid.SampledFrom([]string{"", fmt.Sprint(i % 10)}).Draw(t, "key"))
		}
		tabs.Current = rapid.IntRange(0, len(tabs.Names)-1).Draw(t, "current")
		w := rapid.IntRange(20, 200).Draw(t, "width")
		x, found := 0, false
		laid := tabs.Layout(lk, w)
		for _, one := range laid {
			if one.From != x || one.To <= one.From {
				t.Fatalf("page %d has the cells %d to %d, want them from %d on", one.Page, one.From, one.To, x)
			}
			x, found = one.To, found || one.Page == tabs.Current
		}
		if x > w || !found {
			t.Fatalf("%d of %d cells, page %d among the tabs: %t", x, w, tabs.Current, found)
		}
	})
}

// TestStatus checks what must be shown at every width.
func TestStatus(t *testing.T) {
	t.Parallel()
	h := healthy()
	h.Link.InsecureTLS = true
	for _, w := range []int{40, 60, 80, 132, 200} {
		var lines frame.Lines
		m := moment(t, w, h)
		m.Control = frame.Control{Configured: true, Text: "the service is being asked"}
		line := ansi.Strip(lines.Status(m))
		if style.Width(line) != w || !strings.Contains(line, "● LIVE") || !strings.Contains(line, "TLS ") {
			t.Errorf("%d cells: %q", w, line)
		}
		if again := lines.Status(m); ansi.Strip(again) != line {
			t.Errorf("drawn again: %q", again)
		}
		m.Floor.LocalNow = m.Floor.LocalNow.Add(time.Minute)
		if w >= 80 && ansi.Strip(lines.Status(m)) == line {
			t.Errorf("a minute later it is still %q", line)
		}
	}
}

// TestControlBadge shows why actions are not possible, except on a kiosk.
func TestControlBadge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		control frame.Control
		wall    bool
		want    string
	}{
		{frame.Control{}, false, "read-only"},
		{frame.Control{Configured: true, Text: "wrong password"}, false, "control off: wrong password"},
		{frame.Control{Configured: true, CanAct: true}, false, ""},
		{frame.Control{}, true, ""},
	} {
		m := moment(t, 160, healthy())
		m.Control, m.IsWall = c.control, c.wall
		var lines frame.Lines
		line := ansi.Strip(lines.Status(m))
		if c.want == "" && (strings.Contains(line, "read-only") || strings.Contains(line, "control")) || !strings.Contains(line, c.want) {
			t.Errorf("%+v: %q", c.control, line)
		}
	}
}

// TestBanners expects a banner for each important message.
func TestBanners(t *testing.T) {
	t.Parallel()
	m := moment(t, 80, healthy())
	if out := m.Banners(); len(out) != 0 {
		t.Errorf("all is well: %q", out)
	}
	m.ConfigProblem, m.NotifyProblem = "the configuration has an error", "mail cannot be sent"
	m.Floor.Freeze()
	out := m.Banners()
	for i, want := range []string{"the configuration has an error", "mail cannot be sent", "FROZEN"} {
		if i >= len(out) || !strings.Contains(out[i], want) || style.Width(out[i]) != 80 {
			t.Errorf("banner %d of %q does not contain %q", i, out, want)
		}
	}
}
