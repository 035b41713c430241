package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// The records of an operation may be of several types although document 2 shows one. The types may
// implement an interface, which has the fields that all types share, or belong to a union, which
// has no fields. Fields that only some records have are therefore requested by type.

// isTypeName reports whether an element of a path is the name of a type. The names of document 2's
// fields begin with a lower-case letter.
func isTypeName(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// recordTypes returns the types of records in types. It leaves out the types of nested objects.
func recordTypes(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return strings.Contains(t, ".") })
}

// callVariantFields lists the fields that document 2 describes only for records of the call
// channel.
func callVariantFields() []string {
	return []string{
		"numberCallOut", "numberCallOutPrivate",
		"timeInStateBusyDnCallIn", "timeInStateBusyDnCallOut", "timeInStateBusyDnCallOutPrivate",
	}
}

// UnavailableFields returns the fields in missing that should be reported. A field that none of the
// record types in types has is returned once, without a type, otherwise with each type that lacks
// it. Fields that only records of the call channel have are not reported per type.
func UnavailableFields(missing, types []string) []string {
	types = slices.DeleteFunc(recordTypes(types), func(t string) bool { return slices.Contains(missing, t) })
	has := func(field string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return !slices.Contains(missing, joinPath(t, field)) })
	}
	return slices.DeleteFunc(slices.Clone(missing), func(path string) bool {
		switch of, field, typed := strings.Cut(path, "."); {
		case strings.HasSuffix(path, "__typename"):
			return true // a type name is not a figure
		case typed && isTypeName(of): // no type has the field: report it once, without the type
			return !has(field) || slices.Contains(callVariantFields(), field) || slices.Contains(missing, of)
		case isTypeName(path):
			return true
		}
		return has(path)
	})
}

// Fields returns the paths of the fields of an operation's records, including the keys, but not
// those of nested objects.
func Fields(doc *graphql.Document) []string {
	var paths []string
	for _, f := range parseFields(doc.Selection) {
		paths = append(paths, f.path)
	}
	return paths
}

// TypesRequest renders a query for the types of the records that the filter selects.
func TypesRequest(doc *graphql.Document, d *Dialect, filter string) (text string, vars map[string]any) {
	typesOnly := *doc
	typesOnly.Selection = "{ __typename }"
	bare := *d
	bare.profile.MissingFields, bare.profile.ObjectMembers, bare.profile.Types = nil, nil, nil
	bare.pinned.MissingFields, bare.pinned.ObjectMembers, bare.pinned.Types = nil, nil, nil
	text, vars, _ = bare.Request(&typesOnly, graphql.KindQuery, "", filter)
	return text, vars
}

// ReadTypes returns the types of the records in the answer to a [TypesRequest], without the type
// that document 2 shows.
func ReadTypes(payload []byte, root string) []string {
	var m struct {
		Data map[string][]struct {
			Type string `json:"__typename"`
		} `json:"data"`
	}
	if json.Unmarshal(payload, &m) != nil {
		return nil
	}
	documented := model.Op(root).RecordType()
	var types []string
	for _, r := range m.Data[root] {
		if typeNamePattern.MatchString(r.Type) && isTypeName(r.Type) && r.Type != documented && !slices.Contains(types, r.Type) && len(types) < maxRecordTypes {
			types = append(types, r.Type)
		}
	}
	slices.Sort(types)
	return types
}

// HasNoRecords reports whether an answer contains an empty list of records. It is false for an
// answer without a list.
func HasNoRecords(payload []byte, root string) bool {
	var m struct {
		Data map[string][]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(payload, &m) != nil {
		return false
	}
	list, ok := m.Data[root]
	return ok && len(list) == 0
}

// maxRecordTypes limits how many types of records are learned per operation. There are nine
// channels, so more types are unlikely.
const maxRecordTypes = 16
