package ui

import (
	"fmt"
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

// incident holds what a board says about one incident.
type incident struct {
	Title, Headline, Worst string
	Times                  int
	Total                  time.Duration // of the ended ones
	First, Began, Ended    time.Time
	FromStart, Recovered   bool
	Causes                 []string
	Needed                 situation.Staffing
}

// incidents returns what a board says about all incidents in its handover report, on the page Situations
// and in the pane Now.
func incidents(input handover.Input) (out []incident) {
	r := handover.New(input)
	for _, p := range r.PastSituations {
		out = append(out, incident{
			Title: p.Place.Title, Headline: p.Headline, Worst: p.HighestLevel.String(), Times: p.EpisodeCount, Total: p.TotalDuration,
			First: p.FirstBegan.UTC(), Began: p.Began.UTC(), Ended: p.Ended.UTC(), FromStart: p.FromStart, Causes: p.WorstEpisode.Causes,
		})
	}
	for i := range r.Situations.Live {
		s := &r.Situations.Live[i]
		out = append(out, incident{
			Title: s.Place.Title, Headline: s.Headline, Causes: causesOf(s), Needed: s.Help.Needed, Worst: s.HighestLevel.String(), Times: s.OccurrencesToday, Total: s.TotalToday - r.Situations.At.Sub(s.Since),
			First: s.FirstToday.UTC(), Began: s.Since.UTC(), FromStart: s.FromStart,
		})
	}
	for _, s := range r.Situations.Recovered {
		out = append(out, incident{Title: s.Place.Title, Headline: s.Headline, Worst: s.HighestLevel.String(), Began: s.Began.UTC(), Ended: s.Ended.UTC(), Recovered: true})
	}
	return out
}

// causesOf returns what a board says about the causes of a situation.
func causesOf(s *situation.Situation) (out []string) {
	for i := range s.Causes {
		out = append(out, s.Causes[i].Text)
	}
	return append(out, s.UnexplainedReason)
}

// judgedFloor is a floor on which callers wait at two services, a hub that has evaluated it every second,
// and the recording of the hub.
type judgedFloor struct {
	viewer   *hub.Viewer
	pictures []*model.Snapshot
	marks    []model.Mark
	told     map[time.Time][]incident // incidents as the live board described them at some instants
	causes   map[string][]time.Time   // times at which the live board named the given causes of a situation
}

// judge lets four minutes pass: callers wait at service 3 until second 100 and again from 190 on, and
// at service 5 from second 137 on.
func judge(t *testing.T) *judgedFloor {
	t.Helper()
	f := newCalmFloor(12)
	<-time.After(time.Until(f.Time) + 300*time.Millisecond) // the snapshots must not fall on the instants of the replay
	s := newShared(t, f, testNames())
	v, err := s.hub.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	j := &judgedFloor{viewer: v, told: make(map[time.Time][]incident), causes: make(map[string][]time.Time)}
	var before *situation.View
	mark := func(at time.Time) {
		view := situationsOf(v)
		for _, e := range alerts.RecordingMarks(append(situation.Changes(before, view), situation.ExplanationChanges(before, view)...), v.History) {
			j.marks = append(j.marks, model.Mark{At: at, Kind: e.Kind, Text: e.Text, Incident: e.Incident})
		}
		before = view
		for i := range view.Live {
			text := fmt.Sprint(view.Live[i].Place.Title, causesOf(&view.Live[i]))
			j.causes[text] = append(j.causes[text], at)
		}
	}
	for n := range 240 {
		f.Time = time.Now()
		f.Health = liveHealth(f.Time)
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
		v.Evaluate(v.Latest(), f.Time)
		mark(f.Time)
		j.pictures = append(j.pictures, s.latest)
		if slices.Contains([]int{60, 130, 180, 230, 239}, n) { // evaluated on a full second, as a replay does
			<-time.After(time.Until(f.Time.Truncate(time.Second).Add(time.Second)))
			at := time.Now()
			v.Evaluate(v.Latest(), at)
			view := situationsOf(v)
			j.told[at] = incidents(handover.Input{
				Snapshot: s.latest, Alerts: v, Situations: view, Names: testNames(), From: at.Add(-8 * time.Hour), At: at,
			})
			mark(at)
		}
		<-time.After(time.Until(f.Time.Add(time.Second)))
	}
	return j
}

// TestReplayTellsTheSame rewinds a live board, with and without recorded marks, and plays a file without
// a live board, to several instants. All replays must show the same beginnings, ends, durations, worst
// values, waiting callers, longest waits and needed agents as the live board did. With recorded marks,
// they must also show the same causes.
func TestReplayTellsTheSame(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]bool{"rewound": true, "recorded": true, "file": false} {
		marked := name != "rewound"
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
					th.send(snapshotMsg{Snapshot: j.viewer.Latest()})
				}
				th.v.liveFloor.scene.Archive.Open = func() (replay.Recording, error) {
					film := &memoryFilm{pictures: j.pictures, pace: 1}
					if marked {
						film.marks = j.marks
					}
					return film, nil
				}
				for at, want := range j.told {
					th.types("at " + at.UTC().Format(time.TimeOnly))
					th.press("space")
					th.types("at " + at.UTC().Format(time.TimeOnly)) // jump again, because the replay has played until it was paused
					th.pass(5 * time.Second)
					past := th.v.shownFloor.scene
					got := incidents(handover.Input{
						Snapshot: past.floor.Newest, Alerts: past.Alerts, Situations: past.alerts.Alarms().PresentSituations, Names: testNames(), From: at.Add(-8 * time.Hour), At: at,
					})
					for i := range got { // the causes of an open situation may be those of up to a minute ago
						told := slices.ContainsFunc(j.causes[fmt.Sprint(got[i].Title, got[i].Causes)], func(then time.Time) bool {
							return !then.After(at) && at.Sub(then) <= time.Minute
						})
						if marked && got[i].Ended.IsZero() && !told {
							t.Errorf("at %v: no live board showed %s: %q", at.UTC().Format(time.TimeOnly), got[i].Title, got[i].Causes)
						}
					}
					open := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Causes" }, cmp.Comparer(func(a, b []string) bool { return len(a) == len(b) }))
					if diff := cmp.Diff(want, got, open); diff != "" || len(want) == 0 {
						t.Errorf("at %v (- live, + replay):\n%s", at.UTC().Format(time.TimeOnly), diff)
					}
					th.press("Z")
					th.pass(time.Second)
				}
			})
		})
	}
}
