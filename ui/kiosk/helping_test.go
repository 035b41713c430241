package kiosk

import (
	"slices"
	"testing"
	"time"

	"wallboard/situation"
)

// TestWallSaysWhatHelps says why and what would help in one line, and each in its turn
// where there is no room for both.
func TestWallSaysWhatHelps(t *testing.T) {
	t.Parallel()
	s := &situation.Situation{Help: situation.Help{
		Needed: situation.Staffing{More: 2, Clear: 3 * time.Minute}, Who: []situation.Helper{{Name: "Rossi Anna", Where: "ready for 0:44"}},
	}}
	helps := helping(s, 100)
	if want := []string{"what helps: 2 more agents clear it in 3 min, Rossi Anna (ready for 0:44)", "what helps: 2 more agents clear it in 3 min"}; !slices.Equal(helps, want) {
		t.Fatalf("%q", helps)
	}
	why := []string{"why: lunch"}
	if got := both(why, helps); got[1] != "why: lunch · what helps: 2 more agents clear it in 3 min" {
		t.Errorf("%q", got)
	}
	if a, b := turn(0, why, helps), turn(1, why, helps); !slices.Equal(a, why) || !slices.Equal(b, helps) {
		t.Errorf("%q, then %q", a, b)
	}
	if got := turn(0, []string{""}, helps); !slices.Equal(got, helps) {
		t.Errorf("where nobody knows why: %q", got)
	}
	if got := helping(new(situation.Situation), 100); got != nil {
		t.Errorf("%q of nothing", got)
	}
}
