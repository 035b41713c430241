package words

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/words/catalogue"
)

// TestOfferedLanguagesAreComplete checks that all messages of all languages that viewers can choose can be
// written, in the language itself and in ASCII.
func TestOfferedLanguagesAreComplete(t *testing.T) {
	t.Parallel()
	tags := AvailableLanguages.Tags()
	if !slices.Contains(tags, "en") {
		t.Errorf("the languages are %q", tags)
	}
	for _, tag := range tags {
		rules, _ := RulesOf(tag)
		if tag != "en" {
			_, problems := Parse(rules, nil, catalogue.Files(tag)...)
			for _, p := range problems {
				t.Error(p)
			}
		}
		l, ok := AvailableLanguages.Lookup(tag)
		if !ok || l.Tag() != tag {
			t.Errorf("%s is %q", tag, l.Tag())
		}
		if name, review := AvailableLanguages.Describe(tag); name != LanguageName().In(l) || review != LanguageReview().In(l) {
			t.Errorf("%s is described as %q, %q", tag, name, review)
		}
		for s, section := range catalogue.English() {
			for i := range section.Messages {
				told := string(l.ASCII().appendForm(nil, &Text{messageID{uint8(s + 1), uint16(i)}, make([]arg, len(section.Messages[i].Params))}, ""))
				for _, r := range told {
					if r >= 0xc0 && r < 0x250 { // letters; the code that draws a text replaces signs such as dashes
						t.Errorf("%s: %s has the letter %q in ASCII: %q", tag, section.Messages[i].Key, r, told)
					}
				}
			}
		}
	}
}

// TestASCII writes a translation for a terminal without UTF-8.
func TestASCII(t *testing.T) {
	t.Parallel()
	rules, _ := RulesOf("de")
	l, _ := Parse(rules, nil, catalogue.File{Name: "de.txt", Text: "count.calls = {n|one: {n} größter Anruf|other: {n} Überläufe}\ncount.calls.dat = {n} Überläufen"})
	for n, want := range map[int]string{1: "1 groesster Anruf", 2: "2 Ueberlaeufe"} {
		if got := CountCalls(n).In(l.ASCII()); got != want {
			t.Errorf("%d calls are %q, want %q", n, got, want)
		}
	}
	if got := CountCalls(2).In(l); got != "2 Überläufe" {
		t.Errorf("the language itself tells %q", got)
	}
}

func TestLanguageOfLocale(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  map[string]string
		want string
	}{
		{nil, "en"},
		{map[string]string{"LANG": "en_GB.UTF-8"}, "en"},
		{map[string]string{"LANG": "de_CH.UTF-8"}, "de"},
		{map[string]string{"LANG": "it_IT.UTF-8", "LC_MESSAGES": "fr_FR@euro"}, "fr"},
		{map[string]string{"LANG": "C"}, "en"},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "POSIX"}, "en"},
		{map[string]string{"LANG": "xx_YY@z"}, "en"},
		{map[string]string{"LANG": ".."}, "en"},
	} {
		if got := AvailableLanguages.ForLocale(func(name string) string { return tt.env[name] }).Tag(); got != tt.want {
			t.Errorf("%v is %s, want %s", tt.env, got, tt.want)
		}
	}
}

// TestOwnMessages merges files of a user over a language that is not part of the program, and finds it.
func TestOwnMessages(t *testing.T) {
	t.Parallel()
	var o LanguageSet
	if _, ok := o.Lookup("xx"); ok {
		t.Error("an unknown language is offered")
	}
	o.Add("it", catalogue.File{Name: "it.txt", Text: "count.calls = {n|one: {n} chiamata|other: {n} chiamate}\ncount.chats = {m}"})
	l, ok := o.Lookup("it")
	if !ok || !slices.Contains(o.Tags(), "it") {
		t.Fatalf("offered are %q", o.Tags())
	}
	if got := CountCalls(2).In(l); got != "2 chiamate" {
		t.Errorf("a message of the user is %q", got)
	}
	if got, want := CountChats(2).In(l), CountChats(2).In(nil); !slices.Contains(catalogue.Tags(), "it") && got != want {
		t.Errorf("a broken message is %q, want %q", got, want)
	}
	if got := o.ForLocale(func(name string) string { return map[string]string{"LANG": "it_IT.UTF-8"}[name] }); got != l {
		t.Errorf("the locale has the language %q", got.Tag())
	}
}

// TestPORoundTrip writes a translation as a PO file, and reads it again.
func TestPORoundTrip(t *testing.T) {
	t.Parallel()
	lines, _ := catalogue.ReadLines("de.txt", german)
	var b strings.Builder
	if err := catalogue.WritePO(&b, "de", lines); err != nil {
		t.Fatal(err)
	}
	read, problems := catalogue.ReadPO("de.po", b.String())
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	text := func(lines []catalogue.Line) []string {
		var out []string
		for i := range lines {
			out = append(out, lines[i].String())
		}
		slices.Sort(out)
		return out
	}
	if got, want := text(read), text(lines); !slices.Equal(got, want) {
		t.Errorf("read are %q, want %q", got, want)
	}
	broken := "msgctxt \"count.calls\"\nmsgid \"x\"\nmsgstr \"{n} \"\n\"Anrufe\"\nmsgstr[1] \"y\"\nmsgstr \"not closed\n"
	read, problems = catalogue.ReadPO("de.po", broken)
	if len(read) != 1 || read[0].String() != "count.calls = {n} Anrufe" || len(problems) != 2 || problems[0].Line != 5 || problems[1].Line != 6 {
		t.Errorf("of a broken file: %v, problems %v", read, problems)
	}
}

// TestFolderIsReadBeforeLookup lets several viewers begin at once: each finds the language of the folder.
func TestFolderIsReadBeforeLookup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Repeat("# a comment\n", 20_000) + "count.calls = {n} Anrufe\n"
	if err := os.WriteFile(filepath.Join(dir, "de.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var offered LanguageSet
	var viewers sync.WaitGroup
	for range 4 {
		viewers.Go(func() {
			offered.AddFolder(dir)
			l, ok := offered.Lookup("de")
			if got := CountCalls(3).In(l); !ok || got != "3 Anrufe" {
				t.Errorf("a viewer reads %q", got)
			}
		})
	}
	viewers.Wait()
}

// TestTimesInSentences checks times with and without a date behind prepositions, and numbers below 2 in French.
func TestTimesInSentences(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)
	today, earlier := DayClock(now.Add(-time.Hour), now), DayClock(now.AddDate(0, 0, -1), now)
	for _, tt := range []struct {
		tag  string
		text Text
		want string
	}{
		{"de", HandoverTaken("Anna", today), "übernommen von Anna um 17:00"},
		{"de", HandoverTaken("Anna", earlier), "übernommen von Anna am 1. Mär um 18:00"},
		{"it", HandoverSince(today), "dalle 17:00"},
		{"it", HandoverSince(HandoverOrEarlier(earlier)), "dal 1 mar alle 18:00 o prima"},
		{"fr", HandoverFromTo(earlier, today), "1er mars 18:00–17:00"},
		{"es", HandoverSince(earlier), "desde el 1 mar a las 18:00"},
		{"fr", CauseRate(0.5, NounCalls(), LastPeriod(4*time.Minute), 0), "0,5 appel par minute sur les 4 min écoulées, contre 0 avant"},
		{"fr", CauseRate(2.5, NounCalls(), LastPeriod(time.Minute), 0.5), "2,5 appels par minute sur la dernière minute, contre 0,5 avant"},
	} {
		l, _ := AvailableLanguages.Lookup(tt.tag)
		if got := tt.text.In(l); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.tag, got, tt.want)
		}
	}
}
