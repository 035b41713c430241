package headless

import (
	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Summary describes the state of the floor in a line.
func (s *Speaker) Summary() string { return s.translate(s.summary()) }

func (s *Speaker) summary() words.Text {
	if s.lastSnapshot == nil {
		return words.SpeakNoData()
	}
	if s.started && conditionOf(&s.lastSnapshot.Health) == conditionDown {
		return s.trouble()
	}
	ch := s.mainChannel()
	k := alert.Key{Scope: alert.Floor, Channel: ch}
	value := func(name string) model.Figure { return s.Alerts.Value(name, k) }
	return words.JoinSentences(s.staffText(ch, value), s.waitingText(ch, value), s.levelText(value("serviceLevel")), s.attentionText())
}

// levelText describes the service level of the floor and its target. It returns the zero text if the
// service level is unknown.
func (s *Speaker) levelText(level model.Figure) words.Text {
	if !level.Known() {
		return words.Text{}
	}
	goal, share := s.Alerts.Goal(""), textformat.SpokenFigure(alert.Percent.Unit(), level)
	t, ok := goal.ServiceLevel.Get()
	if !ok {
		return words.SpeakLevel(share)
	}
	target := textformat.SpokenFigure(alert.Percent.Unit(), model.FigureOf(t))
	if tolerance := textformat.ToleranceText(goal.Tolerance); tolerance != "" {
		return words.SpeakLevelTolerance(share, target, speechText(tolerance))
	}
	return words.SpeakLevelTarget(share, target)
}

// mainChannel returns the channel that the summary describes: the first channel with services
// or agents in the order of [model.Channels], or calls if there is none.
func (s *Speaker) mainChannel() model.Channel {
	seen := make(map[model.Channel]bool)
	for r := range s.lastSnapshot.Services.All() {
		seen[r.Channel] = true
	}
	for r := range s.lastSnapshot.UserStats.All() {
		seen[r.Channel] = true
	}
	for _, ch := range model.Channels() {
		if seen[ch] {
			return ch
		}
	}
	return model.Call
}

// staffText describes how many services and agents a channel has. value returns the named
// figure of the floor.
func (s *Speaker) staffText(ch model.Channel, value func(string) model.Figure) words.Text {
	services := 0
	for r := range s.lastSnapshot.Services.All() {
		if r.Channel == ch {
			services++
		}
	}
	logged, ready := value("loggedUsers"), value("readyUsers")
	if n, ok := logged.Get(); ok {
		return words.SpeakStaff(words.CountServices(services), words.ChannelInSentence(ch), words.CountAgents(int(n)), textformat.SpokenFigure(alert.Number.Unit(), ready))
	}
	return words.SpeakStaffUnknown(words.CountServices(services), words.ChannelInSentence(ch))
}

// waitingText describes how many contacts wait, and names the service with the longest wait.
// value returns the named figure of the floor.
func (s *Speaker) waitingText(ch model.Channel, value func(string) model.Figure) words.Text {
	n, ok := value("queuedCalls").Get()
	sub := s.lastSnapshot.Health.Subscription(model.OpServices)
	switch {
	case !ok || n == 0 && sub != nil && !sub.State.IsCurrent():
		return words.SpeakWaitingUnknown()
	case n == 0:
		return words.SpeakNoOneWaiting()
	}
	contacts := words.CountWaiting(int(n), ch)
	var worst *model.Service
	var longest model.Figure
	for r := range s.lastSnapshot.Services.All() {
		if r.Channel != ch || r.ChannelStats.QueuedCalls.Or(0) <= 0 {
			continue
		}
		wait := r.ChannelStats.LongestWait().WithPresumedUnit(s.lastSnapshot.Health.Presumed.Has(model.PresumedLongest))
		v, ok := wait.Get()
		if !ok {
			return words.SpeakWaitingWaitUnknown(contacts)
		}
		if most, hasLongest := longest.Get(); !hasLongest || v > most {
			worst, longest = r, wait
		}
	}
	if worst == nil {
		return words.SituationWaiting(contacts)
	}
	return words.SpeakWaitingLongest(contacts, words.WaitText(longest), s.Names.NameOf(model.NameService, worst.Key().Code))
}

// attentionText describes how many situations need attention, and names the figures of the day
// that are off target.
func (s *Speaker) attentionText() words.Text {
	v := s.situations.view
	critical, warning := v.Counts()
	var parts []words.Text
	if critical > 0 {
		parts = append(parts, words.SpeakCountCritical(critical))
	}
	if warning > 0 {
		parts = append(parts, words.SpeakCountWarnings(warning))
	}
	if len(parts) == 0 {
		parts = append(parts, words.Name(v.QuietStatement(s.translate(words.SpeakQuiet()))))
	}
	if v != nil && v.AckedCount() > 0 {
		parts = append(parts, words.SpeakCountTaken(v.AckedCount()))
	}
	var today words.Text
	if day := v.TodaySummary(); day != "" {
		today = words.SpeakToday(day)
	}
	return words.JoinSentences(words.SpeakSentence(parts), today)
}
