package themes

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"wallboard/internal/lib/safedecode"
)

const (
	maxFileSize    = 16 << 10 // maximum size of a file in bytes; the embedded ones have 3 KiB
	maxDescription = 80       // maximum length of a description in characters
)

// palette is a parsed theme file that is not yet combined with the palettes that it extends.
type palette struct {
	file        string // "" for a palette without a file
	embedded    bool
	name        string
	description string
	extends     string
	colors      map[string]string     // the table [palette] of the file
	tokens      map[string]tokenEntry // the table [tokens] of the file

	text     string         // the whole file
	lines    map[string]int // line numbers by key; nil until the first problem
	problems []*Problem
}

// tokenEntry is a token as written in the file; a color is a name in [palette] or a literal.
type tokenEntry struct {
	fg, bg                          string
	bold, faint, reverse, underline bool
}

var (
	// namePattern matches names of themes and colors. They are safe to print and valid file
	// names on every system.
	namePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,39}$`)
	hexPattern  = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
)

const nameRemedy = "use up to 40 of a-z, A-Z, 0-9, - and _, a letter first"

// readPalette parses the text of a theme file. The result contains the problems of the text.
func readPalette(file, text string) *palette {
	p := &palette{file: file, text: text}
	var raw map[string]any
	if err := safedecode.DecodeTOML(text, &raw); err != nil {
		p.addSyntaxError(err)
		return p
	}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		switch v := raw[key]; key {
		case "name":
			if p.name = p.stringValue(key, v); !namePattern.MatchString(p.name) {
				p.addProblem(key, fmt.Sprintf("%q cannot be the name of a theme", p.name), nameRemedy)
			}
		case "description":
			p.description = p.stringValue(key, v)
			if utf8.RuneCountInString(p.description) > maxDescription || strings.ContainsFunc(p.description, isUnprintable) {
				p.addProblem(key, "is not a short line of text", fmt.Sprintf("up to %d printable characters are allowed", maxDescription))
			}
		case "extends":
			p.extends = p.stringValue(key, v)
		case "palette":
			p.readColors(p.tableValue(key, v))
		case "tokens":
			p.readTokens(p.tableValue(key, v))
		default:
			p.addProblem(keyOf(key), "unknown key", "allowed are name, description, extends, [palette] and [tokens]")
		}
	}
	return p
}

func isUnprintable(r rune) bool { return !unicode.IsPrint(r) }

// addSyntaxError adds the problem that the text is not valid TOML.
func (p *palette) addSyntaxError(err error) {
	found := &Problem{File: p.file, Text: err.Error(), Remedy: "see https://toml.io"}
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		found.Line, found.Text = syntax.Position.Line, "not valid TOML: "+cmp.Or(syntax.Message, syntax.Error())
	}
	if guardErr, ok := errors.AsType[*safedecode.TOMLError](err); ok {
		found.Line, found.Text, found.Remedy = guardErr.Line, "has "+guardErr.Text, "no theme needs that"
	}
	p.problems = append(p.problems, found)
}

// addProblem adds a problem with a key, on the line of the key. remedy tells the user how to solve
// it.
func (p *palette) addProblem(key, text, remedy string) {
	p.problems = append(p.problems, p.newProblem(key, text, remedy))
}

func (p *palette) newProblem(key, text, remedy string) *Problem {
	if p.lines == nil {
		p.lines = linesOf(p.text)
	}
	return &Problem{File: p.file, Line: p.lines[key], Key: key, Text: text, Remedy: remedy}
}

// stringValue returns the value v of a key as a string. If v is not a string, it adds a problem and
// returns "".
func (p *palette) stringValue(key string, v any) string {
	s, ok := v.(string)
	if !ok {
		p.addProblem(key, "must be a text", "write it in quotes")
	}
	return s
}

// tableValue returns the value v of a key as a table. If v is not a table, it adds a problem and
// returns nil.
func (p *palette) tableValue(key string, v any) map[string]any {
	t, ok := v.(map[string]any)
	if !ok {
		p.addProblem(key, "must be a table", "write ["+key+"] on a line of its own, its keys below")
	}
	return t
}

func (p *palette) readColors(raw map[string]any) {
	p.colors = make(map[string]string, len(raw))
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		key := keyOf("palette", name)
		if !namePattern.MatchString(name) || name == terminalColor {
			p.addProblem(key, "cannot be the name of a colour", nameRemedy+", but not "+strconv.Quote(terminalColor))
			continue
		}
		p.colors[name] = p.colorText(key, raw[name])
		if !isLiteral(p.colors[name]) {
			p.addProblem(key, fmt.Sprintf("%q is no colour", p.colors[name]), "allowed are "+literalForms)
			p.colors[name] = terminalColor
		}
	}
}

func (p *palette) readTokens(raw map[string]any) {
	p.tokens = make(map[string]tokenEntry, len(raw))
	known := tokenNames()
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		key := keyOf("tokens", name)
		if !slices.Contains(known[:], name) {
			p.addProblem(key, "unknown token", "`wallboard themes show "+DefaultName+"` shows all")
			continue
		}
		fields, ok := raw[name].(map[string]any)
		if !ok {
			p.addProblem(key, "must be a table", `write it like { fg = "#ffffff", bold = true }`)
		}
		p.tokens[name] = p.readEntry(key, fields)
	}
}

func (p *palette) readEntry(token string, fields map[string]any) tokenEntry {
	var e tokenEntry
	flags := map[string]*bool{"bold": &e.bold, "faint": &e.faint, "reverse": &e.reverse, "underline": &e.underline}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		v, key := fields[name], token+"."+keyOf(name)
		flag := flags[name]
		switch {
		case name == "fg":
			e.fg = p.colorText(key, v)
		case name == "bg":
			e.bg = p.colorText(key, v)
		case flag == nil:
			p.addProblem(key, "unknown key", "allowed are fg, bg, bold, faint, reverse and underline")
		default:
			var ok bool
			if *flag, ok = v.(bool); !ok {
				p.addProblem(key, "must be true or false", "without quotes")
			}
		}
	}
	return e
}

// terminalColor stands for the terminal's own color in theme files.
const terminalColor = "default"

const literalForms = `"#rrggbb", "#rgb", a number from 0 to 255, "` + terminalColor + `"`

// colorText returns a color of a theme file, which may be a string or an integer, as a string. For
// any other value it adds a problem and returns "default".
func (p *palette) colorText(key string, v any) string {
	switch v := v.(type) {
	case string:
		return cmp.Or(v, terminalColor)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	p.addProblem(key, "must be a colour", "allowed are "+literalForms)
	return terminalColor
}

// isLiteral reports whether s is a color literal: a number from 0 to 255, "default" or a
// hexadecimal color.
func isLiteral(s string) bool {
	_, err := strconv.ParseUint(s, 10, 8)
	return err == nil || s == terminalColor || hexPattern.MatchString(s)
}

// keyOf returns the full TOML key for a path of names, quoted where necessary.
func keyOf(path ...string) string { return toml.Key(path).String() }

// linesOf returns the line of each key in a valid TOML text. If the text has more than
// maxNumberedLines lines, the result is empty. The TOML library does not return line numbers.
// linesOf therefore decodes the first n lines for each n: the keys that are new were set by the
// last statement in these lines.
func linesOf(text string) map[string]int {
	lines := make(map[string]int)
	if strings.Count(text, "\n") > maxNumberedLines { // for each line, all lines up to it are decoded
		return lines
	}
	n, end, start := 0, 0, 1
	for line := range strings.Lines(text) {
		n++
		end += len(line)
		var ignored map[string]any
		md, err := toml.Decode(text[:end], &ignored)
		if err != nil {
			continue // inside a multi-line value
		}
		for _, k := range md.Keys() {
			if key := k.String(); lines[key] == 0 {
				lines[key] = start
			}
		}
		start = n + 1
	}
	return lines
}
