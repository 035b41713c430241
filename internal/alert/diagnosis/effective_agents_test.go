package diagnosis_test

import (
	"math"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// hall is a floor of calls that take two and a half minutes: two of talk, half a minute
// of after-call work.
type hall struct {
	store *model.Store
	track *diagnosis.History
	now   time.Time
}

func newHall() *hall {
	h := &hall{model.NewStore(), diagnosis.NewHistory(), time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)}
	talks := func(state model.UserStatus) {
		for _, code := range []string{"S", "T"} {
			h.agent("first "+code, state, code, 0, code)
		}
	}
	h.queue("S", 0)
	h.queue("T", 0)
	for range 10 {
		for _, step := range []struct {
			state model.UserStatus
			lasts int
		}{{model.Busy, 120}, {model.WNR, 30}} {
			talks(step.state)
			for range step.lasts {
				h.look()
			}
		}
	}
	for _, code := range []string{"S", "T"} {
		h.store.UserStats.Delete(model.UserStatKey{Username: "first " + code, Channel: model.Call})
	}
	h.look()
	return h
}

func (h *hall) look() {
	h.now = h.now.Add(time.Second)
	h.track.Update(h.store.Publish(h.now, model.Health{Link: model.Link{State: model.LinkUp}}), h.now)
}

func (h *hall) agent(name string, state model.UserStatus, with string, ago time.Duration, serves ...string) {
	h.on(model.Call, name, state, with, ago, serves...)
}

func (h *hall) on(ch model.Channel, name string, state model.UserStatus, with string, ago time.Duration, serves ...string) {
	h.store.Users.Put(&model.User{Username: model.TextOf(name), Services: serves})
	h.store.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{
		Channel: ch, Status: state, CurrentService: model.TextOf(with), TimeInState: model.InstantOf(h.now.Add(-ago)),
	}})
}

func (h *hall) queue(code string, n int64) {
	h.store.Services.Put(&model.Service{
		Code: model.TextOf(code), Channel: model.Call,
		ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(n), ReceivedCalls: model.IntOf(0), AnsweredCalls: model.IntOf(0)},
	})
}

var onS = model.ServiceKey{Code: "S", Channel: model.Call}

func TestWorkIsTalkAndWrapUp(t *testing.T) {
	t.Parallel()
	h := newHall()
	if talk, wrap, ok := h.track.HandlingTimes(onS, h.now); !ok || math.Abs(talk-120) > 12 || math.Abs(wrap-30) > 7 {
		t.Errorf("a contact takes %.0f and %.0f s", talk, wrap)
	}
}

// TestHandsAreWhoTakesTheNext checks the effective number of agents by the time until
// they are free.
func TestHandsAreWhoTakesTheNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		put      func(h *hall)
		low, top float64
	}{
		"in a contact":               {func(h *hall) { h.agent("a", model.Busy, "S", 0, "S") }, 0.97, 1.03},
		"it rings":                   {func(h *hall) { h.agent("a", model.Booked, "S", 0, "S") }, 0.97, 1.03},
		"ready: one more":            {func(h *hall) { h.agent("a", model.Ready, "", 0, "S") }, 1.45, 1.55},
		"in after-call work: nearly": {func(h *hall) { h.agent("a", model.WNR, "S", 0, "S") }, 1.35, 1.45},
		"with another service":       {func(h *hall) { h.agent("a", model.Busy, "T", time.Minute, "S", "T") }, 0.97, 1.03},
		"away":                       {func(h *hall) { h.agent("a", model.NotReady, "", time.Minute, "S") }, 0, 0},
		"goes after this contact":    {func(h *hall) { h.agent("a", model.NotReadyBusy, "S", time.Minute, "S") }, 0, 0},
		"of another service":         {func(h *hall) { h.agent("a", model.Ready, "", time.Minute, "T") }, 0, 0},
		"on a call for ten minutes":  {func(h *hall) { h.agent("a", model.BusyDNCallOut, "", 10*time.Minute, "S") }, 0.1, 0.45},
		"on a call for a minute":     {func(h *hall) { h.agent("a", model.BusyDNCallOut, "", time.Minute, "S") }, 0.95, 1.15},
		"with a chat of nobody knows what": {func(h *hall) {
			h.agent("a", model.NotReadyBusy, "", 10*time.Minute, "S")
			h.on(model.Chat, "a", model.Busy, "S", 10*time.Minute, "S")
		}, 0.1, 0.45},
		"goes after a chat": {func(h *hall) {
			h.agent("a", model.NotReadyBusy, "", time.Minute, "S")
			h.on(model.Chat, "a", model.NotReadyBusy, "S", time.Minute, "S")
		}, 0, 0},
		"another service has a queue, too": {func(h *hall) {
			h.agent("a", model.Busy, "S", 0, "S", "T")
			h.queue("T", 4)
		}, 0.47, 0.53},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHall()
			c.put(h)
			h.look()
			if got := h.track.EffectiveAgents(onS, 5*time.Minute, h.now); got < c.low || got > c.top {
				t.Errorf("%v hands, want %v to %v", got, c.low, c.top)
			}
		})
	}
}

func TestRinging(t *testing.T) {
	t.Parallel()
	h := newHall()
	h.agent("a", model.Booked, "S", 0, "S", "T")
	h.agent("b", model.Booked, "T", 0, "S", "T")
	h.look()
	if n := h.track.RingingContacts(onS); n != 1 {
		t.Errorf("%d ring", n)
	}
}

// TestOngoingWorkCounts checks that after-call work that lasts much longer than usual counts before it
// ends, and that agents on calls of their own, none of which ends, count for little.
func TestOngoingWorkCounts(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "c", "d", "e", "f"}
	in := func(state model.UserStatus, with string) (f *hall) {
		f = newHall()
		for _, name := range names {
			f.agent(name, state, with, 0, "S")
		}
		for range 300 {
			f.look()
		}
		return f
	}
	f := in(model.WNR, "S")
	if talk, wrap, ok := f.track.HandlingTimes(onS, f.now); !ok || talk < 100 || talk > 130 || wrap < 300 {
		t.Errorf("%.0f s of talk and %.0f of after-call work, none of which has ended in five minutes", talk, wrap)
	}
	f = in(model.BusyDNCallOut, "")
	if n := f.track.EffectiveAgents(onS, 5*time.Minute, f.now); n > 2 {
		t.Errorf("six agents, five minutes on their own calls, count as %.1f", n)
	}
}
