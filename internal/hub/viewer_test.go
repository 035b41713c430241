package hub

import (
	"sync"
	"testing"
	"time"

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
