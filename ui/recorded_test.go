package ui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model"
	"wallboard/ui/replay"
)

// TestIntervalsOnHistory checks intervals without a statistical data service.
func TestIntervalsOnHistory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		saved := ""
		th.v.liveFloor.scene.Actions.Save = func(name string, data []byte) (string, error) {
			saved = name + "\n" + string(data)
			return name, nil
		}
		th.v.liveFloor.pages.Recreate(th.v.liveFloor.scene.paneScene(), th.v.liveFloor.scene.Navigation.Pages, false)
		th.press("8")
		th.send(keyPress(",")) // the snapshots of the theatre are from before midnight
		th.pass(time.Second)
		th.shows("Intervals", "All services", "by 15 minutes", "23:45–00:00", "From the recording of this board")
		th.press("+")
		th.pass(time.Second)
		th.shows("by 30 minutes", "23:30–00:00", "only 23:40 to 00:00 is recorded")
		th.press("b")
		th.pass(time.Second)
		th.shows("Sales Italy · ")
		th.press("e")
		th.pass(time.Second)
		if !strings.HasPrefix(saved, "intervals-1999-12-31-SRV01.csv\nfrom,to,of,channel,received") || strings.Count(saved, "\n") != 3 {
			t.Errorf("saved %q", saved)
		}
	})
}

// TestIntervalsOfNothing checks the reason for missing intervals.
func TestIntervalsOfNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"no recording": {func(o *Options) { o.Archive = replay.Archive{} }, "this page shows the day by interval"},
		"broken": {func(o *Options) {
			o.Archive.Open = func() (replay.Recording, error) { return nil, errors.New("the disk is away") }
		}, "the disk is away"},
		"another day": {func(o *Options) {
			open := o.Archive.Open
			o.Archive.Open = func() (replay.Recording, error) {
				f, err := open()
				f.(*memoryFilm).pictures = []*model.Snapshot{model.NewStore().Publish(time.Now().AddDate(0, 0, -5), model.Health{})} //nolint:forcetypeassert // it is
				return f, err
			}
		}, "Nothing was recorded on this day."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				th := newTheatre(t, tt.change)
				th.press("8")
				th.pass(time.Second)
				th.shows(tt.want)
			})
		})
	}
}

// TestSeenBefore finds an earlier moment that resembles the current one, and jumps to it.
func TestSeenBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.types("similar moments")
		th.shows("Similar moments", "No similar moment is recorded")
		th.press("esc")
		// The recording has the same queue an hour ago and now.
		th.film.mu.Lock()
		th.film.pictures = nil
		for ago := 90 * time.Minute; ago >= 0; ago -= 30 * time.Second {
			th.floor.Time = time.Now().Add(-ago)
			th.floor.Health = liveHealth(th.floor.Time)
			waits := int64(0)
			if ago <= 65*time.Minute && ago >= 55*time.Minute || ago <= 5*time.Minute {
				waits = 60
			}
			th.floor.wait(model.Call, waits)
			th.film.pictures = append(th.film.pictures, th.floor.publish())
		}
		th.film.mu.Unlock()
		th.types("similar moments")
		th.shows("all services", "1 waiting", "resolved after")
		th.press("enter")
		th.pass(time.Second)
		th.shows("REWOUND")
		if behind := time.Since(th.film.At()); behind < 50*time.Minute || behind > 70*time.Minute {
			t.Errorf("%v ago is shown", behind)
		}
	})
}

// TestNothingWasSeenBefore checks the reason for an empty result.
func TestNothingWasSeenBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t, func(o *Options) {
			o.Archive.Open = func() (replay.Recording, error) { return nil, errors.New("the disk is away") }
		})
		th.types("similar moments")
		th.shows("the disk is away")
		th = newTheatre(t, func(o *Options) { o.Archive = replay.Archive{} })
		th.press(":")
		if strings.Contains(th.text(), "similar moments") {
			t.Error("it is offered without a recording")
		}
	})
}

// TestRulesSchoolReport checks the report on how useful the rules were, or the reason why there is none.
func TestRulesSchoolReport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.types("which alert rules were useful")
		th.shows("Which alert rules were useful", "longest wait", "more did not fire")
		th = newTheatre(t, func(o *Options) {
			o.Archive.Open = func() (replay.Recording, error) { return nil, errors.New("the disk is away") }
		})
		th.types("which alert rules were useful")
		th.shows("the disk is away")
	})
}

// TestShiftOfAnAgent checks that the shift is shown unless it is disabled or the recording
// has no names.
func TestShiftOfAnAgent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		memory        replay.Archive
		want, without string
	}{
		"shown":        {replay.Archive{}, "Shift, as recorded", "not name agents"},
		"switched off": {replay.Archive{HideShifts: true}, "Recorded since", "Shift, as recorded"},
		"nameless":     {replay.Archive{Pseudonymous: true}, "the recording does not name agents", "Nothing is recorded for this agent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			film := &memoryFilm{pace: 1}
			b := newBoard(t, 120, 40, func(o *Options) {
				o.Archive = tt.memory
				o.Archive.Open = func() (replay.Recording, error) { return film, nil }
			})
			for range 3 {
				film.pictures = append(film.pictures, b.floor.publish())
			}
			b.press("4")
			b.scene.Context = t.Context() // the context of these test boards has already ended
			b.press("t")
			b.says(tt.want)
			b.lacks(tt.without)
		})
	}
}

// TestShiftOnAnAgentsPage checks that the shift replaces the last hour if a recording has
// it.
func TestShiftOnAnAgentsPage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		memory        replay.Archive
		want, without string
	}{
		"shown":        {replay.Archive{}, "The shift so far", "The last hour"},
		"switched off": {replay.Archive{HideShifts: true}, "The last hour", "The shift so far"},
		"nameless":     {replay.Archive{Pseudonymous: true}, "The last hour", "The shift so far"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			film := &memoryFilm{pace: 1}
			viewed := make(chan replay.RecordingAccess, 100)
			b := newBoard(t, 160, 60, func(o *Options) {
				o.Archive = tt.memory
				o.Archive.LogAccess = func(a replay.RecordingAccess) { viewed <- a }
				o.Archive.Open = func() (replay.Recording, error) { return film, nil }
			})
			for range 120 {
				b.Now = b.Now.Add(time.Minute)
				b.publish()
				film.pictures = append(film.pictures, b.scene.floor.Newest)
			}
			b.scene.Context = t.Context() // the context of these test boards has already ended
			b.press("4", "enter")
			b.says(tt.want)
			b.lacks(tt.without)
			if logged := len(viewed) > 0; logged != (name == "shown") {
				t.Errorf("the shift is in the access log: %v", logged)
			}
		})
	}
}
