package graphql

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/feeds/merge"
	"wallboard/model"
)

//go:embed *.graphql
var documentFiles embed.FS

// Document is the text of an operation, split into the parts that differ between servers.
type Document struct {
	Root          string            // name of the root field and response key of the operation
	Filtered      bool              // the operation takes a filter
	FilterType    string            // type of the filter, with its "!"
	operationName string            // name after the keyword subscription, such as Users
	Selection     string            // "{ … }": selection set of the root field
	Fields        []merge.Selection // the selection set, parsed
}

// LoadDocument returns the embedded document of the operation named root. A test loads all documents, so an
// error means a broken build or an unknown operation.
func LoadDocument(root string) (Document, error) {
	b, err := documentFiles.ReadFile(root + ".graphql")
	if err != nil {
		return Document{}, fmt.Errorf("document of %s: %w", root, err)
	}
	text := string(b)
	set, err := merge.ParseSelection(text)
	if err != nil || len(set) != 1 || set[0].Name != root {
		return Document{}, fmt.Errorf("document of %s: one root field %s expected: %w", root, root, err)
	}
	head, body, _ := strings.Cut(text, "{")
	name := strings.TrimPrefix(strings.TrimSpace(head), "subscription ")
	name, variable, filtered := strings.Cut(name, "($filter: ")
	body = body[strings.Index(body, root)+len(root):]
	body = strings.TrimPrefix(body, "(filter: $filter)")
	body = body[:strings.LastIndexByte(body, '}')]
	return Document{
		Root: root, Filtered: filtered, FilterType: strings.TrimRight(variable, ") "), operationName: strings.TrimSpace(name),
		Selection: strings.Join(strings.Fields(body), " "), Fields: set[0].Fields,
	}, nil
}

// ServerNames holds the names that a server uses for parts of an operation. An empty name means
// document 2's name.
type ServerNames struct {
	Root     string // name of the root field
	Argument string // name of the filter argument
	NoAlias  bool   // use no alias; the response key is then Root
}

// RenderHead renders the text of an operation of the given kind up to its selection, with the names
// n. If n.Root differs from document 2's name, an alias keeps the response key, unless n.NoAlias is
// set. filter is a literal, or the name of the variable that is declared by variable. Document 2
// shows only requests without variables, so a server may not support them.
func (d *Document) RenderHead(n ServerNames, kind, variable, filter string) string {
	n.Root, n.Argument = cmp.Or(n.Root, d.Root), cmp.Or(n.Argument, "filter")
	s := kind + " " + d.operationName + variable + " { "
	if n.Root != d.Root && !n.NoAlias {
		s += d.Root + ": "
	}
	s += n.Root
	if d.Filtered {
		s += "(" + n.Argument + ": " + filter + ")"
	}
	return s + " "
}

// Kinds of operations, as GraphQL keywords.
const (
	KindQuery        = "query"
	KindSubscription = "subscription"
)

// Request is a filter with its number of keys. The zero value requests nothing.
type Request struct {
	IsWanted bool   // there is something to request
	Filter   string // as a literal
	Keys     int    // number of keys in the filter
}

// StringLiteral returns s as a GraphQL string literal. It uses JSON escapes, which are also valid
// in GraphQL.
func StringLiteral(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		return `""`
	}
	return string(b)
}

func stringList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = StringLiteral(s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}

func integerList(list []int64) string {
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

// channelsObject returns an object literal with one member per channel. body returns the content of
// the member of a channel, or "" to leave out the channel.
func channelsObject(body func(model.Channel) string) string {
	var parts []string
	for _, ch := range model.Channels() {
		if s := body(ch); s != "" {
			parts = append(parts, string(ch)+":{"+s+"}")
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// siteMember returns the member of a filter that selects the site n. It returns "" if n is 0, which
// means all sites.
func siteMember(n int64) string {
	if n == 0 {
		return ""
	}
	return " userSite:" + strconv.FormatInt(n, 10)
}

// CodesRequest returns a request for codes on every channel. If member is "services", the filter is
// a ServiceStatFilter; if it is "groups", a GroupStatFilter. userSite is the site to request; 0
// means all sites.
func (r *Restriction) CodesRequest(member string, codes []string, userSite int64) Request {
	body := member + ":" + stringList(codes) + r.customStatKeysMember() + siteMember(userSite)
	return Request{
		IsWanted: len(codes) > 0, Keys: len(codes),
		Filter: channelsObject(func(model.Channel) string { return body }),
	}
}

// AttendantsRequest returns a request for the attendants of services on the call channel, with a
// ServiceAttendantStatFilter. userSite is the site to request; 0 means all sites.
func (r *Restriction) AttendantsRequest(services []string, userSite int64) Request {
	components := make([]string, 0, 4)
	for _, c := range model.Components() {
		components = append(components, string(c))
	}
	return Request{
		IsWanted: len(services) > 0, Keys: len(services),
		Filter: "{CALL:{services:" + stringList(services) + " component:[" +
			strings.Join(components, ",") + "]" + r.customStatKeysMember() + siteMember(userSite) + "}}",
	}
}

// UserStatsRequest returns a request for the figures of users, with a UserStatFilter. users holds
// the names of the users by channel.
func (r *Restriction) UserStatsRequest(users map[model.Channel][]string) Request {
	request := Request{IsWanted: len(users) > 0}
	request.Filter = channelsObject(func(ch model.Channel) string {
		if len(users[ch]) == 0 {
			return ""
		}
		request.Keys += len(users[ch])
		return "users:" + stringList(users[ch]) + r.activityCodesMember()
	})
	return request
}

// ProfilesRequest returns a request for the figures of profiles, with a UserProfileStatFilter or an
// OperatorProfileStatFilter. profiles holds the IDs of the profiles by channel.
func (r *Restriction) ProfilesRequest(profiles map[model.Channel][]int64) Request {
	request := Request{IsWanted: len(profiles) > 0}
	request.Filter = channelsObject(func(ch model.Channel) string {
		if len(profiles[ch]) == 0 {
			return ""
		}
		request.Keys += len(profiles[ch])
		return "userProfiles:" + integerList(profiles[ch]) + r.activityCodesMember()
	})
	return request
}

// CampaignsRequest returns a request for the figures of campaigns, with a PdCampaignStatFilter.
func CampaignsRequest(ids []int64) Request {
	return Request{
		IsWanted: len(ids) > 0, Keys: len(ids),
		Filter: "{campaigns:" + integerList(slices.Sorted(slices.Values(ids))) + "}",
	}
}
