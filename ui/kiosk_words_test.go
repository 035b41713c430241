package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/chart"
	"wallboard/ui/floorview"
	"wallboard/ui/kiosk"
)

// TestKioskTickerInWords checks the ticker of a large screen: a margin, name and verdict in large
// letters, the details below, the count of other situations at the right end, and the clock below
// all of it.
func TestKioskTickerInWords(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {160, 45}, {200, 60}} {
		b := newBoardOn(t, quietFloor(), size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Services"} }))
		b.floor.wait(model.Call, 70)
		b.floor.waitAt(1, 90, 3)
		b.publish()
		b.seconds(10)
		lines := strings.Split(b.text(), "\n")
		if strings.TrimSpace(lines[0]) != "" {
			t.Errorf("%v: no margin above the letters: %q", size, lines[0])
		}
		first, _, _ := chart.LargeLetters("Sales Italy   1 waiting", chart.Blocks)
		second, _, _ := chart.LargeLetters("S00001   3 waiting", chart.Blocks)
		others, _, _ := chart.LargeLetters("+1", chart.Blocks)
		for i := range first {
			l := lines[1+i]
			if !strings.Contains(l, first[i]) && !strings.Contains(l, second[i]) || !strings.HasSuffix(strings.TrimRight(l, " "), strings.TrimRight(others[i], " ")) {
				t.Errorf("%v: line %d is %q, want %q or %q, and %q at its end", size, 1+i, l, first[i], second[i], others[i])
			}
		}
		if !strings.Contains(lines[4], "CRITICAL · ") || strings.Contains(lines[4], "more") && !strings.Contains(lines[4], "agent") {
			t.Errorf("%v: the details are %q", size, lines[4])
		}
		for _, l := range lines[:5] {
			if strings.Contains(l, ":") && strings.ContainsAny(l, "▀▄") {
				t.Errorf("%v: the clock is beside the ticker: %q", size, l)
			}
		}
	}
}

// TestKioskDeck checks that a service with a situation is first and large, and that many others are a
// strip of names.
func TestKioskDeck(t *testing.T) {
	t.Parallel()
	const services = 60
	f := quietFloor()
	for i := range services {
		f.waitAt(i, 0, 0)
	}
	b := newBoardOn(t, f, 160, 45, onWall(func(k *kiosk.Options) { k.Pages = []string{"Services"} }))
	b.seconds(2)
	b.shows("╭ Page ")
	f.waitAt(services-1, 200, 4)
	b.publish()
	b.seconds(3)
	b.hides("╭ Page ")
	text := b.text()
	if !strings.Contains(text, "▲ * S00059") || strings.Count(text, "┏") != 1 {
		t.Fatalf("the service in trouble has no card of its own:\n%s", text)
	}
	if at, other := strings.Index(text, "▲ * S00059"), strings.Index(text, "S00001"); other < at {
		t.Errorf("another service is before the one in trouble:\n%s", text)
	}
	b.shows("S00001", "S00002") // the names of the others are on one line
}

// TestKioskTaken checks that a card says that a viewer has taken a situation over, with a name only if
// the wall shows names.
func TestKioskTaken(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		f := quietFloor()
		b, v := newSharedBoard(t, newShared(t, f, testNames()), f, 120, 40, model.NamesFull, onWall(func(k *kiosk.Options) { k.Pages, k.FullNames = []string{"Services"}, full }))
		b.floor.wait(model.Call, 70)
		b.publish()
		b.seconds(3)
		b.shows("action needed")
		for _, a := range v.Active() {
			if _, err := v.Acknowledge(a.ID, "Anna", "", b.Now); err != nil {
				t.Fatal(err)
			}
		}
		b.seconds(2)
		b.hides("action needed")
		b.hides("check")
		if full {
			b.shows("Anna has it")
		} else {
			b.shows("taken")
			b.hides("Anna")
		}
	}
}

// TestKioskAgents checks that the page Agents shows counts and the agents over a limit, and that a calm
// floor is dark.
func TestKioskAgents(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}} {
		b := newBoardOn(t, quietFloor(), size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Agents"} }), func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
		b.floor.putAgent(3, 0)
		b.publish()
		b.seconds(5)
		b.shows("No agent over a limit")
		s, filled := b.cells(b.View().Content), 0
		for y := 8; y < b.height-1; y++ {
			for x := range b.width {
				if hue(s.CellAt(x, y).Style.Bg) {
					filled++
				}
			}
		}
		if filled > 0 {
			t.Errorf("%v: %d cells of a calm floor are filled with a color:\n%s", size, filled, b.text())
		}
		b.floor.UserStats.Put(&model.UserStat{Username: model.TextOf("m.rossi"), Name: model.TextOf("Mario"), Surname: model.TextOf("Rossi"), AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: model.WNR, TimeInState: model.InstantOf(b.Now.Add(-time.Hour)),
		}})
		b.publish()
		b.seconds(3)
		b.shows("Rossi Mario", "Wrap-up")
		b.hides("No agent over")
	}
}

// TestKioskAgentsTooOld checks that a wall does not say that no agent is over a limit if the states are
// too old, on the page Agents and in a map without room for the blocks of all agents. While the states
// are current, both name the agents over a limit.
func TestKioskAgentsTooOld(t *testing.T) {
	t.Parallel()
	for page, agents := range map[string]int{"Agents": 12, "Mine": 400} {
		for _, over := range []bool{false, true} {
			b := newBoardOn(t, quietFloor(), 200, 60, paged(row("map")), onWall(func(k *kiosk.Options) { k.Pages = []string{page} }))
			for i := range agents {
				b.floor.putAgent(i, 0)
				b.floor.agentOn(i, model.Ready, b.Now)
			}
			if over {
				b.floor.UserStats.Put(&model.UserStat{Username: model.TextOf("m.rossi"), Name: model.TextOf("Mario"), Surname: model.TextOf("Rossi"), AgentFigures: model.AgentFigures{
					Channel: model.Call, Status: model.WNR, TimeInState: model.InstantOf(b.Now.Add(-time.Hour)),
				}})
			}
			b.publish()
			b.seconds(2)
			if over {
				b.says("agent over a limit", "Rossi Mario")
			} else {
				b.shows("No agent over a limit")
			}
			b.link(func(l *model.Link) { l.State = model.LinkBackoff })
			b.pass(floorview.BlankAfter + time.Second)
			b.shows("Agents over their limit: unknown")
			b.hides("agent over a limit")
		}
	}
}

// TestKioskGoodNews checks that a calm kiosk says for how long it has watched.
func TestKioskGoodNews(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 100, 30, onWall(front(alert.Critical)))
	b.seconds(50)
	b.shows("✓ Service on target")
	b.hides("for 1 min")
	for range 16 {
		b.publish()
		b.seconds(30)
	}
	b.shows("on target · for 8 min")
}
