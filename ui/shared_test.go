package ui

import (
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// hub has one engine for all of its viewers.
type hub struct {
	*alert.Engine

	seq     uint64
	second  int64
	changes []alert.Change
}

// viewer is a hub as one board sees it.
type viewer struct {
	*hub

	told int
}

// Evaluate implements [Engine]: a picture is evaluated once a second, however many
// boards ask.
func (v *viewer) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	if s.Seq != v.seq || now.Unix() != v.second {
		v.seq, v.second = s.Seq, now.Unix()
		v.changes = append(v.changes, v.Engine.Evaluate(s, now)...)
	}
	news := v.changes[v.told:]
	v.told = len(v.changes)
	return news
}

// TestSharedEngine gives two boards one engine: both tell of a new alert, and what
// one notes on it the other shows.
func TestSharedEngine(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	rules := []alert.Rule{{Name: "queue", Scope: alert.Service, When: "queuedCalls > 0", Severity: alert.Critical, Bell: true}}
	all := &hub{Engine: engine(t, alert.Options{Rules: rules})}
	share := func(user string) func(*Options) {
		return func(o *Options) { o.Alerts, o.User = &viewer{hub: all}, user }
	}
	one, other := newBoardOn(t, f, 120, 30, share("ada")), newBoardOn(t, f, 120, 30, share("grace"))
	f.wait(model.Call, 5)
	picture := f.publish()
	for _, b := range []*board{one, other} {
		b.now = b.now.Add(time.Second)
		if n := b.bells(snapshotMsg{picture}); n != 1 {
			t.Errorf("%d bells, want one", n)
		}
		b.press("7")
		b.shows("queue")
	}
	one.press("m", "ctrl+s")
	other.now = other.now.Add(time.Second)
	other.send(clockMsg{})
	other.shows("ada")
}
