package situation

import (
	"strings"
	"testing"
	"time"

	"wallboard/situation/cause"
)

// TestNamesGiveWayBeforeFigures says who could help in less and less room.
func TestNamesGiveWayBeforeFigures(t *testing.T) {
	t.Parallel()
	sit := Situation{Help: Help{
		Needed:   []Staffing{{More: 2, Clear: 3 * time.Minute, Known: true}},
		ByItself: 9 * time.Minute, ByItselfKnown: true,
		Who: []Helper{{Name: "Featherstonehaugh Bartholomew", Where: "ready for 12:41", Why: "same group, not on this service"}},
	}}
	for room, want := range map[int]string{
		100: "Featherstonehaugh Bartholomew (ready for 12:41, same group, not on this service)",
		60:  "Featherstonehaugh Bartholomew (ready for 12:41)",
		40:  "Featherstonehaugh Bar… (ready for 12:41)",
		10:  "Feat… (ready for 12:41)",
	} {
		_, got := sit.HelpsIn(room)
		if len(got) != 3 || got[0] != "2 more agents clear it in 3 min" || got[1] != "otherwise it clears by itself in 9 min" || got[2] != want {
			t.Errorf("in %d: %q, want %q last", room, got, want)
		}
	}
}

// TestForecastIsNoHelp tells what comes by itself apart from what helps.
func TestForecastIsNoHelp(t *testing.T) {
	t.Parallel()
	sit := Situation{Help: Help{ByItself: 9 * time.Minute, ByItselfKnown: true}}
	if label, got := sit.Helps(); label != "forecast" || len(got) != 1 || got[0] != "it clears by itself in 9 min" {
		t.Errorf("%s: %q", label, got)
	}
	sit.Help.GivesUp, sit.Help.Who = true, []Helper{{Name: "Rossi Anna"}}
	if label, got := sit.Helps(); label != "what helps" || len(got) != 2 || got[1] != "otherwise most give up within 9 min" {
		t.Errorf("%s: %q", label, got)
	}
	if label, got := new(Situation).Helps(); label != "" || got != nil {
		t.Errorf("%s: %q of nothing", label, got)
	}
}

// TestCausesAreSentences has no text go on after a stop that is none.
func TestCausesAreSentences(t *testing.T) {
	t.Parallel()
	sit := Situation{Causes: []cause.Cause{{Text: "4 of 7 agents went to MEETING at 14:00"}, {Text: "A conversation takes 5:10; it took 3:00 before."}}}
	if got := strings.Join(sit.Why(), " "); got != "4 of 7 agents went to MEETING at 14:00. A conversation takes 5:10; it took 3:00 before." {
		t.Errorf("%q", got)
	}
}

// TestOneForEachWhoWaits says what so many agents are worth: that each of those who wait
// gets one is no more than that, where more come than are served.
func TestOneForEachWhoWaits(t *testing.T) {
	t.Parallel()
	sit := Situation{Help: Help{Needed: []Staffing{{More: 5, Known: true, Each: true}}, KeepsUp: 16}}
	if _, got := sit.Helps(); len(got) != 2 || got[0] != "5 more agents, one for each who waits" || got[1] != "it takes 16 more to serve as many as come" {
		t.Errorf("%q", got)
	}
	sit.Help.Needed[0] = Staffing{More: 17, Known: true, Clear: 3 * time.Minute}
	if _, got := sit.Helps(); len(got) != 1 || got[0] != "17 more agents clear it in 3 min" {
		t.Errorf("%q", got)
	}
}
