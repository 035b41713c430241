package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wallboard/model/past"
)

// The operations that document 3 does not name. What they are called comes from
// [Options.Names], or from the server's schema.
const (
	OpChatsCountGroup   = "inboundChatsCountGroup"
	OpContactsCount     = "addressBookContactsCount"
	OpSupport           = "support"
	OpSupports          = "supports"
	OpSupportCount      = "supportsCount"
	OpSupportCountGroup = "supportsCountGroup"
)

// The operations on the address book.
const (
	opContact  = "addressBookContact"
	opContacts = "addressBookContacts"
)

// defaultNames are the operations and their names: those of document 3, section
// Endpoints; "" is not shown there.
func defaultNames() map[string]string {
	names := map[string]string{
		opContact: opContact, opContacts: opContacts, OpContactsCount: "",
		OpSupport: "", OpSupports: "", OpSupportCount: "", OpSupportCountGroup: "",
	}
	for _, k := range past.Kinds() {
		o := operationsOf(k)
		for _, op := range []string{o.one, o.list, o.count, o.group} {
			names[op] = op
		}
	}
	names[OpChatsCountGroup] = ""
	return names
}

// Operations returns the names that [Options.Names] may have, in order.
func Operations() []string { return slices.Sorted(maps.Keys(defaultNames())) }

// Named reports whether document 3 names an operation.
func Named(op string) bool { return defaultNames()[op] != "" }

// kindOps are the operations on one kind of contact.
type kindOps struct{ one, list, count, group string }

func operationsOf(k past.Kind) kindOps {
	switch k {
	case past.Outbound:
		return kindOps{"outboundCall", "outboundCalls", "outboundCallsCount", "outboundCallsCountGroup"}
	case past.Video: // the name of the last one is that of document 3
		return kindOps{"inboundVideoCall", "inboundVideoCalls", "inboundVideoCallsCount", "inboundVideosCountGroup"}
	case past.Chat:
		return kindOps{"inboundChat", "inboundChats", "inboundChatsCount", OpChatsCountGroup}
	case past.Inbound:
	}
	return kindOps{"inboundCall", "inboundCalls", "inboundCallsCount", "inboundCallsCountGroup"}
}

// ByOrganization is the one value of groupBy that document 3 shows.
const ByOrganization = "ORGANIZATION"

// entity is what to read of the entities of a grouping: a type and its fields.
type entity struct{ typ, id, name string }

func parseEntity(text string) (entity, error) {
	words := strings.Fields(text)
	if len(words) != 3 || slices.ContainsFunc(words, func(w string) bool { return !graphqlName.MatchString(w) }) {
		return entity{}, fmt.Errorf("%q is not a type and two fields", text)
	}
	return entity{words[0], words[1], words[2]}, nil
}

// organization is the entity of document 3's sample.
func organization() entity { return entity{"AddressBookContact", "uuid", "fullName"} }

// selection writes what is read of a group whose entity is one of the given
// types. The fields of different types may differ in their own type, so that
// each needs an alias of its own.
func selection(entities []entity) string {
	var b strings.Builder
	b.WriteString("{ groupByEntity {")
	for i, e := range entities {
		if len(entities) == 1 && e == organization() {
			fmt.Fprintf(&b, " ... on %s { %s %s }", e.typ, e.id, e.name)
		} else {
			fmt.Fprintf(&b, " ... on %s { id%d: %s name%d: %s }", e.typ, i, e.id, i, e.name)
		}
	}
	b.WriteString(" } count }")
	return b.String()
}
