package headless

import (
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// Summary describes the state of the floor in a line.
func (s *Speaker) Summary() string {
	if s.lastSnapshot == nil {
		return "No data yet."
	}
	if s.started && conditionOf(&s.lastSnapshot.Health) == down {
		return s.troubleText()
	}
	ch := s.mainChannel()
	k := alert.Key{Scope: alert.Floor, Channel: ch}
	value := func(name string) model.Figure { return s.Alerts.Value(name, k) }
	out := []string{s.staffText(ch, value), s.waitingText(ch, value)}
	if sl := value("serviceLevel"); sl.Known() {
		text := "Service level " + alert.Percent.Spoken(sl)
		if t, ok := s.Alerts.Goal("").ServiceLevel.Get(); ok {
			text += ", target " + alert.Percent.Spoken(model.FigureOf(t))
			if tolerance := phrases.Tolerance(s.Alerts.Goal("").Tolerance); tolerance != "" {
				text += ", " + tolerance
			}
		}
		out = append(out, text)
	}
	return strings.Join(append(out, s.attentionText()), ". ") + "."
}

// mainChannel returns the channel that the summary describes: the first channel with services
// or agents, in the order of document 2, which begins with calls.
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
func (s *Speaker) staffText(ch model.Channel, value func(string) model.Figure) string {
	services := 0
	for r := range s.lastSnapshot.Services.All() {
		if r.Channel == ch {
			services++
		}
	}
	text := phrases.Count(services, "service", "services") + " for " + phrases.Channel(ch)
	logged, ready := value("loggedUsers"), value("readyUsers")
	if n, ok := logged.Get(); ok {
		return text + ", " + phrases.Agents(int(n)) + " logged in, " + alert.Number.Spoken(ready) + " ready"
	}
	return text + ", no agent known"
}

// waitingText describes how many contacts wait, and names the service with the longest wait.
// value returns the named figure of the floor.
func (s *Speaker) waitingText(ch model.Channel, value func(string) model.Figure) string {
	n, ok := value("queuedCalls").Get()
	sub := s.lastSnapshot.Health.Subscription(model.OpServices)
	switch {
	case !ok || n == 0 && sub != nil && !sub.State.IsCurrent():
		return "The number waiting is unknown"
	case n == 0:
		return "No one is waiting"
	}
	noun := map[bool]string{true: "call", false: "contact"}[ch == model.Call]
	text := phrases.Count(int(n), noun, noun+"s") + " waiting"
	var worst *model.Service
	var longest model.Figure
	for r := range s.lastSnapshot.Services.All() {
		if r.Channel != ch || r.ChannelStats.QueuedCalls.Or(0) <= 0 {
			continue
		}
		wait := r.ChannelStats.LongestWait().WithPresumedUnit(s.lastSnapshot.Health.Presumed.Has(model.PresumedLongest))
		v, ok := wait.Get()
		if !ok {
			return text + ", since an unknown time"
		}
		if most, some := longest.Get(); !some || v > most {
			worst, longest = r, wait
		}
	}
	if worst == nil {
		return text
	}
	return text + ", longest " + alert.Duration.Spoken(longest) + " at " +
		s.Names.Of(model.NameService, worst.Key().Code)
}

// attentionText describes how many situations need attention, and names the figures of the day
// that are off target.
func (s *Speaker) attentionText() string {
	critical, warning := s.situations.view.Counts()
	taken := 0
	if v := s.situations.view; v != nil {
		taken = v.AckedCount()
	}
	var parts []string
	if critical > 0 {
		parts = append(parts, strconv.Itoa(critical)+" critical")
	}
	if warning > 0 {
		parts = append(parts, phrases.Count(warning, "warning", "warnings"))
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		text = s.situations.view.QuietStatement("Nothing needs action")
	}
	if taken > 0 {
		text += ", " + strconv.Itoa(taken) + " taken over"
	}
	if day := s.situations.view.TodaySummary(); day != "" {
		text += ". Today: " + forSpeech(day)
	}
	return text
}

// nameOf returns the display name of a record.
func nameOf(s *model.Snapshot, names model.Names, k alert.Key) string {
	switch k.Scope {
	case alert.User:
		return phrases.Person(s, names, k.Code, k.Channel)
	case alert.Floor:
		return "the floor, " + phrases.Channel(k.Channel)
	case alert.Service, alert.Group, alert.Campaign, alert.Feed:
	}
	return k.Name(names, s)
}
