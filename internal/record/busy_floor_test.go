package record

import (
	"fmt"
	"math/rand/v2"
	"time"

	"wallboard/model"
)

// busyFloor is a floor on which agents change as on a real one: new states, growing counters.
// Every run is the same. It is not safe for concurrent use.
type busyFloor struct {
	At            time.Time // time of the last snapshot
	rng           *rand.Rand
	store         *model.Store
	agentCount    int   // number of agents
	receivedCalls int64 // number of calls received
}

// newBusyFloor returns a floor with a number of agents and a dozen services.
func newBusyFloor(agents int, at time.Time) *busyFloor {
	b := &busyFloor{At: at, rng: rand.New(rand.NewPCG(1, 2)), store: model.NewStore(), agentCount: agents}
	for i := range agents {
		b.store.Users.Put(&model.User{
			Username: model.TextOf(agentUsername(i)), Name: model.TextOf("Anna"), Surname: model.TextOf(fmt.Sprint("Rossi ", i)), Skillsets: []string{"A", "B"},
		})
		b.changeAgent(i)
	}
	for i := range 12 {
		b.store.Services.Put(&model.Service{Code: model.TextOf(fmt.Sprint("S", i)), Channel: model.Call})
	}
	return b
}

func agentUsername(i int) string { return fmt.Sprintf("agent.%05d", i) }

func (f *busyFloor) changeAgent(i int) {
	k := model.UserStatKey{Username: agentUsername(i), Channel: model.Call}
	r := model.UserStat{}
	if old := f.store.UserStats.Get(k); old != nil {
		r = *old
	} else {
		r.Username, r.Channel = model.TextOf(k.Username), k.Channel
	}
	r.ActivityCode = model.TextOf([]string{"PAUSE", "LUNCH", "MEETING", "__EMPTY__"}[f.rng.IntN(4)])
	r.TimeInState = model.InstantOf(f.At)
	r.NumberCallFromService = model.IntOf(r.NumberCallFromService.Or(0) + 1)
	r.NumberCallFromServiceAnswered = model.IntOf(r.NumberCallFromServiceAnswered.Or(0) + int64(f.rng.IntN(2)))
	f.store.UserStats.Put(&r)
}

// Advance advances the time, changes a number of agents and returns the new snapshot.
func (f *busyFloor) Advance(after time.Duration, changes int) *model.Snapshot {
	f.At = f.At.Add(after)
	for range changes {
		f.changeAgent(f.rng.IntN(f.agentCount))
	}
	f.receivedCalls++
	s := &model.Service{Code: model.TextOf("S1"), Channel: model.Call}
	s.ChannelStats.ReceivedCalls = model.IntOf(f.receivedCalls)
	f.store.Services.Put(s)
	return f.store.Publish(f.At, model.Health{Link: model.Link{State: model.LinkUp, LastFrame: f.At}})
}
