package render

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/table"
)

// listing is a board's table of agents, and a copy that shares nothing.
type listing struct {
	shared, alone           *Agents
	sharedTable, aloneTable *table.Model
	view                    *View
}

func newListing(o *Options) *listing {
	x := &listing{shared: NewAgents(), alone: NewAgents(), view: &View{Options: o, Scope: Scope{Channel: model.Call}, CacheKey: "all"}}
	x.sharedTable = table.New(table.WithColumns(x.shared.Columns()...))
	x.aloneTable = table.New(table.WithColumns(x.alone.Columns()...))
	x.both(func(m *table.Model) { m.SetSize(120, 20) })
	return x
}

func (x *listing) both(do func(m *table.Model)) { do(x.sharedTable); do(x.aloneTable) }

func (x *listing) sort(column string, desc bool) {
	x.shared.SetDescending(desc)
	x.alone.SetDescending(desc)
	x.both(func(m *table.Model) { m.SortBy(column, desc) })
}

func (x *listing) take(l *SharedLists, s *model.Snapshot, at time.Time) {
	x.view.Now = at
	l.Update(x.shared, "agents", func() Rows { return NewAgents() }, s, x.view)
	x.alone.Update(s, x.view)
	x.both(func(m *table.Model) { m.SetTime(at) })
	x.sharedTable.SetSource(x.shared)
	x.aloneTable.SetSource(x.alone)
}

// check compares the contents and the order of both.
func (x *listing) check(t *testing.T, what string) {
	t.Helper()
	if got, want := x.sharedTable.View(), x.aloneTable.View(); got != want {
		t.Errorf("%s: the shared table shows\n%s\nand alone\n%s", what, got, want)
	}
	keysOf := func(m *table.Model, r *Agents) (out []string) {
		for _, i := range m.ListedRows() {
			out = append(out, r.Key(int(i)))
		}
		return out
	}
	if got, want := keysOf(x.sharedTable, x.shared), keysOf(x.aloneTable, x.alone); !slices.Equal(got, want) {
		t.Errorf("%s: the rows are %v, alone %v", what, got, want)
	}
}

// stir changes, adds and removes some agents.
func stir(r *rand.Rand, st *model.Store) {
	for range r.IntN(6) {
		u := &model.UserStat{Username: text(fmt.Sprintf("agent%02d", r.IntN(50))), Surname: text(fmt.Sprint("S", r.IntN(9)))}
		u.Channel, u.NumberCallIn, u.Status = model.Call, n(r.Int64N(5)), []model.UserStatus{"READY", "BUSY", ""}[r.IntN(3)]
		u.TimeInState = ago(time.Duration(r.IntN(300)) * time.Second)
		if r.IntN(20) == 0 {
			st.UserStats.Delete(u.Key())
			continue
		}
		st.UserStats.Put(u)
	}
}

// TestListsAreThoseOfEach lets boards sort, filter and select at random, with snapshots
// of different times: each shows the same as it would without sharing.
func TestListsAreThoseOfEach(t *testing.T) {
	t.Parallel()
	o := options()
	lists := new(SharedLists)
	st := floor()
	var boards sync.WaitGroup
	seen := make([]chan *model.Snapshot, 6)
	for b := range seen {
		seen[b] = make(chan *model.Snapshot)
		boards.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(b)))
			x, at := newListing(o), now
			var last *model.Snapshot
			for s := range seen[b] {
				if last == nil || r.IntN(3) > 0 { // otherwise the board shows an earlier snapshot
					last = s
				}
				at = at.Add(time.Duration(r.IntN(1500)) * time.Millisecond)
				switch r.IntN(8) {
				case 0:
					x.sort([]string{"name", "in", "state", "username"}[r.IntN(4)], r.IntN(2) == 0)
				case 1:
					filter := []string{"", "", "s1", "agent1", "ready", "nobody"}[r.IntN(6)]
					x.both(func(m *table.Model) { m.SetFilter(filter) })
				case 2:
					key := fmt.Sprintf("agent%02d", r.IntN(50))
					x.both(func(m *table.Model) { m.Select(key) })
				case 3:
					x.view.Marks = map[bool]*ActionMarks{true: {}}[r.IntN(2) == 0] // a board with marks shares no rows
				}
				x.take(lists, last, at)
				x.check(t, fmt.Sprint("board ", b, " at ", last.Seq))
			}
		})
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		stir(r, st)
		s := st.Publish(now, live())
		for _, c := range seen {
			c <- s
		}
	}
	for _, c := range seen {
		close(c)
	}
	boards.Wait()
}

// TestListsAreMadeOnce checks that two boards with the same sort and filter share rows,
// and that a board with an earlier snapshot keeps its own.
func TestListsAreMadeOnce(t *testing.T) {
	t.Parallel()
	o, lists, st := options(), new(SharedLists), floor()
	first, second, late := newListing(o), newListing(o), newListing(o)
	s := st.Publish(now, live())
	for _, x := range []*listing{first, second, late} {
		x.sort("name", false)
		x.take(lists, s, now)
	}
	if &first.shared.rows[0] != &second.shared.rows[0] || &first.sharedTable.ListedRows()[0] != &second.sharedTable.ListedRows()[0] {
		t.Error("the rows are not shared")
	}
	made := 0
	find := func() any { made++; return made }
	if first.shared.Memoize("a", find) != second.shared.Memoize("a", find) || made != 1 {
		t.Errorf("find ran %d times", made)
	}
	changed := *st.UserStats.Rows()[0]
	changed.NumberCallIn = n(4711)
	st.UserStats.Put(&changed)
	s = st.Publish(now, live())
	first.take(lists, s, now)
	second.take(lists, s, now)
	if &first.shared.rows[0] != &second.shared.rows[0] || &first.shared.rows[0] == &late.shared.rows[0] {
		t.Error("two snapshots share rows")
	}
	if first.shared.Memoize("a", find) == late.shared.Memoize("a", find) {
		t.Error("a result of Once is shared with other rows")
	}
	late.check(t, "the late one")
	first.check(t, "the first")
}
