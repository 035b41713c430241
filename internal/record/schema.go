package record

import (
	"reflect"

	"wallboard/model"
)

// fieldSchema describes a leaf of a record in the header of a segment file.
type fieldSchema struct {
	Path     string        `json:"p,omitempty"`
	Kind     kind          `json:"k"`
	Elements []fieldSchema `json:"of,omitempty"` // leaves of the elements of a list
}

// schema describes the content of a frame, in the order of the frame.
type schema struct {
	Health []fieldSchema `json:"health"`
	Tables []tableSchema `json:"tables"`
}

type tableSchema struct {
	Op     model.Op      `json:"op"`
	Fields []fieldSchema `json:"fields"`
}

// healthPlan describes how the feed state is encoded in a frame.
var healthPlan = newPlan(reflect.TypeFor[model.Health]())

// currentSchema returns the schema of the frames that this version writes.
func currentSchema(all []tableSpec) schema {
	s := schema{Health: healthPlan.fieldSchemas()}
	for _, t := range all {
		s.Tables = append(s.Tables, tableSchema{t.operation(), t.layout().fieldSchemas()})
	}
	return s
}

// unknownFields returns the paths of the fields in the schema that this version does not know
// and skips.
func (s *schema) unknownFields() []string {
	all := appendUnknown(nil, "health.", s.Health, healthPlan)
	plans := make(map[model.Op]*typePlan)
	for _, t := range tables() {
		plans[t.operation()] = t.layout()
	}
	for _, t := range s.Tables {
		all = appendUnknown(all, string(t.Op)+".", t.Fields, plans[t.Op])
	}
	return all
}

// appendUnknown extends the list all with the paths of the fields that the type of plan p
// lacks. within is the prefix of these paths.
func appendUnknown(all []string, within string, fields []fieldSchema, p *typePlan) []string {
	for _, f := range fields {
		l := p.leafFor(f)
		switch {
		case l == nil:
			all = append(all, within+f.Path)
		case f.Kind == kindList && l.elements != nil && len(f.Elements) > 0 && f.Elements[0].Path != "":
			all = appendUnknown(all, within+f.Path+".", f.Elements, l.elements)
		}
	}
	return all
}

// leafFor returns the leaf with the path and the kind of a field, or nil if the type lacks it.
func (p *typePlan) leafFor(f fieldSchema) *leaf {
	if p == nil {
		return nil
	}
	for i := range p.leaves {
		if l := &p.leaves[i]; l.path == f.Path && (l.kind == f.Kind || l.kind == kindIntList && f.Kind == kindList) { // early versions stored integer lists as lists
			return l
		}
	}
	return nil
}

func (p *typePlan) fieldSchemas() []fieldSchema {
	fields := make([]fieldSchema, len(p.leaves))
	for i, l := range p.leaves {
		fields[i] = fieldSchema{Path: l.path, Kind: l.kind}
		if l.kind == kindList {
			fields[i].Elements = l.elements.fieldSchemas()
		}
	}
	return fields
}

// maxDepth limits the nesting of lists in a schema.
const maxDepth = 8

// mappingOf returns a mapping of the fields of a file to the leaves of a type, by path and
// kind. The decoder skips fields that the type lacks. With a nil plan, it skips all fields.
// The bool result is false if a field has an unknown kind or if lists are nested too deeply.
func mappingOf(fields []fieldSchema, p *typePlan, depth int) (*schemaMapping, bool) {
	r := &schemaMapping{leaves: make([]leafTarget, len(fields))}
	for i, f := range fields {
		at := leafTarget{kind: f.Kind, isMissing: true}
		var of *typePlan
		if l := p.leafFor(f); l != nil {
			at.offset, at.size, at.isMissing, of = l.offset, l.size, false, l.elements
		}
		switch f.Kind {
		case kindNumber, kindInt, kindUint, kindBits, kindBool, kindText, kindTime, kindIntList:
		case kindList:
			ok := depth < maxDepth
			if ok {
				at.elements, ok = mappingOf(f.Elements, of, depth+1)
			}
			if !ok {
				return nil, false
			}
			if of != nil {
				at.listType = reflect.SliceOf(of.typ)
			}
		default:
			return nil, false // a value of unknown length cannot be skipped
		}
		r.leaves[i] = at
	}
	return r, true
}
