package history

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestRequestsOfOneMillisecond counts requests while the file of the budget cannot be used, and then
// can: each request counts, also if another one was sent in the same millisecond.
func TestRequestsOfOneMillisecond(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testkit.PrivateDir(t), "budget")
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	open := func() *budget {
		return &budget{path: file, now: func() time.Time { return now }, log: slog.New(slog.DiscardHandler)}
	}
	count := func(b *budget, n int) {
		for range n {
			b.update(func(l *budgetState) {
				if left := l.reserve(now, false); left != 0 {
					t.Errorf("no capacity for %v", left)
				}
			})
		}
	}
	ours, other := open(), open()
	count(ours, 2)
	count(other, 1)
	if err := os.Rename(file, file+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil { // no program can open it
		t.Fatal(err)
	}
	count(ours, 3)
	if used := ours.usage().Used; used != 5 {
		t.Errorf("%d requests are counted without the file, want 5 of this program", used)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".kept", file); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*budget{"this program": ours, "another program": other} {
		if name == "another program" {
			ours.usage() // usage writes the requests of this program
		}
		if used := b.usage().Used; used != 6 {
			t.Errorf("%s counts %d requests, want 6", name, used)
		}
	}
	ours.halveRate()
	now = now.Add(budgetWindow + time.Millisecond)
	if used := ours.usage(); used.Used != 0 || used.LoweredUntil.IsZero() || len(ours.unwritten) != 0 {
		t.Errorf("after a window: %+v, %d not written", used, len(ours.unwritten))
	}
}
