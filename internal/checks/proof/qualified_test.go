package proof_test

import (
	"strings"
	"testing"
	"time"
)

// TestPresumedFiguresAreCounted shows a wrong figure in a presumed unit. The report counts the figure
// separately. Once the mark is gone, the figure counts as wrong, although its value has not changed.
func TestPresumedFiguresAreCounted(t *testing.T) {
	t.Parallel()
	l := newLedger(t, false)
	mark := presumedUnit
	l.qualified = func(_ any, _, path string) qualification {
		if path == "maxTimeCallOnQueue" {
			return mark
		}
		return unqualified
	}
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	put := func(side map[id]version, text string) {
		l.update(side, now, func(f func(string, any, func() []byte)) {
			f("serviceStats", &text, func() []byte { return []byte(text) })
		})
	}
	put(l.truth, `{"code":"S","channel":"CALL","maxTimeCallOnQueue":65}`)
	put(l.shown, `{"code":"S","channel":"CALL","maxTimeCallOnQueue":65000}`)
	var unmarked []string
	look := func() {
		l.check(now, func(_ id, _ time.Duration, what string) { unmarked = append(unmarked, what) })
	}
	look()
	look()
	if len(unmarked) > 0 || l.presumed.count != 2 || l.presumed.wrong != 2 || l.decided.count != 0 {
		t.Errorf("unmarked %q, presumed %v, decided %v", unmarked, &l.presumed, &l.decided)
	}
	r := report{}
	r.merge(&report{presumed: l.presumed})
	if text := r.String(); !strings.Contains(text, `figures in a presumed unit: 2 differ, 2 of them for more than 1m2s (serviceStats S/CALL maxTimeCallOnQueue: shown "65000", true "65"`) {
		t.Errorf("the report is\n%s", text)
	}
	mark = unqualified
	if look(); len(unmarked) != 1 {
		t.Errorf("without the mark: %q", unmarked)
	}
}
