package situation

import (
	"testing"
	"time"
)

// TestOutlookDoesNotFlip plays a queue whose outlook changes within seconds: the first outlook is
// told, then none until one has held for a minute, also if the queue was empty in between.
func TestOutlookDoesNotFlip(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var o steadyForecastKind
	for _, tt := range []struct {
		second int
		kind   outlookKind
		told   bool
	}{
		{0, persists, true},
		{7, clears, false},
		{20, persists, false},
		{21, noOutlook, false},
		{24, clears, false},
		{83, clears, false},
		{84, clears, true},
		{200, clears, true},
		{201, hangUps, false},
	} {
		o = o.next(tt.kind, began.Add(time.Duration(tt.second)*time.Second))
		h := Help{outlook: o, QueuePersists: tt.kind == persists, ClearsInKnown: tt.kind == clears || tt.kind == hangUps, ClearsByHangUps: tt.kind == hangUps, ClearsIn: time.Minute}
		if h.outlookKind() != tt.kind {
			t.Fatalf("kind %d, want %d", h.outlookKind(), tt.kind)
		}
		if text := h.WithoutHelp(); (text != "") != tt.told {
			t.Errorf("after %d s: %q, should be told: %v", tt.second, text, tt.told)
		}
	}
}
