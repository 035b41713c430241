package feeds

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/feeds/merge"
	"wallboard/model"
)

//go:embed queries/*.graphql
var queries embed.FS

// The operations, as this package calls them.
const (
	opVersion          = string(model.OpVersion)
	opServerHealth     = string(model.OpServerHealth)
	opUsers            = string(model.OpUsers)
	opServices         = string(model.OpServices)
	opGroups           = string(model.OpGroups)
	opUserStats        = string(model.OpUserStats)
	opProfiles         = string(model.OpProfiles)
	opCampaigns        = string(model.OpCampaigns)
	opAttendants       = string(model.OpAttendants)
	opOperators        = string(model.OpOperators)
	opOperatorProfiles = string(model.OpOperatorProfiles)
)

// document is the text of one operation, cut where the dialect comes in.
type document struct {
	root      string // the response key and the name of the root field
	filtered  bool
	filter    string // the type of the filter, with its "!"
	head      string // the operation's name
	selection string // "{ … }" of the root field
	fields    []merge.Selection
}

// loadDocument reads the embedded document of an operation. The files are part
// of the program, and a test reads them all: an error is a broken build.
func loadDocument(root string) (document, error) {
	b, err := queries.ReadFile("queries/" + root + ".graphql")
	if err != nil {
		return document{}, fmt.Errorf("document of %s: %w", root, err)
	}
	text := string(b)
	set, err := merge.ParseSelection(text)
	if err != nil || len(set) != 1 || set[0].Name != root {
		return document{}, fmt.Errorf("document of %s: one root field %s expected: %w", root, root, err)
	}
	head, body, _ := strings.Cut(text, "{")
	name := strings.TrimPrefix(strings.TrimSpace(head), "subscription ")
	name, variable, filtered := strings.Cut(name, "($filter: ")
	body = body[strings.Index(body, root)+len(root):]
	body = strings.TrimPrefix(body, "(filter: $filter)")
	body = body[:strings.LastIndexByte(body, '}')]
	return document{
		root: root, filtered: filtered, filter: strings.TrimRight(variable, ") "), head: strings.TrimSpace(name),
		selection: strings.Join(strings.Fields(body), " "), fields: set[0].Fields,
	}, nil
}

// text renders the document as a query or a subscription. The filter is
// written into it: document 2 shows requests with the field query alone, so
// that a server need not know variables. server is the name of the root field
// on this server; an alias keeps the response key.
func (d *document) text(kind, server, filter string) string {
	return d.begin(kind, server, "", filter) + d.selection + " }"
}

// begin renders what stands before the selection. variable is the declaration
// of a variable, "" when the filter is written out.
func (d *document) begin(kind, server, variable, filter string) string {
	s := kind + " " + d.head + variable + " { " + d.root
	if server != d.root {
		s += ": " + server
	}
	if d.filtered {
		s += "(filter: " + filter + ")"
	}
	return s + " "
}

// request is what a subscription asks for: a filter, and how many keys it
// names. The zero value asks for nothing.
type request struct {
	ready  bool
	filter string
	keys   int
}

// literal writes a string as GraphQL does: JSON's escapes are a subset of it.
func literal(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}

func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = literal(s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

func numbers(list []int64) string {
	var b []byte
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return string(append(b, ']'))
}

// perChannel writes one member per channel that body has something for.
func perChannel(body func(model.Channel) string) string {
	var parts []string
	for _, ch := range model.Channels() {
		if s := body(ch); s != "" {
			parts = append(parts, string(ch)+":{"+s+"}")
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// site writes the site member of a stat filter, nothing for all sites.
func site(n int64) string {
	if n == 0 {
		return ""
	}
	return " userSite:" + strconv.FormatInt(n, 10)
}

// codesRequest asks for codes on every channel: ServiceStatFilter with member
// "services", GroupStatFilter with member "groups".
func (n *Narrow) codesRequest(member string, codes []string, userSite int64) request {
	body := member + ":" + literals(codes) + n.statKeys() + site(userSite)
	return request{
		ready: len(codes) > 0, keys: len(codes),
		filter: perChannel(func(model.Channel) string { return body }),
	}
}

// attendantsRequest is a ServiceAttendantStatFilter.
func (n *Narrow) attendantsRequest(services []string, userSite int64) request {
	components := make([]string, 0, 4)
	for _, c := range model.Components() {
		components = append(components, string(c))
	}
	return request{
		ready: len(services) > 0, keys: len(services),
		filter: "{CALL:{services:" + literals(services) + " component:[" +
			strings.Join(components, ",") + "]" + n.statKeys() + site(userSite) + "}}",
	}
}

// namesRequest is a UserStatFilter.
func (n *Narrow) namesRequest(users map[model.Channel][]string) request {
	r := request{ready: len(users) > 0}
	r.filter = perChannel(func(ch model.Channel) string {
		if len(users[ch]) == 0 {
			return ""
		}
		r.keys += len(users[ch])
		return "users:" + literals(users[ch]) + n.activities()
	})
	return r
}

// profilesRequest is a UserProfileStatFilter or an OperatorProfileStatFilter.
func (n *Narrow) profilesRequest(profiles map[model.Channel][]int64) request {
	r := request{ready: len(profiles) > 0}
	r.filter = perChannel(func(ch model.Channel) string {
		if len(profiles[ch]) == 0 {
			return ""
		}
		r.keys += len(profiles[ch])
		return "userProfiles:" + numbers(profiles[ch]) + n.activities()
	})
	return r
}

// campaignsRequest is a PdCampaignStatFilter.
func campaignsRequest(ids []int64) request {
	return request{
		ready: len(ids) > 0, keys: len(ids),
		filter: "{campaigns:" + numbers(slices.Sorted(slices.Values(ids))) + "}",
	}
}
