package situation

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// explainSituation sets the causes of a situation and the suggestions.
func (w *Tracker) explainSituation(s *model.Snapshot, sit *Situation, now time.Time) {
	earlier := sit.Help
	unexplained := &sit.messages.unexplained
	sit.Causes, *unexplained, sit.Help = nil, words.Text{}, Help{}
	defer func() {
		sit.UnexplainedReason = unexplained.In(nil)
		sit.Help.setTexts(nil)
		sit.Help.keepNeededAgents(&earlier, now)
		sit.Help.setEstimate(&earlier, now)
	}()
	k := sit.Place.Key
	switch {
	case k.Scope == alert.Feed:
		sit.Causes = []diagnosis.Cause{diagnosis.FeedCause(&s.Health)}
		return
	case sit.isOutdated(s):
		*unexplained = words.CauseStale()
		return
	case allDaily(sit.Alerts):
		sit.Causes, *unexplained = w.dayCauses(sit, now)
		return
	case k.Scope == alert.Floor:
		if slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return alert.BuiltInRule(a.Rule).Column == alert.ColumnServiceLevel }) {
			sit.Causes = w.floorCauses(s, k.Channel)
		}
		return
	case k.Scope == alert.Campaign:
		sit.Causes = w.campaignCauses(s, sit)
	case k.Scope == alert.Group:
		*unexplained = w.groupQueueText(s, k)
	case k.Scope == alert.Service:
		sit.Causes, *unexplained = diagnosis.ExplainQueue(w.history, s, diagnosis.CauseInput{
			Key: model.ServiceKey{Code: k.Code, Channel: k.Channel}, Since: sit.Since, Now: now,
			Activity: func(code string) string { return w.names.NameOf(model.NameActivity, code) },
			Service:  func(code string) string { return w.names.NameOf(model.NameService, code) },
			Zone:     w.zone,
			Baseline: w.baseline, Notes: w.notes,
		})
	}
	sit.Help = w.helpFor(s, sit, now)
	if sit.isNotRouted() {
		sit.Help.clearEstimates()
	}
}

// isNotRouted reports whether contacts are not routed to agents: an alert says so, or the largest
// cause is the routing or a missing skill. More agents do not help then.
func (sit *Situation) isNotRouted() bool {
	return slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Rule == alert.RuleStranded && a.Key == sit.Place.Key }) ||
		len(sit.Causes) > 0 && (sit.Causes[0].Kind == diagnosis.Routing || sit.Causes[0].Kind == diagnosis.SkillMissing)
}

// isOutdated reports whether some of the figures that causes are computed from are outdated.
func (sit *Situation) isOutdated(s *model.Snapshot) bool {
	return !sit.StaleSince.IsZero() || !isFresh(s)
}

// dayCauses returns the causes of a situation about figures of the day. If there are none,
// unexplained is a sentence with the reason.
func (w *Tracker) dayCauses(sit *Situation, now time.Time) (causes []diagnosis.Cause, unexplained words.Text) {
	k := sit.Place.Key
	if k.Scope != alert.Service || w.goal == nil {
		return nil, words.CauseDayNever()
	}
	goal := w.goal(k.Code)
	d := diagnosis.DayInput{Key: model.ServiceKey{Code: k.Code, Channel: k.Channel}, Now: now, Formula: goal.Formula, Zone: w.zone}
	for i := range sit.Alerts {
		switch alert.BuiltInRule(sit.Alerts[i].Rule).Column {
		case alert.ColumnServiceLevel:
			d.TargetLevel = goal.ServiceLevel
		case alert.ColumnAbandon:
			d.TargetAbandonRate = goal.Abandon
		case alert.ColumnNone, alert.ColumnQueue, alert.ColumnWait, alert.ColumnTime:
		}
	}
	c, lacks := diagnosis.DayCause(w.history, d)
	if !lacks.IsZero() {
		return nil, lacks
	}
	return []diagnosis.Cause{c}, words.Text{}
}

// groupQueueText returns a sentence about the queue of a group. It names the services with waiting
// contacts that the group's agents serve. A group has this sentence instead of causes, because the
// platform counts arrivals only per service.
func (w *Tracker) groupQueueText(s *model.Snapshot, group alert.Key) words.Text {
	type queue struct {
		name    string
		waiting int64
	}
	var queues []queue
	for code := range w.groupServices.counts[group.Code] {
		r := s.Services.Get(model.ServiceKey{Code: code, Channel: group.Channel})
		if r == nil {
			continue
		}
		if n, _ := r.ChannelStats.QueuedCalls.Get(); n > 0 {
			queues = append(queues, queue{w.names.NameOf(model.NameService, code), n})
		}
	}
	slices.SortFunc(queues, func(a, b queue) int {
		return cmp.Or(cmp.Compare(b.waiting, a.waiting), cmp.Compare(a.name, b.name))
	})
	names := make([]words.Text, 0, len(queues))
	for _, q := range queues {
		names = append(names, words.CauseGroupService(q.name, int(q.waiting)))
	}
	switch {
	case len(w.groupServices.counts[group.Code]) == 0:
		return words.CauseGroupUnknown()
	case len(names) == 0:
		return words.CauseGroupNone()
	}
	return words.CauseGroup(names)
}

// floorCauses returns a cause that names the services of a channel with the most missed contacts
// today. Missed contacts are those that count for the service level and were answered late or
// abandoned.
func (w *Tracker) floorCauses(s *model.Snapshot, ch model.Channel) []diagnosis.Cause {
	if w.goal == nil {
		return nil
	}
	type service struct {
		name        string
		missed, all int64
	}
	var most []service
	for r := range s.Services.All() {
		if r.Channel != ch {
			continue
		}
		inTime, all, known := r.ChannelStats.ServiceLevelCounts(w.goal(r.Key().Code).Formula)
		if known && all > inTime {
			most = append(most, service{w.names.NameOf(model.NameService, r.Key().Code), all - inTime, all})
		}
	}
	if len(most) == 0 {
		return nil
	}
	slices.SortFunc(most, func(a, b service) int {
		return cmp.Or(cmp.Compare(b.missed, a.missed), cmp.Compare(a.name, b.name))
	})
	const named = 3
	names := make([]words.Text, 0, named)
	for _, m := range most[:min(len(most), named)] {
		names = append(names, words.CauseDayPlace(m.name, int(m.missed), int(m.all)))
	}
	c := diagnosis.Cause{Kind: diagnosis.DayWorstServices, Messages: diagnosis.CauseMessages{Text: words.CauseDayPlaces(words.ContactNouns(ch), names)}}
	c.SetTexts(nil)
	return []diagnosis.Cause{c}
}

// campaignCauses returns the causes that the figures of a campaign show.
func (w *Tracker) campaignCauses(s *model.Snapshot, sit *Situation) []diagnosis.Cause {
	id, err := strconv.ParseInt(sit.Place.Key.Code, 10, 64)
	if err != nil {
		return nil
	}
	r := s.Campaigns.Get(id)
	if r == nil {
		return nil
	}
	return diagnosis.CampaignCauses(r)
}
