package situation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// queue holds the queue figures of a place.
type queue struct {
	waiting, longest, ready, loggedIn model.Figure
	noReadySince                      time.Time // since when no agent has been ready, but not before the situation began; zero: an agent is ready, or unknown
}

// queueOf returns the queue figures of a place. since is when the place's situation began. The bool
// result is false if the place has no queue.
func (w *Tracker) queueOf(s *model.Snapshot, k alert.Key, since time.Time) (queue, bool) {
	switch k.Scope {
	case alert.Service:
		if r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}); r != nil {
			u := &r.UserStats
			return queue{
				waiting: r.ChannelStats.QueuedCalls.Figure(), longest: longestWait(s, r),
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
// true, q holds the queue figures of the place.
func headline(sit *Situation, q queue, hasQueue bool, now time.Time) string {
	var out []string
	rest := unsilenced(sit.Alerts)
	queued := false // the headline includes sentences about the queue
	if hasQueue && !allDaily(rest) {
		if text := q.waitingSentences(sit, now); text != "" {
			out, queued = append(out, text), true
		}
	}
	if sit.Place.Key.Scope == alert.Feed {
		return feedHeadline(rest)
	}
	var included []string // rules whose alerts are already in the headline; on each channel of an agent, a rule raises the same alert
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
		if text := alertSentence(a); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
		if len(out) == 3 {
			break
		}
	}
	return strings.Join(out, " ")
}

func allDaily(alerts []alert.Alert) bool {
	return !slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Daily })
}

// waitingSentences describes how many contacts are waiting and why no agent takes them. If the
// number is unknown, it returns "".
func (q queue) waitingSentences(sit *Situation, now time.Time) string {
	n, ok := q.waiting.Get()
	if !ok {
		return ""
	}
	one, many := phrases.WaitingNouns(sit.Place.Key.Channel)
	longest, timed := q.longest.Seconds()
	timed = timed && longest >= time.Second
	span := phrases.Wait(q.longest)
	var out string
	switch {
	case n <= 0:
		return q.emptySentence(sit)
	case n == 1 && timed:
		out = "1 " + one + " waiting " + span + "."
	case n == 1:
		out = "1 " + one + " waiting."
	case timed:
		out = fmt.Sprintf("%.0f %s waiting, longest %s.", n, many, span)
	default:
		out = fmt.Sprintf("%.0f %s waiting.", n, many)
	}
	return out + q.staffSentence(sit.Alerts, now)
}

func (q queue) emptySentence(sit *Situation) string {
	out := "No one waiting now."
	if was := sit.peak.sentence(sit.Place.Key.Channel); was != "" {
		out = "No one waiting now; " + was
	}
	if logged, known := q.loggedIn.Get(); known && logged == 0 {
		out += " No agents logged in."
	}
	return out
}

// staffSentence describes how many agents could take the waiting contacts. It returns "" if there
// is nothing to report.
func (q queue) staffSentence(alerts []alert.Alert, now time.Time) string {
	logged, known := q.loggedIn.Get()
	if known && logged == 0 {
		return " No agents logged in."
	}
	ready, known := q.ready.Get()
	stranded := slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Rule == alert.RuleStranded })
	switch {
	case !known:
		return ""
	case ready > 0 && stranded:
		return " " + phrases.Agents(int(ready)) + " available but not getting them."
	case ready > 0:
		return ""
	case q.noReadySince.IsZero() || now.Sub(q.noReadySince) < 5*time.Second:
		return " No one available."
	}
	return " No one available for " + phrases.Duration(now.Sub(q.noReadySince)) + "."
}

// feedHeadline returns a sentence with the connection or the subscriptions that have the alerts.
func feedHeadline(alerts []alert.Alert) string {
	var parts []string
	for i := range alerts {
		if alerts[i].Key.Code == "link" {
			return "No connection to the platform: the figures are not current."
		}
		parts = append(parts, model.Op(alerts[i].Key.Code).Noun())
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	parts = slices.Compact(parts)
	if n := len(parts); n > 3 {
		parts = append(parts[:2], strconv.Itoa(n-2)+" more")
	}
	return phrases.Sentence("the figures of " + strings.Join(parts, ", ") + " are not current")
}
