package render

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
	"wallboard/ui/table"
)

// pane is a table with its rows, as on a page.
type pane struct {
	rows  Rows
	table *table.Model
}

func newPane(sort, filter string, desc bool) *pane {
	rows := NewAgents()
	p := &pane{rows, table.New(table.WithColumns(rows.Columns()...), table.WithFlash(0), table.WithoutSelection())}
	p.table.SetSize(220, 20)
	p.sort(sort, desc)
	p.table.SetFilter(filter)
	return p
}

func (p *pane) sort(id string, desc bool) {
	p.rows.SetDescending(desc)
	p.table.SortBy(id, desc)
}

func (p *pane) show(s *model.Snapshot, v *View) string {
	p.rows.Update(s, v)
	p.table.SetSource(p.rows)
	return p.table.View()
}

// TestFollowedRowsAreThoseFromScratch changes a floor and a table at random: a table
// that is updated shows the same as a new one.
func TestFollowedRowsAreThoseFromScratch(t *testing.T) {
	t.Parallel()
	sorts := rapid.SampledFrom([]string{"name", "state", "time", "answered", "aht", ""})
	rapid.Check(t, func(t *rapid.T) {
		store := model.NewStore()
		v := view(model.Call)
		sort, filter, desc := "name", "", false
		p := newPane(sort, filter, desc)
		for step := range rapid.IntRange(1, 30).Draw(t, "steps") {
			for range rapid.IntRange(0, 4).Draw(t, "writes") {
				write(t, store)
			}
			switch rapid.IntRange(0, 11).Draw(t, "view") {
			case 0:
				v.Now = v.Now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ms")) * time.Millisecond)
			case 1:
				v.Channel = rapid.SampledFrom([]model.Channel{model.Call, model.Chat}).Draw(t, "channel")
			case 2:
				v.Service = rapid.SampledFrom([]string{"", "4711"}).Draw(t, "service")
			case 3:
				sort, desc = sorts.Draw(t, "sort"), rapid.Bool().Draw(t, "desc")
				p.sort(sort, desc)
			case 4:
				filter = rapid.SampledFrom([]string{"", "ready", "a1"}).Draw(t, "filter")
				p.table.SetFilter(filter)
			case 5:
				v.Options = options()
			}
			snap := store.Publish(v.Now, model.Health{})
			if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
				snap = nil
			}
			got, want := p.show(snap, v), newPane(sort, filter, desc).show(snap, v)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("step %d: %s", step, d)
			}
		}
	})
}

// write changes one of a few agents or users.
func write(t *rapid.T, s *model.Store) {
	id := fmt.Sprintf("a%d", rapid.IntRange(0, 12).Draw(t, "agent"))
	ch := rapid.SampledFrom([]model.Channel{model.Call, model.Call, model.Chat}).Draw(t, "channel")
	status := rapid.SampledFrom([]model.UserStatus{"", model.Ready, model.Busy, model.NotReady}).Draw(t, "status")
	switch rapid.IntRange(0, 10).Draw(t, "write") {
	case 10:
		if o := (&model.Operator{Username: text(id), Channel: ch}); rapid.Bool().Draw(t, "operator") {
			s.Operators.Put(o)
		} else {
			s.Operators.Delete(o.Key())
		}
	case 0:
		s.UserStats.Delete(model.UserStatKey{Username: id, Channel: ch})
	case 1:
		s.Users.Delete(id)
	case 2, 3, 4:
		u := &model.User{Username: text(id), Statuses: model.ChannelStatuses{Call: status, Chat: model.Ready}}
		if rapid.Bool().Draw(t, "serves") {
			u.Services = []string{"4711"}
		}
		s.Users.Put(u)
	default:
		r := &model.UserStat{Username: text(id), Surname: text(rapid.SampledFrom([]string{"A", "B"}).Draw(t, "name"))}
		r.Channel, r.Status = ch, status
		r.NumberCallFromServiceAnswered = n(int64(rapid.IntRange(0, 3).Draw(t, "answered")))
		r.TimeInState = ago(time.Duration(rapid.IntRange(0, 5).Draw(t, "minutes")) * time.Minute)
		s.UserStats.Put(r)
	}
}

// TestSinceNamesWhatChanged checks that Since returns the changed rows.
func TestSinceNamesWhatChanged(t *testing.T) {
	t.Parallel()
	store := crowd(50)
	v := view(model.Call)
	r := NewAgents()
	update := func() { r.Update(store.Publish(now, model.Health{}), v) }
	update()
	_, mark, _ := r.Since(0)
	since := func(wantOK bool, want ...int32) {
		t.Helper()
		rows, now, ok := r.Since(mark)
		if d := cmp.Diff(want, append([]int32(nil), rows...)); ok != wantOK || d != "" {
			t.Errorf("ok is %v: %s", ok, d)
		}
		mark = now
	}
	update()
	since(true)
	change(store, 2)
	update()
	since(true, 0, 1)

	last := mark
	v.Now = v.Now.Add(time.Second)
	update()
	since(true)
	if mark == last {
		t.Error("the mark is unchanged although durations have grown")
	}
	change(store, 1)
	update()
	change(store, 1)
	update()
	since(false) // a mark from two updates ago is too old
	store.UserStats.Delete(store.UserStats.Rows()[7].Key())
	update()
	since(false)
	r.SetDescending(true)
	since(false)
}
