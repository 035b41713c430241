package dialect

import (
	"encoding/json"
	"slices"
	"strings"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// The records of an operation may be of several types where document 2 shows one:
// behind an interface, which has what they share, or in a union, which has
// nothing. What the records do not have whatever their type is asked for by type.

// isType reports whether the first part of a path is the name of a type: document
// 2's fields begin with a small letter.
func isType(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// recordTypes returns those of some types that are of records, and not of an object
// in them.
func recordTypes(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return strings.Contains(t, ".") })
}

// callVariants are the fields that document 2 calls variants of the call channel.
func callVariants() []string {
	return []string{
		"numberCallOut", "numberCallOutPrivate",
		"timeInStateBusyDnCallIn", "timeInStateBusyDnCallOut", "timeInStateBusyDnCallOutPrivate",
	}
}

// Missing returns those of the fields that are not asked for which cannot be had by
// the type of a record either.
func Missing(lacks, types []string) []string {
	types = slices.DeleteFunc(recordTypes(types), func(t string) bool { return slices.Contains(lacks, t) })
	has := func(field string) bool {
		return slices.ContainsFunc(types, func(t string) bool { return !slices.Contains(lacks, joinPath(t, field)) })
	}
	return slices.DeleteFunc(slices.Clone(lacks), func(path string) bool {
		switch of, field, typed := strings.Cut(path, "."); {
		case strings.HasSuffix(path, "__typename"):
			return true // it is no figure
		case typed && isType(of): // what none has is named once
			return !has(field) || slices.Contains(callVariants(), field) || slices.Contains(lacks, of)
		case isType(path):
			return true
		}
		return has(path)
	})
}

// Fields returns the fields of an operation's records, those that name them included.
func Fields(doc *queries.Document) []string {
	var paths []string
	for _, f := range parseFields(doc.Selection) {
		paths = append(paths, f.path)
	}
	return paths
}

// TypesRequest renders the query for the types of an operation's records.
func TypesRequest(doc *queries.Document, d *Dialect, filter string) (text string, vars map[string]any) {
	only := *doc
	only.Selection = "{ __typename }"
	bare := *d
	bare.known.Lacks, bare.known.Inside, bare.known.Types = nil, nil, nil
	bare.pinned.Lacks, bare.pinned.Inside, bare.pinned.Types = nil, nil, nil
	text, vars, _ = bare.Request(&only, queries.KindQuery, "", filter)
	return text, vars
}

// documentedRecords are the types of the records of operations in document 2.
func documentedRecords() map[string]string {
	return map[string]string{
		string(model.OpUsers): "User", string(model.OpServices): "ServiceStat", string(model.OpGroups): "GroupStat",
		string(model.OpUserStats): "UserStat", string(model.OpProfiles): "UserProfileStat", string(model.OpCampaigns): "PdCampaignStat",
		string(model.OpAttendants): "ServiceAttendantStat", string(model.OpOperators): "OperatorCallStat",
		string(model.OpOperatorProfiles): "UserProfileCallStat",
	}
}

// ReadTypes reads the answer. The type that document 2 shows is left out: what it
// lacks is not to be had by its name.
func ReadTypes(payload []byte, root string) []string {
	var m struct {
		Data map[string][]struct {
			Type string `json:"__typename"`
		} `json:"data"`
	}
	if json.Unmarshal(payload, &m) != nil {
		return nil
	}
	var types []string
	for _, r := range m.Data[root] {
		if typeName.MatchString(r.Type) && isType(r.Type) && r.Type != documentedRecords()[root] && !slices.Contains(types, r.Type) && len(types) < maxRecordTypes {
			types = append(types, r.Type)
		}
	}
	slices.Sort(types)
	return types
}

// HasNone reports whether the answer has no record.
func HasNone(payload []byte, root string) bool {
	var m struct {
		Data map[string][]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(payload, &m) != nil {
		return false
	}
	list, ok := m.Data[root]
	return ok && len(list) == 0
}

// maxRecordTypes bounds of how many types the records of an operation may be: there
// are nine channels.
const maxRecordTypes = 16
