package render

import (
	"fmt"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/table"
)

// crowd returns a store with a number of agents on calls, and their users.
func crowd(agents int) *model.Store {
	s := model.NewStore()
	states := model.UserStatuses()
	for i := range agents {
		id := text(fmt.Sprintf("agent%05d", i))
		r := rossi()
		r.Username, r.Surname = id, text(fmt.Sprintf("Surname%05d", i*7919%agents))
		r.Status = states[i%len(states)]
		r.TimeInState = ago(time.Duration(i) * time.Second)
		s.UserStats.Put(r)
		s.Users.Put(&model.User{
			Username: id, Services: []string{"4711"}, Statuses: model.ChannelStatuses{Call: r.Status},
		})
	}
	return s
}

// change replaces the records of the first agents.
func change(s *model.Store, agents int) {
	for i := range agents {
		r := *s.UserStats.Rows()[i]
		r.TimeInState = ago(0)
		s.UserStats.Put(&r)
	}
}

func BenchmarkAgentsUpdate(b *testing.B) {
	const agents = 10_000
	for _, changed := range []int{0, 5, 500, agents} {
		b.Run(fmt.Sprintf("agents=%d/changed=%d", agents, changed), func(b *testing.B) {
			store := crowd(agents)
			v := view(model.Call)
			rows := NewAgents()
			rows.Update(store.Publish(now, model.Health{}), v)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				change(store, changed)
				snap := store.Publish(now, model.Health{})
				b.StartTimer()
				rows.Update(snap, v)
			}
		})
	}
}

// BenchmarkAgentsRow draws a row of 18 cells. Its allocations occur for every visible
// row that changes.
func BenchmarkAgentsRow(b *testing.B) {
	rows := NewAgents()
	rows.Update(crowd(100).Publish(now, model.Health{}), view(model.Call))
	columns := len(rows.Columns())
	var c table.Cell
	b.ReportAllocs()
	for b.Loop() {
		for col := range columns {
			c = table.Cell{Text: c.Text[:0], Width: 12}
			rows.Cell(7, col, &c)
		}
	}
}

func BenchmarkAgentDetail(b *testing.B) {
	snap := snapshot(b)
	v := view(model.Call)
	b.ReportAllocs()
	for b.Loop() {
		AgentDetail(snap, v, "rossi", 160)
	}
}
