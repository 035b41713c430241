package world

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"testing"
	"time"
)

// replica is a receiver of changes: record pointers by kind and key.
type replica map[string]any

// follow applies the changes and compares the result with the state.
func (r replica) follow(t reporter, c *Changes, s *State) {
	t.Helper()
	apply(t, r, c.Services, func(x *ServiceStat) string { return "service " + x.Code + x.Channel })
	apply(t, r, c.Groups, func(x *GroupStat) string { return "group " + x.Code + x.Channel })
	apply(t, r, c.Users, func(x *User) string { return "user " + x.Username })
	apply(t, r, c.UserStats, func(x *UserStat) string { return "user stat " + x.Username + x.Channel })
	apply(t, r, c.UserProfileStats, func(x *UserProfileStat) string { return fmt.Sprint("profile ", x.ID, x.Channel) })
	apply(t, r, c.Campaigns, func(x *CampaignStat) string { return fmt.Sprint("campaign ", x.CampaignID) })
	apply(t, r, c.Attendants, func(x *AttendantStat) string { return "attendant " + x.Code + x.Component })
	apply(t, r, c.Operators, func(x *OperatorStat) string { return "operator " + x.Username })
	apply(t, r, c.OperatorProfileStats, func(x *OperatorProfileStat) string { return fmt.Sprint("operator profile ", x.ID) })
	present := 0
	present += len(s.Services) + len(s.Groups) + len(s.Users) + len(s.UserStats) + len(s.UserProfileStats)
	present += len(s.Campaigns) + len(s.Attendants) + len(s.Operators) + len(s.OperatorProfileStats)
	eq(t, "records", len(r), present)
	for _, x := range s.Services {
		eq(t, "service in state", r["service "+x.Code+x.Channel], any(x))
	}
	for _, x := range s.Users {
		eq(t, "user in state", r["user "+x.Username], any(x))
	}
	for _, x := range s.UserStats {
		eq(t, "user stat in state", r["user stat "+x.Username+x.Channel], any(x))
	}
}

func apply[T any](t reporter, r replica, changes []Change[T], key func(*T) string) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range changes {
		if c.Old == nil && c.New == nil {
			t.Fatalf("a change without records")
		}
		k := ""
		if c.New != nil {
			k = key(c.New)
		} else {
			k = key(c.Old)
		}
		if seen[k] {
			t.Errorf("%s is listed twice", k)
		}
		seen[k] = true
		if old, ok := r[k]; ok != (c.Old != nil) || (ok && old != any(c.Old)) {
			t.Errorf("%s: the change does not start from the previous record", k)
		}
		if c.New == nil {
			delete(r, k)
		} else {
			r[k] = c.New
		}
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("marshal state: %v", err)
	}
	return b
}

func fingerprint(t *testing.T, w *World) uint64 {
	t.Helper()
	h := fnv.New64a()
	_, _ = h.Write(marshal(t, w.State()))
	return h.Sum64()
}

func live(w *World) {
	for i := range 300 {
		w.Step(700 * time.Millisecond)
		if i%50 == 0 {
			w.ForceUpdate(7)
		}
	}
}

func TestSameSeedSameWorld(t *testing.T) {
	t.Parallel()
	grown := func(seed int64, read bool) uint64 {
		w := New(Options{Seed: seed, Drama: true})
		if read {
			w.State()
			w.TakeChanges()
		}
		live(w)
		return fingerprint(t, w)
	}
	if grown(7, false) != grown(7, true) {
		t.Error("the same seed and the same steps gave different states")
	}
	if grown(7, false) == grown(8, false) {
		t.Error("different seeds gave the same state")
	}
}

// TestStepSize checks that the state depends only on the time and not on the size of
// the steps.
func TestStepSize(t *testing.T) {
	t.Parallel()
	fine, coarse := New(Options{Seed: 3, Drama: true}), New(Options{Seed: 3, Drama: true})
	for range 600 {
		fine.Step(100 * time.Millisecond)
		fine.TakeChanges()
	}
	coarse.Step(time.Minute)
	if fingerprint(t, fine) != fingerprint(t, coarse) {
		t.Error("600 steps of 100 ms and one of a minute gave different states")
	}
}

func TestRecordsAreImmutable(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 11, Drama: true, TrafficFactor: 2})
	states := []*State{w.State()}
	written := [][]byte{marshal(t, states[0])}
	for range 20 {
		w.Step(20 * time.Second)
		w.ForceUpdate(10)
		s := w.State()
		states = append(states, s)
		written = append(written, marshal(t, s))
	}
	w.Step(20 * time.Hour) // past midnight
	for i, s := range states {
		if string(marshal(t, s)) != string(written[i]) {
			t.Fatalf("records of state %d changed after they were handed out", i)
		}
	}
}

func TestLogoutDeletes(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 5})
	w.TakeChanges()
	w.Step(12 * time.Hour)
	gone := 0
	for _, c := range w.TakeChanges().Users {
		if c.New == nil {
			gone++
		}
	}
	if gone < 40 {
		t.Errorf("%d users logged out at night, want nearly all of 60", gone)
	}
	w.Step(12 * time.Hour)
	came := 0
	for _, c := range w.TakeChanges().Users {
		if c.Old == nil {
			came++
		}
	}
	if came < 40 {
		t.Errorf("%d users logged in the next morning, want nearly all of 60", came)
	}
}
