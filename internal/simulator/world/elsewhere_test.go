package world

import (
	"testing"
	"time"
)

// TestNotReadyElsewhere checks that the option reports NOT_READY for the other
// channels of busy users and changes no other state.
func TestNotReadyElsewhere(t *testing.T) {
	t.Parallel()
	plain := New(Options{Seed: 1, Agents: 30, Channels: 3})
	other := New(Options{Seed: 1, Agents: 30, Channels: 3, NotReadyElsewhere: true})
	elsewhere := 0
	for range 120 {
		plain.Step(time.Second)
		other.Step(time.Second)
		a, b := plain.State().UserStats, other.State().UserStats
		if len(a) != len(b) {
			t.Fatalf("%d and %d user stats", len(a), len(b))
		}
		for i, was := range a {
			want := was.Status
			if want == NotReadyBusy && was.CurrentService == EmptyMark {
				want = NotReady
				elsewhere++
			}
			if b[i].Status != want {
				t.Fatalf("%s on %s is %s, want %s", was.Username, was.Channel, b[i].Status, want)
			}
		}
	}
	if elsewhere == 0 {
		t.Error("no user was busy on another channel")
	}
}
