package rtd

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Rules are restrictions of a server or gateway that document 2 does not mention. The zero
// value has no restrictions.
type Rules struct {
	RecordTypes          RecordTypes   // default [RecordsOne]
	FilterArgument       string        // name of the filter argument; default: filter
	RootNames            string        // names of the subscriptions, with * for the name of the query; default: the name of the query
	MaxSubscriptions     int           // maximum number of subscriptions per connection; 0 means no limit
	SubscriptionLifetime time.Duration // time after which the server completes a subscription; 0: never
	NoAliases            bool          // refuse requests with aliases
	NoTypenames          bool          // refuse requests for __typename
	BinaryFrames         bool          // send messages in binary frames
	ZerosForUnknown      bool          // answer a query for an unknown service with a record whose figures are 0
	TokenLoginOnly       bool          // accept an access token only as argument of loginWithAccessToken
}

// RecordTypes selects the types of user and profile records.
type RecordTypes string

// Values of RecordTypes.
const (
	RecordsOne       RecordTypes = "one"       // one type for all channels, with the call fields
	RecordsInterface RecordTypes = "interface" // one type for calls and one for other channels, with a common interface
	RecordsUnion     RecordTypes = "union"     // the two types of RecordsInterface, in a union without fields of its own
)

// DefaultFilterArgument is the name of the filter argument in document 2.
const DefaultFilterArgument = "filter"

// rootNamesPattern matches the valid values of Rules.RootNames.
var rootNamesPattern = regexp.MustCompile(`^[A-Za-z_]*\*[A-Za-z_]*$`)

// validate reports rules with invalid values.
func (r Rules) validate() error {
	var errs []error
	if r.RecordTypes != "" {
		errs = append(errs, webservice.CheckOneOf("record types", r.RecordTypes, RecordsOne, RecordsInterface, RecordsUnion))
	}
	if r.FilterArgument != "" && !regexp.MustCompile(`^[A-Za-z]\w*$`).MatchString(r.FilterArgument) {
		errs = append(errs, fmt.Errorf("filter argument %q is not a name", r.FilterArgument))
	}
	if r.RootNames != "" && !rootNamesPattern.MatchString(r.RootNames) {
		errs = append(errs, fmt.Errorf("root names %q: want letters around one *", r.RootNames))
	}
	return errors.Join(errs...)
}

// refusalMessage returns the message for rejecting a request that NoAliases or NoTypenames forbids,
// or "" if it is allowed.
func (r Rules) refusalMessage(doc *requestSummary) string {
	switch {
	case r.NoAliases && doc.aliasCount > 0:
		return fmt.Sprintf("Syntax Error: Aliases limit of 0 exceeded, found %d.", doc.aliasCount)
	case r.NoTypenames && doc.selectsTypename:
		return "GraphQL introspection is not allowed"
	}
	return ""
}

// subscriptionRefusal returns the message for rejecting a subscription because the connection
// has too many, or "".
func (r Rules) subscriptionRefusal(c *conn) string {
	n := 0
	for _, op := range c.runningOps() {
		if op.root != "" {
			n++
		}
	}
	if r.MaxSubscriptions == 0 || n <= r.MaxSubscriptions {
		return ""
	}
	return fmt.Sprintf("Too many subscriptions on this connection, at most %d are allowed", r.MaxSubscriptions)
}

// acceptedCredentials returns the part of a client's credentials that the rules accept.
func (r Rules) acceptedCredentials(c *webservice.Credentials) *webservice.Credentials {
	if r.TokenLoginOnly {
		return c.OnlySession()
	}
	return c
}

// countSelections adds the number of aliases in a selection set to the summary. It also records
// whether the set selects __typename.
func (d *requestSummary) countSelections(set ast.SelectionSet) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Alias != sel.Name {
				d.aliasCount++
			}
			d.selectsTypename = d.selectsTypename || sel.Name == "__typename"
			d.countSelections(sel.SelectionSet)
		case *ast.InlineFragment:
			d.countSelections(sel.SelectionSet)
		}
	}
}

// callFields returns the names of the fields that users and profiles have only on the call channel.
func callFields() []string {
	return []string{
		"numberCallOut", "numberCallOutPrivate",
		"timeInStateBusyDnCallIn", "timeInStateBusyDnCallOut", "timeInStateBusyDnCallOutPrivate",
	}
}

// splitRecordTypes returns a schema in which users and profiles have a type for calls and
// another one for the other channels. The type of profiles on calls has no loggedProfileId.
func splitRecordTypes(sdl string, types RecordTypes) (string, error) {
	if types == RecordsOne || types == "" {
		return sdl, nil
	}
	var errs []error
	for _, base := range []string{"UserStat", "UserProfileStat"} {
		stem := strings.TrimSuffix(base, "Stat")
		before, rest, found := splitAtType(sdl, base)
		body, after, _ := strings.Cut(rest, "}")
		if !found {
			errs = append(errs, fmt.Errorf("record types: the schema has no type %s", base))
			continue
		}
		others := withoutNames(body, callFields())
		calls, shared := body, others
		if base == "UserProfileStat" {
			calls, shared = withoutNames(body, []string{"loggedProfileId"}), withoutNames(others, []string{"loggedProfileId"})
			var err error
			if after, err = withoutFields(after, []string{stem + "CallStat.loggedProfileId"}); err != nil {
				errs = append(errs, err)
			}
		}
		opening := "interface " + base + " {" + shared + "}"
		if types == RecordsUnion {
			opening = "union " + base + " = " + stem + "CallStat | " + stem + "ChannelStat"
		}
		impl := ""
		if types == RecordsInterface {
			impl = " implements " + base
		}
		members := "\ntype " + stem + "ChannelStat" + impl + " {" + others + "}"
		if base == "UserStat" {
			members += "\ntype " + stem + "CallStat" + impl + " {" + calls + "}"
		} else {
			after = strings.Replace(after, "type "+stem+"CallStat {", "type "+stem+"CallStat"+impl+" {", 1)
		}
		sdl = before[:strings.LastIndex(before, "type "+base)] + opening + members + after
	}
	return sdl, errors.Join(errs...)
}

// withoutNames removes the named fields from the body of a type. The body must have one field
// per line.
func withoutNames(body string, names []string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		drop := false
		for _, n := range names {
			drop = drop || n == name
		}
		if !drop {
			b.WriteString(line)
		}
	}
	return b.String()
}

// addUnknownServices adds a record of zeros to the answer of a query for each unknown service
// that the filter names. It does nothing unless [Rules.ZerosForUnknown] is set.
func (s *Service) addUnknownServices(views *[]*serviceView, f byChannel[serviceChannelFilter]) *[]*serviceView {
	if !s.opts.Switches.Rules.ZerosForUnknown {
		return views
	}
	t := s.tables.services
	t.mu.Lock()
	known := make(filterSet[string], len(t.rows))
	for _, r := range t.rows {
		known[r.Code] = struct{}{}
	}
	t.mu.Unlock()
	channels := world.Channels()
	for i, filter := range f.array() {
		if filter == nil {
			continue
		}
		for _, code := range filter.Services {
			if !known.has(code) {
				*views = append(*views, buildView(t.style, nil, &world.ServiceStat{Code: code, Channel: channels[i]}, t.newView))
			}
		}
	}
	return views
}
