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
		got := sit.HelpsIn(room)
		if len(got) != 3 || got[0] != "2 more agents clear it in 3 min" || got[1] != "clears by itself in 9 min" || got[2] != want {
			t.Errorf("in %d: %q, want %q last", room, got, want)
		}
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
