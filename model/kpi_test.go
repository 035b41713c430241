package model_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"wallboard/model"
)

// figure formats a figure so that unknown, n/a and 0 differ, as on the board.
func figure(f model.Figure) string {
	switch v, ok := f.Get(); {
	case ok:
		return fmt.Sprintf("%.4f", v)
	case f.IsNotApplicable():
		return "n/a"
	}
	return "unknown"
}

func n(v int64) model.Int { return model.IntOf(v) }

func count(v int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: n(v)} }

func TestServiceKPIs(t *testing.T) {
	t.Parallel()
	var none model.Int
	calls := func(under, answered, hangup, short, received model.Int) *model.ServiceCalls {
		return &model.ServiceCalls{
			AnsweredCallsUnderSpeedLimit: under, AnsweredCalls: answered,
			HangupCalls: hangup, ShortCalls: short, ReceivedCalls: received,
		}
	}
	day := calls(n(380), n(450), n(50), n(10), n(520))
	quiet := calls(n(0), n(0), n(0), n(0), n(0))
	mute := calls(none, none, none, none, none)
	for _, c := range []struct {
		name  string
		calls *model.ServiceCalls
		kpi   func(*model.ServiceCalls) model.Figure
		want  string
	}{
		{"all abandons", day, level(model.SLAllAbandons), "0.7600"},
		{"answered only", day, level(model.SLAnsweredOnly), "0.8444"},
		{"short ignored", day, level(model.SLShortIgnored), "0.7755"},
		{"formula from elsewhere", day, level("?"), "0.7600"},
		{"level of a quiet day", quiet, level(model.SLAllAbandons), "n/a"},
		{"level, nothing sent", mute, level(model.SLAllAbandons), "unknown"},
		{"level of 0", calls(n(0), n(3), n(1), none, none), level(model.SLAllAbandons), "0.0000"},
		{"level without hangups", calls(n(3), n(3), none, none, none), level(model.SLAllAbandons), "unknown"},
		{"level needs no hangups", calls(n(3), n(3), none, none, none), level(model.SLAnsweredOnly), "1.0000"},
		{"level without short calls", calls(n(3), n(3), n(1), none, none), level(model.SLShortIgnored), "unknown"},
		{"abandon rate", day, (*model.ServiceCalls).AbandonRate, "0.0962"},
		{"no abandons", calls(none, none, n(0), none, n(9)), (*model.ServiceCalls).AbandonRate, "0.0000"},
		{"abandons of a quiet day", quiet, (*model.ServiceCalls).AbandonRate, "n/a"},
		{"long abandons", day, (*model.ServiceCalls).LongAbandonRate, "0.0784"},
		{"only short calls", calls(none, none, n(4), n(4), n(4)), (*model.ServiceCalls).LongAbandonRate, "n/a"},
		{"short calls that are no abandons", calls(none, none, n(2), n(5), n(9)), (*model.ServiceCalls).LongAbandonRate, "unknown"},
		{"answer rate", day, (*model.ServiceCalls).AnswerRate, "0.8654"},
		{"answer rate, nothing sent", mute, (*model.ServiceCalls).AnswerRate, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := figure(c.kpi(c.calls)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func level(f model.ServiceLevelFormula) func(*model.ServiceCalls) model.Figure {
	return func(c *model.ServiceCalls) model.Figure { return c.ServiceLevel(f) }
}

// figureCase is a figure and its expected text.
type figureCase struct {
	name string
	got  model.Figure
	want string
}

func checkFigures(t *testing.T, cases []figureCase) {
	t.Helper()
	for _, c := range cases {
		if got := figure(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWaitAndOutboundKPIs(t *testing.T) {
	t.Parallel()
	out := &model.ServiceCalls{OutboundAnsweredCalls: n(97), OutboundHangupCalls: n(3), OutboundReceivedCalls: n(200)}
	wait := func(avg model.Float, answered model.Int) *model.ServiceCalls {
		return &model.ServiceCalls{AverageTimeOnQueue: avg, AnsweredCalls: answered}
	}
	checkFigures(t, []figureCase{
		{"ASA", wait(model.FloatOf(12.5), n(3)).ASA(), "12.5000"},
		{"ASA of 0", wait(model.FloatOf(0), n(3)).ASA(), "0.0000"},
		{"ASA without calls", wait(model.FloatOf(0), n(0)).ASA(), "n/a"},
		{"ASA, calls unknown", wait(model.FloatOf(8), model.Int{}).ASA(), "8.0000"},
		{"ASA, nothing sent", wait(model.Float{}, n(3)).ASA(), "unknown"},
		{"outbound answer rate", out.OutboundAnswerRate(), "0.4850"},
		{"nuisance", out.NuisanceEstimate(), "0.0300"},
		{"nuisance of nothing", new(model.ServiceCalls).NuisanceEstimate(), "unknown"},
	})
	if d, ok := wait(model.FloatOf(12.5), n(3)).ASA().Seconds(); d.Milliseconds() != 12_500 || !ok {
		t.Errorf("ASA %v, %v, want 12.5 s", d, ok)
	}
}

func TestStaffKPIs(t *testing.T) {
	t.Parallel()
	users := &model.ServiceUsers{
		BusyOnServUsers: count(6), PostCallUsers: count(2), ReadyUsers: count(2),
		NotReadyUsers: count(5), LoggedUsers: count(20),
	}
	nobody := &model.ServiceUsers{BusyOnServUsers: count(0), PostCallUsers: count(0), ReadyUsers: count(0)}
	group := &model.GroupCalls{ReceivedCalls: n(10), AnsweredCalls: n(7), HangupCalls: n(2)}
	agent := &model.AgentFigures{
		NumberCallFromService: n(12), NumberCallFromServiceAnswered: n(10),
		TimeInStateBusy: n(2500), TimeInStateBusyOnService: n(2000), TimeInStateWNR: n(400),
		TimeInStateBooked: n(100), TimeInStateReady: n(1500), TimeInStateNotReady: n(500),
	}
	idle := &model.AgentFigures{TimeInStateBusyOnService: n(0), TimeInStateWNR: n(0), NumberCallFromServiceAnswered: n(0)}
	part := &model.AgentFigures{TimeInStateBusyOnService: n(1), TimeInStateWNR: n(1), TimeInStateReady: n(1)}
	checkFigures(t, []figureCase{
		{"occupancy now", users.Occupancy(), "0.8000"},
		{"occupancy of nobody", nobody.Occupancy(), "n/a"},
		{"shrinkage", users.Shrinkage(), "0.2500"},
		{"shrinkage, nothing sent", new(model.ServiceUsers).Shrinkage(), "unknown"},
		{"group abandon rate", group.AbandonRate(), "0.2000"},
		{"group answer rate", group.AnswerRate(), "0.7000"},
		{"group shrinkage", (&model.GroupUsers{NotReadyUsers: count(1), LoggedUsers: count(4)}).Shrinkage(), "0.2500"},
		{"AHT", agent.AHT(), "240.0000"},
		{"AHT without calls", idle.AHT(), "n/a"},
		{"AHT, nothing sent", new(model.AgentFigures).AHT(), "unknown"},
		{"occupancy", agent.Occupancy(), "0.6250"},
		{"occupancy without booked", part.Occupancy(), "unknown"},
		{"agent answer rate", agent.AnswerRate(), "0.8333"},
	})
	if got, ok := agent.LoggedTime().Get(); got != 5000 || !ok {
		t.Errorf("logged time %d, %v, want 5000", got, ok)
	}
	if part.LoggedTime().Known() {
		t.Error("a logged time of which parts are unknown")
	}
}

func TestCampaignKPIs(t *testing.T) {
	t.Parallel()
	campaign := &model.Campaign{
		TotalContacts: n(1000), TriedContacts: n(400), StartedCalls: n(600), OkContacts: n(150),
		UsedChannels: n(9), AllocatedChannels: n(12), AvailableResources: n(8), FreeResources: n(2),
	}
	checkFigures(t, []figureCase{
		{"penetration", campaign.Penetration(), "0.4000"},
		{"attempts per contact", campaign.AttemptsPerContact(), "1.5000"},
		{"hit rate", campaign.HitRate(), "0.2500"},
		{"contact rate", campaign.ContactRate(), "0.3750"},
		{"lines busy", campaign.LineUtilization(), "0.7500"},
		{"resources busy", campaign.ResourceUtilization(), "0.7500"},
		{"not begun", (&model.Campaign{StartedCalls: n(0), OkContacts: n(0)}).HitRate(), "n/a"},
		{"more free than available", (&model.Campaign{AvailableResources: n(2), FreeResources: n(3)}).ResourceUtilization(), "unknown"},
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	calls := func(inTime, all int64) *model.ServiceCalls {
		return &model.ServiceCalls{AnsweredCallsUnderSpeedLimit: n(inTime), AnsweredCalls: n(all), HangupCalls: n(0)}
	}
	for _, c := range []struct {
		name   string
		calls  *model.ServiceCalls
		target float64
		want   model.ServiceLevelBudget
		ok     bool
	}{
		{"worked example", calls(380, 500), 0.80, model.ServiceLevelBudget{ToRecover: 100}, true},
		{"just met", calls(400, 500), 0.80, model.ServiceLevelBudget{}, true},
		{"one short", calls(399, 500), 0.80, model.ServiceLevelBudget{ToRecover: 5}, true},
		{"some left", calls(450, 500), 0.80, model.ServiceLevelBudget{MissesLeft: 50}, true},
		{"no calls", calls(0, 0), 0.80, model.ServiceLevelBudget{}, true},
		{"everything in time", calls(10, 10), 1, model.ServiceLevelBudget{}, true},
		{"never again everything", calls(9, 10), 1, model.ServiceLevelBudget{}, false},
		{"nothing sent", new(model.ServiceCalls), 0.80, model.ServiceLevelBudget{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := c.calls.ServiceLevelBudget(model.SLAllAbandons, c.target)
			if got != c.want || ok != c.ok {
				t.Errorf("%+v, %v, want %+v, %v", got, ok, c.want, c.ok)
			}
		})
	}
}

// TestBudgetKeepsItsWord checks that the budget is exact: using up the misses left still reaches the
// target, and the calls to recover reach it, while one call fewer does not.
func TestBudgetKeepsItsWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.Int64Range(0, 5000).Draw(t, "calls")
		inTime := rapid.Int64Range(0, all).Draw(t, "in time")
		percent := rapid.Int64Range(1, 99).Draw(t, "target")
		meets := func(k, n int64) bool { return 100*k >= percent*n }
		b, ok := (&model.ServiceCalls{AnsweredCallsUnderSpeedLimit: n(inTime), AnsweredCalls: n(all)}).
			ServiceLevelBudget(model.SLAnsweredOnly, float64(percent)/100)
		switch {
		case !ok || b.MissesLeft < 0 || b.ToRecover < 0 || b.MissesLeft > 0 && b.ToRecover > 0:
			t.Fatalf("budget %+v, %v", b, ok)
		case meets(inTime, all) && (b.ToRecover != 0 || !meets(inTime, all+b.MissesLeft)):
			t.Fatalf("%+v, but %d of %d meets %d %%", b, inTime, all, percent)
		case !meets(inTime, all) && (!meets(inTime+b.ToRecover, all+b.ToRecover) || meets(inTime+b.ToRecover-1, all+b.ToRecover-1)):
			t.Fatalf("%+v, but %d of %d misses %d %%", b, inTime, all, percent)
		}
	})
}

func TestFloorSumsBeforeItDivides(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	service := func(code string, ch model.Channel, c model.ServiceCalls) {
		s.Services.Put(&model.Service{Code: model.TextOf(code), Channel: ch, ChannelStats: c})
	}
	wait := func(avg float64, answered model.Int, longest int64) model.ServiceCalls {
		return model.ServiceCalls{
			AverageTimeOnQueue: model.FloatOf(avg), AnsweredCalls: answered, MaxTimeCallOnQueue: n(longest),
			AnsweredCallsUnderSpeedLimit: answered, HangupCalls: n(0),
		}
	}
	service("big", model.Call, wait(10, n(90), 30))
	service("small", model.Call, wait(110, n(10), 200))
	service("quiet", model.Call, wait(0, n(0), 0))
	service("no average", model.Call, model.ServiceCalls{AnsweredCalls: n(900), HangupCalls: n(1000)})
	service("mute", model.Call, model.ServiceCalls{})
	service("chat", model.Chat, wait(1000, n(1000), 9999))
	agent := func(name string, st model.UserStatus, answered model.Int) {
		r := &model.UserStat{Username: model.TextOf(name)}
		r.Channel, r.Status, r.NumberCallFromServiceAnswered = model.Call, st, answered
		s.UserStats.Put(r)
	}
	agent("anna", model.Ready, n(3))
	agent("bob", model.Ready, n(4))
	agent("carl", "ON_THE_MOON", model.Int{})
	agent("dora", "", n(0))

	f := model.FloorOf(s.Publish(noon, model.Health{}), model.Call, nil, nil)
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"services", f.Services, 5},
		{"users", f.Users, 4},
		{"ready", f.States[model.Ready], 2},
		{"unlisted state", f.States["ON_THE_MOON"], 1},
		{"unknown state", f.States[""], 1},
		{"ASA", figure(f.Calls.ASA()), "20.0000"}, // (10 s * 90 calls + 110 s * 10 calls) / 100 calls
		{"longest wait", f.Calls.MaxTimeCallOnQueue, n(200)},
		{"answered", f.Calls.AnsweredCalls, n(1000)},
		{"never sent", f.Calls.QueuedCalls, model.Int{}},
		{"service level with a part missing", figure(f.Calls.ServiceLevel(model.SLAllAbandons)), "unknown"},
		{"agents' calls", f.Agents.NumberCallFromServiceAnswered, n(7)},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}

	part := model.FloorOf(s.Publish(noon, model.Health{}), model.Call,
		func(r *model.Service) bool { return r.Code.String() == "quiet" },
		func(r *model.UserStat) bool { return r.Status == model.Ready })
	both := model.FloorOf(s.Publish(noon, model.Health{}), model.Call,
		func(r *model.Service) bool {
			return r.Code.String() == "big" || r.Code.String() == "small" || r.Code.String() == "mute"
		}, nil)
	if sl := figure(both.Calls.ServiceLevel(model.SLAllAbandons)); sl != "1.0000" {
		t.Errorf("a service that sent nothing took part: service level %s", sl)
	}
	if part.Services != 1 || part.Users != 2 || !part.Calls.ASA().IsNotApplicable() {
		t.Errorf("%d services, %d users, ASA %s, want 1, 2, n/a", part.Services, part.Users, figure(part.Calls.ASA()))
	}
}

// TestLongestWaitIsNotThatOfTheOthers has a caller with an unknown wait: the longest of the
// other waits is not the result.
func TestLongestWaitIsNotThatOfTheOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		queued int64
		want   model.Int
	}{{0, model.IntOf(5)}, {1, model.Int{}}} {
		s := model.NewStore()
		s.Services.Put(&model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(1), MaxTimeCallOnQueue: model.IntOf(5),
		}})
		s.Services.Put(&model.Service{Code: model.TextOf("B"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(c.queued)}})
		f := model.FloorOf(s.Publish(noon, model.Health{}), model.Call, nil, nil)
		if got := f.Calls.MaxTimeCallOnQueue; got != c.want {
			t.Errorf("with %d waiting unseen the longest wait is %v, want %v", c.queued, got, c.want)
		}
	}
}

// TestTallyIsTheFloor adds, changes and removes users, and compares Tally with FloorOf from
// time to time, on changing channels. The order of the services does not matter.
func TestTallyIsTheFloor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := model.NewStore()
		channels := []model.Channel{model.Call, model.Chat}
		count := rapid.Custom(func(t *rapid.T) model.Int {
			if v := rapid.Int64Range(-1, 9).Draw(t, "count"); v >= 0 {
				return n(v)
			}
			return model.Int{}
		})
		var tally model.FloorTally
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key := model.UserStatKey{
				Username: rapid.SampledFrom([]string{"anna", "bob", "carl", "dora"}).Draw(t, "user"),
				Channel:  rapid.SampledFrom(channels).Draw(t, "on"),
			}
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				s.UserStats.Delete(key)
			case 1:
				got := s.Publish(noon, model.Health{})
				ch := rapid.SampledFrom(channels).Draw(t, "shown")
				want := model.FloorOf(got, ch, nil, nil)
				if f := tally.Floor(got, ch); !reflect.DeepEqual(f, want) {
					t.Fatalf("%+v\nis not\n%+v", f, want)
				}
			default:
				r := &model.UserStat{Username: model.TextOf(key.Username)}
				r.Channel = key.Channel
				r.Status = rapid.SampledFrom([]model.UserStatus{"", model.Ready, model.Busy, "ON_THE_MOON"}).Draw(t, "status")
				r.NumberCallFromServiceAnswered = count.Draw(t, "answered")
				r.TimeInStateWNR = count.Draw(t, "wrap-up")
				s.UserStats.Put(r)
			}
		}
	})
}

func TestFloorIsTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type entry struct{ answered, average int64 }
		drawn := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
			return entry{rapid.Int64Range(-1, 9).Draw(t, "answered"), rapid.Int64Range(-1, 90).Draw(t, "average")}
		}), 1, 6).Draw(t, "services")
		asa := func(order []int) (float64, bool) {
			s := model.NewStore()
			for _, i := range order {
				r := &model.Service{Code: model.TextOf(fmt.Sprint(i)), Channel: model.Call}
				if e := drawn[i]; e.answered >= 0 { // -1: the platform sends no value
					r.ChannelStats.AnsweredCalls = n(e.answered)
				}
				if e := drawn[i]; e.average >= 0 {
					r.ChannelStats.AverageTimeOnQueue = model.FloatOf(float64(e.average))
				}
				s.Services.Put(r)
			}
			f := model.FloorOf(s.Publish(noon, model.Health{}), model.Call, nil, nil)
			return f.Calls.ASA().Get()
		}
		straight := make([]int, len(drawn))
		var waited, answered float64
		for i, e := range drawn {
			straight[i] = i
			if e.answered > 0 && e.average >= 0 {
				waited += float64(e.answered * e.average)
				answered += float64(e.answered)
			}
		}
		a, okA := asa(straight)
		b, okB := asa(rapid.Permutation(straight).Draw(t, "order"))
		known := answered > 0
		if okA != known || okB != known {
			t.Fatalf("ASA known: %v and %v, want %v", okA, okB, known)
		}
		if known && (math.Abs(a-b) > 1e-9 || math.Abs(a-waited/answered) > 1e-9) {
			t.Fatalf("ASA %v and %v, want %v", a, b, waited/answered)
		}
	})
}

// TestContradictingCountersMakeNoFigure checks that contradictory counters give an unknown figure. A
// figure of 120 % would be obviously wrong, but 90 % of it would be wrong without being noticed.
func TestContradictingCountersMakeNoFigure(t *testing.T) {
	t.Parallel()
	c := model.ServiceCalls{AnsweredCalls: n(10), AnsweredCallsUnderSpeedLimit: n(12), HangupCalls: n(0), ShortCalls: n(0)}
	if f := c.ServiceLevel(model.SLAllAbandons); f.Known() || f.IsNotApplicable() {
		t.Errorf("12 of 10 calls in time: %s", figure(f))
	}
	if _, ok := c.ServiceLevelBudget(model.SLAllAbandons, 0.8); ok {
		t.Error("a budget of 12 of 10 calls")
	}
	c = model.ServiceCalls{AnsweredCalls: n(10), AnsweredCallsUnderSpeedLimit: n(7), HangupCalls: n(2), ShortCalls: n(5)}
	if f := c.ServiceLevel(model.SLShortIgnored); f.Known() || f.IsNotApplicable() {
		t.Errorf("5 short calls among 2 abandoned ones: %s", figure(f))
	}
}
