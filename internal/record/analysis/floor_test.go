package analysis_test

import (
	"errors"
	"iter"
	"time"

	"wallboard/model"
)

// tape is a recording made of the snapshots of a test, in the order of time.
type tape struct {
	pictures []*model.Snapshot
	broken   time.Time // unreadable from here on; zero: readable
}

var errDamaged = errors.New("the recording is damaged")

func (t *tape) Span() (from, to time.Time) {
	if len(t.pictures) == 0 {
		return from, to
	}
	return t.pictures[0].At, t.pictures[len(t.pictures)-1].At
}

func (t *tape) IsEmptyAt(at time.Time) bool {
	s := t.of(at)
	return s == nil || at.Sub(s.At) > 15*time.Second
}

// of returns the snapshot at a time.
func (t *tape) of(at time.Time) (last *model.Snapshot) {
	for _, s := range t.pictures {
		if s.At.After(at) {
			break
		}
		last = s
	}
	return last
}

func (t *tape) SampledSnapshots(from, to time.Time, step time.Duration, _ ...model.Op) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		if from.Equal(to) {
			if s := t.of(from); s != nil {
				yield(s, nil)
			}
			return
		}
		for _, s := range t.pictures {
			if s.At.Before(from) || s.At.After(to) {
				continue
			}
			if !t.broken.IsZero() && !s.At.Before(t.broken) {
				yield(nil, errDamaged)
				return
			}
			if from = s.At.Add(step); !yield(s, nil) {
				return
			}
		}
	}
}

// day is when the days of these tests begin.
var day = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// lived returns a floor with service S1 and two agents, one snapshot every ten seconds.
// change modifies a snapshot; false leaves it out.
func lived(from, to time.Time, change func(at time.Time, s *model.Service, agents []*model.UserStat) bool) *tape {
	t := &tape{}
	for at := from; !at.After(to); at = at.Add(10 * time.Second) {
		n := int64(at.Sub(day) / time.Minute) // one per minute
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf("S1")
		s.ChannelStats = model.ServiceCalls{
			ReceivedCalls: model.IntOf(n + 100), AnsweredCalls: model.IntOf(n - n/10 + 90), HangupCalls: model.IntOf(n/10 + 10),
			AnsweredCallsUnderSpeedLimit: model.IntOf(n/2 + 50), ShortCalls: model.IntOf(0), QueuedCalls: model.IntOf(0),
		}
		s.UserStats.LoggedUsers.Count, s.UserStats.ReadyUsers.Count = model.IntOf(2), model.IntOf(1)
		var agents []*model.UserStat
		for i, name := range []string{"anna", "ben"} {
			u := &model.UserStat{Username: model.TextOf(name)}
			u.Channel = model.Call
			u.Status = []model.UserStatus{model.Ready, model.Busy}[i]
			u.TimeInStateBusyOnService, u.TimeInStateWNR = model.IntOf(90*n), model.IntOf(10*n)
			u.NumberCallFromServiceAnswered = model.IntOf(n / 2)
			agents = append(agents, u)
		}
		if change != nil && !change(at, s, agents) {
			continue
		}
		t.pictures = append(t.pictures, publish(at, s, agents))
	}
	return t
}

func publish(at time.Time, s *model.Service, agents []*model.UserStat) *model.Snapshot {
	st := model.NewStore()
	st.Services.Put(s)
	for _, u := range agents {
		st.UserStats.Put(u)
	}
	return st.Publish(at, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1, LastData: at}},
	})
}
