package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wallboard/model/contact"
)

// Operations that document 3 does not name. Their names on the server come from [Options.Names] or
// from the server's schema.
const (
	OpChatsCountGroup   = "inboundChatsCountGroup"
	OpContactsCount     = "addressBookContactsCount"
	OpSupport           = "support"
	OpSupports          = "supports"
	OpSupportCount      = "supportsCount"
	OpSupportCountGroup = "supportsCountGroup"
)

// Operations on the address book.
const (
	opContact  = "addressBookContact"
	opContacts = "addressBookContacts"
)

// defaultNames maps each operation to its name in document 3, section Endpoints, or to "" if
// the document does not contain the name.
func defaultNames() map[string]string {
	names := map[string]string{
		opContact: opContact, opContacts: opContacts, OpContactsCount: "",
		OpSupport: "", OpSupports: "", OpSupportCount: "", OpSupportCountGroup: "",
	}
	for _, k := range contact.Kinds() {
		o := operationsOf(k)
		for _, op := range []string{o.byID, o.list, o.count, o.group} {
			names[op] = op
		}
	}
	names[OpChatsCountGroup] = ""
	return names
}

// Operations returns the names of all operations, sorted. They are the valid keys of
// [Options.Names].
func Operations() []string { return slices.Sorted(maps.Keys(defaultNames())) }

// IsDocumented reports whether document 3 contains the name of an operation.
func IsDocumented(op string) bool { return defaultNames()[op] != "" }

// kindOps holds the names of the operations for a kind of contact.
type kindOps struct{ byID, list, count, group string }

func operationsOf(k contact.Kind) kindOps {
	switch k {
	case contact.Outbound:
		return kindOps{"outboundCall", "outboundCalls", "outboundCallsCount", "outboundCallsCountGroup"}
	case contact.Video: // document 3 has this irregular last name
		return kindOps{"inboundVideoCall", "inboundVideoCalls", "inboundVideoCallsCount", "inboundVideosCountGroup"}
	case contact.Chat:
		return kindOps{"inboundChat", "inboundChats", "inboundChatsCount", OpChatsCountGroup}
	case contact.Inbound:
	}
	return kindOps{"inboundCall", "inboundCalls", "inboundCallsCount", "inboundCallsCountGroup"}
}

// GroupByOrganization is the only value of groupBy that document 3 shows.
const GroupByOrganization = "ORGANIZATION"

// groupedType describes a type of objects by which contacts can be grouped: its name, and the
// fields for the ID and the name of an object.
type groupedType struct{ typeName, idField, nameField string }

func parseEntity(text string) (groupedType, error) {
	words := strings.Fields(text)
	if len(words) != 3 || slices.ContainsFunc(words, func(w string) bool { return !graphqlName.MatchString(w) }) {
		return groupedType{}, fmt.Errorf("%q is not a type and two fields", text)
	}
	return groupedType{words[0], words[1], words[2]}, nil
}

// organizationEntity returns the type in the example of document 3.
func organizationEntity() groupedType { return groupedType{"AddressBookContact", "uuid", "fullName"} }

// formatSelection formats the selection of a count by groups, whose objects have one of the types
// in entities. Each field has its own alias, because fields of the same name may have conflicting
// types. If entities contains only the type of document 3, the fields have no aliases.
func formatSelection(entities []groupedType) string {
	var b strings.Builder
	b.WriteString("{ groupByEntity {")
	for i, e := range entities {
		if len(entities) == 1 && e == organizationEntity() {
			fmt.Fprintf(&b, " ... on %s { %s %s }", e.typeName, e.idField, e.nameField)
		} else {
			fmt.Fprintf(&b, " ... on %s { id%d: %s name%d: %s }", e.typeName, i, e.idField, i, e.nameField)
		}
	}
	b.WriteString(" } count }")
	return b.String()
}
