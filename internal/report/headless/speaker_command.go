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
const SpeakerHelp = "You can type: status; alerts; service, group, campaign or agent and a name; why and a name; breaks; " +
	"take and a name, to take its alerts over; help; quit. You can ask: what helps and a name; who can go at 15; compare monday; forecast; " +
	"incidents; rules; and with a time, why and a name at 14:05."

// Answer returns the answer to a line typed by the user. quit reports whether the user wants
// to quit. An answer delays the next other line by MinLineInterval.
func (s *Speaker) Answer(line string) (lines []string, quit bool) {
	s.lastLineAt = s.now
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
	if s.lastSnapshot == nil {
		return []string{"No data yet."}, false
	}
	if answer := s.question(line); answer != nil {
		for _, text := range answer() {
			lines = append(lines, forSpeech(text))
		}
		return lines, false // an answer says itself how old its figures are
	}
	switch strings.ToLower(word) {
	case "status":
		lines = []string{s.Summary()}
	case "alerts":
		lines = s.listSituations()
	case "service":
		lines = s.describeByName(rest, alert.Service)
	case "group":
		lines = s.describeByName(rest, alert.Group)
	case "campaign":
		lines = s.describeByName(rest, alert.Campaign)
	case "agent":
		lines = s.describeByName(rest, alert.User)
	case "why":
		lines = s.explainProblems(rest)
	case "breaks":
		lines = []string{"The breaks are not known here."}
		if s.Breaks != nil {
			lines = s.Breaks(s.lastSnapshot, s.serverTime())
		}
	case "take":
		lines = s.acknowledge(rest)
	default:
		return []string{"\"" + word + "\" is not a command. " + SpeakerHelp}, false
	}
	if conditionOf(&s.lastSnapshot.Health) != live && !strings.EqualFold(word, "status") {
		lines = append([]string{s.troubleText()}, lines...)
	}
	return lines, false
}

// question returns the function that answers a line, or nil if it is not a question.
func (s *Speaker) question(line string) (answer func() []string) {
	if s.Question == nil {
		return nil
	}
	return s.Question(line)
}

// listSituations returns a line for each situation: live situations, most urgent first, then
// situations about figures of the day, then silenced situations.
func (s *Speaker) listSituations() []string {
	out := []string{phrases.FullStop(s.attentionText())}
	v := s.situations.view
	for i := range v.Live {
		out = append(out, ongoingText(&v.Live[i], s.serverTime()))
	}
	for i := range v.Today {
		out = append(out, "Today: "+situationText(&v.Today[i]))
	}
	for i := range v.Silenced {
		out = append(out, "Silent until "+s.clockText(v.Silenced[i].Until)+": "+phrases.FullStop(v.Silenced[i].Place.Title))
	}
	return out
}

// alertText describes an alert that belongs to no situation.
func (s *Speaker) alertText(a *alert.Alert) string {
	text := levelWord(a.Level) + phrases.BracketedDuration(", for ", a.Lasted(s.serverTime()), "", durationWords) + ": " + phrases.FullStop(a.Text)
	if !a.SilentUntil.IsZero() {
		text += " Silent until " + s.clockText(a.SilentUntil) + "."
	}
	if a.Ack.By != "" {
		text += " Taken over by " + a.Ack.By + "."
	}
	return text
}

// RecordMatch is a record that matches a typed name. It has a key for each channel.
type RecordMatch struct {
	Name string
	Keys []alert.Key // keys of the record, one per channel
}

// FindRecords returns the records of the given scopes that match a typed name: the records
// with this name or code or, if there are none, the records whose name begins with it or, if
// there are none either, the records whose name or code contains it.
func FindRecords(s *model.Snapshot, names model.Names, name string, scopes ...alert.Scope) []RecordMatch {
	wanted := textnorm.Fold(name)
	var best [3][]RecordMatch
	for _, f := range AllRecords(s, names, scopes...) {
		is, code := textnorm.Fold(f.Name), textnorm.Fold(f.Keys[0].Code)
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

// AllRecords returns the records of the given scopes, sorted by name.
func AllRecords(s *model.Snapshot, names model.Names, scopes ...alert.Scope) []RecordMatch {
	at := make(map[alert.Key]int)
	var out []RecordMatch
	note := func(k alert.Key) {
		if !slices.Contains(scopes, k.Scope) {
			return
		}
		id := alert.Key{Scope: k.Scope, Code: k.Code}
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, RecordMatch{Name: nameOf(s, names, k)})
		}
		out[i].Keys = append(out[i].Keys, k)
	}
	for r := range s.Services.All() {
		note(alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range s.Groups.All() {
		note(alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range s.Campaigns.All() {
		note(alert.Key{Scope: alert.Campaign, Code: strconv.FormatInt(r.Key(), 10)})
	}
	for r := range s.UserStats.All() {
		note(alert.Key{Scope: alert.User, Code: r.Key().Username, Channel: r.Channel})
	}
	slices.SortStableFunc(out, func(a, b RecordMatch) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// findRecord returns the record that matches a typed name, and "". If no record or more than
// one matches, the string is an answer for the user.
func (s *Speaker) findRecord(name string, scopes ...alert.Scope) (RecordMatch, string) {
	noun := "record"
	if len(scopes) == 1 {
		noun = map[alert.Scope]string{alert.User: "agent"}[scopes[0]]
		noun = cmp.Or(noun, string(scopes[0]))
	}
	if name == "" {
		return RecordMatch{}, "Type the name as well."
	}
	list := FindRecords(s.lastSnapshot, s.Names, name, scopes...)
	switch {
	case len(list) == 0:
		return RecordMatch{}, "No " + noun + " is called " + name + "."
	case len(list) == 1:
		return list[0], ""
	}
	const shown = 5
	names := make([]string, 0, shown)
	for _, f := range list[:min(len(list), shown)] {
		names = append(names, f.Name)
	}
	text := phrases.Count(len(list), noun, noun+"s") + " have that in their name: " + strings.Join(names, ", ")
	if more := len(list) - shown; more > 0 {
		text += " and " + phrases.Count(more, "other", "others")
	}
	return RecordMatch{}, text + ". Type more of it."
}

// describeByName returns lines about the figures and problems of the record that matches a
// typed name.
func (s *Speaker) describeByName(name string, scope alert.Scope) []string {
	f, instead := s.findRecord(name, scope)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.Keys {
		out = append(append(out, s.describeRecord(f.Name, k)), s.problemTexts(k)...)
	}
	return out
}

// problemTexts returns lines about the situation or the alerts of a record, or nil if it has
// no problems.
func (s *Speaker) problemTexts(k alert.Key) []string {
	if sit := s.situations.view.ByKey(k); sit != nil {
		return []string{ongoingText(sit, s.serverTime())}
	}
	var out []string
	for _, a := range s.Alerts.AlertsOf(k) {
		out = append(out, s.alertText(&a))
	}
	return out
}

// explainProblems returns lines about the causes, remedies and thresholds of the problems of
// the record that matches a typed name.
func (s *Speaker) explainProblems(name string) []string {
	f, instead := s.findRecord(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.Keys {
		out = append(out, s.problemTexts(k)...)
		if sit := s.situations.view.ByKey(k); sit != nil {
			for _, text := range sit.CauseLines() {
				out = append(out, phrases.FullStop(forSpeech(text)))
			}
			if label, help := sit.HelpPhrases(); len(help) > 0 {
				out = append(out, phrases.Capital(label)+": "+phrases.FullStop(forSpeech(strings.Join(help, "; "))))
			}
		}
		for _, a := range s.Alerts.AlertsOf(k) {
			if x, err := s.Alerts.ExplainAlert(a.ID); err == nil {
				out = append(out, figureText(&x))
			}
		}
	}
	if len(out) == 0 {
		return []string{f.Name + " is fine."}
	}
	return out
}

// figureText describes the figure of an alert, and its thresholds.
func figureText(x *alert.Explanation) string {
	text := phrases.Capital(x.Name)
	if words := kpi.InWords(x.Formula); words != "" && x.Format == alert.Percent { // explain how the percentage is computed
		text += ", " + words + ","
	}
	var parts []string
	if x.ConditionResult == "" {
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
	return phrases.FullStop(text + " " + strings.Join(parts, ", "))
}

// acknowledge acknowledges all alerts of the record that matches a typed name, in the name of
// the user. It returns the answer.
func (s *Speaker) acknowledge(name string) []string {
	f, instead := s.findRecord(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if instead != "" {
		return []string{instead}
	}
	var out []string
	for _, k := range f.Keys {
		for _, a := range s.Alerts.AlertsOf(k) {
			switch taken, err := s.Alerts.Acknowledge(a.ID, s.User, "", s.serverTime()); {
			case errors.Is(err, alert.ErrNoName):
				return []string{"Taking an alert over needs your name: set [rtd] username."}
			case err == nil:
				if s.OnMark != nil {
					s.OnMark(taken.AckEvent())
				}
				out = append(out, "Taken over: "+phrases.FullStop(a.Text))
			}
		}
	}
	s.readSituations() // shows who has acknowledged the alerts
	if len(out) == 0 {
		return []string{f.Name + " is fine."}
	}
	return out
}
