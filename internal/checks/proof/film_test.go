package proof_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// recordedRun is a recording of a run, and the recorded snapshots that were not replayed
// yet.
type recordedRun struct {
	t    *testing.T
	feed *feeds.Feed
	dir  string
	stop context.CancelFunc
	done chan error

	// By recorded instant. There can be several if the clock was set back.
	unplayed map[int64][]*model.Snapshot
	played   map[int64]bool
	n        int // number of snapshots
}

// filmedPart is the number of snapshots to replay at once during the recording. The
// snapshots of a whole day do not fit in memory.
const filmedPart = 1800

// recordFeed starts to record a feed.
func recordFeed(t *testing.T, feed *feeds.Feed) *recordedRun {
	t.Helper()
	f := &recordedRun{t: t, feed: feed, dir: testkit.PrivateDir(t), done: make(chan error, 1), unplayed: make(map[int64][]*model.Snapshot), played: make(map[int64]bool)}
	ctx, cancel := context.WithCancel(t.Context())
	f.stop = cancel
	w := record.NewWriter(record.Options{Dir: f.dir, Source: f, MaxSegmentTime: 5 * time.Minute})
	go func() { f.done <- w.Run(ctx) }()
	return f
}

// Latest implements [record.Source]. It remembers the recorded snapshots. Only the
// writer calls it.
func (f *recordedRun) Latest() *model.Snapshot {
	now := time.Now()
	s := f.feed.Latest()
	if s == nil {
		return nil
	}
	if f.n > 0 && f.n%filmedPart == 0 {
		from := time.UnixMilli(slices.Min(slices.Collect(maps.Keys(f.unplayed))))
		f.replay(func(r *record.Recording) iter.Seq2[*model.Snapshot, error] { return r.Snapshots(from, r.Info().Last) })
	}
	at := now.Add(s.Health.ClockOffset).UnixMilli()
	f.unplayed[at] = append(f.unplayed[at], s)
	f.n++
	return s
}

// replay replays snapshots of the recording and compares each with the one that was
// shown, field by field.
func (f *recordedRun) replay(pictures func(*record.Recording) iter.Seq2[*model.Snapshot, error]) {
	r, err := record.Open(f.dir)
	if err != nil {
		f.t.Error(err)
		return
	}
	defer r.Close() //nolint:errcheck // opened for reading
	alike := newComparer()
	for s, err := range pictures(r) {
		if err != nil {
			f.t.Error(err)
			return
		}
		at := s.At.UnixMilli()
		live := f.unplayed[at]
		if len(live) == 0 && f.played[at] {
			continue
		}
		i := slices.IndexFunc(live, func(l *model.Snapshot) bool { return alike.diff(l, s) == "" })
		switch {
		case len(live) == 0:
			f.t.Errorf("the snapshot replayed for %v was not shown then", s.At)
			return
		case i < 0:
			f.t.Errorf("the snapshot replayed for %v differs from the shown one: %s", s.At, alike.diff(live[0], s))
			return
		}
		f.played[at] = true
		if f.unplayed[at] = slices.Delete(live, i, i+1); len(live) == 1 {
			delete(f.unplayed, at)
		}
	}
}

// whole returns all snapshots of a recording, including times that two files cover
// because the clock was set back.
func whole(r *record.Recording) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		p := r.Player()
		for s, err := p.Next(); s != nil || err != nil; s, err = p.Next() {
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// check replays the rest after the run. No snapshot may be missing.
func (f *recordedRun) check(t *testing.T) {
	t.Helper()
	f.stop()
	if err := <-f.done; err != nil {
		t.Fatal(err)
	}
	if f.n == 0 {
		t.Error("nothing was recorded")
		return
	}
	if f.replay(whole); len(f.unplayed) > 0 && !t.Failed() {
		t.Errorf("of %d recorded snapshots, %d were not replayed", f.n, len(f.unplayed))
	}
	t.Logf("%d snapshots recorded and replayed", f.n)
	r, err := record.Open(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // opened for reading
	if in := r.Info(); in.Unclosed > 0 || len(r.Problems()) > 0 {
		t.Errorf("%+v, %v", in, r.Problems())
	}
}

// comparer compares snapshots. It does not compare records again that are unchanged
// since the previous call.
type comparer struct{ same map[any]any }

func newComparer() *comparer { return &comparer{make(map[any]any)} }

// diff returns the difference between a shown and a replayed snapshot, or "" if
// they are equal except for the number and the versions of records.
func (l *comparer) diff(live, played *model.Snapshot) string {
	shown := played.Tables()
	for i, table := range live.Tables() {
		if diff := l.diffTables(table.Records, shown[i].Records); diff != "" {
			return diff
		}
	}
	return cmp.Diff(toSeconds(live.Health), toSeconds(played.Health), everyField, cmp.Comparer(func(a, b time.Time) bool {
		return a.IsZero() == b.IsZero() && a.UnixMilli() == b.UnixMilli()
	}))
}

var everyField = cmp.Options{cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.IgnoreTypes(model.Stamp{})}

// toSeconds returns the feed status as recorded, with the time of the last data
// rounded to seconds.
func toSeconds(h model.Health) model.Health {
	h.Link.LastFrame = h.Link.LastFrame.Round(time.Second)
	h.Subscriptions = slices.Clone(h.Subscriptions)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		s.LastData, s.VerifiedAt, s.PerSecond = s.LastData.Round(time.Second), s.VerifiedAt.Round(time.Second), math.Round(s.PerSecond)
	}
	return h
}

func (l *comparer) diffTables(live, played model.Records) string {
	a, b := callRows(live, "Sorted"), callRows(played, "Sorted")
	if len(a) != len(b) {
		return fmt.Sprintf("%d records of type %T, want %d", len(b), live, len(a))
	}
	for i := range a {
		if l.same[a[i].Interface()] == b[i].Interface() {
			continue
		}
		var records [2]any
		for n, r := range []reflect.Value{a[i], b[i]} {
			bare := reflect.New(r.Type().Elem()).Elem()
			bare.Set(r.Elem())
			bare.FieldByName("Stamp").SetZero()
			records[n] = bare.Interface()
		}
		if !reflect.DeepEqual(records[0], records[1]) {
			return cmp.Diff(a[i].Interface(), b[i].Interface(), everyField)
		}
		l.same[a[i].Interface()] = b[i].Interface()
	}
	return ""
}

// TestPlayedIsAnother checks that the comparison finds a wrong snapshot.
func TestPlayedIsAnother(t *testing.T) {
	t.Parallel()
	store := func(state model.UserStatus, queued int64) *model.Snapshot {
		s := model.NewStore()
		u := &model.UserStat{Username: model.TextOf("mrossi")}
		u.Status = state
		s.UserStats.Put(u)
		sv := &model.Service{Code: model.TextOf("S1")}
		sv.ChannelStats.QueuedCalls = model.IntOf(queued)
		s.Services.Put(sv)
		return s.Publish(time.Now(), model.Health{})
	}
	l := newComparer()
	for _, c := range []struct {
		state  model.UserStatus
		queued int64
		same   bool
	}{{model.Busy, 3, true}, {model.Busy, 4, false}, {model.Ready, 3, false}, {model.Busy, 3, true}} {
		if diff := l.diff(store(model.Busy, 3), store(c.state, c.queued)); (diff == "") != c.same {
			t.Errorf("%s, %d: %q", c.state, c.queued, diff)
		}
	}
	down := store(model.Busy, 3)
	down.Health.Link.State = model.LinkBackoff
	if l.diff(store(model.Busy, 3), down) == "" {
		t.Error("the comparison ignores the feed status")
	}
}
