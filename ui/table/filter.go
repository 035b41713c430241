package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/lib/textnorm"
)

// Filter is a parsed filter. A row must match all of its words and conditions.
type Filter struct {
	Words      []FilterWord
	Conditions []Condition
	// Problem says what is wrong with a condition. Its Kind is NoProblem if all conditions are valid.
	Problem Problem
	// matchesNone is true if Problem prevents all rows from matching. It stays false if a condition
	// only lacks its value, because the viewer may still be typing.
	matchesNone bool
}

// Problem says what is wrong with a condition of a filter. The caller puts it into words.
type Problem struct {
	Kind   ProblemKind
	Name   string   // what the viewer has typed, or for NoFigures, the title of the column
	Titles []string // titles of the columns that an ambiguous name may mean
}

// ProblemKind is the kind of a [Problem].
type ProblemKind uint8

// Values of [ProblemKind].
const (
	NoProblem       ProblemKind = iota
	MissingValue                // the condition Name has no value
	InvalidValue                // the value Name is not valid
	UnknownColumn               // no column is called Name
	AmbiguousColumn             // Name may mean several columns
	NoFigures                   // the values of a column are not figures
)

// FilterWord is a word of a filter, with all phrases of the filter that end in this word. In the
// filter "not ready", the word "ready" has the phrases "not ready" and "ready".
type FilterWord struct {
	Text    string
	Phrases []string
}

// Condition requires that the value of a column is above, below or equal to a limit.
type Condition struct {
	Column     int     // index of the column
	operator   string  // one of operators
	limit      float64 // in seconds if isDuration is true
	isDuration bool    // limit has a unit of time, so the value must be a duration
}

// HasConditions reports whether a filter may have conditions. Rows may begin or cease to meet a
// condition as time passes.
func HasConditions(filter string) bool { return strings.ContainsAny(filter, "<>=") }

// ParseFilter parses the filter of a table. columns are all columns of the table, including
// invisible ones.
func ParseFilter(text string, columns []Column) Filter {
	var f Filter
	var words []string
	for _, token := range strings.Fields(joinOperators(textnorm.Fold(text))) {
		if !f.addCondition(token, columns) {
			words = append(words, token)
		}
	}
	for i, w := range words {
		word := FilterWord{Text: w}
		for from := range i + 1 {
			word.Phrases = append(word.Phrases, strings.Join(words[from:i+1], " "))
		}
		f.Words = append(f.Words, word)
	}
	return f
}

// operators are the operators of conditions. An operator comes before its own prefixes.
var operators = []string{">=", "<=", ">", "<", "="}

// joinOperators returns text without the spaces around operators. "time > 10m" thus becomes a
// single token.
func joinOperators(text string) string {
	if !HasConditions(text) {
		return text
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, op := range operators {
		text = strings.ReplaceAll(strings.ReplaceAll(text, " "+op, op), op+" ", op)
	}
	return text
}

// addCondition adds the condition in a token to the filter, or sets Problem. It returns false if
// the token is a word. A token with an equals sign is a condition only if the sign follows the name
// of a column, because a name may contain an equals sign.
func (f *Filter) addCondition(token string, columns []Column) bool {
	index := strings.IndexAny(token, "<>=")
	if index < 1 {
		return false
	}
	name := token[:index]
	op := operators[slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(token[index:], op) })]
	column, problem := findColumn(name, columns)
	switch value := token[index+len(op):]; {
	case column < 0 && op == "=":
		return false
	case problem.Kind != NoProblem:
		f.Problem, f.matchesNone = problem, true
	case value == "":
		f.Problem = Problem{Kind: MissingValue, Name: name + op}
	default:
		limit, isDuration, ok := parseLimit(value)
		if !ok {
			f.Problem, f.matchesNone = Problem{Kind: InvalidValue, Name: value}, true
			return true
		}
		f.Conditions = append(f.Conditions, Condition{column, op, limit, isDuration})
	}
	return true
}

// findColumn returns the index of the column whose ID, title or alias is name. If there is none, it
// returns the only column of which one of these begins with name. If there is no such column, or more
// than one, it returns -1. problem says why there is no such column or why its values cannot be
// compared.
func findColumn(name string, columns []Column) (index int, problem Problem) {
	var begin []int
	for i, c := range columns {
		names := append([]string{c.ID, c.Title}, c.Aliases...)
		if slices.ContainsFunc(names, func(n string) bool { return compactName(n) == name }) {
			return i, comparisonProblem(c)
		}
		if slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(compactName(n), name) }) {
			begin = append(begin, i)
		}
	}
	switch len(begin) {
	case 0:
		return -1, Problem{Kind: UnknownColumn, Name: name}
	case 1:
		return begin[0], comparisonProblem(columns[begin[0]])
	}
	titles := make([]string, len(begin))
	for i, c := range begin {
		titles[i] = columns[c].Title
	}
	return -1, Problem{Kind: AmbiguousColumn, Name: name, Titles: titles}
}

// comparisonProblem says why the values of a column cannot be compared, if they cannot.
func comparisonProblem(c Column) Problem {
	if c.HasFigures {
		return Problem{}
	}
	return Problem{Kind: NoFigures, Name: c.Title}
}

// compactName returns a name as it is typed in a condition: folded and without spaces.
func compactName(name string) string { return strings.ReplaceAll(textnorm.Fold(name), " ", "") }

// parseLimit parses the limit of a condition: "80", "79.5", "79,5", "80%", "5k", "3.1MB", "10m",
// "1h30m" or "0:45". For a duration, it returns the number of seconds, and isDuration is true. ok
// is false for any other text.
func parseLimit(text string) (limit float64, isDuration, ok bool) {
	if strings.Contains(text, ":") {
		limit, ok = parseClock(text)
		return limit, true, ok
	}
	number, unit := strings.Replace(strings.TrimSuffix(text, "%"), ",", ".", 1), 1.0
	for _, scaled := range []struct {
		suffix string
		unit   float64
	}{{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"k", 1e3}} {
		if before, ok := strings.CutSuffix(number, scaled.suffix); ok {
			number, unit = before, scaled.unit
			break
		}
	}
	if limit, err := strconv.ParseFloat(number, 64); err == nil {
		return limit * unit, false, true
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds(), true, true
	}
	return 0, false, false
}

// parseClock parses a duration such as "0:45" or "1:02:33" and returns the number of seconds. ok is
// false for any other text.
func parseClock(text string) (seconds float64, ok bool) {
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return 0, false
		}
		seconds = 60*seconds + float64(n)
	}
	return seconds, true
}

// MeetsConditions reports whether a row meets all conditions of the filter. value returns the row's
// value in the column with the given index. A condition does not hold for an unknown value or a text,
// nor if only its limit is a duration. If a condition is invalid, no row meets the conditions.
func (f *Filter) MeetsConditions(value func(column int) Value) bool {
	if f.matchesNone {
		return false
	}
	for i := range f.Conditions {
		c := &f.Conditions[i]
		v := value(c.Column)
		if !v.Known || v.Kind == TextValue || c.isDuration && v.Kind != DurationValue || !c.compare(v.Rounded()) {
			return false
		}
	}
	return true
}

func (c *Condition) compare(value float64) bool {
	switch c.operator {
	case ">":
		return value > c.limit
	case "<":
		return value < c.limit
	case ">=":
		return value >= c.limit
	case "<=":
		return value <= c.limit
	}
	return value == c.limit
}
