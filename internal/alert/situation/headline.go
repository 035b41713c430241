package situation

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
)

// queue holds the queue figures of a place.
type queue struct {
	waiting, longestWait, ready, loggedIn model.Figure
	noReadySince                          time.Time // since when no agent has been ready, but not before the situation began; zero: an agent is ready, or unknown
}

// queueOf returns the queue figures of a place. since is when the place's situation began. The bool
// result is false if the place has no queue.
func (w *Tracker) queueOf(s *model.Snapshot, k alert.Key, since time.Time) (queue, bool) {
	switch k.Scope {
	case alert.Service:
		if r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}); r != nil {
			u := &r.UserStats
			return queue{
				waiting: r.ChannelStats.QueuedCalls.Figure(), longestWait: longestWait(s, r),
				ready: u.ReadyUsers.Count.Figure(), loggedIn: u.LoggedUsers.Count.Figure(),
				noReadySince: w.history.NoneReadySince(r.Key(), since),
			}, true
		}
	case alert.Group:
		if r := s.Groups.Get(model.GroupKey{Code: k.Code, Channel: k.Channel}); r != nil {
			return queue{
				waiting: r.ChannelStats.QueuedCalls.Figure(),
				ready:   r.UserStats.ReadyUsers.Count.Figure(), loggedIn: r.UserStats.LoggedUsers.Count.Figure(),
			}, true
		}
	case alert.User, alert.Campaign, alert.Floor, alert.Feed:
	}
	return queue{}, false
}

// longestWait returns the longest wait of a service. The result is marked as presumed if the unit
// of the platform's waiting times is presumed.
func longestWait(s *model.Snapshot, r *model.Service) model.Figure {
	return r.ChannelStats.LongestWait().WithPresumedUnit(s.Health.Presumed.Has(model.PresumedLongest))
}

func (q queue) loggedInAgents() int {
	if n, ok := q.loggedIn.Get(); ok {
		return int(n)
	}
	return math.MaxInt
}

// headline describes in a few sentences what is wrong at the place of a situation. If hasQueue is
// true, q holds the queue figures of the place. size is the size of the queue if the headline is
// about the queue, and otherwise zero.
func headline(sit *Situation, q queue, hasQueue bool, now time.Time) (text words.Text, size queueSize) {
	var out []words.Text
	rest := unsilencedAlerts(sit.Alerts)
	queued := false // the headline includes sentences about the queue
	if hasQueue && !allDaily(rest) {
		if text, size = q.waitingSentences(sit, now); !text.IsZero() {
			out, queued = append(out, text), true
		}
	}
	if sit.Place.Key.Scope == alert.Feed {
		return feedHeadline(rest), queueSize{}
	}
	var included []string // rules whose alerts are already in the headline; for an agent on several channels, a rule raises the same alert on each
	for i := range rest {
		a := &rest[i]
		if queued && (a.Key != sit.Place.Key || alert.BuiltInRule(a.Rule).Column.IsQueue()) {
			continue
		}
		if a.Key.Scope == alert.User && a.Key.Code == sit.Place.Key.Code {
			if slices.Contains(included, a.Rule) {
				continue
			}
			included = append(included, a.Rule)
		}
		if text := a.Sentence(); !slices.ContainsFunc(out, text.Equal) {
			out = append(out, text)
		}
		if len(out) == 3 {
			break
		}
	}
	return words.JoinSentences(out...), size
}

// IsDaily reports whether the situation is only about figures of the day, which a supervisor can
// hardly change now.
func (sit *Situation) IsDaily() bool { return len(sit.Alerts) > 0 && allDaily(sit.Alerts) }

func allDaily(alerts []alert.Alert) bool {
	return !containsAlert(alerts, func(a *alert.Alert) bool { return !a.Daily })
}

// containsAlert reports whether an alert of the list satisfies is. Unlike [slices.ContainsFunc], it
// does not copy the alerts, which are large.
func containsAlert(alerts []alert.Alert, is func(*alert.Alert) bool) bool {
	for i := range alerts {
		if is(&alerts[i]) {
			return true
		}
	}
	return false
}

// waitingSentences describes how many contacts are waiting and why no agent takes them. size is the
// size of the queue. If the number is unknown, both are zero.
func (q queue) waitingSentences(sit *Situation, now time.Time) (text words.Text, size queueSize) {
	v, ok := q.waiting.Get()
	n := int(v)
	if !ok {
		return text, size
	}
	contacts := words.CountWaiting(n, sit.Place.Key.Channel)
	longest, timed := q.longestWait.Seconds()
	timed = timed && longest >= time.Second
	switch {
	case n <= 0:
		return q.emptySentence(sit), queueSize{}
	case n == 1 && timed:
		text = words.SituationWaitingOne(contacts, words.WaitText(q.longestWait))
	case timed:
		text = words.SituationWaitingLongest(contacts, words.WaitText(q.longestWait))
	default:
		text = words.SituationWaiting(contacts)
	}
	return words.JoinSentences(text, q.staffSentence(sit.Alerts, now)), queueSize{n, q.longestWait}
}

// headlineInputs holds the values on which the headline of a place depends, besides its alerts.
type headlineInputs struct {
	queue       queue
	hasQueue    bool
	waiting     int          // peak of the queue
	longestWait model.Figure // longest wait so far
	second      int64        // Unix time, because the headline contains durations
}

// haveSameTexts reports whether two lists of alerts lead to the same headline.
func haveSameTexts(list, other []alert.Alert) bool {
	if len(list) != len(other) {
		return false
	}
	for i := range list {
		a, b := &list[i], &other[i]
		if a.ID != b.ID || a.Message != b.Message || a.Text != b.Text || a.Daily != b.Daily || a.SilentUntil.IsZero() != b.SilentUntil.IsZero() {
			return false
		}
	}
	return true
}

func (q queue) emptySentence(sit *Situation) words.Text {
	out := words.SituationEmpty()
	if sit.peak.waiting > 0 {
		out = words.SituationEmptyPeak(sit.peak.phrase(sit.Place.Key.Channel))
	}
	if logged, known := q.loggedIn.Get(); known && logged == 0 {
		return words.JoinSentences(out, words.SituationNoAgents())
	}
	return out
}

// staffSentence describes how many agents could take the waiting contacts. It returns the zero Text if
// there is nothing to report.
func (q queue) staffSentence(alerts []alert.Alert, now time.Time) words.Text {
	logged, known := q.loggedIn.Get()
	if known && logged == 0 {
		return words.SituationNoAgents()
	}
	ready, known := q.ready.Get()
	stranded := containsAlert(alerts, func(a *alert.Alert) bool { return a.Rule == alert.RuleStranded })
	switch {
	case !known:
		return words.Text{}
	case ready > 0 && stranded:
		return words.SituationNotGetting(words.CountAgents(int(ready)))
	case ready > 0:
		return words.Text{}
	case q.noReadySince.IsZero() || now.Sub(q.noReadySince) < 5*time.Second:
		return words.SituationNoOne()
	}
	return words.SituationNoOneFor(now.Sub(q.noReadySince))
}

// feedHeadline returns a sentence with the connection or the subscriptions that have the alerts.
func feedHeadline(alerts []alert.Alert) words.Text {
	var parts []string // nouns in English
	nouns := make(map[string]words.Text)
	for i := range alerts {
		if alerts[i].Key.Code == "link" {
			return words.SituationNoConnection()
		}
		noun := words.RecordNouns(model.Op(alerts[i].Key.Code))
		parts = append(parts, noun.In(nil))
		nouns[parts[len(parts)-1]] = noun
	}
	if len(parts) == 0 {
		return words.Text{}
	}
	slices.Sort(parts)
	var list []words.Text
	for _, p := range slices.Compact(parts) {
		list = append(list, nouns[p])
	}
	if n := len(list); n > 3 {
		list = []words.Text{words.SituationAndMore(list[:2], n-2)}
	}
	return words.SituationStale(list)
}
