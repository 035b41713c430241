package headless

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/kpi"
)

// SpeakerHelp lists the commands.
const SpeakerHelp = "You can type: status; alerts; service, group, campaign or agent and a name; why and a name; " +
	"take and a name, to take its alerts over; help; quit."

// Answer returns the answer to a typed line; quit is true if the user wants to leave. It
// also delays the next unsolicited line.
func (s *Speaker) Answer(line string) (lines []string, quit bool) {
	s.said = s.now
	word, rest, _ := strings.Cut(strings.TrimSpace(model.CleanText(line, model.MaxBody)), " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "":
		return nil, false
	case "quit", "exit", "q":
		return []string{"Goodbye."}, true
	case "help", "?":
		return []string{SpeakerHelp}, false
	}
	if s.last == nil {
		return []string{"Nothing is known of the floor yet."}, false
	}
	switch strings.ToLower(word) {
	case "status":
		lines = []string{s.Summary()}
	case "alerts":
		lines = s.alerts()
	case "service":
		lines = s.about(rest, alert.Service)
	case "group":
		lines = s.about(rest, alert.Group)
	case "campaign":
		lines = s.about(rest, alert.Campaign)
	case "agent":
		lines = s.about(rest, alert.User)
	case "why":
		lines = s.why(rest)
	case "take":
		lines = s.acknowledge(rest)
	default:
		return []string{"\"" + word + "\" is not a command. " + SpeakerHelp}, false
	}
	if conditionOf(&s.last.Health) != live && !strings.EqualFold(word, "status") {
		lines = append([]string{s.trouble()}, lines...)
	}
	return lines, false
}

// alerts lists the current situations, most urgent first, then today's figures off target
// and silenced situations.
func (s *Speaker) alerts() []string {
	out := []string{sentence(s.needs())}
	v := s.story.view
	for i := range v.Live {
		out = append(out, goingOn(&v.Live[i], s.server()))
	}
	for i := range v.Today {
		out = append(out, "Today: "+told(&v.Today[i]))
	}
	for i := range v.Silenced {
		out = append(out, "Silent until "+s.clock(v.Silenced[i].Until)+": "+sentence(v.Silenced[i].Place.Title))
	}
	return out
}

// alert describes a single alert that belongs to no situation.
func (s *Speaker) alert(a *alert.Alert) string {
	text := levelWord(a.Level) + ", for " + inWords(s.server().Sub(a.Since)) + ": " + sentence(a.Text)
	if !a.Silent.IsZero() {
		text += " Silent until " + s.clock(a.Silent) + "."
	}
	if a.Ack.By != "" {
		text += " Taken over by " + a.Ack.By + "."
	}
	return text
}

// found is a record that matches a name.
type found struct {
	name string
	keys []alert.Key // one per channel
}

// find returns the records of the given scopes that match a name: exact matches of name or
// code, else names with that prefix, else names that contain it.
func (s *Speaker) find(name string, scopes ...alert.Scope) []found {
	wanted := textnorm.Fold(name)
	var best [3][]found
	for _, f := range s.all(scopes) {
		is, code := textnorm.Fold(f.name), textnorm.Fold(f.keys[0].Code)
		switch {
		case is == wanted || code == wanted:
			best[0] = append(best[0], f)
		case strings.HasPrefix(is, wanted):
			best[1] = append(best[1], f)
		case strings.Contains(is, wanted) || strings.Contains(code, wanted):
			best[2] = append(best[2], f)
		}
	}
	for _, list := range best {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// all returns the records of the given scopes.
func (s *Speaker) all(scopes []alert.Scope) []found {
	at := make(map[alert.Key]int)
	var out []found
	note := func(k alert.Key) {
		if !slices.Contains(scopes, k.Scope) {
			return
		}
		id := alert.Key{Scope: k.Scope, Code: k.Code}
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, found{name: s.nameOf(k)})
		}
		out[i].keys = append(out[i].keys, k)
	}
	for r := range s.last.Services.All() {
		note(alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range s.last.Groups.All() {
		note(alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range s.last.Campaigns.All() {
		note(alert.Key{Scope: alert.Campaign, Code: strconv.FormatInt(r.Key(), 10)})
	}
	for r := range s.last.UserStats.All() {
		note(alert.Key{Scope: alert.User, Code: r.Key().Username, Channel: r.Channel})
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(a.name, b.name) })
	return out
}

// the returns the only record that matches a name, or a text that explains why there is
// none.
func (s *Speaker) the(name string, scopes ...alert.Scope) (found, string) {
	noun := "record"
	if len(scopes) == 1 {
		noun = map[alert.Scope]string{alert.User: "agent"}[scopes[0]]
		noun = cmp.Or(noun, string(scopes[0]))
	}
	if name == "" {
		return found{}, "Type the name as well."
	}
	list := s.find(name, scopes...)
	switch {
	case len(list) == 0:
		return found{}, "No " + noun + " is called " + name + "."
	case len(list) == 1:
		return list[0], ""
	}
	const shown = 5
	names := make([]string, 0, shown)
	for _, f := range list[:min(len(list), shown)] {
		names = append(names, f.name)
	}
	text := count(int64(len(list)), noun) + " have that in their name: " + strings.Join(names, ", ")
	if more := len(list) - shown; more > 0 {
		text += " and " + count(int64(more), "other")
	}
	return found{}, text + ". Type more of it."
}

// about describes a record.
func (s *Speaker) about(name string, scope alert.Scope) []string {
	f, instead := s.the(name, scope)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.keys {
		out = append(append(out, s.record(f.name, k)), s.wrong(k)...)
	}
	return out
}

// wrong describes the problems of a record.
func (s *Speaker) wrong(k alert.Key) []string {
	if sit := s.story.view.ByKey(k); sit != nil {
		return []string{goingOn(sit, s.server())}
	}
	var out []string
	for _, a := range s.Alerts.Of(k) {
		out = append(out, s.alert(&a))
	}
	return out
}

// why explains the problems of a record: causes, remedies and thresholds.
func (s *Speaker) why(name string) []string {
	f, instead := s.the(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.keys {
		out = append(out, s.wrong(k)...)
		if sit := s.story.view.ByKey(k); sit != nil {
			for _, text := range sit.CauseLines() {
				out = append(out, sentence(aloud(text)))
			}
			if label, help := sit.HelpPhrases(); len(help) > 0 {
				out = append(out, phrases.Capital(label)+": "+sentence(aloud(strings.Join(help, "; "))))
			}
		}
		for _, a := range s.Alerts.Of(k) {
			if x, err := s.Alerts.ExplainAlert(a.ID); err == nil {
				out = append(out, explained(&x))
			}
		}
	}
	if len(out) == 0 {
		return []string{"Nothing is wrong with " + f.name + "."}
	}
	return out
}

// explained describes a figure and its thresholds.
func explained(x *alert.Explanation) string {
	text := capital(x.Name)
	if words := kpi.InWords(x.Formula); words != "" && x.Format == alert.Percent { // explain the share
		text += ", " + words + ","
	}
	var parts []string
	if x.Met == "" {
		parts = append(parts, "is "+x.Format.Spoken(x.Result))
	}
	worse := "from"
	if x.Direction == alert.Higher {
		worse = "below"
	}
	for _, l := range []struct {
		word  string
		limit model.Float
	}{{"a warning " + worse, x.Thresholds.Warning}, {"critical " + worse, x.Thresholds.Critical}} {
		if v, ok := l.limit.Get(); ok {
			parts = append(parts, l.word+" "+x.Format.Spoken(model.FigureOf(v)))
		}
	}
	return sentence(text + " " + strings.Join(parts, ", "))
}

// capital returns a text with a capital first letter.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// acknowledge takes over the alerts of a record.
func (s *Speaker) acknowledge(name string) []string {
	f, instead := s.the(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.keys {
		for _, a := range s.Alerts.Of(k) {
			switch taken, err := s.Alerts.Acknowledge(a.ID, s.User, "", s.server()); {
			case errors.Is(err, alert.ErrNoName):
				return []string{"An alert is taken over in somebody's name, and the board does not know yours: set [rtd] username."}
			case err == nil:
				if s.Marked != nil {
					s.Marked(taken.AckEvent())
				}
				out = append(out, "Taken over: "+sentence(a.Text))
			}
		}
	}
	s.story.look(s.last, s.Alerts.Active(), nil, s.server(), false) // updates the name of the viewer
	if len(out) == 0 {
		return []string{"Nothing is wrong with " + f.name + "."}
	}
	return out
}
