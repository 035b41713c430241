package headless

import (
	"cmp"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// describeRecord describes the current figures of a record in a sentence. name is the record's
// display name.
func (s *Speaker) describeRecord(name string, k alert.Key) string {
	if k.Scope == alert.User {
		return DescribeAgent(s.lastSnapshot, s.Names, name, k, s.serverTime())
	}
	title := name
	if k.Channel != "" && k.Channel != model.Call {
		title += ", " + phrases.Channel(k.Channel)
	}
	var parts []string
	for _, f := range spokenFigures(k.Scope) {
		v := s.Alerts.Value(f.name, k)
		if !v.Known() && !v.IsNotApplicable() {
			continue // the platform does not send this figure
		}
		parts = append(parts, f.title+" "+f.format.Spoken(v))
	}
	for _, own := range s.Alerts.KPIs(k.Scope) {
		if !own.BuiltIn {
			parts = append(parts, cmp.Or(own.Title, own.Name)+" "+own.Format.Spoken(s.Alerts.Value(own.Name, k)))
		}
	}
	if len(parts) == 0 {
		return title + ": the platform has sent no figures."
	}
	return title + ": " + strings.Join(parts, ", ") + "."
}

// spokenFigure is a figure in the description of a record, with its title and format.
type spokenFigure struct {
	name, title string
	format      alert.Format
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
			{"queuedCalls", "waiting", alert.Number},
			{"longestWait", "longest wait", alert.Duration},
			{"readyUsers", "ready", alert.Number},
			{"loggedUsers", "logged in", alert.Number},
			{"serviceLevel", "service level", alert.Percent},
			{"abandonRate", "abandoned", alert.Percent},
			{"receivedCalls", "received", alert.Number},
			{"answeredCalls", "answered", alert.Number},
		}
	case alert.Campaign:
		return []spokenFigure{
			{"talkingContacts", "talking", alert.Number},
			{"ringingContacts", "ringing", alert.Number},
			{"freeResources", "free agents", alert.Number},
			{"toDoContacts", "contacts left", alert.Number},
			{alert.TimeToEmpty, "empty in about", alert.Duration},
			{"hitRate", "hit rate", alert.Percent},
			{"penetration", "tried of the list", alert.Percent},
		}
	case alert.User, alert.Floor, alert.Feed:
	}
	return nil
}

// DescribeAgent describes in a sentence the state of an agent on a channel and its duration. now is
// the time on the server's clock.
func DescribeAgent(s *model.Snapshot, names model.Names, name string, k alert.Key, now time.Time) string {
	for r := range s.UserStats.All() {
		if r.Key().Username != k.Code || r.Channel != k.Channel {
			continue
		}
		text := name + ", " + phrases.Channel(k.Channel) + ": " + stateWords(r.Status)
		if d, ok := r.TimeInState.Since(now); ok && r.Status != "" {
			text += " for " + alert.Duration.Spoken(model.FigureOf(d.Seconds()).WithPresumedUnit(s.Health.Presumed.Has(model.PresumedInState)))
		}
		if code := r.CurrentService.String(); code != "" {
			text += ", service " + names.Of(model.NameService, code)
		}
		if n, ok := r.NumberCallFromServiceAnswered.Get(); ok {
			text += ", " + phrases.Count(int(n), "contact", "contacts") + " answered today"
		}
		return text + "."
	}
	return name + ": nothing is known on " + phrases.Channel(k.Channel) + "."
}

func stateWords(u model.UserStatus) string {
	words := map[model.UserStatus]string{
		"": "not logged in", model.Ready: "ready", model.NotReady: "not ready", model.Booked: "reserved for a contact",
		model.Busy: "talking", model.NotReadyBusy: "busy, then on a break", model.BusyElsewhere: "busy on another channel", model.WNR: "wrapping up",
		model.BusyDNCallIn: "on an incoming call of their own", model.BusyDNCallOut: "on an outgoing call of their own",
		model.BusyDNCallOutPrivate: "on a private call",
	}
	return cmp.Or(words[u], string(u))
}
