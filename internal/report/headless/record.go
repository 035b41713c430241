package headless

import (
	"cmp"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// describeRecord describes the current figures of a record in a sentence. name is the record's
// display name.
func (s *Speaker) describeRecord(name string, k alert.Key) words.Text {
	if k.Scope == alert.User {
		return DescribeAgent(s.lastSnapshot, s.Names, name, k, s.serverTime())
	}
	title := words.Name(name)
	if k.Channel != "" && k.Channel != model.Call {
		title = words.SpeakOnChannel(name, words.ChannelInSentence(k.Channel))
	}
	var parts []words.Text
	for _, f := range spokenFigures(k.Scope) {
		v := s.Alerts.Value(f.name, k)
		if !v.Known() && !v.IsNotApplicable() {
			continue // the platform does not send this figure
		}
		parts = append(parts, f.sentence(textformat.SpokenFigure(f.format.Unit(), v)))
	}
	for _, own := range s.Alerts.KPIs(k.Scope) {
		if !own.BuiltIn {
			parts = append(parts, words.SpeakOwnFigure(cmp.Or(own.Title, own.Name), textformat.SpokenFigure(own.Format.Unit(), s.Alerts.Value(own.Name, k))))
		}
	}
	if len(parts) == 0 {
		return words.SpeakNoFigures(title)
	}
	return words.SpeakFigures(title, parts)
}

// spokenFigure is a figure in the description of a record.
type spokenFigure struct {
	name     string
	format   alert.Format
	sentence func(value words.Text) words.Text
}

// MainFigures returns the names of the figures that describe a record of a scope.
func MainFigures(s alert.Scope) (names []string) {
	if s == alert.Floor {
		s = alert.Service
	}
	for _, f := range spokenFigures(s) {
		names = append(names, f.name)
	}
	return names
}

func spokenFigures(s alert.Scope) []spokenFigure {
	switch s {
	case alert.Service, alert.Group:
		return []spokenFigure{
			{"queuedCalls", alert.Number, words.SpeakWaiting},
			{"longestWait", alert.Duration, words.SpeakLongestWait},
			{"readyUsers", alert.Number, words.SpeakReady},
			{"loggedUsers", alert.Number, words.SpeakLoggedIn},
			{"serviceLevel", alert.Percent, words.SpeakServiceLevel},
			{"abandonRate", alert.Percent, words.SpeakAbandonRate},
			{"receivedCalls", alert.Number, words.SpeakReceived},
			{"answeredCalls", alert.Number, words.SpeakAnswered},
		}
	case alert.Campaign:
		return []spokenFigure{
			{"talkingContacts", alert.Number, words.SpeakTalking},
			{"ringingContacts", alert.Number, words.SpeakRinging},
			{"freeResources", alert.Number, words.SpeakFreeAgents},
			{"toDoContacts", alert.Number, words.SpeakContactsLeft},
			{alert.TimeToEmpty, alert.Duration, words.SpeakEmptyIn},
			{"hitRate", alert.Percent, words.SpeakHitRate},
			{"penetration", alert.Percent, words.SpeakPenetration},
		}
	case alert.User, alert.Floor, alert.Feed:
	}
	return nil
}

// DescribeAgent describes in a sentence the state of an agent on a channel and its duration. now is
// the time on the server's clock.
func DescribeAgent(s *model.Snapshot, names model.Names, name string, k alert.Key, now time.Time) words.Text {
	for r := range s.UserStats.All() {
		if r.Key().Username != k.Code || r.Channel != k.Channel {
			continue
		}
		parts := []words.Text{stateWords(r.Status)}
		if d, ok := r.TimeInState.Since(now); ok && r.Status != "" {
			lasted := model.FigureOf(d.Seconds()).WithPresumedUnit(s.Health.Presumed.Has(model.PresumedInState))
			parts[0] = words.SpeakStateFor(parts[0], words.WaitText(lasted))
		}
		if code := r.CurrentService.String(); code != "" {
			parts = append(parts, words.SpeakOnService(names.NameOf(model.NameService, code)))
		}
		if n, ok := r.NumberCallFromServiceAnswered.Get(); ok {
			parts = append(parts, words.SpeakAnsweredToday(words.CountContacts(int(n))))
		}
		return words.SpeakAgentIs(name, words.ChannelInSentence(k.Channel), parts)
	}
	return words.SpeakAgentUnknown(name, words.ChannelInSentence(k.Channel))
}

func stateWords(u model.UserStatus) words.Text {
	switch u {
	case "":
		return words.SpeakNotLoggedIn()
	case model.Ready:
		return words.StateInReady()
	case model.NotReady:
		return words.StateInNotReady()
	case model.Booked:
		return words.SpeakIsReserved()
	case model.Busy:
		return words.StateInTalking()
	case model.NotReadyBusy:
		return words.SpeakIsLeaving()
	case model.BusyElsewhere:
		return words.SpeakIsElsewhere()
	case model.WNR:
		return words.SpeakIsWrapUp()
	case model.BusyDNCallIn:
		return words.SpeakIsCalled()
	case model.BusyDNCallOut:
		return words.SpeakIsCalling()
	case model.BusyDNCallOutPrivate:
		return words.SpeakIsPrivate()
	}
	return words.Name(string(u))
}
