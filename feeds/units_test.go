package feeds

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/times"
)

// TestReadAgainIsSaidBesideWhatIsUnknown has the unit of one time found while that
// of another is not known: both are said, until what could not be read was asked
// for again.
func TestReadAgainIsSaidBesideWhatIsUnknown(t *testing.T) {
	t.Parallel()
	l := times.New(nil, times.Zone{})
	l.Undecided()
	l.Unread(times.State)
	l.Unread(times.Codes)
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range 4 {
		now := at.Add(time.Duration(i) * 3 * time.Second)
		l.Full(opUserStats, "a", times.State, float64(at.Unix()-60), now, now)
	}
	if l.Unit(times.State) != times.UnixSeconds || l.Unit(times.Codes) != times.Unknown {
		t.Fatalf("units %s", l)
	}
	l.Reread(opUserStats, true)
	said := timesText(opUserStats, l, true)
	for _, want := range []string{"timeInState", "asked for again", "; totalTime: its unit is not known yet"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	if strings.Count(said, "totalTime") != 1 {
		t.Errorf("%q says totalTime twice", said)
	}
	if said := timesText(opUserStats, l, false); strings.Contains(said, "timeInState") {
		t.Errorf("after the answer: %q", said)
	}
}
