package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// troubled returns a floor on which callers wait at some services; the i-th has a longest
// wait of 70 + 10 i seconds.
func troubled(services int) *testFloor {
	f := newFloorAt(startTime(), liveHealth(startTime()))
	for i := range services {
		f.waitAt(i, int64(70+10*i), int64(3+i))
	}
	for i := range 6 {
		f.putAgent(i, 0)
	}
	return f
}

// waitAt lets callers wait at a service.
func (f *testFloor) waitAt(i int, seconds, callers int64) {
	f.Services.Put(&model.Service{
		Code: model.TextOf(fmt.Sprintf("S%05d", i)), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: known(callers), MaxTimeCallOnQueue: known(seconds), ReceivedCalls: known(100),
			AnsweredCalls: known(100), AnsweredCallsUnderSpeedLimit: known(95), HangupCalls: known(0),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(5), ReadyUsers: heads(0), NotReadyUsers: heads(1)},
	})
}

// TestNowAtEverySize checks that situations are visible and explained at every screen size.
func TestNowAtEverySize(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 5}, {40, 12}, {60, 20}, {80, 24}, {120, 40}, {160, 45}, {200, 60}, {300, 80}} {
		b := newBoardOn(t, troubled(3), size[0], size[1], func(o *Options) { o.Names = nil })
		if size[0] < minWidth {
			b.shows("Too small")
			continue
		}
		b.shows("▲", "S00002") // the Overview begins with the worst
		for _, keys := range [][]string{{"7"}, {"w"}, {"f"}, {"esc", "esc", "enter"}, {"0"}} {
			b.press(keys...)
			if l, y := b.row("S0000"); y < 0 {
				t.Errorf("%dx%d after %q: nothing of it: %s", size[0], size[1], keys, l)
			}
		}
	}
}

// TestOverviewFocusesNow checks that the Overview gives the keyboard to the pane Now whenever the
// viewer comes to it while a situation is critical, and leaves it where it was otherwise.
func TestOverviewFocusesNow(t *testing.T) {
	t.Parallel()
	focused := func(b *board) bool { return strings.Contains(b.text(), "enter open  w why  m take over") }
	b := newBoardOn(t, troubled(3), 120, 40, func(o *Options) { o.Names = nil })
	b.press("tab", "tab")
	if focused(b) {
		t.Fatal("the keyboard is still with Now")
	}
	b.press("2", "1")
	if !focused(b) {
		t.Error("a situation is critical, and Now does not have the keyboard")
	}
	calm := newBoardOn(t, quietFloor(), 120, 40)
	calm.press("tab", "tab")
	before := calm.text()
	calm.press("2", "1")
	if focused(calm) || calm.text() != before {
		t.Error("nothing is critical, and the keyboard went elsewhere")
	}
}

// TestSituationStaysSelected checks that the selection stays when another situation becomes
// worse.
func TestSituationStaysSelected(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, troubled(3), 120, 40, func(o *Options) { o.Names = nil })
	b.press("7", "down")
	before := b.selected()
	if !strings.Contains(before, "S00001") {
		t.Fatalf("the second is %s", before)
	}
	for i := range 5 {
		b.floor.waitAt(0, int64(200+i), 60)
		b.floor.waitAt(1, int64(80+i), 2)
		b.Now = b.Now.Add(time.Second)
		b.publish()
		b.pass(0)
	}
	if got := b.selected(); got != before {
		t.Errorf("%s is selected, %s was", got, before)
	}
	b.press("w")
	b.shows("S00001")
}

// TestHostileNamesInSituations checks names with control characters, right-to-left text and
// wide characters.
func TestHostileNamesInSituations(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"\x1b[2J\x1b[H gone", "a\u202egnp.exe", "\u009b31mred", "日本語の名前がとても長いので入りません", "e\u0301\u0301\u0301\u0301\u0301\u0301", "a\r\nb\tc\x07", strings.Repeat("W", 500),
	} {
		names := model.Names{}
		names.Add(model.NameService, "S00000", model.CleanText(name, model.MaxName)) // as it comes in
		for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
			b := newBoardOn(t, troubled(1), size[0], size[1], func(o *Options) { o.Names = names })
			for _, keys := range [][]string{{"7"}, {"w"}, {"f"}, {"esc", "esc", "enter"}, {"1"}, {"h"}} {
				b.press(keys...) // each frame is looked at
				if strings.ContainsAny(b.text(), "\u202e\u009b\x07\r") {
					t.Fatalf("%q is drawn as it is", name)
				}
			}
		}
	}
}

// TestTwoHundredSituations checks that the worst are shown, all are counted, and each has a
// row.
func TestTwoHundredSituations(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		b := newBoardOn(t, troubled(200), size[0], size[1], func(o *Options) { o.Names = nil })
		b.shows("200")
		b.shows("S00199")
		b.press("7", "end")
		if got := b.selected(); !strings.Contains(got, "S00000") {
			t.Errorf("%dx%d: the last is %s", size[0], size[1], got)
		}
	}
}

// TestStaleFiguresInNow checks that stale figures keep their situations but explain
// nothing.
func TestStaleFiguresInNow(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, troubled(2), 120, 40, func(o *Options) { o.Names = nil })
	for i := range b.floor.Health.Subscriptions {
		if s := &b.floor.Health.Subscriptions[i]; s.Name == model.OpServices {
			s.State, s.Reason, s.FreshUntil = model.SubStale, "no answer", b.Now
		}
	}
	b.Now = b.Now.Add(40 * time.Second)
	b.publish()
	b.pass(time.Second)
	b.shows("STALE", "no answer")
	b.press("7", "w")
	for _, word := range []string{"more contacts than", "fewer agents", "longer than"} {
		b.hides(word)
	}
}

// lateService puts a service without callers that misses the target of the day.
func (f *testFloor) lateService(code string) {
	f.Services.Put(&model.Service{
		Code: model.TextOf(code), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: known(0), ReceivedCalls: known(200), AnsweredCalls: known(100),
			AnsweredCallsUnderSpeedLimit: known(10), HangupCalls: known(100),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(5), ReadyUsers: heads(5), NotReadyUsers: heads(0)},
	})
}

// TestWhyOnOverview checks that w explains the most urgent situation until the viewer selects a
// row.
func TestWhyOnOverview(t *testing.T) {
	t.Parallel()
	f := troubled(2)
	f.lateService("A")
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Names = nil })
	b.press("tab", "w") // the table has the keyboard, but no row of it was selected
	b.shows("Why: S00001")
	b.press("esc")
	for range 3 {
		if strings.TrimSpace(b.selected()) != "A" {
			b.press("down")
		}
	}
	if got := strings.TrimSpace(b.selected()); got != "A" {
		t.Fatalf("selected is %q", got)
	}
	b.press("w")
	b.shows("Why: A")
	b.press("esc", "2", "w") // nothing is selected there
	b.shows("Why: S00001")
}

// TestNowTakesTheKeyboard checks that Now has the keyboard when a situation becomes critical,
// unless the viewer is using the board, and gives it back.
func TestNowTakesTheKeyboard(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(b *board)
		want   string // noun of the table that has the keyboard then; "": Now has it
	}{
		"idle":       {func(*board) {}, ""},
		"a key":      {func(b *board) { b.press("tab", "shift+tab") }, "services"},
		"long after": {func(b *board) { b.press("tab", "shift+tab"); b.pass(11 * time.Second) }, ""},
		"a click":    {func(b *board) { b.click(3, b.height-4) }, "campaigns"},
		"a dialog":   {func(b *board) { b.press("h"); b.pass(11 * time.Second) }, "services"},
		"the filter": {func(b *board) { b.press("/"); b.pass(11 * time.Second) }, "services"},
		"the help":   {func(b *board) { b.press("?"); b.pass(11 * time.Second) }, "services"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoardOn(t, quietFloor(), 120, 40)
			tt.before(b)
			b.floor.wait(model.Call, 61)
			b.Now = b.Now.Add(time.Second)
			b.publish()
			focused := func() string {
				if table := b.pages.page().Focused(); table != nil {
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
			b.shows("▌▲ Sales Italy")
			b.floor.wait(model.Call, 0)
			for range 90 {
				b.pass(time.Second)
				b.publish()
			}
			b.hides("▌▲")
			if got := focused(); got != "services" {
				t.Errorf("%q has the keyboard when it is over, want the services", got)
			}
		})
	}
}

// TestNumbersOfNow checks that a number of a line of Now picks its situation after w and m, also
// if the order has changed since.
func TestNumbersOfNow(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, troubled(3), 120, 40, func(o *Options) { o.Names = nil })
	b.shows("1 ▲ S00002")
	b.shows("2 ▲ S00001")
	b.press("w")
	b.shows("Why: S00002")
	b.shows("1 to 3", "other situations")
	b.floor.waitAt(0, 900, 90) // becomes the worst
	b.Now = b.Now.Add(time.Second)
	b.publish()
	b.pass(time.Second)
	b.press("3")
	b.shows("Why: S00000")
	b.press("esc")
	b.shows("1 ▲ S00000")
	b.press("m")
	b.shows("Take over: which situation?")
	b.press("9")
	b.shows("Take over: which situation?")
	b.press("3")
	b.shows("Take over: S00001")
	b.press("esc", "m", "enter")
	b.shows("Take over: S00002") // the selected line of Now
}

// TestTodayOpensItsList checks that the line about the day opens the list of its services.
func TestTodayOpensItsList(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.lateService("A")
	f.lateService("B")
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Names = nil })
	_, y := b.row("today", "2 services")
	b.press("up", "enter")
	b.shows("Today: 2 services")
	b.shows("A: ")
	b.press("down", "enter")
	if d := b.pages.detail(); d == nil || d.Key != "B" {
		t.Fatalf("it opens %+v", d)
	}
	b.press("esc")
	b.click(30, y)
	b.shows("Today: 2 services")
}
