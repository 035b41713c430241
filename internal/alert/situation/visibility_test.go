package situation_test

import (
	"fmt"
	"testing"
	"time"

	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// held returns a floor on which six agents take calls of 40 seconds and warnings are
// held back for a minute.
func held(t *testing.T) *stand {
	t.Helper()
	f := newStand(t)
	f.watch = situation.New(situation.Options{Hold: time.Minute})
	f.service("S", 0, 0, 6, 1)
	for range 12 {
		for _, state := range []model.UserStatus{model.Busy, model.WNR} {
			f.all6(state)
			f.passes(20)
		}
	}
	f.all6(model.Busy)
	f.passes(1)
	return f
}

// all6 sets the state of all agents.
func (f *stand) all6(state model.UserStatus) {
	for i := range 6 {
		name := fmt.Sprint("agent", i)
		f.store.Users.Put(&model.User{Username: model.TextOf(name), Services: []string{"S"}})
		f.store.UserStats.Put(&model.UserStat{
			Username:     model.TextOf(name),
			AgentFigures: model.AgentFigures{Channel: model.Call, Status: state, CurrentService: model.TextOf("S"), TimeInState: model.InstantOf(f.now)},
		})
	}
}

// TestHeldBackForATime checks after how many seconds of the longest wait a queue
// becomes visible.
func TestHeldBackForATime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		floor    func(*testing.T) *stand
		waiting  func(second int) int64
		longest  func(second int) int64
		logged   int64
		low, top int // seconds
	}{
		"clears shortly by what the board expects": {
			held, func(int) int64 { return 2 }, func(s int) int64 { return int64(s) }, 6, 118, 123,
		},
		"it does not": {
			held, func(int) int64 { return 19 }, func(s int) int64 { return int64(s) }, 40, 60, 62,
		},
		"as many wait as agents are there": {
			held, func(int) int64 { return 30 }, func(s int) int64 { return int64(s) }, 30, 20, 21,
		},
		"half as many wait as agents are there, and become more": {
			held, func(s int) int64 { return int64(min(s, 20)) }, func(s int) int64 { return int64(s) }, 40, 20, 22,
		},
		"it grows": {
			held, func(s int) int64 { return int64(1 + s/15) }, func(s int) int64 { return int64(s) }, 6, 60, 62,
		},
		"nobody is logged in": {
			held, func(int) int64 { return 2 }, func(s int) int64 { return int64(s) }, 0, 0, 1,
		},
		"nothing is known of how long it takes": {
			func(t *testing.T) *stand {
				t.Helper()
				f := newStand(t)
				f.watch = situation.New(situation.Options{Hold: time.Minute})
				f.service("S", 0, 0, 6, 1)
				f.passes(1)
				return f
			}, func(int) int64 { return 2 }, func(s int) int64 { return int64(s) }, 6, 60, 62,
		},
		"one alone, who has hardly waited": {
			held, func(s int) int64 { return int64(1 + s/150) }, func(s int) int64 { return int64(min(s, 20+s%30)) }, 6, 150, 325,
		},
		"no one waiting for long, again and again, until the calls are known to last longer": {
			held, func(int) int64 { return 2 }, func(s int) int64 { return int64(min(s, 20+s%10)) }, 6, 196, 205,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := c.floor(t)
			for s := range 400 {
				f.service("S", c.waiting(s), c.longest(s), c.logged, 0)
				if v := f.look(time.Second); len(v.Live) > 0 {
					if s < c.low || s > c.top {
						t.Errorf("visible after %d s: %s (clears in %v, %v)", s, v.Live[0].Headline, v.Live[0].Help.ClearTime, v.Live[0].Help.ClearTimeKnown)
					}
					return
				}
			}
			t.Error("never visible")
		})
	}
}

// TestALongLunchIsHeldBack checks a long break of an agent for whom no caller waits.
func TestALongLunchIsHeldBack(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.watch = situation.New(situation.Options{Hold: time.Minute})
	f.service("S", 0, 0, 1, 0)
	f.agent("a", model.NotReady, []string{"S"}, nil)
	for minute := range 60 {
		for range 4 {
			f.look(15 * time.Second)
		}
		if told := len(f.view.Live) > 0; told != (minute >= 44) {
			t.Fatalf("after %d min visible: %v", minute+1, told)
		}
	}
}
