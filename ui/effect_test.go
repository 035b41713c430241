package ui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model"
	"wallboard/ui/pages"
	"wallboard/ui/replay"
)

// TestWhatAnActionDid checks the mark of an action in the recording and its effect in the
// log.
func TestWhatAnActionDid(t *testing.T) {
	t.Parallel()
	var marked []model.Event
	var film replay.Recording
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns, func(o *Options) {
		o.Process.RecordEvent = func(e model.Event) { marked = append(marked, e) }
		o.Archive.Open = func() (replay.Recording, error) { return film, nil }
	})
	at := b.scene.floor.ToServerTime(b.scene.floor.LocalNow)
	soon, late := &memoryFilm{pace: 1}, &memoryFilm{pace: 1}
	f := quietFloor()
	for ago := -10 * time.Minute; ago <= 12*time.Minute; ago += 10 * time.Second {
		f.Time = at.Add(ago)
		f.Health = liveHealth(f.Time)
		wait := int64(70)
		if ago >= 6*time.Minute {
			wait = 18
		}
		f.wait(model.Call, wait)
		late.pictures = append(late.pictures, f.publish())
		if ago < time.Minute {
			soon.pictures = late.pictures
		}
	}
	if !b.pages.CurrentPage().Focused().Table.Select("7002") {
		t.Fatal("no campaign")
	}
	b.press("x", "y")
	acted := model.Event{}
	for _, e := range marked {
		if e.Kind == model.MarkAction {
			acted = e
		}
	}
	if acted.Text != "Stop campaign: Survey, confirmed" || acted.Nameless != acted.Text || acted.At.IsZero() {
		t.Errorf("marked %+v", marked)
	}
	synctest.Test(t, func(*testing.T) {
		var done context.CancelFunc
		b.scene.Context, done = context.WithTimeout(context.Background(), 30*time.Second)
		defer done()
		film = soon
		b.press("i")
		b.lacks("wait went")
		b.press("esc")
		b.scene.Context, done = context.WithTimeout(context.Background(), 90*time.Second)
		defer done()
		b.scene.Archive.Open = func() (replay.Recording, error) { // a later attempt finds a longer recording
			defer func() { film = late }()
			return film, nil
		}
		b.press("i")
		b.says("Stop campaign", "wait went from 1:10 to 0:18 in 6 min")
	})
}
