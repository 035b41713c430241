package alert

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"wallboard/internal/textformat"
	"wallboard/model"
)

// maxMessageLength limits the message of an alert, in characters.
const maxMessageLength = 300

// message is a compiled template, which consists of texts and expressions, or a compiled [textformat.RuleText].
type message struct {
	parts       []messagePart
	text        *textformat.RuleText // its values are the expressions of parts; nil: a template
	hasTitle    bool                 // the template begins with "{title}: "
	usesSamples bool                 // an expression of the message depends on samples
}

// messagePart is a string followed by an expression. The last part of a template has no expression.
type messagePart struct {
	before string
	expr   *program
	format Format
}

// messageFields returns the names that only messages can use. If withValue is true, they include
// the name value, with the given format.
func messageFields(format Format, withValue bool) []field {
	fs := []field{
		{name: "title", kind: textKind, text: func(f *evalEnv) model.Text { return model.TextOf(f.title) }},
		{name: "code", kind: textKind, text: func(f *evalEnv) model.Text { return model.TextOf(f.row.key.Code) }},
	}
	if withValue {
		fs = append(fs, field{name: "value", format: format, number: func(f *evalEnv) model.Figure { return f.value }})
	}
	return fs
}

// compileMessage compiles a template. Expressions are in braces. Literal braces are doubled. extra
// holds names that only this message may use.
func (l *expressionLibrary) compileMessage(source string, extra []field) (*message, *expressionError) {
	m := &message{}
	var text strings.Builder
	at := 0 // position of rest in source, in characters
	for rest := source; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		doubled := len(rest) > 1 && rest[1] == rest[0]
		switch {
		case (r == '{' || r == '}') && doubled:
			size = 2
			text.WriteRune(r)
		case r == '}':
			return nil, errorAt(at, "unmatched }; write }} for a brace")
		case r == '{':
			end := closingBrace(rest)
			if end < 0 {
				return nil, errorAt(at, "unmatched {; write {{ for a brace")
			}
			p, f := l.compilePart(rest[1:end], extra)
			if f != nil {
				f.offset += at + 1
				return nil, f
			}
			p.before = text.String()
			m.usesSamples = m.usesSamples || p.expr.usesSamples
			text.Reset()
			m.parts = append(m.parts, p)
			size = end + 1
		default:
			text.WriteString(rest[:size])
		}
		at += utf8.RuneCountInString(rest[:size])
		rest = rest[size:]
	}
	m.parts = append(m.parts, messagePart{before: text.String()})
	m.hasTitle = strings.HasPrefix(source, titlePrefix)
	return m, nil
}

// titlePrefix is the usual beginning of a template.
const titlePrefix = "{title}: "

// compileText compiles the text of a built-in rule. extra holds names that only this message may use.
func (l *expressionLibrary) compileText(t *textformat.RuleText, extra []field) (*message, *expressionError) {
	m := &message{text: t, parts: make([]messagePart, len(t.Expressions))}
	for i, source := range t.Expressions {
		p, f := l.compilePart(source, extra)
		if f != nil {
			return nil, f
		}
		m.parts[i], m.usesSamples = p, m.usesSamples || p.expr.usesSamples
	}
	return m, nil
}

// values returns the values of a compiled [textformat.RuleText].
func (m *message) values(f *evalEnv) (out textformat.RuleValues) {
	for i := range m.parts {
		p := &m.parts[i]
		if p.expr.kind == textKind {
			out[i] = textformat.RuleValue{Name: p.expr.text(f).String(), IsName: true}
		} else {
			out[i] = textformat.RuleValue{Figure: p.expr.number(f), Unit: p.format.Unit(), SpelledOut: f.spelledOut}
		}
	}
	return out
}

// closingBrace returns the index of the brace that closes the brace at the start of s, or -1. It
// ignores braces in quoted strings.
func closingBrace(s string) int {
	var quote byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '}':
			return i
		}
	}
	return -1
}

// compilePart compiles the content of braces: an expression, optionally followed by "|" and a
// format.
func (l *expressionLibrary) compilePart(source string, extra []field) (messagePart, *expressionError) {
	var p messagePart
	i := strings.LastIndexByte(source, '|')
	// A bar next to a quote belongs to a quoted string.
	if i > 0 && source[i-1] != '|' && !strings.ContainsAny(source[i:], "\"'`") {
		switch f := Format(strings.TrimSpace(source[i+1:])); f {
		case Number, Percent, Duration:
			p.format, source = f, source[:i]
		default:
			return p, errorAt(utf8.RuneCountInString(source[:i+1]), "the format is number, percent or duration")
		}
	}
	c := compiler{lib: l, extraFields: extra, program: &program{source: source}}
	x, f := c.compileSource(source)
	switch {
	case f != nil:
		return p, f
	case x.kind == truthKind:
		return p, errorAt(0, "a message shows numbers and texts, and this is a condition")
	}
	c.program.expression = x
	p.expr = c.program
	if p.format == "" {
		p.format = x.format
	}
	return p, nil
}

// separators are the characters that can separate two parts of a message.
const separators = ",;· "

// render appends the message about the record of a frame to dst.
//
// If a string expression is empty, the separators before it are left out, or those after it if it
// comes first. For example, the result is "not ready for 1:00" instead of "not ready for 1:00, ".
func (m *message) render(dst []byte, f *evalEnv) []byte {
	lacks := false // the previous string was empty and at the beginning or after a colon
	for i := range m.parts {
		p := &m.parts[i]
		before := p.before
		if lacks {
			before = strings.TrimLeft(before, separators)
		}
		lacks = false
		dst = append(dst, before...)
		switch {
		case p.expr == nil:
		case p.expr.kind == textKind:
			text := p.expr.text(f).String()
			if text == "" {
				dst = bytes.TrimRight(dst, separators)
				if lacks = len(dst) == 0 || bytes.HasSuffix(dst, []byte{':'}); lacks && len(dst) > 0 {
					dst = append(dst, ' ')
				}
			}
			dst = append(dst, text...)
		case f.spelledOut:
			dst = p.format.SpokenText(p.expr.number(f)).Append(dst, nil)
		default:
			dst = p.format.append(dst, p.expr.number(f))
		}
	}
	return dst
}

// append appends a figure to dst in the format: "4", "4.5", "87.4 %", "1:05" or "1:02:33", "n/a",
// or "–" if the figure is unknown. A duration whose unit is presumed is followed by "?".
func (f Format) append(dst []byte, v model.Figure) []byte {
	x, ok := v.Get()
	isDuration := ok && f == Duration
	isPresumed := v.IsUnitPresumed()
	if isDuration && x < 0 {
		if v.IsEstimated() {
			dst = append(dst, '~')
		}
		dst, v = append(dst, '-'), model.FigureOf(-x)
	}
	dst = textformat.Format{}.KPI(dst, f.Unit(), v)
	if isDuration && isPresumed {
		dst = append(dst, '?')
	}
	return dst
}
