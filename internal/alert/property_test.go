package alert

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

// TestNoFlappingInTheBand checks that values between a threshold and its recovery level
// change nothing.
func TestNoFlappingInTheBand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, rules(waitRule()))
		raised := rapid.Bool().Draw(t, "raised")
		f.queue(1, 1)
		if raised {
			f.queue(1, 31)
		}
		f.after(time.Second)
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			low, high := int64(21), int64(59) // range of values that keep the warning
			if !raised {
				low, high = 1, 29
			}
			f.queue(1, rapid.Int64Range(low, high).Draw(t, "wait"))
			if got := f.after(time.Second); len(got) > 0 {
				t.Fatalf("inside the band: %s", kinds(got))
			}
		}
	})
}

// TestForNeedsProof checks that a rule with a duration is raised as soon as, and only
// if, all evaluations of that duration met the condition without a longer gap.
func TestForNeedsProof(t *testing.T) {
	t.Parallel()
	const wait, bound = 60 * time.Second, 30 * time.Second
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, Options{MaxGap: bound, Rules: []Rule{{
			Name: "many", Scope: Service, When: "queuedCalls >= 5", Severity: Warning, For: wait,
		}}})
		var since time.Time // start of the proof
		last := f.now
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			step := time.Duration(rapid.IntRange(1, 45).Draw(t, "seconds")) * time.Second
			met := rapid.IntRange(0, 9).Draw(t, "met") > 0
			stale := rapid.IntRange(0, 9).Draw(t, "stale") == 0
			unknown := rapid.IntRange(0, 9).Draw(t, "unknown") == 0
			f.queue(4, 0)
			if met {
				f.queue(5, 0)
			}
			if unknown {
				f.service(func(r *model.Service) { r.ChannelStats.QueuedCalls = model.Int{} })
			}
			f.health.Link.State = model.LinkUp
			if stale {
				f.health.Link.State = model.LinkBackoff
			}
			was := len(f.engine.Active()) > 0
			got := f.after(step)
			if stale || unknown {
				if len(got) > 0 {
					t.Fatalf("changes while unknown: %s", kinds(got))
				}
				continue
			}
			if !met {
				since = time.Time{}
			} else if since.IsZero() || f.now.Sub(last) > bound {
				since = f.now
			}
			last = f.now
			want := met && (was || f.now.Sub(since) >= wait)
			if is := len(f.engine.Active()) > 0; is != want {
				t.Fatalf("at %v active is %v, proved since %v", f.now, is, since)
			}
		}
	})
}

// TestForWhenTheClockIsSetBack checks that a clock change only restarts the duration of
// a rule.
func TestForWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const wait = 60 * time.Second
		f := newFloor(t, Options{Rules: []Rule{{
			Name: "many", Scope: Service, When: "queuedCalls >= 5", Severity: Warning, For: wait,
		}}})
		f.queue(1, 0)
		f.after(time.Second)
		f.after(time.Duration(rapid.IntRange(1, 100).Draw(t, "break")) * time.Second)
		if rapid.Bool().Draw(t, "met before") {
			f.queue(5, 0)
			f.every(time.Second, time.Duration(rapid.IntRange(1, 59).Draw(t, "seconds"))*time.Second)
		}
		if rapid.Bool().Draw(t, "unknown before") {
			f.service(func(r *model.Service) { r.ChannelStats.QueuedCalls = model.Int{} })
			f.after(time.Second)
		}
		f.queue(5, 0)
		f.now = f.now.Add(-time.Duration(rapid.IntRange(1, 20_000).Draw(t, "back")) * time.Second)
		f.after(0)
		f.every(time.Second, wait)
		if open := f.engine.Active(); len(open) != 1 || !open[0].UnverifiedSince.IsZero() {
			t.Fatalf("after %v the alerts are %+v", wait, open)
		}
	})
}

// TestUnknownNeitherRaisesNorClears checks that unknown values and stale data only mark
// alerts.
func TestUnknownNeitherRaisesNorClears(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, Options{Rules: MergeRules(DefaultRules(), []Rule{waitRule()})})
		raised := rapid.Bool().Draw(t, "raised")
		f.queue(1, 10)
		if raised {
			f.queue(1, 45)
		}
		f.after(time.Second)
		before := f.engine.Active()
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			how := rapid.SampledFrom([]string{"unknown", "link", "subscription"}).Draw(t, "how")
			f.health = model.Health{Link: model.Link{State: model.LinkUp}}
			f.service(func(r *model.Service) { r.ChannelStats = model.ServiceCalls{} })
			switch how {
			case "link":
				f.health.Link.State = rapid.SampledFrom([]model.LinkState{
					model.LinkConnecting, model.LinkBackoff, model.LinkRefused, model.LinkStopped,
				}).Draw(t, "state")
				f.queue(rapid.Int64Range(0, 9).Draw(t, "queue"), rapid.Int64Range(0, 99).Draw(t, "wait"))
			case "subscription":
				f.health.Subscriptions = []model.Subscription{{Name: "serviceStats", State: rapid.SampledFrom([]model.SubState{
					model.SubConnecting, model.SubSyncing, model.SubStale, model.SubRefused,
				}).Draw(t, "state")}}
				f.queue(rapid.Int64Range(0, 9).Draw(t, "queue"), rapid.Int64Range(0, 99).Draw(t, "wait"))
			}
			for _, c := range f.after(time.Second) {
				if c.Alert.Key.Scope != Feed {
					t.Fatalf("%s: %s", how, kinds([]Change{c}))
				}
			}
			for _, a := range f.engine.AlertsOf(serviceS()) {
				if a.UnverifiedSince.IsZero() {
					t.Fatalf("%s: %s is not marked", how, a.ID)
				}
			}
		}
		f.health = model.Health{Link: model.Link{State: model.LinkUp}}
		f.queue(1, 10)
		if raised {
			f.queue(1, 45)
		}
		f.after(time.Second)
		after := f.engine.AlertsOf(serviceS())
		if len(after) != len(before) || raised && (after[0].ID != before[0].ID || !after[0].UnverifiedSince.IsZero()) {
			t.Fatalf("alerts were %v, are %v", before, after)
		}
	})
}

// TestAcknowledgementSurvives checks that an acknowledgement lasts until the alert ends
// or becomes critical.
func TestAcknowledgementSurvives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := newFloor(t, rules(waitRule()))
		f.queue(1, 40)
		f.after(time.Second)
		id := f.engine.Active()[0].ID
		at := f.now
		if _, err := f.engine.Acknowledge(id, "anna", "two agents\x1b[2J coming", at); err != nil {
			t.Fatal(err)
		}
		want := Ack{By: "anna", Note: "two agents\u241b[2J coming", At: at}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			wait := rapid.Int64Range(15, 65).Draw(t, "wait")
			f.queue(1, wait)
			if rapid.IntRange(0, 4).Draw(t, "unknown") == 0 {
				f.service(func(r *model.Service) { r.ChannelStats.MaxTimeCallOnQueue = model.Int{} })
			}
			for _, c := range f.after(time.Second) {
				if c.Kind == ChangeEscalated || c.Kind == ChangeRaised {
					want = Ack{}
				}
			}
			for _, a := range f.engine.Active() {
				if diff := cmp.Diff(want, a.Ack); diff != "" {
					t.Fatalf("acknowledgement: %s", diff)
				}
			}
		}
	})
}

// TestOnlyChangedRecordsIsEnough checks that evaluating only changed records gives the
// same results.
func TestOnlyChangedRecordsIsEnough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Rules: append(DefaultRules(), Rule{
			Name: "rush", Scope: Service, When: `rate(receivedCalls, "1m") > 20`, Severity: Warning,
		})}
		f := newFloor(t, o)
		all := newFloor(t, o)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "changes") {
				f.service(func(r *model.Service) {
					c, u := &r.ChannelStats, &r.UserStats
					c.QueuedCalls = model.IntOf(rapid.Int64Range(0, 2).Draw(t, "queue"))
					c.MaxTimeCallOnQueue = model.IntOf(rapid.Int64Range(0, 80).Draw(t, "wait"))
					c.ReceivedCalls = model.IntOf(rapid.Int64Range(0, 40).Draw(t, "received"))
					u.LoggedUsers.Count = model.IntOf(rapid.Int64Range(0, 1).Draw(t, "logged"))
					u.ReadyUsers.Count = model.IntOf(rapid.Int64Range(0, 1).Draw(t, "ready"))
				})
				f.agent("anna", func(r *model.UserStat) {
					r.Status = rapid.SampledFrom(slices.Collect(allStates)).Draw(t, "status")
					// Time-dependent rules are evaluated once a second.
					r.TimeInState = model.InstantOf(f.now.Truncate(time.Second))
				})
			}
			now := f.now.Add(time.Duration(rapid.IntRange(0, 40_000).Draw(t, "ms")) * time.Millisecond)
			s := f.store.Publish(now, f.health)
			f.now = now
			got := f.engine.Evaluate(s, now)
			for _, p := range all.engine.rowsByScope {
				for _, r := range p.rows {
					r.dirty = true
				}
			}
			want := all.engine.Evaluate(s, now)
			if kinds(got) != kinds(want) {
				t.Fatalf("changes are %q, of everything %q", kinds(got), kinds(want))
			}
		}
	})
}

func allStates(yield func(model.UserStatus) bool) {
	for _, s := range model.UserStatuses() {
		if !yield(s) {
			return
		}
	}
}
