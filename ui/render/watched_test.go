package render

import (
	"testing"

	"wallboard/internal/alert/situation"
)

// TestWatchedAlarm checks that the alarm of a critical wait that needs no action yet differs from that
// of a warning, also without colours, and comes first.
func TestWatchedAlarm(t *testing.T) {
	t.Parallel()
	warning, critical := rowAlert{level: Warning, attention: situation.AttentionMonitored}, rowAlert{level: Critical, attention: situation.AttentionMonitored}
	for _, ascii := range []bool{false, true} {
		if a, b := warning.mark(ascii), critical.mark(ascii); a == b || b == Critical.Glyph(ascii) {
			t.Errorf("ASCII %v: %q and %q", ascii, a, b)
		}
	}
	entries := []*AlertEntry{{attention: situation.AttentionMonitored}, {attention: situation.AttentionMonitored}}
	entries[0].Level, entries[1].Level = 1, 2
	if a := newAlarm(entries, 0); a.reasons[0].level != Critical || a.Level != Normal {
		t.Errorf("%+v", a.reasons)
	}
}
