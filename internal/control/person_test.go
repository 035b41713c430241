package control

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/control/audit"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// TestSeveralPeopleAtOneDesk lets users act through one shared login, and one user through an own login:
// the audit file distinguishes the users, and the second action on a target is refused, regardless of the
// user.
func TestSeveralPeopleAtOneDesk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		shared := p.desk(t, nil)
		anna, ben := shared.ForUser("anna"), shared.ForUser("ben")
		carla := p.desk(t, func(o *Options) { o.Username, o.Person, o.SharedWith = "cc", "carla", shared })
		p.hold = make(chan struct{})
		first := make(chan words.ActionReport, 1)
		go func() { first <- anna.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"}) }()
		synctest.Wait()
		for who, d := range map[string]*ActionClient{"ben": ben, "carla": carla, "the program": shared} {
			if got := d.Calls.HangUp(t.Context(), resource.HangUp{CallID: "c1", Username: "anna"}); got.Outcome != rejected {
				t.Errorf("%s: %+v", who, got)
			}
		}
		waited := make(chan struct{})
		go func() { shared.Wait(); close(waited) }()
		synctest.Wait()
		select {
		case <-waited:
			t.Error("the desk did not wait for an action of somebody else's")
		default:
		}
		close(p.hold)
		if got := <-first; got.Outcome != sure {
			t.Errorf("%+v", got)
		}
		<-waited
		p.hold = nil
		carla.Calls.Dial(t.Context(), resource.Dial{Number: "06 1", Username: "anna"})
		shared.Calls.Dial(t.Context(), resource.Dial{Number: "06 2", Username: "anna"})
		var got []audit.Intent
		for _, in := range p.intents {
			in.Parameters, in.Target = nil, ""
			got = append(got, in)
		}
		want := []audit.Intent{{User: "boss", Person: "anna", Action: "hangup"}, {User: "cc", Person: "carla", Action: "dial"}, {User: "boss", Action: "dial"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
