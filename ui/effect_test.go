package ui

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestWhatAnActionDid marks a recording with an action, and says in the log what came after
// it, as far as the recording knows.
func TestWhatAnActionDid(t *testing.T) {
	t.Parallel()
	var marked []model.Event
	film := &memoryFilm{pace: 1}
	b := newActing(t, newFloorController(done()), 120, 40, pageCampaigns, func(o *Options) {
		o.Marked = func(e model.Event) { marked = append(marked, e) }
		o.Memory.Open = func() (Film, error) { return film, nil }
	})
	at := b.scene.floor.Server(b.scene.floor.Ours)
	f := quietFloor()
	for ago := -10 * time.Minute; ago <= 12*time.Minute; ago += 10 * time.Second {
		f.at = at.Add(ago)
		f.health = liveHealth(f.at)
		wait := int64(70)
		if ago >= 6*time.Minute {
			wait = 18
		}
		f.wait(model.Call, wait)
		film.pictures = append(film.pictures, f.publish())
	}
	if !b.pages.page().Focused().Table.Select("7002") {
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
	b.scene.Context = t.Context() // that of these tests has ended
	b.press("i")
	b.says("stop campaign", "wait went from 1:10 to 0:18 in 6 min")
	b.press("esc")
	film.pictures = film.pictures[:1] // of another time
	b.press("i")
	b.lacks("wait went")
}
