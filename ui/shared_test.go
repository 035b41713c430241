package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/hub"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// shared is a floor that is looked at through a hub, as every board of the program does.
type shared struct {
	hub    *hub.Hub
	latest *model.Snapshot
	now    func() time.Time
}

func (s *shared) Latest() *model.Snapshot { return s.latest }

func (s *shared) Wait(context.Context, uint64) (*model.Snapshot, error) {
	return nil, errors.New("nobody waits in these tests")
}

// newShared is a floor with the usual rules. begin may tell the engine what was before.
func newShared(t testing.TB, f *testFloor, names model.Names, begin ...func(*alert.Engine)) *shared {
	t.Helper()
	s := &shared{now: func() time.Time { return f.at }}
	o := hub.Options{
		Source: s, Names: names, Secrets: []string{"Ada"}, Now: s.now,
		Engine: func(model.Part) (*alert.Engine, error) {
			return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: names})
		},
	}
	for _, b := range begin {
		o.Begin = b
	}
	var err error
	if s.hub, err = hub.New(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// throughHub is a viewer of a hub as a board knows it.
type throughHub struct{ *hub.Viewer }

func (t throughHub) Situations() alerts.Situations { return t.Viewer.Situations() }
func (t throughHub) Usual(of alerts.Usual)         { t.Viewer.Usual(hub.Usual(of)) }

// seenBy has a board see the floor, people named in one way.
func (s *shared) seenBy(t testing.TB, o *Options, names model.NameMode) *hub.Viewer {
	t.Helper()
	v, err := s.hub.Viewer(hub.Sight{Names: names}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	o.Source, o.Alerts = v, throughHub{v}
	return v
}

// newSharedBoard is a board that sees a floor through a hub, people named in one way. A
// user of it is a secret where they are hidden.
func newSharedBoard(t testing.TB, s *shared, f *testFloor, w, h int, names model.NameMode, change ...func(*Options)) (*board, *hub.Viewer) {
	t.Helper()
	var v *hub.Viewer
	b := newBoardOn(t, nil, w, h, append(change, func(o *Options) { v = s.seenBy(t, o, names) })...)
	b.floor, b.seen = f, func(p *model.Snapshot) *model.Snapshot {
		s.latest = p
		return v.Latest()
	}
	b.publish()
	return b, v
}

// TestSharedEngine gives two boards one hub: both tell of a new alert, and what one notes
// on it the other shows.
func TestSharedEngine(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	s := newShared(t, f, testNames())
	user := func(name string) func(*Options) { return func(o *Options) { o.User = name } }
	one, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull, user("ada"))
	other, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull, user("grace"))
	f.wait(model.Call, 500)
	s.latest = f.publish()
	for _, b := range []*board{one, other} {
		b.now = b.now.Add(time.Second)
		if n := b.bells(snapshotMsg{s.latest}); n != 1 {
			t.Errorf("%d bells, want one", n)
		}
		b.press("7")
		b.shows("Critical", "Sales Italy")
	}
	one.press("m", "ctrl+s")
	other.now = other.now.Add(time.Second)
	other.send(clockMsg{})
	other.shows("ada")
}
