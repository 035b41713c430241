package words

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/internal/words/catalogue"
)

// part is a part of a message: literal text, an argument, or a choice between texts that depends on an
// argument.
type part struct {
	literal string
	param   int    // position of the parameter; -1: literal text
	form    string // grammatical form of the argument, such as "dat"; "": the basic one
	choices []choice
}

// choice is a text for some values of an argument.
type choice struct {
	label string // a plural category, a number, or a gender
	exact bool   // label is the number n
	n     float64
	parts []part
}

// template is a parsed message in a language.
type template struct {
	parts  []part
	gender string            // gender of the message if it is a noun; "": none
	forms  map[string][]part // other grammatical forms
}

// pluralLabels returns the plural categories of Unicode CLDR. They are labels of choices, like numbers and
// genders.
func pluralLabels() []string { return []string{"zero", "one", "two", "few", "many", "other"} }

// parseTemplate parses the text of a message with the named parameters.
func parseTemplate(text string, params []string) ([]part, error) {
	p := templateParser{rest: text, params: params, used: make([]bool, len(params))}
	parts, err := p.parts(false)
	if err != nil {
		return nil, err
	}
	for i, used := range p.used {
		if !used {
			return nil, fmt.Errorf("it does not contain {%s}", params[i])
		}
	}
	return parts, nil
}

type templateParser struct {
	rest   string
	params []string
	used   []bool
	depth  int
}

// maxDepth limits how deep choices may be nested.
const maxDepth = 4

// parts parses text up to its end or, within a choice, up to the bar or brace that ends it.
func (p *templateParser) parts(nested bool) ([]part, error) {
	var out []part
	stops := "{}"
	if nested {
		stops = "{}|"
	}
	for {
		i := strings.IndexAny(p.rest, stops)
		if i < 0 {
			i = len(p.rest)
		}
		if i > 0 {
			out = append(out, part{literal: p.rest[:i], param: -1})
			p.rest = p.rest[i:]
		}
		switch {
		case p.rest == "" && nested:
			return nil, errors.New("a brace is not closed")
		case p.rest == "":
			return out, nil
		case p.rest[0] != '{' && nested:
			return out, nil
		case p.rest[0] != '{':
			return nil, errors.New("a closing brace has no opening one")
		}
		one, err := p.placeholder()
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
}

// placeholder parses {name}, {name:form} or {name|label: text|label: text}.
func (p *templateParser) placeholder() (part, error) {
	p.rest = p.rest[1:]
	end := strings.IndexAny(p.rest, "}|{")
	if end < 0 || p.rest[end] == '{' {
		return part{}, errors.New("a brace is not closed")
	}
	name, form, _ := strings.Cut(p.rest[:end], ":")
	i := slices.Index(p.params, strings.TrimSpace(name))
	if i < 0 {
		return part{}, fmt.Errorf("there is no parameter {%s}; its parameters are: %s", name, strings.Join(p.params, ", "))
	}
	p.used[i] = true
	out := part{param: i, form: strings.TrimSpace(form)}
	if out.form != "" && out.form != capitalForm && out.form != twoDigitsForm && !slices.Contains(catalogue.Forms(), out.form) {
		return part{}, fmt.Errorf("%q is none of the forms %s, %s", out.form, strings.Join(catalogue.Forms(), ", "), capitalForm)
	}
	if p.rest = p.rest[end:]; p.rest[0] == '}' {
		p.rest = p.rest[1:]
		return out, nil
	}
	if p.depth++; p.depth > maxDepth {
		return part{}, errors.New("choices are nested too deeply")
	}
	defer func() { p.depth-- }()
	for p.rest[0] == '|' {
		c, err := p.choice()
		if err != nil {
			return part{}, err
		}
		out.choices = append(out.choices, c)
	}
	p.rest = p.rest[1:]
	isGender := slices.Contains(catalogue.Genders(), out.choices[0].label)
	if last := out.choices[len(out.choices)-1].label; !isGender && last != "other" {
		return part{}, fmt.Errorf("the last choice for {%s} must be other, not %q", name, last)
	}
	return out, nil
}

func (p *templateParser) choice() (choice, error) {
	label, rest, ok := strings.Cut(p.rest[1:], ":")
	label = strings.TrimSpace(label)
	c := choice{label: label}
	if n, err := strconv.Atoi(label); err == nil {
		c.exact, c.n = true, float64(n)
	} else if !slices.Contains(pluralLabels(), label) && !slices.Contains(catalogue.Genders(), label) || !ok {
		return c, fmt.Errorf("%q is neither a number nor one of %s, %s", label, strings.Join(pluralLabels(), ", "), strings.Join(catalogue.Genders(), ", "))
	}
	p.rest = strings.TrimPrefix(rest, " ")
	var err error
	c.parts, err = p.parts(true)
	return c, err
}

// appendParts appends the parts of a message with its arguments.
func (l *Language) appendParts(dst []byte, parts []part, args []arg) []byte {
	for i := range parts {
		p := &parts[i]
		switch {
		case p.param < 0:
			dst = append(dst, p.literal...)
		case p.choices != nil:
			dst = l.appendParts(dst, l.choose(p.choices, &args[p.param]), args)
		case p.form == capitalForm:
			from := len(dst)
			dst = capitalize(l.appendArg(dst, &args[p.param], ""), from)
		default:
			dst = l.appendArg(dst, &args[p.param], p.form)
		}
	}
	return dst
}

// capitalForm asks for an argument that begins a sentence. It exists in every language.
const capitalForm = "cap"

// twoDigitsForm asks for a whole number with at least two digits. It exists in every language.
const twoDigitsForm = "two"

// capitalize returns text with its letter at a position in upper case.
func capitalize(text []byte, at int) []byte {
	r, size := utf8.DecodeRune(text[at:])
	if upper := unicode.ToUpper(r); size > 0 && upper != r && r != utf8.RuneError {
		text = append(text[:at], append(utf8.AppendRune(nil, upper), text[at+size:]...)...)
	}
	return text
}

// choose returns the parts of the first choice that fits an argument, or of the last choice.
func (l *Language) choose(choices []choice, a *arg) []part {
	v, _ := a.number()
	category, gender := l.rules.Plural(v), l.gender(a)
	for i := range choices {
		if c := &choices[i]; c.exact && c.n == v || c.label == category || gender != "" && c.label == gender {
			return c.parts
		}
	}
	return choices[len(choices)-1].parts
}

// gender returns the gender of an argument that is a single noun, or "".
func (l *Language) gender(a *arg) string {
	if a.kind != textArg || len(a.texts) != 1 || a.texts[0].IsZero() {
		return ""
	}
	return l.template(a.texts[0].id).gender
}

// appendArg appends an argument in a grammatical form.
func (l *Language) appendArg(dst []byte, a *arg, form string) []byte {
	switch a.kind {
	case intArg:
		if form == twoDigitsForm {
			return appendTwoDigits(dst, a.n)
		}
		return l.AppendInt(dst, a.n)
	case numberArg:
		return l.AppendNumber(dst, a.float())
	case percentArg:
		return l.AppendPercent(dst, a.float())
	case durationArg:
		return l.AppendDuration(dst, time.Duration(a.n))
	case clockArg:
		return appendClock(dst, Clock(a.n))
	case nameArg:
		return append(dst, a.name...)
	case textArg:
		for i := range a.texts {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = l.appendForm(dst, &a.texts[i], form)
		}
	case noArg:
	}
	return dst
}

// appendForm appends a text in a grammatical form. If the language has no such form of it, it appends
// the basic form.
func (l *Language) appendForm(dst []byte, t *Text, form string) []byte {
	if t.IsZero() {
		return dst
	}
	m := l.template(t.id)
	parts := m.parts
	if form != "" {
		if other, ok := m.forms[form]; ok {
			parts = other
		}
	}
	return l.appendParts(dst, parts, t.args)
}
