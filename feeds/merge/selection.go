package merge

import (
	"fmt"
	"strings"
)

// Selection is one field of a GraphQL selection set with what is selected
// below it. Fields of inline fragments stand where the fragment stands: that is
// how a server writes them.
type Selection struct {
	Name   string
	Fields []Selection
}

// ParseSelection reads the selection set of the first operation of a document.
// It understands what the documents under feeds/queries use: names, arguments,
// nested sets and inline fragments.
func ParseSelection(document string) ([]Selection, error) {
	start := strings.IndexByte(document, '{')
	if start < 0 {
		return nil, fmt.Errorf("no selection set in document %q", document)
	}
	p := selectionParser{tokens: tokenize(document[start:])}
	set, err := p.set()
	if err != nil {
		return nil, fmt.Errorf("parse selection set: %w", err)
	}
	return set, nil
}

// tokenize cuts a document into names and braces; arguments are dropped.
func tokenize(s string) []string {
	s = strings.NewReplacer(",", " ", "{", " { ", "}", " } ", "(", " ( ", ")", " ) ").Replace(s)
	var tokens []string
	depth := 0
	for _, t := range strings.Fields(s) {
		switch {
		case t == "(":
			depth++
		case t == ")":
			depth--
		case depth == 0:
			tokens = append(tokens, t)
		}
	}
	return tokens
}

type selectionParser struct {
	tokens []string
	pos    int
}

func (p *selectionParser) next() string {
	if p.pos == len(p.tokens) {
		return ""
	}
	p.pos++
	return p.tokens[p.pos-1]
}

// set reads "{ field field { … } ... on Type { … } }".
func (p *selectionParser) set() ([]Selection, error) {
	if t := p.next(); t != "{" {
		return nil, fmt.Errorf("%q where a { is expected", t)
	}
	var set []Selection
	for {
		switch t := p.next(); t {
		case "}":
			return set, nil
		case "", "{":
			return nil, fmt.Errorf("%q where a field is expected", t)
		case "...":
			p.next() // on
			p.next() // the type
			inner, err := p.set()
			if err != nil {
				return nil, err
			}
			set = append(set, inner...)
		default:
			f := Selection{Name: t}
			if p.pos < len(p.tokens) && p.tokens[p.pos] == "{" {
				inner, err := p.set()
				if err != nil {
					return nil, err
				}
				f.Fields = inner
			}
			set = append(set, f)
		}
	}
}
