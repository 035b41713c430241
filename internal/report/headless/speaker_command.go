package headless

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Answer returns the answer to a line typed by the user. quit reports whether the user wants
// to quit. An answer delays the next other line by MinLineInterval.
func (s *Speaker) Answer(line string) (lines []string, quit bool) {
	lines, quit = s.answer(line)
	for i := range lines {
		lines[i] = spokenMarks.Replace(lines[i])
	}
	return lines, quit
}

func (s *Speaker) answer(line string) (lines []string, quit bool) {
	s.lastLineAt = s.now
	word, rest, _ := strings.Cut(strings.TrimSpace(model.CleanText(line, model.MaxBody)), " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "":
		return nil, false
	case "quit", "exit", "q":
		return s.lines(words.SpeakGoodbye()), true
	case "help", "?":
		return s.lines(words.SpeakHelp()), false
	}
	if s.lastSnapshot == nil {
		return s.lines(words.SpeakNoData()), false
	}
	if answer := s.question(line); answer != nil {
		lines = answer()
		if s.Words.Tag() == words.English().Tag() { // parts of the answer are not in the catalogue yet
			for i := range lines {
				lines[i] = speechText(lines[i])
			}
		}
		return lines, false // the answer itself says how old its figures are
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
		lines = s.lines(words.SpeakNoBreaks())
		if s.Breaks != nil {
			lines = s.Breaks(s.lastSnapshot, s.serverTime())
		}
	case "take":
		lines = s.acknowledge(rest)
	default:
		return s.lines(words.JoinSentences(words.SpeakUnknownCommand(word), words.SpeakHelp())), false
	}
	if conditionOf(&s.lastSnapshot.Health) != conditionLive && !strings.EqualFold(word, "status") {
		lines = append([]string{s.troubleText()}, lines...)
	}
	return lines, false
}

// lines returns texts in the language of the speaker.
func (s *Speaker) lines(texts ...words.Text) []string {
	out := make([]string, len(texts))
	for i := range texts {
		out[i] = s.translate(texts[i])
	}
	return out
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
	out := []words.Text{s.attentionText()}
	v := s.situations.view
	for i := range v.Live {
		out = append(out, ongoingText(&v.Live[i], s.serverTime()))
	}
	for i := range v.Today {
		out = append(out, words.SpeakProblem(words.SpeakTodayLabel(), situationText(&v.Today[i])))
	}
	for i := range v.Silenced {
		out = append(out, words.SpeakSilent(s.clockText(v.Silenced[i].Until), v.Silenced[i].Place.Title))
	}
	return s.lines(out...)
}

// alertText describes an alert that belongs to no situation.
func (s *Speaker) alertText(a *alert.Alert) words.Text {
	silent := words.Text{}
	if !a.SilentUntil.IsZero() {
		silent = words.SpeakSilentUntil(s.clockText(a.SilentUntil))
	}
	return words.JoinSentences(problemText(a.Level, a.Lasted(s.serverTime()), textformat.AddFullStop(a.Text)), silent, acknowledgedText(a.Ack))
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

// nameOf returns the display name of a record.
func nameOf(s *model.Snapshot, names model.Names, k alert.Key) string {
	if k.Scope == alert.User {
		return textformat.PersonName(s, names, k.Code, k.Channel)
	}
	return k.Name(names, s)
}

// ScopeNoun returns the noun for a record of a scope, such as "agent".
func ScopeNoun(s alert.Scope) words.Text {
	one, _ := scopeNouns(s)
	return one
}

// scopeNouns returns the noun for a record of a scope, and the function that counts such records.
func scopeNouns(s alert.Scope) (one words.Text, count func(int) words.Text) {
	switch s {
	case alert.Service:
		return words.SpeakService(), words.CountServices
	case alert.Group:
		return words.SpeakGroup(), words.SpeakCountGroups
	case alert.Campaign:
		return words.SpeakCampaign(), words.SpeakCountCampaigns
	case alert.User:
		return words.SpeakAgent(), words.CountAgents
	case alert.Floor, alert.Feed:
	}
	return words.SpeakRecord(), words.SpeakCountRecords
}

// findRecord returns the record that matches a typed name, and the zero text. If no record or more than
// one matches, the text is an answer for the user.
func (s *Speaker) findRecord(name string, scopes ...alert.Scope) (RecordMatch, words.Text) {
	noun, count := scopeNouns("")
	if len(scopes) == 1 {
		noun, count = scopeNouns(scopes[0])
	}
	if name == "" {
		return RecordMatch{}, words.SpeakNameMissing()
	}
	list := FindRecords(s.lastSnapshot, s.Names, name, scopes...)
	switch {
	case len(list) == 0:
		return RecordMatch{}, words.SpeakNoneCalled(noun, name)
	case len(list) == 1:
		return list[0], words.Text{}
	}
	const shown = 5
	names := make([]words.Text, 0, shown)
	for _, f := range list[:min(len(list), shown)] {
		names = append(names, words.Name(f.Name))
	}
	if more := len(list) - shown; more > 0 {
		return RecordMatch{}, words.SpeakSeveralMore(count(len(list)), names, more)
	}
	return RecordMatch{}, words.SpeakSeveral(count(len(list)), names)
}

// describeByName returns lines about the figures and problems of the record that matches a
// typed name.
func (s *Speaker) describeByName(name string, scope alert.Scope) []string {
	f, instead := s.findRecord(name, scope)
	if !instead.IsZero() {
		return s.lines(instead)
	}
	var out []words.Text
	for _, k := range f.Keys {
		out = append(append(out, s.describeRecord(f.Name, k)), s.problemTexts(k)...)
	}
	return s.lines(out...)
}

// problemTexts describes the situation of a record or, without one, its alerts. It returns nil if there are
// neither.
func (s *Speaker) problemTexts(k alert.Key) []words.Text {
	if sit := s.situations.view.ByKey(k); sit != nil {
		return []words.Text{ongoingText(sit, s.serverTime())}
	}
	var out []words.Text
	for _, a := range s.Alerts.AlertsOf(k) {
		out = append(out, s.alertText(&a))
	}
	return out
}

// explainProblems returns lines about the causes, remedies and thresholds of the problems of
// the record that matches a typed name.
func (s *Speaker) explainProblems(name string) []string {
	f, instead := s.findRecord(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if !instead.IsZero() {
		return s.lines(instead)
	}
	var out []words.Text
	for _, k := range f.Keys {
		out = append(out, s.problemTexts(k)...)
		if sit := s.situations.view.ByKey(k); sit != nil {
			for _, text := range sit.CauseLines() {
				out = append(out, words.Name(text))
			}
			if label, help := sit.HelpPhrases(); len(help) > 0 {
				out = append(out, words.SpeakProblem(words.Name(textformat.Capitalize(label)), textformat.AddFullStop(s.translate(words.JoinClauses(words.NameTexts(help)...)))))
			}
		}
		for _, a := range s.Alerts.AlertsOf(k) {
			if x, err := s.Alerts.ExplainAlert(a.ID); err == nil {
				out = append(out, figureText(&x))
			}
		}
	}
	if len(out) == 0 {
		out = append(out, words.SpeakFine(f.Name))
	}
	return slices.Compact(s.lines(out...)) // several alerts of a record may have the same figure
}

// figureText describes the figure of an alert, and its thresholds.
func figureText(x *alert.Explanation) words.Text {
	name, value := alert.RuleTitle(x.Name), textformat.SpokenFigure(x.Format.Unit(), x.Result)
	parts := []words.Text{name}
	basis := words.Formula(x.Formula)
	switch {
	case x.ConditionResult != "":
	case !basis.IsZero() && x.Format == alert.Percent: // explain how the percentage is computed
		parts[0] = words.SpeakFigureBasis(name, basis, value)
	default:
		parts[0] = words.SpeakFigureIs(name, value)
	}
	warning, critical := words.SpeakWarningFrom, words.SpeakCriticalFrom
	if x.Direction == alert.HigherIsBetter {
		warning, critical = words.SpeakWarningBelow, words.SpeakCriticalBelow
	}
	if v, ok := x.Thresholds.Warning.Get(); ok {
		parts = append(parts, warning(textformat.SpokenFigure(x.Format.Unit(), model.FigureOf(v))))
	}
	if v, ok := x.Thresholds.Critical.Get(); ok {
		parts = append(parts, critical(textformat.SpokenFigure(x.Format.Unit(), model.FigureOf(v))))
	}
	return words.SpeakSentence(parts)
}

// acknowledge acknowledges all alerts of the record that matches a typed name, in the name of
// the user. It returns the answer.
func (s *Speaker) acknowledge(name string) []string {
	f, instead := s.findRecord(name, alert.Service, alert.Group, alert.Campaign, alert.User)
	if !instead.IsZero() {
		return s.lines(instead)
	}
	var out []words.Text
	for _, k := range f.Keys {
		for _, a := range s.Alerts.AlertsOf(k) {
			switch taken, err := s.Alerts.Acknowledge(a.ID, s.User, "", s.serverTime()); {
			case errors.Is(err, alert.ErrNoName):
				return s.lines(words.SpeakNeedsName())
			case err == nil:
				if s.OnMark != nil {
					s.OnMark(taken.AckEvent())
				}
				out = append(out, words.SpeakTaken(textformat.AddFullStop(a.Text)))
			}
		}
	}
	s.readSituations() // shows who has acknowledged the alerts
	if len(out) == 0 {
		out = append(out, words.SpeakFine(f.Name))
	}
	return s.lines(out...)
}
