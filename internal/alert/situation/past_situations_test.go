package situation_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// over returns an alert that lasted for some seconds from a minute on.
func over(scope alert.Scope, code, rule string, level alert.Level, minute, seconds int) alert.Alert {
	since := noon.Add(time.Duration(minute) * time.Minute)
	return alert.Alert{
		Rule: rule, Key: alert.Key{Scope: scope, Code: code, Channel: model.Call}, HighestLevel: level, Text: code + ": 10 waiting, longest wait 1:10",
		Since: since, Ended: since.Add(time.Duration(seconds) * time.Second),
	}
}

// TestWhatCameAndWentIsTold summarizes the alerts of a day.
func TestWhatCameAndWentIsTold(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Ready, []string{"S"}, []string{"G"})
	s := f.store.Publish(noon, f.health)
	var list []alert.Alert
	for again := range 6 { // three alerts each time, for a service and its group
		list = append(list,
			over(alert.Service, "S", "nobody ready", alert.Warning, 10*again, 41),
			over(alert.Service, "S", "longest wait", alert.Critical, 10*again, 30),
			over(alert.Group, "G", "nobody ready", alert.Warning, 10*again, 20))
	}
	talk := over(alert.User, "a", "talking", alert.Warning, 5, 600)
	other := talk
	other.Key.Channel = model.Chat
	list = append(list, talk, other,
		over(alert.Service, "T", "nobody ready", alert.Warning, 3, 20), // too short to be shown on the board
		over(alert.User, "b", "wrap-up", alert.Warning, 3, 120),
		over(alert.Service, "U", "longest wait", alert.Critical, 30, 90)) // still active
	view := &situation.View{Live: []situation.Situation{{
		Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "U", Channel: model.Call}}, Since: noon.Add(30 * time.Minute), Alerts: []alert.Alert{{}},
	}}}
	past := situation.SummarizeEndedAlerts(s, model.Names{}, list, view)
	if len(past) != 2 {
		t.Fatalf("%d: %+v", len(past), past)
	}
	clock := func(at time.Time) string { return at.Format("15:04") }
	p := past[0]
	if got := p.Description(clock); p.Place.Title != "S" || p.HighestLevel != alert.Critical || len(p.Alerts) != 18 || got != "6 times since 12:00, 4:06 in total, the last until 12:50" {
		t.Errorf("%q of %s, %v, of %d alerts", got, p.Place.Title, p.HighestLevel, len(p.Alerts))
	}
	if p.Headline != "10 waiting, longest wait 1:10." {
		t.Errorf("%q", p.Headline)
	}
	if got := past[1].Description(clock); past[1].Place.Key.Scope != alert.User || len(past[1].Alerts) != 2 || got != "12:05 to 12:15 (10:00)" {
		t.Errorf("an agent on two channels: %q, %+v", got, past[1])
	}
	p.TotalDuration, past[1].TotalDuration = 0, 0
	if a, b := p.Description(clock), past[1].Description(clock); a != "6 times since 12:00, the last until 12:50" || b != "12:05 to 12:15" {
		t.Errorf("without a duration: %q, %q", a, b)
	}
	if got := situation.SummarizeEndedAlerts(nil, model.Names{}, list, nil); len(got) != 3 {
		t.Errorf("without a picture: %d", len(got))
	}
}

// TestOneIncident checks that an ended situation has one start and one end: in the lists of recovered and of
// past situations, and in a change. An alert with an earlier start that joins the situation does not move its
// start.
func TestOneIncident(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }
	key := alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}
	agent := alert.Key{Scope: alert.User, Code: "a", Channel: model.Call}
	wait := alert.Alert{ID: "wait", Rule: "longest wait", Key: key, Level: alert.Critical, HighestLevel: alert.Critical, Since: at(20), Text: "S: waiting"}
	crowded := alert.Alert{ID: "crowded", Rule: "crowded", Key: key, Level: alert.Warning, HighestLevel: alert.Warning, Since: at(10), Text: "S: crowded"}
	away := alert.Alert{ID: "away", Rule: alert.RuleNotReady, Key: agent, Level: alert.Warning, HighestLevel: alert.Warning, Since: at(-3600), Text: "a: away"}
	f := newStand(t)
	s := f.store.Publish(noon, f.health)
	w := situation.New(situation.Options{})
	w.Update(s, []alert.Alert{wait}, nil, at(20))
	w.Update(s, []alert.Alert{wait, crowded, away}, nil, at(30))
	before := w.Update(s, []alert.Alert{wait, crowded, away}, nil, at(80))
	if sit := before.ByKey(key); sit == nil || !sit.Since.Equal(at(20)) {
		t.Fatalf("it began at another time: %+v", sit)
	}
	view := w.Update(s, []alert.Alert{away}, nil, at(90))
	crowded.Ended, wait.Ended = at(85), at(90)
	if len(view.Recovered) != 1 || !view.Recovered[0].Began.Equal(at(20)) || !view.Recovered[0].Ended.Equal(at(90)) {
		t.Fatalf("%+v", view.Recovered)
	}
	past := situation.SummarizeEndedAlerts(s, model.Names{}, []alert.Alert{wait, crowded}, view)
	if len(past) != 1 || !past[0].FirstBegan.Equal(at(20)) || !past[0].Ended.Equal(at(90)) || past[0].TotalDuration != 70*time.Second || past[0].Headline != view.Recovered[0].Headline {
		t.Errorf("%+v", past)
	}
	for _, c := range situation.Changes(before, view) {
		if c.Kind == situation.ChangeEnded && (!c.Ended.Equal(at(90)) || !c.Situation.Since.Equal(at(20))) {
			t.Errorf("%+v", c)
		}
	}
}

// TestEndOfSilencedSituation checks that the end of a situation that was silenced in between is
// recorded once and not announced.
func TestEndOfSilencedSituation(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	at := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
	f.store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(3), MaxTimeCallOnQueue: model.IntOf(90)}})
	s := f.store.Publish(noon, f.health)
	key := alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}
	a := alert.Alert{ID: "wait", Rule: alert.RuleLongestWait, Key: key, Level: alert.Critical, HighestLevel: alert.Critical, Since: noon, Text: "S: waiting"}
	w := situation.New(situation.Options{})
	shown := w.Update(s, []alert.Alert{a}, nil, at(1))
	a.SilentUntil = at(3600)
	silenced := w.Update(s, []alert.Alert{a}, nil, at(60))
	if len(shown.Live) != 1 || len(silenced.Live) != 0 || len(situation.SilencedEndChanges(shown, silenced)) != 0 {
		t.Fatalf("%d shown, %d shown while silenced", len(shown.Live), len(silenced.Live))
	}
	ended := w.Update(s, nil, nil, at(90))
	if got := situation.Changes(silenced, ended); len(got) != 0 {
		t.Errorf("announced: %+v", got)
	}
	got := situation.SilencedEndChanges(silenced, ended)
	if len(got) != 1 || got[0].Kind != situation.ChangeEnded || !got[0].Ended.Equal(at(90)) || got[0].Situation.ID != shown.Live[0].ID {
		t.Errorf("%+v", got)
	}
	if again := situation.SilencedEndChanges(ended, w.Update(s, nil, nil, at(91))); len(again) != 0 {
		t.Errorf("recorded again: %+v", again)
	}
}

// TestUnshownSituationIsNotPast checks that a situation that ended before it was shown is not shown
// afterwards, although its alert was critical.
func TestUnshownSituationIsNotPast(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.store.Services.Put(&model.Service{
		Code: model.TextOf("S"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(1), MaxTimeCallOnQueue: model.IntOf(90)},
	})
	s := f.store.Publish(noon, f.health)
	key := alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}
	wait := alert.Alert{ID: "wait", Rule: alert.RuleLongestWait, Key: key, Level: alert.Critical, HighestLevel: alert.Critical, Since: noon, Text: "S: waiting"}
	w := situation.New(situation.Options{Hold: 10 * time.Minute})
	if v := w.Update(s, []alert.Alert{wait}, nil, noon.Add(time.Second)); len(v.Live) != 0 || len(v.HeldBack) != 1 {
		t.Fatalf("%d live, %d held", len(v.Live), len(v.HeldBack))
	}
	wait.Ended = noon.Add(70 * time.Second)
	v := w.Update(s, nil, nil, wait.Ended)
	if past := situation.SummarizeEndedAlerts(s, model.Names{}, []alert.Alert{wait}, v); len(past) != 0 {
		t.Errorf("%+v", past)
	}
}

// TestGravestEpisode checks that the worst of two episodes of a place has its own times, level and alerts,
// although a shorter episode followed.
func TestGravestEpisode(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	key := alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}
	queue := func(waiting int64) *model.Snapshot {
		longest := int64(90) // the longest wait while 14 contacts wait
		if waiting == 2 {
			longest, f.health.Presumed = 150, model.PresumedLongest
		}
		f.store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(waiting), MaxTimeCallOnQueue: model.IntOf(longest)}})
		return f.store.Publish(noon, f.health)
	}
	one := alert.Alert{ID: "1", Rule: alert.RuleLongestWait, Key: key, Level: alert.Critical, HighestLevel: alert.Critical, Since: noon, Text: "S: waiting"}
	two := one
	two.ID, two.Level, two.HighestLevel, two.Since = "2", alert.Warning, alert.Warning, at(120)
	w := situation.New(situation.Options{})
	w.Update(queue(14), []alert.Alert{one}, nil, noon.Add(time.Second))
	w.Update(queue(0), nil, nil, at(10))
	one.Ended = at(10)
	w.Update(queue(2), []alert.Alert{two}, nil, at(120).Add(time.Second))
	v := w.Update(queue(0), nil, nil, at(122))
	two.Ended = at(122)
	past := situation.SummarizeEndedAlerts(queue(0), model.Names{}, []alert.Alert{one, two}, v)
	if len(past) != 1 || past[0].EpisodeCount != 2 || !past[0].Ended.Equal(at(122)) {
		t.Fatalf("%+v", past)
	}
	if e := past[0].WorstEpisode; !e.Began.Equal(noon) || !e.Ended.Equal(at(10)) || e.Level != alert.Critical || len(e.Alerts) != 1 || e.Alerts[0].ID != "1" {
		t.Errorf("%+v", e)
	}
	if want := "longest wait 2:30 (presumed)"; !strings.Contains(past[0].Headline, want) {
		t.Errorf("%q, want the longest wait of both with its mark, %q", past[0].Headline, want)
	}
}
