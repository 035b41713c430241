package record

import (
	"reflect"

	"wallboard/model"
)

// field is a leaf as the header of a file names it.
type field struct {
	Path string  `json:"p,omitempty"`
	Kind kind    `json:"k"`
	Of   []field `json:"of,omitempty"` // of the elements of a list
}

// schema is what the frames of a file hold, in the order in which they do.
type schema struct {
	Health []field       `json:"health"`
	Tables []tableSchema `json:"tables"`
}

type tableSchema struct {
	Op     model.Op `json:"op"`
	Fields []field  `json:"fields"`
}

// healthPlan is how the state of the feed is written.
var healthPlan = planOf(reflect.TypeFor[model.Health]())

// present is the schema of what is written now.
func present(all []tabled) schema {
	s := schema{Health: healthPlan.fields()}
	for _, t := range all {
		s.Tables = append(s.Tables, tableSchema{t.op(), t.layout().fields()})
	}
	return s
}

func (p *plan) fields() []field {
	fields := make([]field, len(p.leaves))
	for i, l := range p.leaves {
		fields[i] = field{Path: l.path, Kind: l.kind}
		if l.kind == kindList {
			fields[i].Of = l.of.fields()
		}
	}
	return fields
}

// deepest is how deep lists may lie in one another.
const deepest = 8

// readingOf matches the fields of a file with those of a type, by name and kind:
// what one of them lacks stays unknown, or is dropped. A nil plan drops all.
func readingOf(fields []field, p *plan, depth int) (*reading, bool) {
	r := &reading{leaves: make([]place, len(fields))}
	byPath := make(map[string]*leaf)
	if p != nil {
		for i := range p.leaves {
			byPath[p.leaves[i].path] = &p.leaves[i]
		}
	}
	for i, f := range fields {
		at := place{kind: f.Kind, nowhere: true}
		l := byPath[f.Path]
		var of *plan
		if l != nil && (l.kind == f.Kind || l.kind == kindRow && f.Kind == kindList) { // rows were lists once
			at.off, at.size, at.nowhere, of = l.off, l.size, false, l.of
		}
		switch f.Kind {
		case kindNumber, kindInt, kindUint, kindBits, kindBool, kindText, kindTime, kindRow:
		case kindList:
			ok := depth < deepest
			if ok {
				at.of, ok = readingOf(f.Of, of, depth+1)
			}
			if !ok {
				return nil, false
			}
			if of != nil {
				at.list = reflect.SliceOf(of.typ)
			}
		default:
			return nil, false // how long it is is not known
		}
		r.leaves[i] = at
	}
	return r, true
}
