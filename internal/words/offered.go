package words

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/words/catalogue"
)

// LanguageSet holds the languages that viewers can choose. It is safe for concurrent use.
type LanguageSet struct {
	reading sync.Mutex // held while a folder is read; it is locked before mu and guards folders
	folders []string

	mu        sync.Mutex // guards the fields below
	userFiles map[string][]catalogue.File
	parsed    map[string]*Language
}

// AvailableLanguages are the languages that viewers of this program can choose.
var AvailableLanguages LanguageSet

// Add merges a user's file of messages over a language, which need not be part of the program. It has no
// effect on a language that has been looked up.
func (o *LanguageSet) Add(tag string, f catalogue.File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.userFiles == nil {
		o.userFiles = make(map[string][]catalogue.File)
	}
	o.userFiles[tag] = append(o.userFiles[tag], f)
}

// AddFolder adds the files of a folder, which are named after their languages: "de.txt". It returns their
// problems. A folder that does not exist has no files. Only the first call for a folder reads it; other
// calls wait until it has been read.
func (o *LanguageSet) AddFolder(dir string) (problems []catalogue.Problem) {
	o.reading.Lock()
	defer o.reading.Unlock()
	if slices.Contains(o.folders, dir) {
		return nil
	}
	o.folders = append(o.folders, dir)
	return CheckFolder(dir, o.Add)
}

// MaxFile limits the size of a file of messages.
const MaxFile = 4 << 20

// CheckFolder returns the problems of the files of a folder, see [LanguageSet.AddFolder]. It calls add for each file that can
// be used, unless add is nil.
func CheckFolder(dir string, add func(tag string, f catalogue.File)) (problems []catalogue.Problem) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, catalogue.Problem{File: dir, Text: err.Error()})
	}
	for _, e := range entries {
		tag, is := strings.CutSuffix(e.Name(), ".txt")
		if !is {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := securefile.ReadRegular(path, MaxFile)
		rules, known := RulesOf(tag)
		switch {
		case err != nil:
			problems = append(problems, catalogue.Problem{File: path, Text: err.Error()})
			continue
		case !known || tag == "en":
			problems = append(problems, catalogue.Problem{File: path, Text: "there is no such language"})
			continue
		}
		f := catalogue.File{Name: path, Text: string(text)}
		_, found := Parse(rules, nil, f)
		problems = append(problems, slices.DeleteFunc(found, func(p catalogue.Problem) bool { return p.File != path })...)
		if add != nil {
			add(tag, f)
		}
	}
	return problems
}

// Tags returns the tags of the languages, such as "en".
func (o *LanguageSet) Tags() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	tags := slices.AppendSeq(catalogue.Tags(), maps.Keys(o.userFiles))
	slices.Sort(tags)
	return slices.DeleteFunc(slices.Compact(tags), func(tag string) bool { _, ok := RulesOf(tag); return !ok })
}

// Lookup returns the language with a tag, for English nil. ok is false if there is none.
func (o *LanguageSet) Lookup(tag string) (l *Language, ok bool) {
	rules, ok := RulesOf(tag)
	if tag == "en" {
		return nil, true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	files := catalogue.Files(tag)
	if own := o.userFiles[tag]; !ok || len(files)+len(own) == 0 {
		return nil, false
	}
	if o.parsed[tag] == nil {
		l, _ := Parse(rules, nil, files...)         // a test checks that there are no problems
		l, _ = Parse(rules, l, o.userFiles[tag]...) // the check of the configuration reports problems
		if o.parsed == nil {
			o.parsed = make(map[string]*Language)
		}
		o.parsed[tag] = l
	}
	return o.parsed[tag], true
}

// Describe returns the name of a language, written in that language, and who reviewed the translation. It
// does not parse the other messages.
func (o *LanguageSet) Describe(tag string) (name, review string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name, review = LanguageName().In(nil), LanguageReview().In(nil)
	for _, f := range append(catalogue.Files(tag), o.userFiles[tag]...) {
		if strings.HasPrefix(f.Name, tag+"/") && f.Name != tag+"/language.txt" {
			continue
		}
		lines, _ := catalogue.ReadLines(f.Name, f.Text)
		for _, l := range lines {
			switch l.Key {
			case LanguageName().Key():
				name = l.Text
			case LanguageReview().Key():
				review = l.Text
			}
		}
	}
	return name, review
}

// Choose returns the language with a tag or, if there is none ("auto"), that of the locale; see
// [LanguageSet.ForLocale].
func (o *LanguageSet) Choose(tag string, getenv func(string) string) *Language {
	if l, ok := o.Lookup(tag); ok {
		return l
	}
	return o.ForLocale(getenv)
}

// ForLocale returns the language of a locale such as "de_CH.UTF-8", the first of the environment variables
// LC_ALL, LC_MESSAGES and LANG that is set. It returns nil, English, if the language is not offered.
func (o *LanguageSet) ForLocale(getenv func(string) string) *Language {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := getenv(name); locale != "" {
			i := strings.IndexAny(locale+".", "_.@")
			l, _ := o.Lookup(strings.ToLower(locale[:i]))
			return l
		}
	}
	return nil
}

// ASCII returns the language with texts that a terminal without UTF-8 can show: letters lose their accents, or become
// two letters where the language writes them so.
func (l *Language) ASCII() *Language {
	if l == nil {
		l = English()
	}
	return l.ascii()
}

// transliterate returns parts in ASCII letters. Signs such as dashes remain. The code that draws a text
// replaces them, because names contain them as well.
func transliterate(tag string, parts []part) []part {
	pairs := []string{
		"à", "a", "á", "a", "â", "a", "ä", "a", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i",
		"ñ", "n", "ò", "o", "ó", "o", "ô", "o", "ö", "o", "œ", "oe", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ß", "ss", "¿", "", "¡", "", "«", "\"", "»", "\"", "„", "\"",
		"À", "A", "Á", "A", "Â", "A", "Ê", "E", "Ë", "E", "Ì", "I", "Î", "I", "Ï", "I", "Ò", "O", "Ô", "O", "Û", "U", "Ø", "O", "Ä", "A", "Ç", "C", "È", "E", "É", "E", "Ê", "E", "Í", "I", "Ñ", "N", "Ó", "O", "Ö", "O", "Œ", "OE", "Ù", "U", "Ú", "U", "Ü", "U",
	}
	if tag == "de" {
		pairs = append([]string{"ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "Ø", "Mittl."}, pairs...)
	}
	return mapLiterals(parts, strings.NewReplacer(pairs...).Replace)
}

// mapLiterals returns parts with their literal texts replaced.
func mapLiterals(parts []part, replace func(string) string) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		p.literal = replace(p.literal)
		choices := make([]choice, len(p.choices))
		for j, c := range p.choices {
			c.parts = mapLiterals(c.parts, replace)
			choices[j] = c
		}
		if p.choices = nil; len(choices) > 0 {
			p.choices = choices
		}
		out[i] = p
	}
	return out
}

// TranslatedLines returns the lines of a translation. A line in the user's file in the folder dir takes the
// place of the program's line with the same key.
func TranslatedLines(dir, tag string) []catalogue.Line {
	files := catalogue.Files(tag)
	path := filepath.Join(dir, tag+".txt")
	if text, err := securefile.ReadRegular(path, MaxFile); err == nil {
		files = append(files, catalogue.File{Name: path, Text: string(text)})
	}
	var out []catalogue.Line
	for _, f := range files {
		lines, _ := catalogue.ReadLines(f.Name, f.Text)
		lines, _ = CheckLines(f.Name, lines) // English takes the place of a line that cannot be used
		for _, l := range lines {
			out = append(slices.DeleteFunc(out, func(o catalogue.Line) bool { return o.Key == l.Key }), l)
		}
	}
	return out
}

// CountMissing returns the number of messages that a translation does not have.
func CountMissing(lines []catalogue.Line) (n int) {
	has := make(map[string]bool, len(lines))
	for i := range lines {
		has[lines[i].Key] = true
	}
	for _, s := range catalogue.English() {
		for i := range s.Messages {
			if !has[s.Messages[i].Key] {
				n++
			}
		}
	}
	return n
}
