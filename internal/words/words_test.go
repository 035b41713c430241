package words

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/words/catalogue"
	"wallboard/model"
)

// TestEnglishIsComplete parses all English messages and checks that their keys are unique and begin with the
// name of their file.
func TestEnglishIsComplete(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, s := range catalogue.English() {
		own := strings.TrimSuffix(s.File, ".txt") + "."
		for i := range s.Messages {
			m := &s.Messages[i]
			if _, err := parseTemplate(m.Text, m.ParamNames()); err != nil || m.Text == "" {
				t.Errorf("en/%s:%d: %s: %v", s.File, m.Line, m.Key, err)
			}
			if own != "common." && !strings.HasPrefix(m.Key, own) || seen[m.Key] {
				t.Errorf("en/%s:%d: %s must be unique and begin with %s", s.File, m.Line, m.Key, own)
			}
			seen[m.Key] = true
		}
	}
	if len(seen) < 70 {
		t.Errorf("%d messages", len(seen))
	}
}

// german is a translation with grammar that English does not have: genders, cases, and another order.
const german = `
time.day = T
not-applicable = entf.
count.calls [m] = {n|one: {n} Anruf|other: {n} Anrufe}
count.calls.dat = {n|one: {n} Anruf|other: {n} Anrufen}
count.chats [n] = {n|one: {n} Gespräch|other: {n} Gespräche}
paragraph = mit {second:dat} {first|m: jeder|f: jede|n: jedes} {first}
`

func TestTranslation(t *testing.T) {
	t.Parallel()
	rules, _ := RulesOf("de")
	l, problems := Parse(rules, nil, catalogue.File{Name: "de.txt", Text: german})
	for _, p := range problems {
		if p.File == "de.txt" {
			t.Error(p)
		}
	}
	for _, tt := range []struct {
		text Text
		want string
	}{
		{Paragraph(CountCalls(1), CountCalls(3)), "mit 3 Anrufen jeder 1 Anruf"},
		{Paragraph(CountChats(2), CountChats(2)), "mit 2 Gespräche jedes 2 Gespräche"}, // no dative form is given
		{Paragraph(Text{}, CountCalls(3)), "mit 3 Anrufen jedes "},                     // no gender
		{Number(2.25), "2,3"},
		{Number(3), "3"},
		{Count(12345), "12 345"},
		{Percent(0.876), "87,6 %"},
		{Sentence(Name("écoles fermées")), "Écoles fermées."},
		{Sentence(CountChats(2)), "2 Gespräche."},
		{Duration(101 * time.Hour), "4T 05:00"},
		{CountAgents(1), "1 agent"}, // not translated
		{List([]Text{Name("A"), CountCalls(1)}), "A, 1 Anruf"},
		{ChannelName("NEW_ONE"), "NEW_ONE"},
		{JoinSentences(Text{}, Text{}), ""},
	} {
		if got := tt.text.In(l); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.text.Key(), got, tt.want)
		}
	}
}

// TestProblemsHaveALine checks that everything wrong in a translation is reported with its line and that
// English takes its place.
func TestProblemsHaveALine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, want string }{
		{"count.calls = {n} Anru\xff", "de.txt:2: it is not UTF-8, or contains control characters"},
		{"count.calls = {n} \x1b[2J", "de.txt:2: it is not UTF-8, or contains control characters"},
		{"no message", "de.txt:2: this is not a message: it must begin with a key, such as: queue.empty = No one waiting now."},
		{"count.sheep = {n} Schafe", "de.txt:2: count.sheep: there is no such message"},
		{"sheep = Schafe", "de.txt:2: sheep: there is no such message"},
		{"count.calls =", "de.txt:2: count.calls: it does not contain {n}"},
		{"time.day =", "de.txt:2: time.day: it is empty"},
		{"count.calls = Anrufe", "de.txt:2: count.calls: it does not contain {n}"},
		{"count.calls = {m} Anrufe", "de.txt:2: count.calls: there is no parameter {m}; its parameters are: n"},
		{"count.calls = {n:abl} Anrufe", `de.txt:2: count.calls: "abl" is none of the forms gen, dat, acc, def, mid, cap`},
		{"count.calls = {n", "de.txt:2: count.calls: a brace is not closed"},
		{"count.calls = {n} Anrufe}", "de.txt:2: count.calls: a closing brace has no opening one"},
		{"count.calls = {n|one: Anruf}", `de.txt:2: count.calls: the last choice for {n} must be other, not "one"`},
		{"count.calls = {n|einer: Anruf|other: Anrufe}", `de.txt:2: count.calls: "einer" is neither a number nor one of zero, one, two, few, many, other, m, f, n`},
		{"count.calls(n Int) = {n} Anrufe", "de.txt:2: count.calls: a translation has no parameters in parentheses"},
		{"count.calls.dat = {n} Anrufen", "de.txt:2: count.calls.dat: count.calls must come before its form dat"},
		{"count.calls [x] = {n} Anrufe", "de.txt:2: this is not a message: it must begin with a key, such as: queue.empty = No one waiting now."},
		{"count.chats = {n} Chats", "de.txt:2: count.chats: it is already on line 1"},
	} {
		rules, _ := RulesOf("de")
		l, problems := Parse(rules, nil, catalogue.File{Name: "de.txt", Text: "count.chats = {n} Chats\n" + tt.line + "\n"})
		if len(problems) == 0 || problems[0].String() != tt.want {
			t.Errorf("%s: %v, want %s", tt.line, problems[:1], tt.want)
		}
		if got := CountCalls(2).In(l); got != "2 calls" {
			t.Errorf("%s: the message is %q, want English", tt.line, got)
		}
	}
	rules, _ := RulesOf("de")
	_, problems := Parse(rules, nil)
	if got := problems[0].String(); !strings.HasPrefix(got, "en/") || !strings.HasSuffix(got, ": not translated in de") {
		t.Errorf("a missing message is reported as %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(german)
	f.Add("count.calls = {n|one: {n|one: {n|one: {n|one: {n|one: x|other: y}")
	rules, _ := RulesOf("fr")
	f.Fuzz(func(t *testing.T, text string) {
		l, _ := Parse(rules, nil, catalogue.File{Name: "x.txt", Text: text})
		if Paragraph(CountCalls(3), CountChats(1)).In(l) == "" {
			t.Error("a text is empty")
		}
	})
}

func TestNilIsEnglish(t *testing.T) {
	t.Parallel()
	wait := WaitText(model.FigureOf(58).WithPresumedUnit(true))
	if got := wait.In(nil); got != "0:58 (presumed)" {
		t.Errorf("a wait is %q", got)
	}
	var l *Language
	if got := string(l.AppendPercent(l.AppendDuration(nil, 100*time.Hour), 0.874)); got != "4d 04:0087.4 %" || l.Tag() != "en" {
		t.Errorf("figures are %q in %q", got, l.Tag())
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	a := Paragraph(CountCalls(1), Name("A"))
	for _, tt := range []struct {
		b    Text
		want bool
	}{
		{Paragraph(CountCalls(1), Name("A")), true},
		{Paragraph(CountCalls(2), Name("A")), false},
		{StatementLine(CountCalls(1), Name("A")), false},
		{Text{}, false},
	} {
		if got := a.Equal(tt.b); got != tt.want {
			t.Errorf("equal to %q: %v", tt.b.In(nil), got)
		}
	}
}

// TestMapNames changes the names of a text and of its phrases, and leaves the text itself unchanged.
func TestMapNames(t *testing.T) {
	t.Parallel()
	text := List([]Text{Name("anna"), Presumed(Name("ben")), CountCalls(2)})
	if got, want := text.MapNames(strings.ToUpper).In(nil), "ANNA, BEN (presumed), 2 calls"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := text.In(nil), "anna, ben (presumed), 2 calls"; got != want {
		t.Errorf("the text has become %q, want %q", got, want)
	}
}

func TestPseudo(t *testing.T) {
	t.Parallel()
	text := Paragraph(CountCalls(1), Name("Sales"))
	if got, want := text.In(PseudoLanguage()), "[1 cáäll] Sales"; got != want {
		t.Errorf("the pseudo-language tells %q, want %q", got, want)
	}
}

// TestLanguagesAreShared writes one text in one language from several goroutines.
func TestLanguagesAreShared(t *testing.T) {
	t.Parallel()
	l := PseudoLanguage()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := CountAgents(1).In(l); got != "[1 áägéënt]" {
				t.Errorf("the text is %q", got)
			}
		})
	}
	group.Wait()
}

func TestNoAllocations(t *testing.T) {
	l, buf := PseudoLanguage(), make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		_ = ChannelCalls().In(nil)
		buf = TimeHoursMinutes(1, 5).Append(CountAgents(13).Append(buf[:0], l), l)
	}); n != 0 {
		t.Errorf("messages take %v allocations", n)
	}
}

func BenchmarkStatic(b *testing.B) {
	buf := make([]byte, 0, 100)
	b.ReportAllocs()
	for b.Loop() {
		buf = TimeLastMinute().Append(buf[:0], English())
	}
}

func BenchmarkPlural(b *testing.B) {
	buf := make([]byte, 0, 100)
	b.ReportAllocs()
	for b.Loop() {
		buf = CountAgents(13).Append(buf[:0], English())
	}
}

// BenchmarkStart measures what the catalogue adds to the start of the program.
func BenchmarkStart(b *testing.B) {
	rules, _ := RulesOf("en")
	b.ReportAllocs()
	for b.Loop() {
		newLanguage(rules, func(_ messageID, m *message) template { return englishTemplate(m) })
	}
}

// TestTextOfError looks for the text of an error in its chain.
func TestTextOfError(t *testing.T) {
	t.Parallel()
	cause := errors.New("connection refused")
	told := NewError(CauseStale(), cause)
	for _, test := range []struct {
		err  error
		want Text
	}{{nil, Text{}}, {cause, Name("connection refused")}, {told, CauseStale()}, {fmt.Errorf("act: %w", told), CauseStale()}} {
		if got := TextOf(test.err); !got.Equal(test.want) {
			t.Errorf("the text of %v is %q, want %q", test.err, got.In(nil), test.want.In(nil))
		}
	}
	if !errors.Is(told, cause) || told.Error() != CauseStale().In(English()) {
		t.Errorf("the error is %q", told)
	}
}
