package ask

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/report/headless"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// maxCandidates limits the number of records that an answer offers.
const maxCandidates = 8

// Ask answers a question. The answer to a question that was not understood contains examples and, if there
// is one, the nearest possible reading.
func (f *Responder) Ask(ctx context.Context, question string) *Answer {
	q, ok := f.Parse(question, f.now())
	if ok {
		a := f.Answer(ctx, q)
		a.Question = f.newAnswer(question).Question
		words, _ := splitQuestion(question)
		if kind, _ := cutOpening(words); q.Kind != KindRecord || kind != "" || q.Name == "" || f.Present() == nil || f.HasRecord(q.Name) {
			return a
		}
	}
	a := f.newAnswer(question) // a text that consists only of an unknown name is not a question either
	a.Problem, a.Examples = a.translate(words.AskNotUnderstood()), Examples()
	if near := f.nearestInterpretation(question); near != "" {
		a.Reading, a.Problem = near, a.translate(words.AskDidYouMean(near))
	}
	return a
}

// Help returns an answer with questions that can be asked.
func (f *Responder) Help() *Answer {
	a := f.newAnswer("")
	a.addStatement(StatementRemark, sourceConfig, words.AskHelp())
	a.Examples = Examples()
	return a
}

// HasRecord reports whether a record matches a typed name.
func (f *Responder) HasRecord(name string) bool {
	m := f.Present()
	return m != nil && len(f.findRecords(m.Snapshot, name)) > 0
}

// OpenSituation returns the open situation of the only record with a typed name, or nil.
func (f *Responder) OpenSituation(name string) *situation.Situation {
	m := f.Present()
	if m == nil {
		return nil
	}
	list := f.findRecords(m.Snapshot, name)
	if len(list) != 1 {
		return nil
	}
	for _, k := range list[0].Keys {
		if s := m.Situations.ByKey(k); s != nil {
			return s
		}
	}
	return nil
}

// newAnswer returns an answer without content. The question is repeated as it was typed. If the names in it
// were masked, a viewer who may not see names would learn which words are names of agents.
func (f *Responder) newAnswer(question string) *Answer {
	return &Answer{Question: model.CleanText(strings.TrimSpace(question), MaxQuestion), zone: f.Zone, words: f.Words, Statements: []Statement{}, Figures: []Figure{}}
}

// Answer answers a query.
func (f *Responder) Answer(ctx context.Context, q Query) *Answer {
	a := f.newAnswer("")
	if q.Kind == KindRules { // the rules of an earlier time are unknown
		q.At = time.Time{}
	}
	a.Kind, a.Understood = q.Kind, true
	a.Reading, a.query = q.interpretation("", f.Zone, f.now()), q
	if q.Kind == KindRules {
		f.answerRules(a, q.Name)
		return a
	}
	m := f.Present()
	if m == nil {
		a.Problem = a.translate(words.AskNoData())
		return a
	}
	w := &writer{Answer: a, floor: f, query: q, moment: m, format: textformat.Format{Location: f.Zone, Words: f.Words}}
	if !q.At.IsZero() && q.Kind != KindCompare && (q.Kind != KindWhoCanGo || q.At.Before(m.At)) {
		var err error
		if w.moment, err = f.pastMoment(ctx, q.At); err != nil {
			a.setProblem(err)
			return a
		}
	}
	if q.Name != "" && !w.findRecord() {
		return a
	}
	a.Reading = q.interpretation(w.name(), f.Zone, f.now())
	a.setMoment(w.moment)
	w.write(ctx)
	return a
}

// setProblem makes the answer say why there is none.
func (a *Answer) setProblem(err error) {
	text := words.TextOf(err)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		text = words.AskCancelled()
	}
	a.Problem = textformat.Sentence(model.CleanText(a.translate(text), model.MaxBody))
}

// interpretation returns a query in words. name is the name of the record that was found; "": none.
func (q *Query) interpretation(name string, zone *time.Location, now time.Time) string {
	begin := q.Kind.opening()
	if q.Kind == KindRecord {
		begin = "" // the reading is the name alone
	}
	parts := []string{begin, cmp.Or(name, q.Name)}
	if f := figureTitle(q.Figure); f != "" {
		parts = []string{begin, f}
		if n := cmp.Or(name, q.Name); n != "" {
			parts = append(parts, "of", n)
		}
	}
	if !q.At.IsZero() {
		link := "at"
		if q.Kind == KindCompare {
			link = "with"
		}
		parts = append(parts, link, textformat.DayClock(q.At.In(zone), now.In(zone)))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// writer writes the answer to a query.
type writer struct {
	*Answer

	floor  *Responder
	query  Query
	moment *Moment
	format textformat.Format
	match  headless.RecordMatch // the record that the query names
}

// name returns the name of the record that was found, or "".
func (w *writer) name() string { return w.match.Name }

// findRecord finds the record that the query names. It returns false if there is none, or more than one;
// the answer then says so.
func (w *writer) findRecord() bool {
	name, scopes := cutScope(w.query.Name)
	s, names := w.moment.Snapshot, w.floor.Names
	list := w.floor.findRecords(s, w.query.Name)
	switch {
	case len(list) == 1:
		w.match = list[0]
		for _, k := range w.match.Keys {
			w.Records = append(w.Records, Place{k.Scope, k.Code, k.Channel, w.match.Name})
		}
		return true
	case len(list) > 1:
		w.Problem = w.translate(words.AskSeveral())
	default:
		noun := words.AskAnyRecord()
		if len(scopes) == 1 {
			noun = headless.ScopeNoun(scopes[0])
		}
		w.Problem = w.translate(words.AskNoneCalled(noun))
		list = nearestRecords(s, names, name, scopes)
	}
	for _, r := range list[:min(len(list), maxCandidates)] {
		k := r.Keys[0]
		w.Candidates = append(w.Candidates, Place{k.Scope, k.Code, "", r.Name})
	}
	if more := len(list) - maxCandidates; more > 0 {
		w.Problem = w.translate(words.JoinSentences(words.Name(w.Problem), words.AskOthers(more)))
	}
	if len(list) == 0 {
		w.Examples = Examples()
	}
	return false
}

// findRecords returns the records that match a typed name. A word such as "service" at its beginning
// may be the scope or a part of the name, as in "Service Desk" and in "Agent 3", an agent whose name is
// hidden.
func (f *Responder) findRecords(s *model.Snapshot, typed string) []headless.RecordMatch {
	whole := headless.FindRecords(s, f.Names, typed, allScopes...)
	name, scopes := cutScope(typed)
	if name == typed || len(whole) > 0 && textnorm.Fold(whole[0].Name) == textnorm.Fold(typed) {
		return whole
	}
	if list := headless.FindRecords(s, f.Names, name, scopes...); len(list) > 0 {
		return list
	}
	return whole
}

// allScopes are the scopes of the records that a question can name.
var allScopes = []alert.Scope{alert.Service, alert.Group, alert.Campaign, alert.User}

// cutScope removes a word such as "service" or "agent" from the beginning of a name. It returns the
// scopes to search.
func cutScope(name string) (rest string, scopes []alert.Scope) {
	for word, scope := range map[string]alert.Scope{"service": alert.Service, "group": alert.Group, "campaign": alert.Campaign, "agent": alert.User} {
		if rest, found := textnorm.CutName(name, word+" "); found && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest), []alert.Scope{scope}
		}
	}
	return name, allScopes
}

// nearestInterpretation returns the nearest possible reading of a question that was not understood, or "".
func (f *Responder) nearestInterpretation(question string) string {
	words, _ := splitQuestion(question)
	if len(words) == 0 {
		return ""
	}
	first := textnorm.Fold(words[0])
	best, bestDistance := "", 2
	for opening := range questionOpenings() {
		word, _, _ := strings.Cut(opening, " ")
		if d := editDistance(first, word); d > 0 && d < bestDistance && len(word) > 2 {
			best, bestDistance = word, d
		}
	}
	if best != "" {
		text := strings.Join(append([]string{best}, words[1:]...), " ")
		if _, ok := f.Parse(text, f.now()); ok {
			return text
		}
	}
	m := f.Present()
	if m == nil {
		return ""
	}
	typed := " " + textnorm.Fold(strings.Join(words, " ")) + " "
	for _, r := range headless.AllRecords(m.Snapshot, f.Names, alert.Service, alert.Group, alert.Campaign) {
		if name := textnorm.Fold(r.Name); name != "" && strings.Contains(typed, " "+name+" ") {
			return KindWhy.opening() + " " + r.Name
		}
	}
	return ""
}

// nearestRecords returns the records whose names differ from the typed one by few characters, or
// share a word with it, the nearest first.
func nearestRecords(s *model.Snapshot, names model.Names, typed string, scopes []alert.Scope) []headless.RecordMatch {
	type ranked struct {
		match headless.RecordMatch
		far   int
	}
	wanted := textnorm.Fold(typed)
	var list []ranked
	for _, r := range headless.AllRecords(s, names, scopes...) {
		far := len([]rune(wanted))
		for _, name := range append(strings.Fields(textnorm.Fold(r.Name)), textnorm.Fold(r.Name), textnorm.Fold(r.Keys[0].Code)) {
			far = min(far, editDistance(wanted, name))
			for w := range strings.FieldsSeq(wanted) {
				if w == name && len(w) > 2 {
					far = min(far, 1)
				}
			}
		}
		if far <= max(1, len([]rune(wanted))/3) {
			list = append(list, ranked{r, far})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.far, b.far) })
	var out []headless.RecordMatch
	for _, r := range list {
		out = append(out, r.match)
	}
	return out
}

// editDistance returns the number of characters to insert, delete or replace to turn a into b.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
