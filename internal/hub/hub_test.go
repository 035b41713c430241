package hub

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// feed is a source that a test controls.
type feed struct {
	mu   sync.Mutex
	st   *model.Store
	s    *model.Snapshot
	more chan struct{}
}

func newFeed() *feed { return &feed{st: model.NewStore(), more: make(chan struct{})} }

// publish adds a user and publishes.
func (f *feed) publish(username, name string) *model.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	u, n := model.TextOf(username), model.TextOf(name)
	f.st.Users.Put(&model.User{Username: u, Name: n, Surname: n})
	f.st.UserStats.Put(&model.UserStat{Username: u, Name: n, Surname: n, AgentFigures: model.AgentFigures{Channel: model.Call}})
	return f.publishHealth(model.LinkBackoff)
}

// publishHealth publishes with a state of the connection. The caller holds f.mu.
func (f *feed) publishHealth(link model.LinkState, subs ...model.Subscription) *model.Snapshot {
	now := noon.Add(time.Duration(f.st.Version()) * time.Second)
	f.s = f.st.Publish(now, model.Health{Link: model.Link{State: link, Since: noon}, Subscriptions: subs})
	close(f.more)
	f.more = make(chan struct{})
	return f.s
}

func (f *feed) Latest() *model.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.s
}

func (f *feed) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		f.mu.Lock()
		s, more := f.s, f.more
		f.mu.Unlock()
		if s != nil && s.Seq > after {
			return s, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// newHub returns a hub with a rule that is true while the connection is down.
func newHub(t *testing.T, f *feed) *Hub {
	t.Helper()
	h, err := New(Options{Source: f, Salt: "s", Engine: func(model.FloorPart) (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: []alert.Rule{{Name: "cut", Scope: alert.Feed, When: "stale", Severity: alert.Critical, Bell: true}}})
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func viewer(t *testing.T, h *Hub, names model.NameMode) *Viewer {
	t.Helper()
	v, err := h.NewViewer(Visibility{Names: names}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestChangesReachEveryViewer begins a situation while two viewers are present: each gets the change
// once. A later viewer gets the alert, but not the change.
func TestChangesReachEveryViewer(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h := newHub(t, f)
	one, other := viewer(t, h, model.NamesFull), viewer(t, h, model.NamesFull)
	f.mu.Lock()
	live := f.publishHealth(model.LinkUp, model.Subscription{Name: model.OpServices, State: model.SubLive})
	f.mu.Unlock()
	for _, v := range []*Viewer{one, other} { // situations from before the feed was live are not news
		if news, _ := v.Evaluate(live, noon); len(news) > 0 {
			t.Errorf("news at the start: %+v", news)
		}
	}
	f.publish("m.rossi", "Mario")
	s, err := one.Wait(t.Context(), live.Seq)
	if err != nil {
		t.Fatal(err)
	}
	raised := 0
	for i := range 5 {
		now := noon.Add(time.Duration(i+1) * time.Second)
		a, updated := one.Evaluate(s, now)
		b, updatedToo := other.Evaluate(s, now)
		if _, again := one.Evaluate(s, now); !updated || !updatedToo || again {
			t.Errorf("second %d: updated %v and %v, again %v", i, updated, updatedToo, again)
		}
		if len(a) != len(b) {
			t.Fatalf("one viewer gets %d changes, the other %d", len(a), len(b))
		}
		raised += len(a)
	}
	late := viewer(t, h, model.NamesFull)
	if news, _ := late.Evaluate(s, noon.Add(6*time.Second)); raised != 1 || len(news) != 0 || len(late.Active()) != 1 {
		t.Errorf("%d raised; a late viewer gets %d changes and sees %d alerts", raised, len(news), len(late.Active()))
	}
	a := late.Active()[0]
	if _, err := late.Acknowledge(a.ID, "ada", "", noon.Add(7*time.Second)); err != nil {
		t.Fatal(err)
	}
	if by := one.Active()[0].Ack.By; by != "ada" {
		t.Errorf("taken by %q for the others", by)
	}
}

// TestMaskedPictureHoldsNoName checks that nothing that a viewer with hidden names gets contains a name.
func TestMaskedPictureHoldsNoName(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h := newHub(t, f)
	v, full := viewer(t, h, model.NamesHidden), viewer(t, h, model.NamesFull)
	f.publish("m.rossi", "Mario")
	for i := range 50 {
		f.publish(fmt.Sprint("user", i), "Mario")
		for _, s := range []*model.Snapshot{v.Latest(), func() *model.Snapshot { s, _ := v.Wait(t.Context(), 0); return s }()} {
			for u := range s.Users.All() {
				if text := fmt.Sprint(*u); strings.Contains(text, "ossi") || strings.Contains(text, "ario") || strings.Contains(text, "user") {
					t.Fatalf("a viewer without names gets %s", text)
				}
			}
		}
	}
	if s := full.Latest(); s.Users.Get("m.rossi") == nil {
		t.Error("a viewer with full names does not see them")
	}
}

// TestManyAtOnce calls all functions concurrently, for the race detector.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h := newHub(t, f)
	f.publish("m.rossi", "Mario")
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { h.Run(ctx) })
	for i := range 20 {
		mode := []model.NameMode{model.NamesFull, model.NamesInitials, model.NamesHidden}[i%3]
		v := viewer(t, h, mode)
		all.Go(func() {
			seq := uint64(0)
			for n := range 100 {
				if n%10 == i%10 {
					f.publish(fmt.Sprint("user", i, n), "Ada")
				}
				s, err := v.Wait(ctx, seq-min(seq, 1))
				if err != nil {
					return
				}
				seq = max(seq, s.Seq)
				now := noon.Add(time.Duration(n) * time.Second)
				v.Evaluate(s, now)
				v.Situations()
				v.Silencer().ActiveSilences()
				v.Silencer().Snooze(alert.NewSnooze(v.Active(), "x", "ada", time.Minute, now))
				v.Goal("")
				v.KPIs(alert.Service)
				v.History()
			}
		})
	}
	for range 5 {
		if err := h.Reconfigure(ConfigChange{Engine: h.options.Engine}); err != nil {
			t.Error(err)
		}
	}
	<-time.After(100 * time.Millisecond)
	cancel()
	all.Wait()
}

// TestLiveFeedIsNotCalledOld makes the feed live within the second of the last evaluation: the situations
// are updated at once, because text mode and status then print their first line.
func TestLiveFeedIsNotCalledOld(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h, err := New(Options{Source: f, Engine: func(model.FloorPart) (*alert.Engine, error) { return alert.New(alert.Options{}) }})
	if err != nil {
		t.Fatal(err)
	}
	v := viewer(t, h, model.NamesFull)
	evaluate := func(state model.SubState) string {
		sub := model.Subscription{State: state}
		sub.Name = model.OpServices
		f.mu.Lock()
		defer f.mu.Unlock()
		s := v.currentView().visibleSnapshot(f.publishHealth(model.LinkUp, sub))
		v.Evaluate(s, noon)
		view, _ := v.Situations()
		return view.QuietLine
	}
	old := evaluate(model.SubSyncing)
	if now := evaluate(model.SubLive); now == old {
		t.Errorf("while it syncs and when it is live: %q", now)
	}
}

// TestNewsLogCopiesSituations checks that the log keeps only changes that are news, with copies of
// their situations, and that a position beyond the log returns no changes.
func TestNewsLogCopiesSituations(t *testing.T) {
	t.Parallel()
	live := []situation.Situation{{ID: "critical", Level: alert.Critical}, {ID: "warning", Level: alert.Warning}}
	var log changeLog
	log.add([]situation.Change{{Kind: situation.ChangeBegun, Situation: &live[0]}, {Kind: situation.ChangeBegun, Situation: &live[1]}})
	got := log.changesSince(0)
	if len(got) != 1 || got[0].Situation.ID != "critical" || got[0].Situation == &live[0] {
		t.Errorf("the log has %+v, want a copy of the critical situation", got)
	}
	if got := log.changesSince(900); len(got) != 0 {
		t.Errorf("the log returns %d changes from a number that it has not reached", len(got))
	}
}
