package panes_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
)

// TestNowAtEverySize checks that situations are visible and explained at every screen size.
func TestNowAtEverySize(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 5}, {40, 12}, {60, 20}, {80, 24}, {120, 40}, {160, 45}, {200, 60}, {300, 80}} {
		b := newBoardOn(t, uitest.NewOverloadedFloor(3), size[0], size[1], func(o *ui.Options) { o.Names = nil })
		if size[0] < 24 {
			b.CheckShows("Too small")
			continue
		}
		b.CheckShows("▲", "S00002") // the Overview begins with the worst situation
		for _, keys := range [][]string{{"7"}, {"w"}, {"f"}, {"esc", "esc", "enter"}, {"0"}} {
			b.Press(keys...)
			if l, y := b.Row("S0000"); y < 0 {
				t.Errorf("%dx%d after %q: nothing of it: %s", size[0], size[1], keys, l)
			}
		}
	}
}

// TestOverviewFocusesNow checks that the pane Now gets the keyboard focus whenever the viewer opens the
// Overview while a situation is critical. Otherwise the focus does not change.
func TestOverviewFocusesNow(t *testing.T) {
	t.Parallel()
	focused := func(b *uitest.Board) bool { return strings.Contains(b.Text(), "┏ 7 Now ━") }
	b := newBoardOn(t, uitest.NewOverloadedFloor(3), 120, 40, func(o *ui.Options) { o.Names = nil })
	b.Press("tab", "tab")
	if focused(b) {
		t.Fatal("the keyboard is still with Now")
	}
	b.Press("2", "1")
	if !focused(b) {
		t.Error("a situation is critical, and Now does not have the keyboard")
	}
	calm := newBoardOn(t, uitest.NewQuietFloor(), 120, 40)
	calm.Press("tab", "tab")
	before := calm.Text()
	calm.Press("2", "1")
	if focused(calm) || calm.Text() != before {
		t.Error("nothing is critical, and the keyboard went elsewhere")
	}
}

// TestSituationStaysSelected checks that the selection stays when another situation becomes
// worse.
func TestSituationStaysSelected(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, uitest.NewOverloadedFloor(3), 120, 40, func(o *ui.Options) { o.Names = nil })
	b.Press("7", "down")
	before := b.Selected()
	if !strings.Contains(before, "S00001") {
		t.Fatalf("the second is %s", before)
	}
	for i := range 5 {
		b.Floor.PutWaitingService(0, int64(200+i), 60)
		b.Floor.PutWaitingService(1, int64(80+i), 2)
		b.Now = b.Now.Add(time.Second)
		b.Publish()
		b.AdvanceClock(0)
	}
	if got := b.Selected(); got != before {
		t.Errorf("%s is selected, %s was", got, before)
	}
	b.Press("w")
	b.CheckShows("S00001")
}

// TestHostileNamesInSituations checks names with control characters, right-to-left text and
// wide characters.
func TestHostileNamesInSituations(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"\x1b[2J\x1b[H gone", "a\u202egnp.exe", "\u009b31mred", "日本語の名前がとても長いので入りません", "e\u0301\u0301\u0301\u0301\u0301\u0301", "a\r\nb\tc\x07", strings.Repeat("W", 500),
	} {
		names := model.Names{}
		names.Add(model.NameService, "S00000", model.CleanText(name, model.MaxName)) // the feed cleans names in the same way
		for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
			b := newBoardOn(t, uitest.NewOverloadedFloor(1), size[0], size[1], func(o *ui.Options) { o.Names = names })
			for _, keys := range [][]string{{"7"}, {"w"}, {"f"}, {"esc", "esc", "enter"}, {"1"}, {"h"}} {
				b.Press(keys...) // Press also checks the frame
				if strings.ContainsAny(b.Text(), "\u202e\u009b\x07\r") {
					t.Fatalf("%q is drawn as it is", name)
				}
			}
		}
	}
}

// TestTwoHundredSituations checks that the worst of 200 situations are shown, that all are counted, and
// that each has a row.
func TestTwoHundredSituations(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		b := newBoardOn(t, uitest.NewOverloadedFloor(200), size[0], size[1], func(o *ui.Options) { o.Names = nil })
		b.CheckShows("200")
		b.CheckShows("S00199")
		b.Press("7", "end")
		if got := b.Selected(); !strings.Contains(got, "S00000") {
			t.Errorf("%dx%d: the last is %s", size[0], size[1], got)
		}
	}
}

// TestStaleFiguresInNow checks that situations with stale figures stay in the list, but without
// explanations.
func TestStaleFiguresInNow(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, uitest.NewOverloadedFloor(2), 120, 40, func(o *ui.Options) { o.Names = nil })
	for i := range b.Floor.Health.Subscriptions {
		if s := &b.Floor.Health.Subscriptions[i]; s.Name == model.OpServices {
			s.State, s.Reason, s.FreshUntil = model.SubStale, "no answer", b.Now
		}
	}
	b.Now = b.Now.Add(40 * time.Second)
	b.Publish()
	b.AdvanceClock(time.Second)
	b.CheckShows("STALE", "no answer")
	b.Press("7", "w")
	for _, word := range []string{"more contacts than", "fewer agents", "longer than"} {
		b.CheckHides(word)
	}
}

// lateService adds a service without waiting callers that misses its target of the day.
func lateService(f *uitest.Floor, code string) {
	f.Services.Put(&model.Service{
		Code: model.TextOf(code), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: uitest.KnownInt(0), ReceivedCalls: uitest.KnownInt(200), AnsweredCalls: uitest.KnownInt(100),
			AnsweredCallsUnderSpeedLimit: uitest.KnownInt(10), HangupCalls: uitest.KnownInt(100),
		},
		UserStats: model.ServiceUsers{LoggedUsers: uitest.AgentCount(5), ReadyUsers: uitest.AgentCount(5), NotReadyUsers: uitest.AgentCount(0)},
	})
}

// TestWhyOnOverview checks that w explains the most urgent situation until the viewer selects a
// row.
func TestWhyOnOverview(t *testing.T) {
	t.Parallel()
	f := uitest.NewOverloadedFloor(2)
	lateService(f, "A")
	b := newBoardOn(t, f, 120, 40, func(o *ui.Options) { o.Names = nil })
	b.Press("tab", "w") // the table has the keyboard focus, but the viewer has selected no row
	b.CheckShows("Why: S00001")
	b.Press("esc")
	for range 3 {
		if strings.TrimSpace(b.Selected()) != "A" {
			b.Press("down")
		}
	}
	if got := strings.TrimSpace(b.Selected()); got != "A" {
		t.Fatalf("selected is %q", got)
	}
	b.Press("w")
	b.CheckShows("Why: A")
	b.Press("esc", "2", "w") // no row is selected on this page
	b.CheckShows("Why: S00001")
}

// TestNowTakesTheKeyboard checks that Now gets the keyboard focus when a situation becomes critical,
// unless the viewer is using the board, and that the focus can return.
func TestNowTakesTheKeyboard(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(b *uitest.Board)
		want   string // noun of the table that has the keyboard focus afterwards; "": Now has it
	}{
		"idle":       {func(*uitest.Board) {}, ""},
		"a key":      {func(b *uitest.Board) { b.Press("tab", "shift+tab") }, "services"},
		"long after": {func(b *uitest.Board) { b.Press("tab", "shift+tab"); b.AdvanceClock(11 * time.Second) }, ""},
		"a click":    {func(b *uitest.Board) { b.Click(3, b.Height-4) }, "campaigns"},
		"a dialog":   {func(b *uitest.Board) { b.Press("h"); b.AdvanceClock(11 * time.Second) }, "services"},
		"the filter": {func(b *uitest.Board) { b.Press("/"); b.AdvanceClock(11 * time.Second) }, "services"},
		"the help":   {func(b *uitest.Board) { b.Press("?"); b.AdvanceClock(11 * time.Second) }, "services"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoardOn(t, uitest.NewQuietFloor(), 120, 40)
			tt.before(b)
			b.Floor.AddWaitingCaller(model.Call, 61)
			b.Now = b.Now.Add(time.Second)
			b.Publish()
			focused := func() string {
				if table := b.Page().Focused(); table != nil {
					return table.Noun
				}
				return ""
			}
			if got := focused(); got != tt.want {
				t.Fatalf("%q has the keyboard, want %q", got, tt.want)
			}
			if tt.want != "" {
				return
			}
			b.CheckShows("▌▲ Sales Italy")
			b.Floor.AddWaitingCaller(model.Call, 0)
			for range 90 {
				b.AdvanceClock(time.Second)
				b.Publish()
			}
			b.CheckHides("▌▲")
			if got := focused(); got != "services" {
				t.Errorf("%q has the keyboard when it is over, want the services", got)
			}
		})
	}
}

// TestNumbersOfNow checks that after the keys w and m, a digit selects the situation with this number in
// Now, even if the order has changed since.
func TestNumbersOfNow(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, uitest.NewOverloadedFloor(3), 120, 40, func(o *ui.Options) { o.Names = nil })
	b.CheckShows("1 ▲ S00002")
	b.CheckShows("2 ▲ S00001")
	b.Press("w")
	b.CheckShows("Why: S00002")
	b.CheckShows("1 to 3", "other situations")
	b.Floor.PutWaitingService(0, 900, 90) // this service becomes the worst
	b.Now = b.Now.Add(time.Second)
	b.Publish()
	b.AdvanceClock(time.Second)
	b.Press("3")
	b.CheckShows("Why: S00000")
	b.Press("esc")
	b.CheckShows("1 ▲ S00002") // the lines keep their order for a moment
	for range 6 {
		b.Now = b.Now.Add(time.Second)
		b.Publish()
		b.AdvanceClock(time.Second)
	}
	b.CheckShows("1 ▲ S00000")
	b.Press("m")
	b.CheckShows("Take over: which situation?")
	b.Press("9")
	b.CheckShows("Take over: which situation?")
	b.Press("3")
	b.CheckShows("Take over: S00001")
	b.Press("esc", "m", "enter")
	b.CheckShows("Take over: S00000") // the most urgent situation, because the viewer has selected none
}

// TestTodayOpensItsList checks that the line about the day opens the list of its services.
func TestTodayOpensItsList(t *testing.T) {
	t.Parallel()
	f := uitest.NewQuietFloor()
	lateService(f, "A")
	lateService(f, "B")
	b := newBoardOn(t, f, 120, 40, func(o *ui.Options) { o.Names = nil })
	_, y := b.Row("today", "2 services")
	b.Press("up", "enter")
	b.CheckShows("Today: 2 services")
	b.CheckShows("A: ")
	b.Press("down", "enter")
	if d, ok := b.Page().(*panes.Detail); !ok || d.Key != "B" {
		t.Fatalf("it opens %+v", b.Page())
	}
	b.Press("esc")
	b.Click(30, y)
	b.CheckShows("Today: 2 services")
}
