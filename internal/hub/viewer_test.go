package hub

import (
	"sync"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// TestSwitchDuringEvaluation changes the visibility of a viewer while it evaluates snapshots. Every
// call after a switch must report an update.
func TestSwitchDuringEvaluation(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h := newHub(t, f)
	f.publish("m.rossi", "Mario")
	v := viewer(t, h, model.NamesFull)
	set := func(n int) {
		if err := v.SetVisibility(Visibility{Names: []model.NameMode{model.NamesFull, model.NamesHidden}[n%2]}); err != nil {
			t.Error(err)
		}
	}
	var all sync.WaitGroup
	all.Go(func() {
		for n := range 200 {
			set(n)
		}
	})
	for n := range 200 {
		v.Evaluate(v.Latest(), noon.Add(time.Duration(n)*time.Second))
	}
	all.Wait()
	for n := range 4 {
		set(n)
		if _, updated := v.Evaluate(v.Latest(), noon.Add(time.Hour)); !updated {
			t.Errorf("switch %d: the viewer is not told to read the alerts of its new view", n)
		}
		if _, again := v.Evaluate(v.Latest(), noon.Add(time.Hour)); again {
			t.Errorf("switch %d: an update without an evaluation", n)
		}
	}
}

// TestViewersReadInTheirLanguage begins a situation for two viewers of one view with different languages.
// Each gets the news, the situations and the cached results in the own language.
func TestViewersReadInTheirLanguage(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h := newHub(t, f)
	pseudo := words.PseudoLanguage()
	languages := []*words.Language{nil, pseudo}
	viewers := []*Viewer{viewer(t, h, model.NamesFull), viewer(t, h, model.NamesFull)}
	viewers[1].SetLanguage(pseudo)
	f.mu.Lock()
	live := f.publishHealth(model.LinkUp, model.Subscription{Name: model.OpServices, State: model.SubLive})
	f.mu.Unlock()
	for _, v := range viewers {
		v.Evaluate(live, noon)
	}
	s := f.publish("m.rossi", "Mario")
	var news []situation.Change
	for second := 1; len(news) < 2 && second < 10; second++ {
		for _, v := range viewers {
			changes, _ := v.Evaluate(s, noon.Add(time.Duration(second)*time.Second))
			news = append(news, changes...)
		}
	}
	if len(news) != 2 {
		t.Fatalf("%d changes, want one for each viewer", len(news))
	}
	for i, v := range viewers {
		title := words.SituationFeedPlace().In(languages[i])
		view, _ := v.Situations()
		derived, _, _ := v.CachedResult(false, func(_, _ []alert.Alert, view *situation.View, _ any) any { return view.Live[0].Place.Title })
		if got := []any{news[i].Situation.Place.Title, view.Live[0].Place.Title, derived}; got[0] != title || got[1] != title || got[2] != title {
			t.Errorf("viewer %d reads %q, want %q", i, got, title)
		}
	}
	viewers[1].SetLanguage(nil)
	if view, _ := viewers[1].Situations(); view.Live[0].Place.Title != words.SituationFeedPlace().In(nil) {
		t.Errorf("after a change of the language the viewer reads %q", view.Live[0].Place.Title)
	}
}
