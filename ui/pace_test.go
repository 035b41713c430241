package ui

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
)

// eager has a newer picture ten times a second.
type eager struct{ seq uint64 }

func (e *eager) Latest() *model.Snapshot { return nil }

func (e *eager) Wait(ctx context.Context, _ uint64) (*model.Snapshot, error) {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.seq++
	return &model.Snapshot{Seq: e.seq}, nil
}

// TestRefresh has pictures be taken as often as the configuration says, and as they come
// where it says nothing.
func TestRefresh(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]uint64{0: 99, time.Second: 11, 250 * time.Millisecond: 41} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
			defer stop()
			pictures := &eager{}
			err := Run(ctx, Options{Source: pictures, Signals: Signals{Refresh: every}, Now: time.Now, Output: io.Discard},
				tea.WithInput(nil), tea.WithWindowSize(80, 24))
			if err != nil || pictures.seq < want-1 || pictures.seq > want {
				t.Errorf("%d pictures were taken in 10 s at one every %v, want %d (%v)", pictures.seq, every, want, err)
			}
		})
	}
}
