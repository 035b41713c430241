package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/model"
)

// shared is a floor that boards see through a hub, as in the program.
type shared struct {
	hub    *hub.Hub
	latest *model.Snapshot
	now    func() time.Time
}

func (s *shared) Latest() *model.Snapshot { return s.latest }

func (s *shared) Wait(context.Context, uint64) (*model.Snapshot, error) {
	return nil, errors.New("no one waiting in these tests")
}

// newShared returns a floor with the default rules. Each begin function may prepare the engine.
func newShared(t testing.TB, f *testFloor, names model.Names, begin ...func(*alert.Engine)) *shared {
	t.Helper()
	s := &shared{now: func() time.Time { return f.Time }}
	o := hub.Options{
		Source: s, Names: names, Secrets: []string{"Ada"}, Now: s.now,
		Engine: func(model.FloorPart) (*alert.Engine, error) {
			return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: names})
		},
	}
	for _, b := range begin {
		o.RestoreEngine = b
	}
	var err error
	if s.hub, err = hub.New(o); err != nil {
		t.Fatal(err)
	}
	return s
}

// situationsOf returns the situations that a viewer sees.
func situationsOf(v *hub.Viewer) *situation.View {
	view, _ := v.Situations()
	return view
}

// seenBy sets the options of a board for a name mode.
func (s *shared) seenBy(t testing.TB, o *Options, names model.NameMode) *hub.Viewer {
	t.Helper()
	v, err := s.hub.NewViewer(hub.Visibility{Names: names}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	o.Source, o.Alerts = v, v
	return v
}

// newSharedBoard returns a board on a hub with a name mode.
func newSharedBoard(t testing.TB, s *shared, f *testFloor, w, h int, names model.NameMode, change ...func(*Options)) (*board, *hub.Viewer) {
	t.Helper()
	var v *hub.Viewer
	b := newBoardOn(t, nil, w, h, append(change, func(o *Options) { v = s.seenBy(t, o, names) })...)
	b.floor, b.Mask = f, func(p *model.Snapshot) *model.Snapshot {
		s.latest = p
		return v.Latest()
	}
	b.publish()
	return b, v
}

// TestFrameShowsOneSnapshot lets a board draw after another board on the hub has evaluated a newer
// snapshot: it shows the tables of that snapshot below its situations.
func TestFrameShowsOneSnapshot(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	s := newShared(t, f, testNames())
	one, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull)
	other, viewer := newSharedBoard(t, s, f, 120, 30, model.NamesFull)
	f.wait(model.Call, 500)
	s.latest = f.publish()
	other.Now = other.Now.Add(time.Second)
	other.send(snapshotMsg{Snapshot: viewer.Latest()})
	one.Now = one.Now.Add(time.Second)
	one.send(clockMsg{}) // before the snapshot arrives
	one.shows("Sales Italy", "1 caller waiting 8:20.")
	if got := one.scene.floor.Shown; got.Seq != s.latest.Seq {
		t.Errorf("the tables show snapshot %d, the situations are of %d", got.Seq, s.latest.Seq)
	}
	frozen, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull)
	frozen.press("p")
	f.wait(model.Call, 600)
	s.latest = f.publish()
	other.Now = other.Now.Add(time.Second)
	other.send(snapshotMsg{Snapshot: viewer.Latest()})
	frozen.Now = frozen.Now.Add(time.Second)
	frozen.send(clockMsg{})
	if got := frozen.scene.floor; got.Shown.Seq != s.latest.Seq-1 || got.Newest.Seq != s.latest.Seq {
		t.Errorf("frozen: shows %d of %d", got.Shown.Seq, s.latest.Seq)
	}
}

// TestSharedEngine checks that two boards on one hub both report a new alert, and share
// notes.
func TestSharedEngine(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	s := newShared(t, f, testNames())
	user := func(name string) func(*Options) { return func(o *Options) { o.Actions.User = name } }
	one, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull, user("ada"))
	other, _ := newSharedBoard(t, s, f, 120, 30, model.NamesFull, user("grace"))
	f.wait(model.Call, 500)
	s.latest = f.publish()
	for _, b := range []*board{one, other} {
		b.Now = b.Now.Add(time.Second)
		if n := b.bells(snapshotMsg{Snapshot: s.latest}); n != 1 {
			t.Errorf("%d bells, want one", n)
		}
		b.press("7")
		b.shows("Critical", "Sales Italy")
	}
	one.press("m", "ctrl+s")
	other.Now = other.Now.Add(time.Second)
	other.send(clockMsg{})
	other.shows("ada")
}
