package ui

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/term"
)

// eager is a source with a new snapshot of a live feed ten times a second.
type eager struct{ seq uint64 }

func (e *eager) Latest() *model.Snapshot { return nil }

func (e *eager) Wait(ctx context.Context, _ uint64) (*model.Snapshot, error) {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	e.seq++
	live := model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{State: model.SubLive}}}
	return &model.Snapshot{Seq: e.seq, Health: live}, nil
}

// TestRefresh checks the configured refresh interval, and immediate drawing without one.
func TestRefresh(t *testing.T) {
	t.Parallel()
	for every, want := range map[time.Duration]uint64{0: 99, time.Second: 11, 250 * time.Millisecond: 41} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
			defer stop()
			pictures := &eager{}
			err := Run(ctx, Options{Source: pictures, Now: time.Now, Display: Display{Refresh: every, Output: io.Discard}},
				tea.WithInput(nil), tea.WithWindowSize(80, 24))
			if err != nil || pictures.seq < want-1 || pictures.seq > want {
				t.Errorf("%d pictures were taken in 10 s at one every %v, want %d (%v)", pictures.seq, every, want, err)
			}
		})
	}
}

// ripe is a source with a new snapshot every quarter of a second. It counts the calls of Wait.
type ripe struct {
	begun  time.Time
	waits  int
	newest uint64 // number of the last snapshot that was requested
}

func (r *ripe) Latest() *model.Snapshot {
	r.newest = uint64(time.Since(r.begun)/(250*time.Millisecond)) + 1
	return &model.Snapshot{Seq: r.newest}
}

func (r *ripe) Wait(context.Context, uint64) (*model.Snapshot, error) {
	r.waits++
	return r.Latest(), nil
}

// beats is a writer that records the times of writes.
type beats []time.Time

func (b *beats) Write(p []byte) (int, error) {
	*b = append(*b, time.Now())
	return len(p), nil
}

func (b *beats) Close() error { return nil }

// TestServedPace checks that a served board polls for snapshots when a frame is due, with a
// clock tick once a second.
func TestServedPace(t *testing.T) {
	t.Parallel()
	const phase = 50 * time.Millisecond
	for every, most := range map[time.Duration]int{time.Second: 11, 100 * time.Millisecond: 11, 2 * time.Second: 6} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Second-time.Millisecond)
			defer stop()
			in, typed := io.Pipe()
			pictures, written := &ripe{begun: time.Now()}, new(beats)
			err := Serve(ctx, Options{Source: pictures, Now: time.Now}, term.Viewer{
				In: in, Out: written, Env: []string{"TERM=xterm"}, Size: term.Size{Width: 80, Height: 24}, Interval: every, FramePhase: phase,
			})
			_ = typed.Close()
			if err != nil || pictures.waits != 1 {
				t.Errorf("it waited for %d pictures (%v)", pictures.waits, err)
			}
			if late := time.Since(pictures.begun) - time.Duration(pictures.newest)*250*time.Millisecond; late > every {
				t.Errorf("every %v: the last picture is %v old", every, late)
			}
			frames := 0
			for _, at := range *written {
				if since := at.Sub(pictures.begun); since > 0 && since < 10*time.Second-time.Millisecond {
					frames++
					if since%every != phase {
						t.Errorf("every %v: drawn after %v", every, since)
					}
				}
			}
			if frames < most-2 || frames > most {
				t.Errorf("%d frames at one every %v", frames, every)
			}
		})
	}
}
