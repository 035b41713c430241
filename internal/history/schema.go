package history

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"wallboard/model/contact"
)

// introspection is the query for the part of the schema that describes operations missing in
// document 3.
const introspection = `__schema { queryType { name } types { kind name enumValues { name } possibleTypes { name } ` +
	`fields { name type { ...T } args { name type { ...T } } } } }`

const typeFragment = "\nfragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }"

// schema is the part of the server's GraphQL schema that this package needs.
type schema struct {
	QueryType struct {
		Name string `json:"name"`
	} `json:"queryType"`
	Types []schemaType `json:"types"`
}

type schemaType struct {
	Kind          string        `json:"kind"`
	Name          string        `json:"name"`
	EnumValues    []namedType   `json:"enumValues"`
	PossibleTypes []namedType   `json:"possibleTypes"`
	Fields        []schemaField `json:"fields"`
}

type namedType struct {
	Name string `json:"name"`
}

type schemaField struct {
	Name string      `json:"name"`
	Type typeRef     `json:"type"`
	Args []schemaArg `json:"args"`
}

type schemaArg struct {
	Name string  `json:"name"`
	Type typeRef `json:"type"`
}

// typeRef refers to a type, which may be wrapped as a list or as non-null.
type typeRef struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	OfType *typeRef `json:"ofType"`
}

// base returns the type without its wrappers. list reports whether one of the wrappers is a list.
func (t typeRef) base() (ref typeRef, list bool) {
	for ref = t; ref.OfType != nil; ref = *ref.OfType {
		list = list || ref.Kind == "LIST"
	}
	return ref, list
}

// schema returns the schema of the server, which it requests at most once a day. The error is usually
// [ErrRefused] if the server does not expose its schema.
func (c *Client) schema(ctx context.Context) (*schema, error) {
	raw, ok := c.cache.get(introspection)
	if !ok {
		data, err := c.transport.request(ctx, "query { "+introspection+" }"+typeFragment, nil)
		if err != nil {
			return nil, err
		}
		raw = data["__schema"]
		c.cache.put(introspection, raw, dayLifetime, false)
	}
	s := new(schema)
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, &Error{Err: ErrInvalidAnswer, Message: "the schema cannot be read"}
	}
	return s, nil
}

func (s *schema) typeNamed(name string) *schemaType {
	if i := slices.IndexFunc(s.Types, func(t schemaType) bool { return t.Name == name }); i >= 0 {
		return &s.Types[i]
	}
	return &schemaType{}
}

func (t *schemaType) field(name string) *schemaField {
	if i := slices.IndexFunc(t.Fields, func(f schemaField) bool { return f.Name == name }); i >= 0 {
		return &t.Fields[i]
	}
	return nil
}

// findOperation searches the schema for an operation that document 3 does not name. It returns the
// name of the field with a matching name and type, or "" if there is none or more than one.
func (s *schema) findOperation(op string) string {
	var subjects []string
	switch op {
	case OpChatsCountGroup:
		subjects = []string{"chat"}
	case OpContactsCount:
		subjects = []string{"addressbook", "contact"}
	case OpSupport, OpSupports, OpSupportCount, OpSupportCountGroup:
		subjects = []string{"support", "ticket"}
	default:
		return ""
	}
	var found []string
	for _, f := range s.typeNamed(s.QueryType.Name).Fields {
		name := strings.ToLower(f.Name)
		about := slices.ContainsFunc(subjects, func(subject string) bool { return strings.Contains(name, subject) })
		if about && f.form() == formOf(op) {
			found = append(found, f.Name)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// resultForm is the form of an operation's result: an object, a list, a count, or a count by
// groups.
type resultForm int

const (
	formOne resultForm = iota
	formList
	formCount
	formGroup
)

// matches reports whether an answer has the form f and contains data. Other answers are not cached.
func (f resultForm) matches(answer json.RawMessage) bool {
	switch f {
	case formCount:
		_, known, err := readCount(answer)
		return known && err == nil
	case formList, formGroup:
		return len(answer) > 0 && answer[0] == '['
	case formOne:
	}
	return !isNull(answer)
}

func formOf(op string) resultForm {
	switch op {
	case OpChatsCountGroup, OpSupportCountGroup:
		return formGroup
	case OpContactsCount, OpSupportCount:
		return formCount
	case OpSupports:
		return formList
	}
	return formOne
}

// form derives the form of the field's result from the arguments and the type of the field.
func (f *schemaField) form() resultForm {
	base, list := f.Type.base()
	has := func(arg string) bool {
		return slices.ContainsFunc(f.Args, func(a schemaArg) bool { return a.Name == arg })
	}
	switch {
	case has("groupBy"):
		return formGroup
	case base.Kind == "SCALAR" && !list:
		return formCount
	case list && has("search"):
		return formList
	}
	return formOne
}

// GroupByValues returns the values by which contacts of a kind can be grouped: [GroupByOrganization],
// followed by those in the server's schema and in [Options.Groups].
func (c *Client) GroupByValues(ctx context.Context, kind contact.Kind) ([]string, error) {
	op := operationsOf(kind).group
	name, err := c.serverName(ctx, op)
	if err != nil {
		return nil, err
	}
	list := []string{GroupByOrganization}
	for by := range c.entityByGroup {
		list = append(list, by)
	}
	s, err := c.schema(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		list = append(list, s.groupByValues(name)...)
	}
	slices.Sort(list[1:])
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(by string) bool {
		was := seen[by]
		seen[by] = true
		return was
	}), nil
}

func (s *schema) groupByValues(operation string) []string {
	f := s.typeNamed(s.QueryType.Name).field(operation)
	if f == nil {
		return nil
	}
	var list []string
	for _, a := range f.Args {
		if a.Name == "groupBy" {
			base, _ := a.Type.base()
			for _, v := range s.typeNamed(base.Name).EnumValues {
				list = append(list, v.Name)
			}
		}
	}
	return list
}

// entities returns the possible types of groupByEntity for contacts that are grouped by the
// value by.
func (c *Client) entities(ctx context.Context, by string) ([]groupedType, error) {
	if e, ok := c.entityByGroup[by]; ok {
		return []groupedType{e}, nil
	}
	if by == GroupByOrganization {
		return []groupedType{organizationEntity()}, nil
	}
	s, err := c.schema(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Error{Err: ErrUnknownOperation, Message: "grouping by " + by}
	}
	if list := s.entities(); len(list) > 0 {
		return list, nil
	}
	return nil, &Error{Err: ErrUnknownOperation, Message: "grouping by " + by}
}

// entities returns all possible types of groupByEntity. It skips types that have neither a field
// for an ID nor one for a name.
func (s *schema) entities() []groupedType {
	var list []groupedType
	for _, t := range s.Types {
		f := t.field("groupByEntity")
		if f == nil {
			continue
		}
		base, _ := f.Type.base()
		types := []namedType{{base.Name}}
		if possible := s.typeNamed(base.Name).PossibleTypes; len(possible) > 0 {
			types = possible
		}
		for _, p := range types {
			if e, ok := s.typeNamed(p.Name).groupedType(); ok && !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
	}
	return list
}

// groupedType returns the names of a type's fields for the ID and the name. If the type has only
// one of them, that field serves for both. The bool result is false if the type has neither.
func (t *schemaType) groupedType() (groupedType, bool) {
	first := func(names ...string) string {
		for _, name := range names {
			if f := t.field(name); f != nil {
				if base, list := f.Type.base(); !list && base.Kind == "SCALAR" {
					return name
				}
			}
		}
		return ""
	}
	id := first("uuid", "id", "code", "username")
	name := first("fullName", "name", "description", "username", "code")
	e := groupedType{t.Name, cmp.Or(id, name), cmp.Or(name, id)}
	return e, e.idField != ""
}
