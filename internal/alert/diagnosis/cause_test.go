package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

var (
	trouble = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	key     = model.ServiceKey{Code: "S", Channel: model.Call}
)

// causeHall is a floor with one service and controllable agents.
type causeHall struct {
	store *model.Store
	track *diagnosis.History
	now   time.Time
	snap  *model.Snapshot

	came, answered int64
	states         []model.UserStatus
	told           bool // the number of contacts is known
	usual          func(model.ServiceKey, time.Time) (float64, words.Text, bool)
}

func newCauseHall(agents int) *causeHall {
	h := &causeHall{store: model.NewStore(), track: diagnosis.NewHistory(), now: trouble, told: true}
	for range agents {
		h.states = append(h.states, model.Ready)
	}
	return h
}

// agent sets the state of an agent.
func (h *causeHall) agent(i int, state model.UserStatus, activity, service string) {
	h.states[i] = state
	name := fmt.Sprintf("a%02d", i)
	h.store.Users.Put(&model.User{Username: model.TextOf(name), Services: []string{"S"}})
	if state == "" {
		h.store.UserStats.Delete(model.UserStatKey{Username: name, Channel: model.Call})
		return
	}
	h.store.UserStats.Put(&model.UserStat{
		Username: model.TextOf(name),
		AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: state, ActivityCode: model.TextOf(activity), CurrentService: model.TextOf(service), TimeInState: model.InstantOf(h.now),
		},
	})
}

func heads(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: model.IntOf(n)} }

// second advances the time by a second.
func (h *causeHall) second(waiting int64) {
	h.now = h.now.Add(time.Second)
	ready, logged := int64(0), int64(0)
	for _, s := range h.states {
		if s != "" {
			logged++
		}
		if s == model.Ready {
			ready++
		}
	}
	r := &model.Service{
		Code: model.TextOf("S"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{AnsweredCalls: model.IntOf(h.answered), HangupCalls: model.IntOf(0), QueuedCalls: model.IntOf(waiting)},
		UserStats:    model.ServiceUsers{ReadyUsers: heads(ready), LoggedUsers: heads(logged)},
	}
	if logged == 0 {
		r.UserStats.NotReadyUsers, r.UserStats.BusyUsers = heads(0), heads(0)
		r.UserStats.BusyOnServUsers, r.UserStats.PostCallUsers = heads(0), heads(0)
	}
	if h.told {
		r.ChannelStats.ReceivedCalls = model.IntOf(h.came)
	}
	h.store.Services.Put(r)
	h.snap = h.store.Publish(h.now, model.Health{Link: model.Link{State: model.LinkUp}})
	h.track.Update(h.snap, h.now)
}

// works makes a contact arrive at regular intervals; a free agent handles it for talk
// and wrap seconds.
func (h *causeHall) works(seconds, every, talk, wrap int, waiting int64) {
	left := make([]int, len(h.states))
	queue := 0
	for at := range seconds {
		if at%every == 0 {
			h.came++
			queue++
		}
		for i, s := range h.states {
			if left[i]--; left[i] > 0 {
				continue
			}
			switch {
			case s == model.Busy && wrap > 0:
				h.agent(i, model.WNR, "", "S")
				left[i] = wrap
			case s == model.Busy, s == model.WNR:
				h.agent(i, model.Ready, "", "")
			case s == model.Ready && queue > 0:
				queue--
				h.answered++
				h.agent(i, model.Busy, "", "S")
				left[i] = talk
			}
		}
		h.second(max(waiting, int64(queue)))
	}
}

func (h *causeHall) why(ago time.Duration) ([]diagnosis.Cause, string) {
	causes, unexplained := diagnosis.ExplainQueue(h.track, h.snap, diagnosis.CauseInput{
		Key: key, Since: h.now.Add(-ago), Now: h.now,
		Activity: func(code string) string { return code }, Service: func(code string) string { return code },
		Baseline: h.usual,
	})
	return causes, unexplained.In(nil)
}

// TestUsualRateIsArithmetic checks that the usual rate is shown if it is known but
// creates no cause.
func TestUsualRateIsArithmetic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rate  float64
		known bool
		want  bool
	}{"known": {2.5, true, true}, "unknown": {0, false, false}, "none comes": {0, true, true}} {
		h := describeBase()
		h.usual = func(model.ServiceKey, time.Time) (float64, words.Text, bool) {
			return c.rate, words.Name("the floor on Mondays"), c.known
		}
		h.works(240, 5, 60, 20, 3)
		causes, _ := h.why(90 * time.Second)
		if len(causes) == 0 || causes[0].Kind != diagnosis.MoreContacts {
			t.Fatalf("%s: %+v", name, causes)
		}
		told := slices.ContainsFunc(causes[0].Steps, func(step string) bool {
			return strings.HasPrefix(step, "Typical at this time: ") && strings.HasSuffix(step, " a minute (the floor on Mondays)")
		})
		if told != c.want {
			t.Errorf("%s: %q", name, causes[0].Steps)
		}
	}
}

// describeBase returns eight agents at half of their capacity: a call every 20 seconds that
// takes 80 seconds.
func describeBase() *causeHall {
	h := newCauseHall(8)
	for i := range h.states {
		h.agent(i, model.Ready, "", "")
	}
	h.works(20*60, 20, 60, 20, 0)
	return h
}

func TestTheCauseIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(*causeHall)
		want diagnosis.CauseKind
		text string
	}{
		"more contacts": {func(h *causeHall) { h.works(240, 5, 60, 20, 3) }, diagnosis.MoreContacts, "times as many calls as before"},
		"fewer agents": {func(h *causeHall) {
			for i := range 6 {
				h.agent(i, model.NotReady, "LUNCH", "")
			}
			h.works(240, 20, 60, 20, 3)
		}, diagnosis.FewerAgents, "6 of its 8 agents went to LUNCH at 12:20."},
		"logged out": {func(h *causeHall) {
			for i := range 6 {
				h.agent(i, "", "", "")
			}
			h.works(240, 20, 60, 20, 3)
		}, diagnosis.FewerAgents, "6 of its 8 agents logged out at 12:20."},
		"longer talks": {func(h *causeHall) { h.works(400, 20, 300, 20, 3) }, diagnosis.LongerHandling, "Talk time is"},
		"after-call":   {func(h *causeHall) { h.works(400, 20, 60, 300, 3) }, diagnosis.LongerWrapUp, "agents have been in it for over"},
		"elsewhere": {func(h *causeHall) {
			for i := range 6 {
				h.agent(i, model.BusyDNCallOut, "", "")
			}
			h.works(240, 20, 60, 20, 3)
		}, diagnosis.AgentsBusyElsewhere, "6 of its 8 agents are on non-queue calls"},
		"other service": {func(h *causeHall) {
			for i := range 6 {
				h.agent(i, model.NotReadyBusy, "", "T")
			}
			h.works(240, 20, 60, 20, 3)
		}, diagnosis.AgentsBusyElsewhere, "6 of its 8 agents are busy with T"},
		"routing": {func(h *causeHall) {
			for range 120 {
				h.second(4)
			}
		}, diagnosis.Routing, "Check the routing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := describeBase()
			c.play(h)
			causes, unexplained := h.why(90 * time.Second)
			if len(causes) == 0 || causes[0].Kind != c.want || !strings.Contains(causes[0].Text, c.text) {
				t.Fatalf("%+v, %q", causes, unexplained)
			}
			if len(causes[0].Steps) == 0 {
				t.Error("without its arithmetic")
			}
		})
	}
}

// TestMoreContactsSaysForHowLong distinguishes a past burst from a lasting increase, as
// the forecast does.
func TestMoreContactsSaysForHowLong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play        func(*causeHall)
		text, brief string
	}{
		"a burst":              {func(h *causeHall) { h.works(60, 2, 60, 20, 3); h.works(60, 20, 60, 20, 3) }, "calls in 1 min, over since 12:2", "calls in 1 min"},
		"a burst that goes on": {func(h *causeHall) { h.works(90, 2, 60, 20, 3) }, "calls a minute in the last 2 min, up from ", "calls a minute in the last"},
		"it has just begun":    {func(h *causeHall) { h.works(40, 2, 60, 20, 3) }, " (normally ", " calls in the last "},
		"a surge":              {func(h *causeHall) { h.works(300, 5, 60, 20, 3) }, "times as many calls as before: 1", "times as many calls as before"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := describeBase()
			c.play(h)
			causes, unexplained := h.why(90 * time.Second)
			if len(causes) == 0 || causes[0].Kind != diagnosis.MoreContacts || !strings.Contains(causes[0].Text, c.text) || !strings.Contains(causes[0].ShortText(), c.brief) {
				t.Fatalf("%+v, %q", causes, unexplained)
			}
		})
	}
}

func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	h := describeBase()
	for i := range 4 {
		h.agent(i, model.NotReady, "LUNCH", "")
	}
	h.works(240, 10, 60, 20, 3)
	causes, _ := h.why(90 * time.Second)
	kinds := make(map[diagnosis.CauseKind]bool)
	for _, c := range causes {
		kinds[c.Kind] = true
	}
	if !kinds[diagnosis.FewerAgents] || !kinds[diagnosis.MoreContacts] {
		t.Errorf("%+v", causes)
	}
}

// TestASlowDecline makes an agent leave every twelve minutes, so each quarter of an
// hour looks like the one before.
func TestASlowDecline(t *testing.T) {
	t.Parallel()
	h := describeBase()
	for i := range 6 {
		h.agent(i, "", "", "")
		h.works(12*60, 20, 60, 20, 0)
	}
	h.works(120, 20, 60, 20, 3)
	causes, unexplained := h.why(4 * time.Minute)
	if len(causes) == 0 || causes[0].Kind != diagnosis.FewerAgents {
		t.Fatalf("%+v, %q", causes, unexplained)
	}
	if n, _ := causes[0].Agents.Get(); n < 4.5 || len(causes[0].Departed) != 6 || !strings.Contains(causes[0].Basis, "in the 8") {
		t.Errorf("%v agents fewer, %d named, compared with %q", n, len(causes[0].Departed), causes[0].Basis)
	}
}

// TestBoundOneAfterTheOther binds agents with other work for a while before callers
// wait.
func TestBoundOneAfterTheOther(t *testing.T) {
	t.Parallel()
	h := describeBase()
	for i := range 6 {
		h.agent(i, model.NotReadyBusy, "", "T")
		h.works(90, 20, 60, 20, 0)
	}
	h.works(60, 20, 60, 20, 3)
	causes, unexplained := h.why(30 * time.Second)
	if len(causes) == 0 || causes[0].Kind != diagnosis.AgentsBusyElsewhere {
		t.Fatalf("%+v, %q", causes, unexplained)
	}
	if n, _ := causes[0].Agents.Get(); n < 5.5 {
		t.Errorf("%v agents are bound more than before", n)
	}
}

// TestWhoLooksInIsNotWhoIsMissing checks a service whose only agent logs in for a
// moment before callers wait.
func TestWhoLooksInIsNotWhoIsMissing(t *testing.T) {
	t.Parallel()
	h := newCauseHall(1)
	h.agent(0, "", "", "")
	h.works(15*60, 20000, 60, 20, 0)
	h.agent(0, model.Ready, "", "")
	h.works(60, 20000, 60, 20, 0)
	h.agent(0, "", "", "")
	h.works(120, 20000, 60, 20, 2)
	causes, unexplained := h.why(90 * time.Second)
	if len(causes) == 0 || causes[0].Kind != diagnosis.SkillMissing || !strings.Contains(causes[0].Text, "The last agent with this skill logged out at 12:16") {
		t.Errorf("%+v, %q", causes, unexplained)
	}
}

func TestNothingChangedIsNoCause(t *testing.T) {
	t.Parallel()
	h := describeBase()
	h.works(240, 20, 60, 20, 0)
	h.states[0] = model.Busy // no agent is ready, so routing is not the cause
	for i := range h.states {
		h.agent(i, model.Busy, "", "S")
	}
	h.second(1)
	if causes, unexplained := h.why(time.Second); len(causes) != 0 || !strings.Contains(unexplained, "do not explain it") {
		t.Errorf("%+v, %q", causes, unexplained)
	}
}

func TestUnknownContactsExplainNothing(t *testing.T) {
	t.Parallel()
	h := newCauseHall(8)
	h.told = false
	for i := range h.states {
		h.agent(i, model.Ready, "", "")
	}
	h.works(20*60, 20, 60, 20, 0)
	h.works(240, 5, 60, 20, 3)
	if causes, unexplained := h.why(90 * time.Second); len(causes) != 0 || !strings.Contains(unexplained, "no data on arrivals") {
		t.Errorf("%+v, %q", causes, unexplained)
	}
}

func TestStaleFiguresExplainNothing(t *testing.T) {
	t.Parallel()
	h := describeBase()
	h.works(240, 5, 60, 20, 3)
	h.snap = h.store.Publish(h.now, model.Health{Link: model.Link{State: model.LinkBackoff}})
	if causes, unexplained := h.why(90 * time.Second); len(causes) != 0 || !strings.Contains(unexplained, "The figures are not current") {
		t.Errorf("%+v, %q", causes, unexplained)
	}
}

// TestSharesOfAnything plays random events: shares never exceed 1, results are
// deterministic, and unknown figures give no causes.
func TestSharesOfAnything(t *testing.T) {
	t.Parallel()
	states := []model.UserStatus{model.Ready, model.Busy, model.WNR, model.NotReady, model.BusyDNCallOut, model.NotReadyBusy, ""}
	rapid.Check(t, func(t *rapid.T) {
		h := newCauseHall(rapid.IntRange(0, 6).Draw(t, "agents"))
		h.told = rapid.Bool().Draw(t, "told")
		for range rapid.IntRange(1, 5).Draw(t, "acts") {
			for i := range h.states {
				h.agent(i, rapid.SampledFrom(states).Draw(t, "state"), "A", rapid.SampledFrom([]string{"", "S", "T"}).Draw(t, "service"))
			}
			every, talk := rapid.IntRange(1, 60).Draw(t, "every"), rapid.IntRange(1, 300).Draw(t, "talk")
			h.works(rapid.IntRange(1, 500).Draw(t, "seconds"), every, talk, rapid.IntRange(0, 200).Draw(t, "wrap"), 0)
		}
		ago := time.Duration(rapid.IntRange(0, 1000).Draw(t, "ago")) * time.Second
		causes, unexplained := h.why(ago)
		again, unexplainedAgain := h.why(ago)
		if d := cmp.Diff(causes, again, cmpopts.EquateComparable(model.Figure{})); d != "" || unexplained != unexplainedAgain {
			t.Fatalf("results differ for the same input: %s", d)
		}
		if (len(causes) == 0) == (unexplained == "") {
			t.Fatalf("%d causes, and %q", len(causes), unexplained)
		}
		sum := 0.0
		for _, c := range causes {
			share, ok := c.Share.Get()
			if !ok || share < 0 || c.Text == "" {
				t.Fatalf("%+v", c)
			}
			sum += share
			if !h.told && c.Kind != diagnosis.SkillMissing && c.Kind != diagnosis.FewerAgents && c.Kind != diagnosis.Routing {
				t.Fatalf("%s of unknown figures", c.Kind)
			}
		}
		if sum > 1+1e-9 {
			t.Fatalf("the shares are %v", sum)
		}
	})
}

// TestArithmeticAddsUp checks the described arithmetic by hand.
func TestArithmeticAddsUp(t *testing.T) {
	t.Parallel()
	h := describeBase()
	h.works(240, 5, 60, 20, 3)
	causes, _ := h.why(90 * time.Second)
	var more, counted, agents float64
	var minutes, seconds int
	const form = "%f more calls a minute in the last 4 min, %f beyond normal variation. At %d:%d each, that takes %f agents"
	if _, err := fmt.Sscanf(causes[0].Steps[0], form, &more, &counted, &minutes, &seconds, &agents); err != nil {
		t.Fatalf("%q: %v", causes[0].Steps[0], err)
	}
	then, _ := causes[0].Before.Get()
	now, _ := causes[0].Now.Get()
	if d := now - then - more; d > 0.1 || d < -0.1 {
		t.Errorf("%v are said to be more than %v by %v", now, then, more)
	}
	if d := counted*float64(minutes*60+seconds)/60 - agents; d > 0.2 || d < -0.2 {
		t.Errorf("%v times %d:%02d is not %v", counted, minutes, seconds, agents)
	}
	if lack, ok := diagnosis.MissingAgents(causes).Get(); !ok || lack < agents-0.1 {
		t.Errorf("%v agents of %v", agents, lack)
	}
}

// TestCampaignWithoutContacts checks that the cause does not change with the free and ringing lines,
// which change every few seconds.
func TestCampaignWithoutContacts(t *testing.T) {
	t.Parallel()
	const want = "All 400 contacts have been called."
	dry := model.Campaign{ToDoContacts: model.IntOf(0), TotalContacts: model.IntOf(400), AvailableResources: model.IntOf(10)}
	for _, free := range []model.Int{{}, model.IntOf(0), model.IntOf(3)} {
		r := dry
		r.FreeResources, r.RingingContacts = free, model.IntOf(4)
		if out := diagnosis.CampaignCauses(&r); len(out) != 1 || out[0].Text != want {
			t.Errorf("%+v, want %q", out, want)
		}
	}
}
