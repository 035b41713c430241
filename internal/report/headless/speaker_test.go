package headless

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// floor is a simulated floor with calls, and a speaker that describes it.
type floor struct {
	t       *testing.T
	store   *model.Store
	health  model.Health
	now     time.Time
	speaker *Speaker
}

func newFloor(t *testing.T, change ...func(*SpeakerOptions)) *floor {
	t.Helper()
	names := make(model.Names)
	names.Add(model.NameService, "S1", "Sales IT")
	names.Add(model.NameService, "S2", "Sales DE")
	engine, err := alert.New(alert.Options{
		Goal: alert.DefaultGoal(), Names: names, SpellOut: true,
		Rules: []alert.Rule{{
			Name: "longest wait", Scope: alert.Service, KPI: "longestWait",
			Thresholds: alert.Thresholds{Warning: model.FloatOf(30), Critical: model.FloatOf(60)},
			Message:    "{title}: {queuedCalls} waiting, longest wait {value}",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := SpeakerOptions{Alerts: &judging{Engine: engine}, Names: names, User: "anna", SummaryInterval: time.Hour, Location: time.UTC}
	for _, c := range change {
		c(&o)
	}
	engineOf(o.Alerts).tracker = situation.New(situation.Options{Names: names, Zone: o.Location, Hold: time.Nanosecond, Goal: o.Alerts.Goal})
	f := &floor{
		t: t, store: model.NewStore(), speaker: NewSpeaker(o), now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		health: model.Health{
			Link:          model.Link{State: model.LinkUp},
			Subscriptions: []model.Subscription{{Name: "serviceStats", State: model.SubLive}, {Name: "userStats", State: model.SubLive}},
		},
	}
	f.waits("S1", 0, 0)
	f.waits("S2", 0, 0)
	f.agent("rossi", model.Ready)
	f.agent("bianchi", model.Busy)
	return f
}

// judging is an engine with situations of its own, which no other viewer shares.
type judging struct {
	*alert.Engine
	tracker  *situation.Tracker
	snapshot *model.Snapshot
	changes  []alert.Change
	now      time.Time
}

func engineOf(e Engine) *judging { own, _ := e.(*judging); return own }

func (e *judging) Evaluate(s *model.Snapshot, now time.Time) (news []situation.Change, updated bool) {
	e.snapshot, e.now, e.changes = s, now, e.Engine.Evaluate(s, now)
	return nil, len(e.changes) > 0
}

func (e *judging) Situations() (*situation.View, *model.Snapshot) {
	return e.tracker.Update(e.snapshot, e.Active(), e.changes, e.now), nil
}

// waits makes n callers wait for a service, the longest for the given number of seconds.
func (f *floor) waits(code string, n, seconds int64) {
	r := &model.Service{Code: model.TextOf(code), Channel: model.Call}
	r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = model.IntOf(n), model.IntOf(seconds)
	f.store.Services.Put(r)
}

func (f *floor) agent(name string, is model.UserStatus) {
	r := &model.UserStat{Username: model.TextOf(name)}
	r.Channel, r.Status, r.TimeInState = model.Call, is, model.InstantOf(f.now.Add(-65*time.Second))
	f.store.UserStats.Put(r)
}

// hear advances the time second by second and returns the lines written meanwhile.
func (f *floor) hear(d time.Duration) []string {
	var said []string
	for end := f.now.Add(d); f.now.Before(end); f.now = f.now.Add(time.Second) {
		f.speaker.Update(f.store.Publish(f.now, f.health), f.now)
		if line := f.speaker.Next(); line != "" {
			said = append(said, line)
		}
	}
	return said
}

// says fails unless exactly these lines are written within d.
func (f *floor) says(d time.Duration, want ...string) {
	f.t.Helper()
	if diff := cmp.Diff(want, f.hear(d)); diff != "" {
		f.t.Errorf("-want +said\n%s", diff)
	}
}

func (f *floor) answers(line string, want ...string) {
	f.t.Helper()
	got, _ := f.speaker.Answer(line)
	if diff := cmp.Diff(want, got); diff != "" {
		f.t.Errorf("%q: -want +answer\n%s", line, diff)
	}
}

const quiet = "2 services for calls, 2 agents logged in, 1 ready. No one is waiting. Nothing needs action."

func TestFirstParagraphAndChanges(t *testing.T) {
	t.Parallel()
	f := newFloor(t)
	f.waits("S1", 4, 5)
	f.says(4*time.Second, "2 services for calls, 2 agents logged in, 1 ready. 4 callers waiting, longest 5 seconds for Sales IT. Nothing needs action.")
	f.waits("S1", 3, 35)
	f.says(3*time.Second, "Warning: Sales IT: 3 callers waiting, longest 35 seconds.")
	f.waits("S1", 3, 65)
	f.says(3*time.Second, "Now critical: Sales IT: 3 callers waiting, longest 1 minute 5 seconds.")
	f.waits("S1", 0, 0)
	f.says(3*time.Second, "Resolved after 6 seconds: Sales IT.")
}

// TestPace checks that there is a pause between two lines however fast things change, and that several
// changes form one line.
func TestPace(t *testing.T) {
	t.Parallel()
	f := newFloor(t, func(o *SpeakerOptions) { o.MinLineInterval = 10 * time.Second })
	f.says(time.Second, quiet)
	f.waits("S1", 1, 40)
	f.waits("S2", 2, 70)
	f.says(9 * time.Second) // during the pause nothing is written
	f.says(10*time.Second, "Critical: Sales DE: 2 callers waiting, longest 1 minute 10 seconds. Warning: Sales IT: 1 caller waiting 40 seconds.")
	f.waits("S1", 0, 0)
	f.waits("S2", 0, 0)
	f.says(10*time.Second, "Resolved after 19 seconds: Sales DE. Resolved after 19 seconds: Sales IT.")
}

func TestWhatCameAndWentIsNotSaid(t *testing.T) {
	t.Parallel()
	f := newFloor(t, func(o *SpeakerOptions) { o.MinLineInterval = 10 * time.Second })
	f.says(time.Second, quiet)
	f.waits("S1", 1, 40)
	f.says(3 * time.Second)
	f.waits("S1", 0, 0)
	f.says(20 * time.Second)
}

func TestSummary(t *testing.T) {
	t.Parallel()
	f := newFloor(t, func(o *SpeakerOptions) { o.SummaryInterval = time.Minute })
	f.says(2*time.Minute+30*time.Second, quiet, quiet, quiet)
}

func TestConnection(t *testing.T) {
	t.Parallel()
	f := newFloor(t, func(o *SpeakerOptions) { o.SummaryInterval = time.Minute })
	f.says(5*time.Second, quiet)
	f.health.Link = model.Link{State: model.LinkBackoff, Reason: "connection reset"}
	gone := "No connection to the platform: connection reset. The figures are from 09:00:05. The board keeps trying."
	f.says(30*time.Second, gone)
	if got, _ := f.speaker.Answer("service sales it"); len(got) != 2 || got[0] != gone {
		t.Errorf("old figures are told as if they were the present ones: %q", got)
	}
	f.health.Link = model.Link{State: model.LinkUp}
	f.says(5*time.Second, "The figures are current again, after 33 seconds. "+quiet)
	f.health.Subscriptions[0].State, f.health.Subscriptions[0].Reason = model.SubStale, "no answer"
	f.says(5*time.Second, "Figures for services may be out of date: no answer.")
}

// TestEveryOperationIsSpokenInWords checks that the lines contain words instead of the names of the
// operations of document 2.
func TestEveryOperationIsSpokenInWords(t *testing.T) {
	t.Parallel()
	for _, op := range model.Operations() {
		f, noun := newFloor(t), words.RecordNouns(op.Name).In(nil)
		f.says(5*time.Second, quiet)
		f.health.Subscriptions[0] = model.Subscription{Name: op.Name, State: model.SubStale, Reason: "no answer"}
		f.says(5*time.Second, "Figures for "+noun+" may be out of date: no answer.")
		if name := string(op.Name); strings.Contains(f.speaker.troubleText(), name) && !strings.Contains(noun, name) {
			t.Errorf("%s is spoken as it is", op.Name)
		}
	}
}

func TestNothingIsKnown(t *testing.T) {
	t.Parallel()
	f := newFloor(t)
	f.health.Link = model.Link{State: model.LinkConnecting, Reason: "host not found"}
	f.says(12*time.Second, "Connecting to the platform.",
		"No connection to the platform: host not found. The board keeps trying.")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	var marked []model.Event
	f := newFloor(t, func(o *SpeakerOptions) { o.OnMark = func(e model.Event) { marked = append(marked, e) } })
	f.answers("status", "No data yet.")
	f.hear(time.Second)
	f.answers("alerts", "Nothing needs action.")
	f.answers("why sales it", "Sales IT is fine.")
	f.waits("S1", 3, 35)
	f.hear(5 * time.Second)
	f.answers("alerts", "1 warning.", "Warning, for 4 seconds: Sales IT: 3 callers waiting, longest 35 seconds.")
	f.answers("SERVICE s1", "Sales IT: 3 waiting, longest wait 35 seconds.",
		"Warning, for 4 seconds: Sales IT: 3 callers waiting, longest 35 seconds.")
	f.answers("service sales", "2 services match: Sales DE, Sales IT. Type more of the name.")
	f.answers("service berlin", "No service is called berlin.")
	f.answers("service", "Type the name as well.")
	f.answers("agent rossi", "rossi, calls: ready for 1 minute 10 seconds.")
	f.answers("why sales it", "Warning, for 4 seconds: Sales IT: 3 callers waiting, longest 35 seconds.",
		"Cause unknown: there is no data on the agents' states.",
		"Long wait: 35 seconds, a warning from 30 seconds, critical from 1 minute.")
	f.answers("take sales it", "Taken over: Sales IT: 3 waiting, longest wait 35 seconds.")
	taken := engineOf(f.speaker.Alerts).Active()[0]
	if want := []model.Event{taken.AckEvent()}; !cmp.Equal(marked, want) || taken.Ack.By != "anna" {
		t.Errorf("marked %+v, want %+v", marked, want)
	}
	f.answers("alerts", "Nothing needs action, 1 taken over.", "Warning, for 4 seconds: Sales IT: 3 callers waiting, longest 35 seconds. Taken over by anna.")
	f.answers("dance", "\"dance\" is not a command. "+words.SpeakHelp().In(nil))
	if lines, quit := f.speaker.Answer(" Quit "); !quit || len(lines) != 1 {
		t.Errorf("quit: %q, %v", lines, quit)
	}
}

// TestOneSentenceForOneProblem checks that several violated rules at one place lead to a single line, and
// that figures of the day lead to none.
func TestOneSentenceForOneProblem(t *testing.T) {
	t.Parallel()
	f := newFloor(t, func(o *SpeakerOptions) {
		engine, err := alert.New(alert.Options{Goal: alert.DefaultGoal(), Names: o.Names, SpellOut: true, Rules: alert.DefaultRules()})
		if err != nil {
			t.Fatal(err)
		}
		o.Alerts = &judging{Engine: engine}
	})
	f.says(time.Second, quiet)
	f.waits("S1", 3, 65)
	r := *f.store.Services.Get(model.ServiceKey{Code: "S1", Channel: model.Call})
	r.UserStats.ReadyUsers.Count, r.UserStats.LoggedUsers.Count = model.IntOf(0), model.IntOf(2)
	r.ChannelStats.ReceivedCalls, r.ChannelStats.AnsweredCalls = model.IntOf(300), model.IntOf(200)
	r.ChannelStats.AnsweredCallsUnderSpeedLimit, r.ChannelStats.HangupCalls = model.IntOf(100), model.IntOf(100)
	f.store.Services.Put(&r)
	said := f.hear(20 * time.Second)
	if len(said) != 1 || !strings.HasPrefix(said[0], "Critical: Sales IT: ") || strings.Contains(said[0], "%") {
		t.Errorf("%d lines: %q", len(said), said)
	}
	if n := len(engineOf(f.speaker.Alerts).Active()); n < 3 {
		t.Errorf("%d alerts only", n)
	}
}

func TestAloud(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10 waiting, longest 1:10; nobody ready": "10 waiting, longest 1 minute 10 seconds; nobody ready",
		"59.1 % of 41, for 1:02:03 · 3 ready":    "59.1 percent of 41, for 1 hour 2 minutes, 3 ready",
		"4 of 7 agents went to MEETING at 14:00": "4 of 7 agents went to MEETING at 14:00",
		"fewer than before 9:30, for 0:58":       "fewer than before 9:30, for 58 seconds",
		"went to LUNCH from 14:20 to 14:22":      "went to LUNCH from 14:20 to 14:22",
		"As of 30 Nov 11:08:44":                  "As of 30 Nov 11:08:44",
		"":                                       "",
		"version 1:99 and 12345:10 stay":         "version 1:99 and 12345:10 stay",
	} {
		if got := speechText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAnswersAreClean checks that no typed text can move the cursor of the viewer's terminal.
func TestAnswersAreClean(t *testing.T) {
	t.Parallel()
	f := newFloor(t)
	f.hear(time.Second)
	for _, typed := range []string{"\x1b[2J", "service \x1b]0;x\x07", "why \u202egnp"} {
		lines, _ := f.speaker.Answer(typed)
		if text := strings.Join(lines, ""); strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("%q is answered with %q", typed, text)
		}
	}
}

// TestPresumedUnitIsSaid checks that a longest wait and a time in a state are marked if their unit is
// presumed.
func TestPresumedUnitIsSaid(t *testing.T) {
	t.Parallel()
	f := newFloor(t)
	f.health.Presumed = model.PresumedLongest | model.PresumedInState
	f.waits("S1", 4, 5)
	f.says(4*time.Second, "2 services for calls, 2 agents logged in, 1 ready. 4 callers waiting, longest 5 seconds (presumed) for Sales IT. Nothing needs action.")
	f.waits("S1", 3, 35)
	f.says(3*time.Second, "Warning: Sales IT: 3 callers waiting, longest 35 seconds (presumed).")
	f.answers("agent rossi", "rossi, calls: ready for 1 minute 11 seconds (presumed).")
	f.health.Presumed = 0
	f.hear(2 * time.Second)
	f.answers("service S1", "Sales IT: 3 waiting, longest wait 35 seconds.",
		"Warning, for 4 seconds: Sales IT: 3 callers waiting, longest 35 seconds.")
}
