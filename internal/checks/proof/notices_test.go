package proof_test

import (
	"fmt"
	"testing"
	"time"
)

// TestTheLedgerNotices compares snapshots with all kinds of errors with a true state
// whose figure x changed from 1 to 2 a minute ago.
func TestTheLedgerNotices(t *testing.T) {
	t.Parallel()
	record := func(code, rest string) string { return fmt.Sprintf(`{"code":%q,"channel":"CALL"%s}`, code, rest) }
	for name, c := range map[string]struct {
		shown []string
		want  time.Duration
	}{
		"the truth":            {[]string{record("A", `,"x":2,"y":null,"list":[{"key":"k","n":5}]`)}, 0},
		"null is not there":    {[]string{record("A", `,"x":2,"list":[{"key":"k","n":5}]`)}, 0},
		"a former figure":      {[]string{record("A", `,"x":1,"list":[{"key":"k","n":5}]`)}, time.Minute},
		"a figure out of air":  {[]string{record("A", `,"x":3,"list":[{"key":"k","n":5}]`)}, memory},
		"a figure too much":    {[]string{record("A", `,"x":2,"y":7,"list":[{"key":"k","n":5}]`)}, memory},
		"an unknown figure":    {[]string{record("A", `,"x":null,"list":[{"key":"k","n":5}]`)}, 70 * time.Second},
		"an element too few":   {[]string{record("A", `,"x":2,"list":[]`)}, memory},
		"a record too few":     {nil, 70 * time.Second},
		"another record":       {[]string{record("B", `,"x":2`)}, memory},
		"a record without all": {[]string{record("A", "")}, 70 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, now := newLedger(t, false), time.Now()
			side := func(side map[id]version, records []string) {
				l.update(side, now, func(f func(string, any, func() []byte)) {
					for i := range records {
						f("serviceStats", &records[i], func() []byte { return []byte(records[i]) })
					}
				})
			}
			side(l.truth, []string{record("A", `,"x":1,"y":null,"list":[{"key":"k","n":5}]`)})
			now = now.Add(10 * time.Second)
			side(l.truth, []string{record("A", `,"x":2,"y":null,"list":[{"key":"k","n":5}]`)})
			now = now.Add(time.Minute)
			side(l.shown, c.shown)
			var worst time.Duration
			l.check(now, func(_ id, age time.Duration, _ string) { worst = max(worst, age) })
			if worst != c.want {
				t.Errorf("the worst age is %v, want %v", worst, c.want)
			}
		})
	}
}
