package alerts_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
)

// engine returns prepared changes.
type engine struct {
	*hub.Viewer
	tracker *situation.Tracker
	next    []alert.Change
	active  []alert.Alert
	view    *situation.View
}

func (e *engine) Evaluate(s *model.Snapshot, now time.Time) (news []situation.Change, updated bool) {
	before, changes := e.view, e.next
	e.next, e.view = nil, e.tracker.Update(s, e.active, changes, now)
	return situation.Changes(before, e.view), len(changes) > 0
}

func (e *engine) CachedResult(_ bool, made func(active, ended []alert.Alert, view *situation.View, before any) any) (any, *situation.View, *model.Snapshot) {
	return made(e.active, nil, e.view, nil), e.view, nil
}

func (e *engine) raise(bell bool, texts ...string) {
	for _, text := range texts {
		a := alert.Alert{
			ID: text, Rule: "own", Key: alert.Key{Scope: alert.Service, Code: text, Channel: model.Call}, Text: text, Level: alert.Critical,
			Bell: bell, Since: start(),
		}
		e.active = append(e.active, a)
		e.next = append(e.next, alert.Change{Kind: alert.ChangeRaised, Alert: a})
	}
}

func start() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

func newWatch(t *testing.T) (*alerts.BoardAlerts, *engine, *floorview.View) {
	t.Helper()
	own := uitest.NewEngine(t, alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	e, view := &engine{Viewer: own, tracker: situation.New(situation.Options{})}, &floorview.View{LocalNow: start(), Channel: model.Call}
	w := alerts.New(view, func(s string) string { return strings.ReplaceAll(s, "Anna", "A.") }, nil)
	w.SetEngine(e)
	return w, e, view
}

func live(view *floorview.View) {
	view.SetNewest(model.NewStore().Publish(view.LocalNow, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}},
	}))
}

// TestNews checks that only alerts after the first live snapshot are news, and that one
// bell rings for several.
func TestNews(t *testing.T) {
	t.Parallel()
	lk := style.New(style.Options{}, render.Options{})
	w, e, view := newWatch(t)
	if got := w.Evaluate(lk); !reflect.DeepEqual(got, alerts.Announcements{}) {
		t.Errorf("without a picture there is %+v", got)
	}
	live(view)
	e.raise(true, "from the beginning")
	if got := w.Evaluate(lk); !reflect.DeepEqual(got, alerts.Announcements{ScreenChanged: true, BecameCritical: true}) {
		t.Errorf("situations at the start are news: %+v", got)
	}
	e.raise(true, "one", "two")
	if got := w.Evaluate(lk); !got.RingsBell || got.Text != "▲ one: One. (and 1 more)" {
		t.Errorf("two alerts: %+v", got)
	}
	view.LocalNow = view.LocalNow.Add(alerts.MinBellInterval - time.Second)
	e.raise(true, "three")
	if got := w.Evaluate(lk); got.RingsBell || got.Text != "▲ three: Three." {
		t.Errorf("within the pause of the bell: %+v", got)
	}
	view.LocalNow = view.LocalNow.Add(time.Second)
	e.raise(true, "four")
	if got := w.Evaluate(lk); !got.RingsBell {
		t.Errorf("after the pause: %+v", got)
	}
	if w.Reset(); w.Evaluate(lk).RingsBell {
		t.Error("the other platform rings at first")
	}
}

// TestFrozenAlerts checks the alerts of the frozen and of the newest snapshot.
func TestFrozenAlerts(t *testing.T) {
	t.Parallel()
	lk := style.New(style.Options{}, render.Options{})
	w, e, view := newWatch(t)
	live(view)
	w.Evaluate(lk)
	view.Freeze()
	w.Freeze()
	e.raise(false, "since then")
	w.Evaluate(lk)
	if a := w.Alarms(); len(a.ShownAlerts.Entries) != 0 || len(a.CurrentAlerts.Entries) != 1 {
		t.Errorf("%d alerts are shown and %d known, want none and one", len(a.ShownAlerts.Entries), len(a.CurrentAlerts.Entries))
	}
	view.Unfreeze()
	w.Unfreeze()
	if a := w.Alarms(); len(a.ShownAlerts.Entries) != 1 {
		t.Errorf("%d alerts are shown once it is thawed", len(a.ShownAlerts.Entries))
	}
}

// TestOneSituationIsToldOnce checks that three alerts of one place cause one message and
// one bell when they begin and when they end.
func TestOneSituationIsToldOnce(t *testing.T) {
	t.Parallel()
	lk := style.New(style.Options{}, render.Options{})
	w, e, view := newWatch(t)
	live(view)
	w.Evaluate(lk)
	e.raise(true, "queue", "wait", "skill")
	for i := range e.active {
		e.active[i].Key.Code = "S"
	}
	if got := w.Evaluate(lk); !got.RingsBell || got.IsRecovery || got.Text != "▲ S: Queue. Wait. Skill." {
		t.Errorf("three alerts of one place: %+v", got)
	}
	view.LocalNow = view.LocalNow.Add(time.Minute)
	if got := w.Evaluate(lk); got.RingsBell || got.Text != "" {
		t.Errorf("nothing new: %+v", got)
	}
	e.active = e.active[:1]
	e.next = []alert.Change{{Kind: alert.ChangeCleared, Alert: alert.Alert{ID: "wait", HighestLevel: alert.Critical}}}
	if got := w.Evaluate(lk); got.RingsForRecovery || got.Text != "" {
		t.Errorf("one of them is over: %+v", got)
	}
	e.active = nil
	e.next = []alert.Change{{Kind: alert.ChangeCleared, Alert: alert.Alert{ID: "queue", HighestLevel: alert.Critical}}}
	if got := w.Evaluate(lk); !got.RingsForRecovery || !got.IsRecovery || !strings.HasPrefix(got.Text, "✓ S: resolved after 1:00. ") {
		t.Errorf("all of it is over: %+v", got)
	}
}
