package rtd

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/simulator/accounts"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// Rules are what a server, or a gateway before it, enforces beyond document 2.
// The zero value enforces nothing.
type Rules struct {
	RecordTypes      RecordTypes   // default one
	FilterArgument   string        // the name of the argument that carries a filter; default filter
	RootNames        string        // the names of subscriptions, * being the name of the query; default the query's
	MaxSubscriptions int           // most subscriptions of a connection; 0 is no bound
	SubscriptionLife time.Duration // after which the server completes a subscription; 0 is never
	NoAliases        bool          // refuse requests with an alias
	NoTypenames      bool          // refuse requests for __typename
	BinaryFrames     bool          // send messages in binary frames
	ZerosForUnknown  bool          // answer for a service that there is not with a record of zeros
	TokenLoginOnly   bool          // an access token is good for loginWithAccessToken alone
}

// RecordTypes says of which types the figures of users and profiles are.
type RecordTypes string

// The types that these records may be of.
const (
	RecordsOne       RecordTypes = "one"       // one type on every channel, with the fields of calls
	RecordsInterface RecordTypes = "interface" // one of calls and one of the other channels, behind an interface
	RecordsUnion     RecordTypes = "union"     // the same, in a union, which has no fields of its own
)

// DefaultFilterArgument is the name of the argument in document 2.
const DefaultFilterArgument = "filter"

// rootNames is what RootNames may be.
var rootNames = regexp.MustCompile(`^[A-Za-z_]*\*[A-Za-z_]*$`)

// validate says which rule has no such position.
func (r Rules) validate() error {
	var errs []error
	if r.RecordTypes != "" {
		errs = append(errs, wire.OneOf("record types", r.RecordTypes, RecordsOne, RecordsInterface, RecordsUnion))
	}
	if r.FilterArgument != "" && !regexp.MustCompile(`^[A-Za-z]\w*$`).MatchString(r.FilterArgument) {
		errs = append(errs, fmt.Errorf("filter argument %q is not a name", r.FilterArgument))
	}
	if r.RootNames != "" && !rootNames.MatchString(r.RootNames) {
		errs = append(errs, fmt.Errorf("root names %q: want letters around one *", r.RootNames))
	}
	return errors.Join(errs...)
}

// refuse says which rule a request breaks, "" when none.
func (r Rules) refuse(doc *document) string {
	switch {
	case r.NoAliases && doc.aliases > 0:
		return fmt.Sprintf("Syntax Error: Aliases limit of 0 exceeded, found %d.", doc.aliases)
	case r.NoTypenames && doc.typenames:
		return "GraphQL introspection is not allowed"
	}
	return ""
}

// refuseSubscription says that a connection has too many subscriptions, "" when it
// has not.
func (r Rules) refuseSubscription(c *conn) string {
	n := 0
	for _, op := range c.running() {
		if op.root != "" {
			n++
		}
	}
	if r.MaxSubscriptions == 0 || n <= r.MaxSubscriptions {
		return ""
	}
	return fmt.Sprintf("Too many subscriptions on this connection, at most %d are allowed", r.MaxSubscriptions)
}

// seen returns what counts of the credentials of a request.
func (r Rules) seen(c *accounts.Credentials) *accounts.Credentials {
	if r.TokenLoginOnly {
		return c.OnlySession()
	}
	return c
}

// read notes what the rules look at in a selection.
func (d *document) read(set ast.SelectionSet) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Alias != sel.Name {
				d.aliases++
			}
			d.typenames = d.typenames || sel.Name == "__typename"
			d.read(sel.SelectionSet)
		case *ast.InlineFragment:
			d.read(sel.SelectionSet)
		}
	}
}

// callFields are the fields of users and profiles that document 2 calls variants
// of the call channel.
func callFields() []string {
	return []string{
		"numberCallOut", "numberCallOutPrivate",
		"timeInStateBusyDnCallIn", "timeInStateBusyDnCallOut", "timeInStateBusyDnCallOutPrivate",
	}
}

// recordTypes gives the figures of users and profiles a type for calls and one for
// the other channels. The profiles on calls have no loggedProfileId.
func recordTypes(sdl string, types RecordTypes) (string, error) {
	if types == RecordsOne || types == "" {
		return sdl, nil
	}
	var errs []error
	for _, base := range []string{"UserStat", "UserProfileStat"} {
		stem := strings.TrimSuffix(base, "Stat")
		before, rest, found := cutType(sdl, base)
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
		head := "interface " + base + " {" + shared + "}"
		if types == RecordsUnion {
			head = "union " + base + " = " + stem + "CallStat | " + stem + "ChannelStat"
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
		sdl = before[:strings.LastIndex(before, "type "+base)] + head + members + after
	}
	return sdl, errors.Join(errs...)
}

// withoutNames takes fields out of the body of a type that has one to a line.
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

// withUnknown adds to the answer for services records of zeros for those that do not
// exist, where the rules say so.
func (s *Service) withUnknown(views *[]*serviceView, f byChannel[serviceChannelFilter]) *[]*serviceView {
	if !s.opts.Switches.Rules.ZerosForUnknown {
		return views
	}
	t := s.tables.services
	t.mu.Lock()
	known := make(set[string], len(t.rows))
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
				*views = append(*views, view(t.style, nil, &world.ServiceStat{Code: code, Channel: channels[i]}, t.fill))
			}
		}
	}
	return views
}
