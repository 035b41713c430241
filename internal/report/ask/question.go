package ask

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Kind is the kind of a question.
type Kind string

// Kinds of questions.
const (
	KindFloor     Kind = "floor"      // the figures and situations of the floor
	KindRecord    Kind = "at"         // the figures of a service, group, campaign or agent
	KindWhy       Kind = "why"        // the causes of a situation
	KindWhatHelps Kind = "what_helps" // the measures that would help in a situation
	KindWhoCanGo  Kind = "who_can_go" // how many agents can leave, and who should go first
	KindCompare   Kind = "compare"    // the figures now and at another time
	KindForecast  Kind = "forecast"   // the forecast of the end of the day
	KindIncidents Kind = "incidents"  // the situations that are open or have ended
	KindRules     Kind = "rules"      // the alert rules
)

// Query is a question that was understood.
type Query struct {
	Kind Kind
	// Name is the typed name of a record; "": none was typed.
	Name string
	// Figure is the name of the figure that the question is about; "": the usual ones.
	Figure string
	// At is the time that the question is about; zero: now. For KindCompare, it is the other time.
	At time.Time
}

// MaxQuestion is the maximum length of a question in bytes.
const MaxQuestion = 500

// Parse understands a question. now and zone give the meaning of times of day: a time of day is the last one
// before now, except that for [KindWhoCanGo] it may be later today. ok is false if the question is longer than
// MaxQuestion or in none of the forms of the grammar. A query for a record may still be a guess: nothing is
// known yet about its name. own are the figures of the configuration; see also [Responder.Parse].
func Parse(text string, now time.Time, zone *time.Location, own ...alert.KPI) (q Query, ok bool) {
	words, quoted := splitQuestion(text)
	if len(words) == 0 || len(text) > MaxQuestion {
		return q, false
	}
	asks := strings.HasSuffix(strings.TrimSpace(text), "?")
	kind, rest := cutOpening(words)
	q.Kind = kind
	rest, at, hasTime, valid := cutTime(rest, now.In(zone), kind == KindWhoCanGo)
	if !valid {
		return q, false
	}
	if q.At = at; kind == "" && !hasTime && len(rest) == 1 && !asks && quoted == "" {
		q.Kind = KindRecord // a name alone, or no question at all
	}
	for len(rest) > 1 && slices.Contains([]string{"is", "are", "was", "were", "the"}, strings.ToLower(rest[0])) {
		rest = rest[1:]
	}
	q.Figure, rest = cutFigure(rest, own)
	q.Name = nameOf(rest, quoted)
	if q.Kind == "" || q.Kind == KindRecord {
		q.Kind = KindRecord
		if hasTime && q.Name == "" && q.Figure == "" {
			q.Kind = KindFloor
		}
	}
	return q, q.isComplete()
}

// isComplete reports whether a question has what its kind needs.
func (q *Query) isComplete() bool {
	switch q.Kind { //nolint:exhaustive // the others need nothing
	case KindCompare:
		return !q.At.IsZero()
	case KindRecord:
		return q.Name != "" || q.Figure != ""
	case KindFloor:
		return q.Name == ""
	}
	return true
}

// IsQuestion reports whether a line ends with a question mark, or begins like a question rather than
// with a name.
func IsQuestion(text string) bool {
	words, _ := splitQuestion(text)
	kind, rest := cutOpening(words)
	isMarked := len(words) > 0 && strings.HasSuffix(strings.TrimSpace(text), "?")
	return isMarked || kind != "" && (len(rest) > 0 || len(words) > 1)
}

// quotedWord stands for the quoted part of a question among its words.
const quotedWord = "\x00"

// splitQuestion returns the words of a question, without fillers and the question mark, and the part
// in double or single quotes, which is a name.
func splitQuestion(text string) (words []string, quoted string) {
	text = strings.TrimLeft(strings.TrimSpace(model.CleanText(text, MaxQuestion)), ": ")
	text = strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace(text)
	for _, quote := range []string{`"`, " '"} {
		before, rest, found := strings.Cut(" "+text, quote)
		inside, after, closed := strings.Cut(rest, strings.TrimSpace(quote))
		if found && closed && strings.TrimSpace(inside) != "" {
			text, quoted = before+" "+quotedWord+" "+after, strings.TrimSpace(inside)
			break
		}
	}
	words = strings.Fields(strings.TrimRight(strings.TrimSpace(text), "?!. "))
	return slices.DeleteFunc(words, func(w string) bool { return strings.EqualFold(w, "please") }), quoted
}

// cutOpening removes the longest opening from the words. kind is "" if there is none.
func cutOpening(words []string) (kind Kind, rest []string) {
	best := 0
	rest = words
	for opening, of := range questionOpenings() {
		want := strings.Fields(opening)
		if len(want) <= best || len(want) > len(words) {
			continue
		}
		if before, name, found := strings.Cut(opening, " * "); found {
			if inner, ok := cutAround(words, strings.Fields(before), strings.Fields(name)); ok {
				best, kind, rest = len(want), of, inner
			}
			continue
		}
		if equalWords(words[:len(want)], want) {
			best, kind, rest = len(want), of, words[len(want):]
		}
	}
	return kind, rest
}

// cutAround removes before from the beginning of words, and the last occurrence of after.
func cutAround(words, before, after []string) (inner []string, ok bool) {
	n := len(words) - len(after)
	for end := n; end > len(before); end-- { // a time may follow
		if equalWords(words[:len(before)], before) && equalWords(words[end:end+len(after)], after) {
			return slices.Concat(words[len(before):end], words[end+len(after):]), true
		}
	}
	return nil, false
}

func equalWords(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return textnorm.Fold(x) == textnorm.Fold(y) })
}

// cutFigure removes the name of a figure at the beginning or the end of the words. own are the figures of the
// configuration.
func cutFigure(words []string, own []alert.KPI) (figure string, rest []string) {
	longest := 0
	rest = words
	try := func(called, name string) {
		want := strings.Fields(called)
		n := len(want)
		switch {
		case n <= longest || n > len(words):
		case equalWords(words[:n], want):
			longest, figure, rest = n, name, words[n:]
		case equalWords(words[len(words)-n:], want):
			longest, figure, rest = n, name, words[:len(words)-n]
		}
	}
	for _, f := range grammar()["figures"] {
		for _, form := range f.forms {
			try(form, f.name)
		}
	}
	named := func(name, title string) {
		try(name, name)
		if strings.Contains(title, " ") { // a word alone may be a name
			try(title, name)
		}
	}
	for i := range kpi.Figures() {
		named(kpi.Figures()[i].Name, boardTitle(kpi.Figures()[i].Name))
	}
	for i := range own {
		named(own[i].Name, own[i].Title)
	}
	return figure, rest
}

// nameOf returns the name in the words that are left: the quoted one, or all words without those
// that belong to the sentence.
func nameOf(words []string, quoted string) string {
	if quoted != "" {
		return quoted
	}
	linking := []string{"is", "are", "was", "were", "the", "for", "of", "in", "at", "on", "with", "to", "about", "so"}
	state := []string{"red", "amber", "critical", "late", "slow", "bad", "so", "there", "waiting", "today", "now", "doing", "going", "are", "is", "was", "were", "at", "on", "in", "for", "of", "with"}
	for len(words) > 1 && slices.Contains(linking, strings.ToLower(words[0])) {
		words = words[1:]
	}
	for len(words) > 1 && slices.Contains(state, strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 1 && slices.Contains(slices.Concat(linking, state), strings.ToLower(words[0])) {
		return ""
	}
	return strings.Join(words, " ")
}

// HasFigure reports whether name is the name of a figure of the catalogue or the configuration.
func (f *Responder) HasFigure(name string) bool {
	return kpi.FigureNamed(name) != nil || slices.ContainsFunc(f.figures(), func(k alert.KPI) bool { return k.Name == name })
}

// figures returns the figures of the engine for all kinds of records, with those of the configuration.
func (f *Responder) figures() (all []alert.KPI) {
	if m := f.Present(); m != nil {
		for _, s := range append([]alert.Scope{alert.Floor}, allScopes...) {
			all = append(all, m.Engine.KPIs(s)...)
		}
	}
	return all
}

// Parse understands a question like the function [Parse], with the figures and the time zone of the floor.
func (f *Responder) Parse(text string, now time.Time) (q Query, ok bool) {
	own := slices.DeleteFunc(f.figures(), func(k alert.KPI) bool { return k.BuiltIn })
	return Parse(text, now, f.Zone, own...)
}

// Interpretation returns the query in words, with the name as it was typed. A time on another day than now
// includes its day.
func (q *Query) Interpretation(now time.Time, zone *time.Location) string {
	return q.interpretation("", zone, now)
}
