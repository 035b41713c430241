package situation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// passes advances the time by seconds.
func (f *stand) passes(seconds int) {
	for range seconds {
		f.look(time.Second)
	}
}

func TestUnknownFiguresExplainNothing(t *testing.T) {
	t.Parallel()
	f := newStand(t, alert.Rule{Name: "own", Scope: alert.Service, When: `code == "S"`, Severity: alert.Critical})
	f.store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call})
	f.passes(120)
	if len(f.view.Live) != 1 {
		t.Fatalf("%d situations", len(f.view.Live))
	}
	sit := f.view.Live[0]
	if len(sit.Causes) != 0 || sit.UnexplainedReason == "" {
		t.Errorf("causes %+v, %q", sit.Causes, sit.UnexplainedReason)
	}
	if sit.Help.ClearTimeKnown || sit.Help.Needed.MoreAgents != 0 {
		t.Errorf("help out of nothing: %+v", sit.Help)
	}
}

func TestStaleExplainsNothing(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 0, 0, 1, 1)
	f.passes(300)
	f.service("S", 10, 70, 1, 0)
	f.passes(30)
	was := f.view.Live[0].Headline
	for i := range f.health.Subscriptions {
		f.health.Subscriptions[i].State = model.SubStale
	}
	f.passes(30)
	if len(f.view.Live) != 2 || f.view.Live[0].Place.Key.Scope != alert.Feed {
		t.Fatalf("the feed is not first: %+v", f.view.Live)
	}
	sit := f.view.Live[1]
	if sit.StaleSince.IsZero() || len(sit.Causes) != 0 || !strings.Contains(sit.UnexplainedReason, "The figures are not current") {
		t.Errorf("stale since %v, %+v, %q", sit.StaleSince, sit.Causes, sit.UnexplainedReason)
	}
	if sit.Headline != was {
		t.Errorf("%q of old figures, it was %q", sit.Headline, was)
	}
	if strings.HasPrefix(f.view.QuietLine, "All") {
		t.Errorf("quiet: %q", f.view.QuietLine)
	}
}

// TestPartlyStale makes one subscription stale at a time. A queue is not explained from
// the next second on if the subscription matters for it or for its agents.
func TestPartlyStale(t *testing.T) {
	t.Parallel()
	for op, explains := range map[model.Op]bool{
		model.OpServices: false, model.OpUsers: false, model.OpUserStats: false, model.OpCampaigns: true,
	} {
		f := newStand(t)
		f.agent("a", model.Ready, []string{"T"}, nil)
		f.service("S", 10, 70, 0, 0)
		f.passes(30)
		i := slices.IndexFunc(f.health.Subscriptions, func(s model.Subscription) bool { return s.Name == op })
		f.health.Subscriptions[i].State, f.health.Subscriptions[i].Reason = model.SubStale, "out of order"
		for second := range 30 {
			f.look(time.Second)
			sit := f.view.ByKey(alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call})
			if got := len(sit.Causes) > 0; got != explains || got == strings.Contains(sit.UnexplainedReason, "The figures are not current") {
				t.Fatalf("%s, second %d: causes %+v, %q", op, second, sit.Causes, sit.UnexplainedReason)
			}
		}
		feed := f.view.Live[0]
		if want := "The platform is not sending current figures: " + words.RecordNouns(op).In(nil) + " (out of order)."; feed.Place.Key.Scope != alert.Feed || feed.Causes[0].Text != want {
			t.Errorf("%s: the first is %+v", op, feed)
		}
	}
}

func TestNoHistory(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	for _, name := range []string{"a", "b", "c"} {
		f.agent(name, model.NotReady, []string{"S"}, nil)
	}
	f.service("S", 10, 70, 3, 0)
	v := f.look(0)
	if len(v.Live) != 1 || !v.Live[0].FromStart {
		t.Fatalf("%+v", v.Live)
	}
	sit := v.Live[0]
	if len(sit.Causes) != 0 || !strings.Contains(sit.UnexplainedReason, "Monitoring has just begun") || !strings.Contains(sit.UnexplainedReason, "Its 3 agents: 3 not ready") {
		t.Errorf("%+v, %q", sit.Causes, sit.UnexplainedReason)
	}
	f.passes(40)
	sit = f.view.Live[0]
	if len(sit.Causes) != 0 || !strings.Contains(sit.UnexplainedReason, "Monitored for 0:30: no calls.") {
		t.Errorf("%+v, %q", sit.Causes, sit.UnexplainedReason)
	}
}

func TestNobodyServesIt(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Ready, []string{"T"}, nil)
	f.service("S", 4, 40, 0, 0)
	f.service("T", 0, 0, 1, 1)
	f.passes(30)
	sit := f.view.Live[0]
	if len(sit.Causes) != 1 || sit.Causes[0].Kind != diagnosis.SkillMissing || !strings.Contains(sit.Causes[0].Text, "1 agent is available for other services") {
		t.Errorf("%+v", sit.Causes)
	}
	if !strings.HasSuffix(sit.Headline, "No agents logged in.") {
		t.Errorf("%q", sit.Headline)
	}
}

func TestClockSetBack(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 10, 70, 1, 0)
	f.passes(30)
	before := f.view.Live[0]
	f.now = f.now.Add(-time.Hour)
	f.passes(3)
	if len(f.view.Live) != 1 || f.view.Live[0].ID != before.ID {
		t.Fatalf("another situation: %+v", f.view.Live)
	}
	if after := f.view.Live[0]; after.TotalToday < 0 || strings.Contains(after.Headline, "-") {
		t.Errorf("%v, %q", after.TotalToday, after.Headline)
	}
	f.service("S", 0, 0, 1, 1)
	f.passes(3)
	if len(f.view.Live) != 0 || len(f.view.Recovered) != 1 {
		t.Errorf("%+v, %+v", f.view.Live, f.view.Recovered)
	}
}

// TestOneTurnsIntoAnother checks that the situation of a group becomes part of the
// situation of its service and is not reported as over.
func TestOneTurnsIntoAnother(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, []string{"G"})
	f.service("S", 0, 0, 1, 1)
	f.group("G", 3, 1, 0)
	f.passes(40)
	if len(f.view.Live) != 1 || f.view.Live[0].Place.Key.Scope != alert.Group {
		t.Fatalf("%+v", f.view.Live)
	}
	f.service("S", 3, 50, 1, 0)
	f.passes(2)
	if len(f.view.Live) != 1 || f.view.Live[0].Place.Key.Scope != alert.Service || len(f.view.Recovered) != 0 {
		t.Fatalf("%+v, over: %+v", f.view.Live, f.view.Recovered)
	}
	f.service("S", 0, 0, 1, 1)
	f.passes(2)
	if len(f.view.Live) != 1 || f.view.Live[0].Place.Key.Scope != alert.Service {
		t.Fatalf("the group alone: %+v", f.view.Live)
	}
	f.group("G", 0, 1, 1)
	f.passes(2)
	if len(f.view.Live) != 0 || len(f.view.Recovered) != 1 {
		t.Errorf("%+v, over: %+v", f.view.Live, f.view.Recovered)
	}
}

func TestOwnRulesJoinTheirPlace(t *testing.T) {
	t.Parallel()
	f := newStand(t, alert.Rule{
		Name: "VIP", Scope: alert.Service, When: "queuedCalls > 5", Severity: alert.Warning, Message: "{title}: more than five VIPs",
	})
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 10, 40, 1, 0)
	f.passes(3)
	if len(f.view.Live) != 1 {
		t.Fatalf("%d situations", len(f.view.Live))
	}
	sit := f.view.Live[0]
	if !slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Rule == "VIP" }) || !strings.HasSuffix(sit.Headline, "More than five VIPs.") {
		t.Errorf("%q of %d alerts", sit.Headline, len(sit.Alerts))
	}
}

// TestTheDayStandsApart checks that a bad share of the day is no live situation and
// never critical.
func TestTheDayStandsApart(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.store.Services.Put(&model.Service{
		Code: model.TextOf("S"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(0), ReceivedCalls: model.IntOf(100), AnsweredCalls: model.IntOf(60), HangupCalls: model.IntOf(40),
			AnsweredCallsUnderSpeedLimit: model.IntOf(20),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(1), ReadyUsers: heads(1)},
	})
	v := f.look(0)
	if len(v.Live) != 0 || len(v.Today) != 1 {
		t.Fatalf("live %+v, today %+v", v.Live, v.Today)
	}
	if v.Today[0].Level != alert.Warning || v.Today[0].Affected != 40 {
		t.Errorf("%v, %d", v.Today[0].Level, v.Today[0].Affected)
	}
	if !strings.Contains(v.QuietLine, "Nothing needs action now · no one waiting · today: S missing target") {
		t.Errorf("%q", v.QuietLine)
	}
}

// TestTheDayIsNeverCritical uses a custom rule that makes a figure of the day critical.
func TestTheDayIsNeverCritical(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 0, 0, 1, 1)
	s := f.store.Publish(f.now, f.health)
	day := alert.Alert{
		ID: "x", Rule: "own", Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call},
		Level: alert.Critical, Since: f.now, Daily: true, Text: "S: a bad day",
	}
	v := f.watch.Update(s, []alert.Alert{day}, nil, f.now)
	if len(v.Live) != 0 || len(v.Today) != 1 || v.Today[0].Level != alert.Warning {
		t.Errorf("live %+v, today %+v", v.Live, v.Today)
	}
}

func TestHurtsMostFirst(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("A", 2, 70, 1, 0)
	f.service("B", 9, 70, 1, 0)
	f.service("C", 30, 40, 1, 0)
	v := f.look(0)
	var got []string
	for _, sit := range v.Live {
		got = append(got, sit.Place.Title)
	}
	if want := []string{"B", "A", "C"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTwoHundredAtOnce(t *testing.T) {
	t.Parallel()
	f := trouble(t, 200)
	f.t = t
	f.look(0)
	f.all(200, 9, 100)
	v := f.look(time.Second)
	if len(v.Live) != 200 {
		t.Fatalf("%d situations", len(v.Live))
	}
	seen := make(map[string]bool)
	for i := range v.Live {
		sit := &v.Live[i]
		seen[sit.Place.Key.Code] = true
		if sit.Level != alert.Critical || sit.Affected != 9 || !strings.HasPrefix(sit.Headline, "9 callers waiting, longest 1:30.") {
			t.Errorf("%s: %v, %d people, %q", sit.Place.Title, sit.Level, sit.Affected, sit.Headline)
		}
		if len(sit.Causes) == 0 && sit.UnexplainedReason == "" {
			t.Errorf("%s: neither a cause nor that there is none", sit.Place.Title)
		}
	}
	if len(seen) != 200 {
		t.Errorf("they are at %d places", len(seen))
	}
}

// TestHeldBack checks warnings that end by themselves, and one that does not.
func TestHeldBack(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.watch = situation.New(situation.Options{Hold: time.Minute})
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 0, 0, 1, 1)
	f.passes(3)
	f.service("S", 1, 25, 1, 0)
	f.passes(40)
	if len(f.view.Live) != 0 {
		t.Errorf("visible at once: %+v", f.view.Live)
	}
	if f.view.QuietLine != "S: 1 waiting, no one available" || len(f.view.PlacesHeldBack()) != 1 {
		t.Errorf("quiet line with a held situation: %q", f.view.QuietLine)
	}
	sit := f.view.ByKey(alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call})
	if sit == nil || sit.Headline == "" || len(sit.Causes) == 0 && sit.UnexplainedReason == "" {
		t.Errorf("lookup of a held situation: %+v", sit)
	} else if f.view.ByID(sit.ID) == nil || f.view.LiveByID(sit.ID) != nil {
		t.Error("it is not held back and known")
	}
	f.service("S", 0, 0, 1, 1)
	f.passes(5)
	if len(f.view.Recovered) != 0 {
		t.Errorf("recovered, although it was never visible: %+v", f.view.Recovered)
	}
	f.service("S", 2, 25, 1, 0)
	f.passes(61)
	if len(f.view.Live) != 1 || f.view.Live[0].OccurrencesToday != 1 {
		t.Fatalf("not visible after a minute: %+v", f.view.Live)
	}
	f.service("S", 3, 70, 1, 0)
	f.passes(1)
	f.service("S", 3, 29, 1, 0)
	f.passes(1)
	if len(f.view.Live) != 1 {
		t.Error("no longer visible")
	}
	g := newStand(t)
	g.watch = situation.New(situation.Options{Hold: time.Minute})
	g.service("S", 3, 70, 1, 0)
	if v := g.look(0); len(v.Live) != 1 {
		t.Errorf("critical, and held back: %+v", v)
	}
}

// TestAnAgentIsOnePlace checks that alerts of an agent form one situation on all
// channels, as long as one of them lasts.
func TestAnAgentIsOnePlace(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	channels := []model.Channel{model.Call, model.Chat, model.MailACD}
	put := func(ch model.Channel, state model.UserStatus, since time.Time) {
		f.store.UserStats.Put(&model.UserStat{
			Username:     model.TextOf("a"),
			AgentFigures: model.AgentFigures{Channel: ch, Status: state, TimeInState: model.InstantOf(since)},
		})
	}
	f.store.Users.Put(&model.User{Username: model.TextOf("a")})
	for i, ch := range channels {
		put(ch, model.NotReady, f.now.Add(-2*time.Hour-time.Duration(i)*time.Second))
	}
	v := f.look(time.Second)
	if len(v.Live) != 1 || len(v.Live[0].Alerts) != len(channels) {
		t.Fatalf("one agent on three channels: %+v", v.Live)
	}
	if n := strings.Count(strings.ToLower(v.Live[0].Headline), "not ready"); n != 1 {
		t.Errorf("repeated %d times: %q", n, v.Live[0].Headline)
	}
	id, place := v.Live[0].ID, v.Live[0].Place.Key
	put(place.Channel, model.Ready, f.now)
	for range 3 {
		v = f.look(time.Second)
	}
	if len(v.Live) != 1 || v.Live[0].ID != id || v.Live[0].Place.Key != place {
		t.Errorf("ready on one of the channels: %+v, it was %s", v.Live, id)
	}
	for _, ch := range channels {
		put(ch, model.Ready, f.now)
	}
	if v = f.look(time.Second); len(v.Live) != 0 {
		t.Errorf("ready on all: %+v", v.Live)
	}
}

// TestTakeOverEndsWithTheSituation checks that a critical situation that comes back shortly after its
// end is open again, although it had been taken over.
func TestTakeOverEndsWithTheSituation(t *testing.T) {
	t.Parallel()
	f := newStand(t, alert.Rule{Name: "own", Scope: alert.Service, When: `queuedCalls > 0`, Severity: alert.Critical})
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 9, 90, 1, 0)
	f.passes(5)
	for _, a := range f.view.Live[0].Alerts {
		if _, err := f.engine.Acknowledge(a.ID, "Anna", "", f.now); err != nil {
			t.Fatal(err)
		}
	}
	f.passes(5)
	if f.view.Live[0].Ack.At.IsZero() {
		t.Fatal("it is not taken over")
	}
	f.service("S", 0, 0, 1, 0)
	f.passes(20)
	f.service("S", 9, 90, 1, 0)
	f.passes(5)
	if len(f.view.Live) != 1 || f.view.Live[0].Level != alert.Critical || !f.view.Live[0].Ack.At.IsZero() {
		t.Errorf("it came back as %+v", f.view.Live)
	}
}
