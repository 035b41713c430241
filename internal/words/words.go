// Package words is the catalogue of messages: every sentence and every label that a supervisor
// reads, with English as the source.
//
// The folder catalogue/en holds the English messages, one a line, with their typed parameters. A generated
// function for each of them returns a [Text], a message with its arguments that does not know any language:
// words.SituationWaitingLongest(…). [Text.In] writes it in a [Language]. So a message that is missing or has
// other parameters does not compile, and a text can be stored, compared, and written for each viewer in the
// language of that viewer.
//
// A translation is a file with a line for each message, merged over English by [Parse]. docs/dev/words.md
// describes the format and how to convert a package.
//
// The package has no goroutines. It reads files only in [LanguageSet.AddFolder], [CheckFolder] and
// [TranslatedLines]. Texts and languages are immutable and may be used by several goroutines.
package words

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

// Text is a message with its arguments, independent of language. The zero Text is empty in every language.
//
// The arguments are behind a pointer, because thousands of calls build a Text and copy it. The arguments of a
// Text that is written at once are on the stack.
type Text struct {
	id   messageID
	args []arg // never changed
}

// messageID identifies a message: the number of its file, from 1 on, and its position in the file. The
// numbers may change with every version of the program; stored texts use the keys of messages.
type messageID struct {
	section uint8
	index   uint16
}

// argKind says how an argument is formatted.
type argKind uint8

const (
	noArg       argKind = iota
	intArg              // a whole number
	numberArg           // a number with at most one decimal
	durationArg         // a duration such as 12:07
	clockArg            // a time of day in minutes
	nameArg             // a text that is the same in all languages
	textArg             // texts, joined by commas
	percentArg          // a share between 0 and 1, written as a percentage
)

// arg is an argument of a message. It has no pointers except for strings and texts, so that a message
// with numbers and names needs no memory of its own.
type arg struct {
	kind  argKind
	n     int64 // for a numberArg and a percentArg: the bits of a float64
	name  string
	texts []Text
}

func argInt(n int) arg                { return arg{kind: intArg, n: int64(n)} }
func argNumber(v float64) arg         { return arg{kind: numberArg, n: int64(math.Float64bits(v))} }      //nolint:gosec // bits
func argPercent(share float64) arg    { return arg{kind: percentArg, n: int64(math.Float64bits(share))} } //nolint:gosec // bits
func argDuration(d time.Duration) arg { return arg{kind: durationArg, n: int64(d)} }
func argClock(c Clock) arg            { return arg{kind: clockArg, n: int64(c)} }
func argName(s string) arg            { return arg{kind: nameArg, name: s} }
func argText(t Text) arg              { return arg{kind: textArg, texts: []Text{t}} }
func argList(texts []Text) arg        { return arg{kind: textArg, texts: texts} }

func (a *arg) float() float64 { return math.Float64frombits(uint64(a.n)) } //nolint:gosec // bits

// Clock is a time of day, in minutes since midnight.
type Clock int

// ClockOf returns the time of day of t in a time zone. A nil zone means the zone of t.
func ClockOf(t time.Time, zone *time.Location) Clock {
	if zone != nil {
		t = t.In(zone)
	}
	return Clock(60*t.Hour() + t.Minute())
}

// IsZero reports whether the text is the zero Text, which is empty in every language.
func (t Text) IsZero() bool { return t.id == messageID{} }

// Equal reports whether two texts are the same message with equal arguments.
func (t Text) Equal(o Text) bool {
	return t.id == o.id && slices.EqualFunc(t.args, o.args, func(a, b arg) bool {
		return a.kind == b.kind && a.n == b.n && a.name == b.name && slices.EqualFunc(a.texts, b.texts, Text.Equal)
	})
}

// In returns the text in a language. A nil language means English.
func (t Text) In(l *Language) string {
	if t.IsZero() {
		return ""
	}
	if l == nil {
		l = English()
	}
	if parts := l.template(t.id).parts; len(parts) == 1 && parts[0].param < 0 { // most labels
		return parts[0].literal
	}
	return string(t.Append(nil, l))
}

// Append appends the text in a language to dst. A nil language means English. It allocates memory only
// if dst must grow.
func (t Text) Append(dst []byte, l *Language) []byte {
	if t.IsZero() {
		return dst
	}
	if l == nil {
		l = English()
	}
	return l.appendForm(dst, &t, "")
}

// MapNames returns the text with each of its names replaced by f, also within its phrases. The other
// parts of a text come from the catalogue.
func (t Text) MapNames(f func(string) string) Text {
	t.args = slices.Clone(t.args)
	for i := range t.args {
		a := &t.args[i]
		if a.kind == nameArg {
			a.name = f(a.name)
		}
		if len(a.texts) > 0 {
			a.texts = slices.Clone(a.texts)
			for j := range a.texts {
				a.texts[j] = a.texts[j].MapNames(f)
			}
		}
	}
	return t
}

// NameTexts returns names as texts, for a list.
func NameTexts(names []string) []Text {
	out := make([]Text, len(names))
	for i, n := range names {
		out[i] = Name(n)
	}
	return out
}

// JoinSentences joins sentences to a paragraph. It leaves out empty texts.
func JoinSentences(texts ...Text) Text { return joinAll(Paragraph, texts) }

// JoinStatements joins short statements to a line, such as "Nothing needs action now · no one waiting".
func JoinStatements(texts ...Text) Text { return joinAll(StatementLine, texts) }

// AllIn returns texts in a language. A nil language means English.
func AllIn(texts []Text, l *Language) []string {
	out := make([]string, len(texts))
	for i := range texts {
		out[i] = texts[i].In(l)
	}
	return out
}

func joinAll(join func(a, b Text) Text, texts []Text) (out Text) {
	for i := range texts {
		switch t := &texts[i]; {
		case t.IsZero():
		case out.IsZero():
			out = *t
		default:
			out = join(out, *t)
		}
	}
	return out
}

// number returns the number that decides the plural of an argument. For a text, it is the number of the
// text's first argument that has one. For several texts, it is how many there are.
func (a *arg) number() (v float64, ok bool) {
	switch a.kind {
	case intArg:
		return float64(a.n), true
	case numberArg:
		return model.RoundTo(a.float(), 1), true
	case percentArg:
		return model.RoundTo(100*a.float(), 1), true
	case textArg:
		if len(a.texts) != 1 {
			return float64(len(a.texts)), true
		}
		for i := range a.texts[0].args {
			if v, ok := a.texts[0].args[i].number(); ok {
				return v, true
			}
		}
	case noArg, durationArg, clockArg, nameArg:
	}
	return 0, false
}
