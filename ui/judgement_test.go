package ui

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/replay"
)

// incident is what a board tells of one incident.
type incident struct {
	Title, Headline, Worst string
	Times                  int
	Total                  time.Duration // of the ended ones
	First, Began, Ended    time.Time
	FromStart, Recovered   bool
}

// incidents returns what a board tells of all incidents: those in its handover, on the page
// Situations and in the pane Now.
func incidents(input handover.Input) (out []incident) {
	r := handover.New(input)
	for _, p := range r.Past {
		out = append(out, incident{
			Title: p.Place.Title, Headline: p.Headline, Worst: p.Worst.String(), Times: p.Times, Total: p.Total,
			First: p.First.UTC(), Began: p.Began.UTC(), Ended: p.Ended.UTC(), FromStart: p.FromStart,
		})
	}
	for i := range r.Situations.Live {
		s := &r.Situations.Live[i]
		out = append(out, incident{
			Title: s.Place.Title, Worst: s.Highest.String(), Times: s.Times, Total: s.Total - r.Situations.At.Sub(s.Since),
			First: s.FirstToday.UTC(), Began: s.Since.UTC(), FromStart: s.FromStart,
		})
	}
	for _, s := range r.Situations.Recovered {
		out = append(out, incident{Title: s.Place.Title, Headline: s.Headline, Worst: s.Highest.String(), Began: s.Began.UTC(), Ended: s.Ended.UTC(), Recovered: true})
	}
	return out
}

// judgedFloor is a floor on which callers wait at two services, a hub that has judged each second,
// and its recording.
type judgedFloor struct {
	viewer   *hub.Viewer
	pictures []*model.Snapshot
	marks    []model.Mark
	told     map[time.Time][]incident // what the live board told at some instants
}

// judge lets four minutes pass: callers wait at service 3 until second 100 and again from 190 on, and
// at service 5 from second 137 on.
func judge(t *testing.T) *judgedFloor {
	t.Helper()
	f := newCalmFloor(12)
	<-time.After(time.Until(f.At) + 300*time.Millisecond) // the instants of the replay are others
	s := newShared(t, f, testNames())
	v, err := s.hub.Viewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	j := &judgedFloor{viewer: v, told: make(map[time.Time][]incident)}
	var before *situation.View
	for n := range 240 {
		f.At = time.Now()
		f.Health = liveHealth(f.At)
		switch {
		case n < 120:
			recovers(3)(f, n)
		case n >= 190:
			waits(9, 3)(f, n-190)
		}
		if n >= 137 {
			f.calmService(5, int64(n-130)/4, int64(n-137))
		}
		s.latest = f.publish()
		v.Evaluate(v.Latest(), f.At)
		view := situationsOf(v)
		for _, e := range alerts.Marks(situation.Changes(before, view), v.History) {
			j.marks = append(j.marks, model.Mark{At: f.At, Kind: e.Kind, Text: e.Text, Incident: e.Incident})
		}
		before = view
		j.pictures = append(j.pictures, s.latest)
		if slices.Contains([]int{60, 130, 180, 230, 239}, n) {
			j.told[f.At] = incidents(handover.Input{
				Snapshot: s.latest, Alerts: v, Situations: view, Names: testNames(), From: f.At.Add(-8 * time.Hour), At: f.At,
			})
		}
		<-time.After(time.Second)
	}
	return j
}

// TestReplayTellsTheSame rewinds a live board, and plays a file without one, to several instants: both
// tell the same beginnings, ends, durations and worst values as the live board did.
func TestReplayTellsTheSame(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]bool{"rewound": true, "file": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				j := judge(t)
				th := newTheatre(t, func(o *Options) {
					if live {
						o.Source, o.Alerts = j.viewer, j.viewer
					}
				})
				if live {
					th.send(snapshotMsg{j.viewer.Latest()})
				}
				th.v.live.scene.Archive.Open = func() (replay.Recording, error) {
					film := &memoryFilm{pictures: j.pictures, pace: 1}
					if !live {
						film.marks = j.marks
					}
					return film, nil
				}
				for at, want := range j.told {
					th.types("at " + at.Add(time.Second).UTC().Format(time.TimeOnly))
					th.press("space")
					th.pass(5 * time.Second)
					past := th.v.replay.scene
					got := incidents(handover.Input{
						Snapshot: past.floor.Newest, Alerts: past.Alerts, Situations: past.alerts.Alarms().PresentSituations, Names: testNames(), From: at.Add(-8 * time.Hour), At: at,
					})
					if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
						t.Errorf("at %v (- live, + replay):\n%s", at.UTC().Format(time.TimeOnly), diff)
					}
					th.press("Z")
					th.pass(time.Second)
				}
			})
		})
	}
}
