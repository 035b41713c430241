package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model"
)

// eager has a newer picture whenever it is asked.
type eager struct{ seq uint64 }

func (e *eager) Latest() *model.Snapshot { return nil }

func (e *eager) Wait(context.Context, uint64) (*model.Snapshot, error) {
	e.seq++
	return &model.Snapshot{Seq: e.seq}, nil
}

// TestRefresh has pictures come as far apart as the configuration says, and at once where
// it says nothing.
func TestRefresh(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]time.Duration{0: 0, 250 * time.Millisecond: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			m := New(Options{Source: &eager{}, Signals: Signals{Refresh: every}, Now: time.Now, Context: t.Context()})
			begun := time.Now()
			cmd := m.scene.wait()
			for range 5 { // the first comes at once
				msg, is := cmd().(snapshotMsg)
				if !is {
					t.Fatalf("%T came", msg)
				}
				m.take(msg.snapshot)
				cmd = m.scene.wait()
			}
			if took := time.Since(begun); took != want {
				t.Errorf("five pictures every %v took %v, want %v", every, took, want)
			}
		})
	}
}
