package feeds

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/timeunit"
)

// TestReadAgainIsSaidBesideWhatIsPresumed: the unit of one time changes while
// that of another is presumed; both are reported until the values have been
// queried again.
func TestReadAgainIsSaidBesideWhatIsPresumed(t *testing.T) {
	t.Parallel()
	l := timeunit.New(nil, timeunit.Zone{})
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i := range 4 {
		now := at.Add(time.Duration(i) * 3 * time.Second)
		l.AddSample(opUserStats, "a", timeunit.FieldState, float64(at.Unix()-60), now, now)
		l.AddSample(opUserStats, "a", timeunit.FieldCodes, 600, now, now)
		l.EndFullState(now, now)
	}
	if l.IsPresumed(timeunit.FieldState) || !l.IsPresumed(timeunit.FieldCodes) {
		t.Fatalf("units %s", l)
	}
	l.SetRereading(opUserStats, true)
	said := describeTimes(opUserStats, l, true)
	for _, want := range []string{"timeInState", "requested again", "; totalTime: presumed to be a length in seconds"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not contain %q", said, want)
		}
	}
	if said := describeTimes(opUserStats, l, false); strings.Contains(said, "timeInState") || !strings.Contains(said, "totalTime") {
		t.Errorf("after the answer: %q", said)
	}
}
