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

// unknown names the fields of a file that this build has no place for: what they say is left
// out.
func (s *schema) unknown() []string {
	all := unknownOf(nil, "health.", s.Health, healthPlan)
	plans := make(map[model.Op]*plan)
	for _, t := range tables() {
		plans[t.op()] = t.layout()
	}
	for _, t := range s.Tables {
		all = unknownOf(all, string(t.Op)+".", t.Fields, plans[t.Op])
	}
	return all
}

// unknownOf appends those of a type's fields.
func unknownOf(all []string, within string, fields []field, p *plan) []string {
	for _, f := range fields {
		l := p.match(f)
		switch {
		case l == nil:
			all = append(all, within+f.Path)
		case f.Kind == kindList && l.of != nil && len(f.Of) > 0 && f.Of[0].Path != "":
			all = unknownOf(all, within+f.Path+".", f.Of, l.of)
		}
	}
	return all
}

// match returns the leaf that a field of a file is today, nil where there is none.
func (p *plan) match(f field) *leaf {
	if p == nil {
		return nil
	}
	for i := range p.leaves {
		if l := &p.leaves[i]; l.path == f.Path && (l.kind == f.Kind || l.kind == kindRow && f.Kind == kindList) { // rows were lists once
			return l
		}
	}
	return nil
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
	for i, f := range fields {
		at := place{kind: f.Kind, nowhere: true}
		var of *plan
		if l := p.match(f); l != nil {
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
