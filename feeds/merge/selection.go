package merge

import (
	"fmt"
	"strings"
)

// Selection is a field of a GraphQL selection set with the fields selected in it. Fields of inline
// fragments are listed at the position of the fragment, where servers write them.
type Selection struct {
	Name   string
	Fields []Selection
}

// ParseSelection parses the selection set of the first operation in a document. It supports only
// the syntax used by the documents under feeds/graphql: names, arguments, nested sets and inline
// fragments.
func ParseSelection(document string) ([]Selection, error) {
	start := strings.IndexByte(document, '{')
	if start < 0 {
		return nil, fmt.Errorf("no selection set in document %q", document)
	}
	p := selectionParser{tokens: tokenize(document[start:])}
	set, err := p.parseSet()
	if err != nil {
		return nil, fmt.Errorf("parse selection set: %w", err)
	}
	return set, nil
}

// tokenize splits a document into names and braces, without arguments.
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

// parseSet parses a selection set: "{ field field { … } ... on Type { … } }".
func (p *selectionParser) parseSet() ([]Selection, error) {
	if t := p.next(); t != "{" {
		return nil, fmt.Errorf("got %q, expected {", t)
	}
	var set []Selection
	for {
		switch t := p.next(); t {
		case "}":
			return set, nil
		case "", "{":
			return nil, fmt.Errorf("got %q, expected a field", t)
		case "...":
			p.next() // on
			p.next() // the type
			inner, err := p.parseSet()
			if err != nil {
				return nil, err
			}
			set = append(set, inner...)
		default:
			f := Selection{Name: t}
			if p.pos < len(p.tokens) && p.tokens[p.pos] == "{" {
				inner, err := p.parseSet()
				if err != nil {
					return nil, err
				}
				f.Fields = inner
			}
			set = append(set, f)
		}
	}
}
