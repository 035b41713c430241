package ui

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// hoursOf returns snapshots for the duration d until now, ten seconds apart. A caller waits during the
// last part of it, whose length is waits.
func (th *theatre) hoursOf(d, waits time.Duration) []*model.Snapshot {
	var out []*model.Snapshot
	now := time.Now()
	for ago := d; ago > 0; ago -= 10 * time.Second {
		th.floor.Time = now.Add(-ago)
		th.floor.Health = liveHealth(th.floor.Time)
		th.floor.wait(model.Call, int64(max(waits-ago, 0)/time.Second))
		out = append(out, th.floor.publish())
	}
	return out
}

// floorSamples counts an engine's samples of the floor.
func floorSamples(e alerts.Engine, span time.Duration) (n int) {
	for _, v := range e.Trend(nil, "longestWait", alert.Key{Scope: alert.Floor, Channel: model.Call}, span).Samples {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// TestRewoundChartsHaveTheHoursBefore checks that the charts of a replay show the hours before its
// instant, and nothing later.
func TestRewoundChartsHaveTheHoursBefore(t *testing.T) {
	t.Parallel()
	for _, ago := range []string{"30m", "2h"} {
		synctest.Test(t, func(t *testing.T) {
			th := newTheatre(t)
			th.film.pictures = th.hoursOf(4*time.Hour, 0)
			th.press(":")
			for _, r := range "back " + ago {
				th.press(string(r))
			}
			th.press("enter")
			th.pass(3 * time.Second)
			d, err := time.ParseDuration(ago)
			if err != nil {
				t.Fatal(err)
			}
			engine := th.v.shownFloor.scene.Alerts
			if n := floorSamples(engine, time.Hour); n < 355 {
				t.Errorf("%s ago: %d samples of an hour", ago, n)
			}
			all := int((4*time.Hour - d) / time.Minute)
			if n := floorSamples(engine, 8*time.Hour); n < all-3 || n > all+3 {
				t.Errorf("%s ago: %d samples of eight hours, there are %d", ago, n, all)
			}
		})
	}
}

// TestPlayedBoardKnowsTheHoursBefore checks that a replay of a file knows the time before its first
// snapshot.
func TestPlayedBoardKnowsTheHoursBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		film := &memoryFilm{pace: 1, pictures: th.hoursOf(2*time.Hour, 0)}
		film.show(time.Now().Add(-time.Hour))
		o := *th.v.liveFloor.scene.Options
		o.Archive.Replayed, o.Alerts, o.Archive.Open = film, nil, nil
		th.v = New(o)
		th.start(th.v.Init())
		th.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		th.pass(3 * time.Second)
		if n := floorSamples(th.v.liveFloor.scene.Alerts, 8*time.Hour); n < 58 || n > 62 {
			t.Errorf("%d samples of the hour before", n)
		}
	})
}
