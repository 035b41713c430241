package rtd

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// spoken returns options under which a service sends different data or other formats.
func spoken() map[string]Options {
	all := map[string]Options{
		"as document 2 shows it": {},
		"arrivals with keys":     {Arrivals: ArrivalsKeys},
		"few rows":               {MaxRows: 3},
	}
	for name, sw := range map[string]Switches{
		"first delta":     {FirstMessage: FirstDelta},
		"first none":      {FirstMessage: FirstNone},
		"first keys":      {FirstMessage: FirstKeys},
		"never held":      {NeverHeld: NeverHeldZero},
		"milliseconds":    {DurationUnit: DurationsInMilliseconds},
		"other roots":     {RenamedRoots: true},
		"without key":     {KeylessDeltas: true},
		"partial lists":   {PartialLists: true},
		"a union more":    {ChannelTypes: TypesUnion},
		"an interface":    {ChannelTypes: TypesInterface},
		"missing fields":  {MissingFields: []string{"User.site", "UserStat.status", "ServiceUserStat.readyUsers"}},
		"objects":         {Shapes: []string{"User.activeProfile=object", "User.services=object"}},
		"lists":           {Shapes: []string{"User.site=list", "UserStat.status=list"}},
		"a scalar":        {Shapes: []string{"UserProfileStat.timeInHold=scalar"}},
		"with argument":   {Shapes: []string{"UserStat.userSite=argument"}},
		"everything else": {RenamedRoots: true, KeylessDeltas: true, PartialLists: true, ChannelTypes: TypesInterface, DurationUnit: DurationsInMilliseconds, NeverHeld: NeverHeldNull},
	} {
		all[name] = Options{Switches: sw}
	}
	return all
}

// spokenService returns a service with a small world.
func spokenService(t *testing.T, o Options) *Service {
	t.Helper()
	o.Switches, o.Logger, o.Now = o.Switches.WithDefaults(), slog.New(slog.DiscardHandler), time.Now
	if err := o.Switches.Validate(); err != nil {
		t.Fatal(err)
	}
	var s *Service
	w := world.New(world.Options{Seed: 5, Agents: 12, Services: 6, Groups: 3, Operators: 3, Campaigns: 3, LogoutsPerMinute: 20, Start: time.Date(2026, 3, 4, 7, 30, 0, 0, time.UTC)})
	w.TakeChanges()
	shared := world.NewLockedWorld(w, func(c *world.Changes) { s.ApplyChanges(c) })
	s, err := New(o, Platform{World: shared})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// filterOf returns a filter for everything that a service knows at its start.
func filterOf(s *Service, root string) string {
	state := s.platform.World.State()
	list := func(n int, of func(i int) any) string {
		values := make([]string, n)
		for i := range values {
			b, err := json.Marshal(of(i))
			if err != nil {
				panic(err) // texts and numbers always encode
			}
			values[i] = string(b)
		}
		slices.Sort(values)
		return "[" + strings.Join(slices.Compact(values), ",") + "]"
	}
	everywhere := func(filter string) string {
		return "{CALL: {" + filter + "} CUSTOM_1: {" + filter + "} CHAT: {" + filter + "} MAIL_ACD: {" + filter + "}}"
	}
	users := list(len(state.UserStats), func(i int) any { return state.UserStats[i].Username })
	services := list(len(state.Services), func(i int) any { return state.Services[i].Code })
	switch root {
	case "users":
		return "(filter: {})"
	case "serviceStats":
		return "(filter: " + everywhere("services: "+services) + ")"
	case "groupStats":
		return "(filter: " + everywhere("groups: "+list(len(state.Groups), func(i int) any { return state.Groups[i].Code })) + ")"
	case "userStats":
		return "(filter: " + everywhere("users: "+users) + ")"
	case "userProfileStats":
		return "(filter: " + everywhere("userProfiles: "+list(len(state.UserProfileStats), func(i int) any { return state.UserProfileStats[i].ID })) + ")"
	case "pdCampaignStats":
		return "(filter: {campaigns: " + list(len(state.Campaigns), func(i int) any { return state.Campaigns[i].CampaignID }) + "})"
	case "serviceAttendantStats":
		return "(filter: {CALL: {services: " + services + ", component: [ALL, INTERNAL, EXTERNAL, RETURNS]}})"
	case "operatorStats":
		return "(filter: {CALL: {users: " + list(len(state.Operators), func(i int) any { return state.Operators[i].Username }) + "}})"
	case "operatorProfileStats":
		return "(filter: {CALL: {userProfiles: " + list(len(state.OperatorProfileStats), func(i int) any { return state.OperatorProfileStats[i].ID }) + "}})"
	}
	return ""
}

// told holds all results of a subscription: data and errors.
type told struct {
	mu  sync.Mutex
	all []string
}

func (l *told) add(resp *graphql.Response) {
	b, err := json.Marshal(resp.Errors)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, string(resp.Data)+" "+string(b))
}

// tell returns the first message of a subscription and the updates of a minute,
// encoded by a plan if possible, or only by graphql-go. planned reports whether a
// plan was used.
func tell(t *testing.T, s *Service, req webservice.Request) (ours, theirs []string, planned bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var plan, whole told
	d := directEncoding{compile: s.planCompiler(req)}
	next, err := s.startSubscriptionWith(ctx, &d, req, req.Variables)
	if err != nil {
		t.Fatal(err)
	}
	wg.Go(func() {
		for resp, ok := next(); ok; resp, ok = next() {
			plan.add(resp)
		}
	})
	results, err := s.schema.Subscribe(ctx, req.Query, req.OperationName, req.Variables)
	if err != nil {
		t.Fatal(err)
	}
	wg.Go(func() {
		for resp := range results {
			whole.add(resp.(*graphql.Response))
		}
	})
	synctest.Wait()
	for range 12 {
		s.platform.World.Step(5*time.Second, 2)
		synctest.Wait()
	}
	cancel()
	wg.Wait()
	return plan.all, whole.all, d.nextResult != nil
}

// answers returns the answers to a query now and later, encoded in the same way as
// by [tell].
func answers(t *testing.T, s *Service, req webservice.Request) (ours, theirs []string, planned bool) {
	t.Helper()
	var plan, whole told
	for range 4 {
		d := directEncoding{compile: s.planCompiler(req)}
		plan.add(s.executeQuery(t.Context(), &d, req))
		planned = d.result != nil
		whole.add(s.schema.Exec(t.Context(), req.Query, req.OperationName, req.Variables))
		s.platform.World.Step(20*time.Second, 2)
	}
	return plan.all, whole.all, planned
}

// chooser generates random selections.
type chooser struct {
	t          *rapid.T
	types      webservice.Schema
	directives bool // directives are allowed
	served     bool // a plan must support the selection
	aliases    int
	fragments  strings.Builder
}

// request generates a query or subscription.
func (c *chooser) request(s *Service, query bool) webservice.Request {
	root := rapid.SampledFrom(s.Roots()).Draw(c.t, "root")
	kind, name := "subscription", root.Subscription
	if query {
		kind, name = "query", root.Query
	}
	def := c.types[strings.ToUpper(kind[:1])+kind[1:]].Fields.ForName(name)
	c.served = c.served && (!query || len(def.Arguments) > 0) // two small queries have no plan and are left to graphql-go
	field := c.alias() + name + filterOf(s, root.Query)
	set := c.set(c.types[def.Type.Name()], 4)
	variables := ""
	if strings.Contains(set+c.fragments.String(), "$yes") {
		variables = "($yes: Boolean = true)"
	}
	return webservice.Request{
		Query:     kind + " s" + variables + " {" + field + " " + set + "}\n" + c.fragments.String(),
		Variables: map[string]any{"yes": true},
	}
}

// set generates a selection of a type.
func (c *chooser) set(def *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for range rapid.IntRange(1, 6).Draw(c.t, "selections") {
		switch way := rapid.IntRange(0, 11).Draw(c.t, "way"); {
		case way == 0:
			b.WriteString(" " + c.alias() + "__typename")
		case way == 1 && depth > 0:
			b.WriteString(" ... " + c.set(def, depth-1))
		case way == 2 && depth > 0:
			b.WriteString(" ... on " + def.Name + c.directive() + " " + c.set(def, depth-1))
		case way == 3 && depth > 0:
			inner := c.set(def, depth-1)
			c.aliases++
			fmt.Fprintf(&c.fragments, "fragment f%d on %s %s\n", c.aliases, def.Name, inner)
			fmt.Fprintf(&b, " ...f%d", c.aliases)
		case len(def.Types) > 0 || def.Kind == ast.Interface && way < 9:
			member := rapid.SampledFrom(c.members(def)).Draw(c.t, "member")
			b.WriteString(" ... on " + member.Name + " " + c.set(member, depth-1))
		default:
			b.WriteString(" " + c.field(rapid.SampledFrom(c.fields(def)).Draw(c.t, "field"), depth))
		}
	}
	return b.String() + " __typename}"
}

func (c *chooser) members(def *ast.Definition) []*ast.Definition {
	var members []*ast.Definition
	for _, d := range c.types {
		if slices.Contains(def.Types, d.Name) || slices.Contains(d.Interfaces, def.Name) {
			members = append(members, d)
		}
	}
	slices.SortFunc(members, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	return members
}

func (c *chooser) fields(def *ast.Definition) []*ast.FieldDefinition {
	return slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") })
}

func (c *chooser) field(f *ast.FieldDefinition, depth int) string {
	text := f.Name
	if len(f.Arguments) > 0 {
		text += `(unit: "s")`
	}
	inner := c.types[f.Type.Name()]
	composite := inner != nil && (inner.Kind == ast.Object || inner.Kind == ast.Union || inner.Kind == ast.Interface)
	if composite && depth <= 0 {
		return "__typename"
	}
	text = c.alias() + text + c.directive()
	if composite {
		text += " " + c.set(inner, depth-1)
	}
	return text
}

func (c *chooser) alias() string {
	if !rapid.Bool().Draw(c.t, "alias") {
		return ""
	}
	c.aliases++
	return fmt.Sprintf("a%d: ", c.aliases)
}

func (c *chooser) directive() string {
	if !c.directives || rapid.IntRange(0, 9).Draw(c.t, "directive") > 0 {
		return ""
	}
	c.served = false
	return rapid.SampledFrom([]string{" @include(if: true)", " @skip(if: true)", " @include(if: $yes)"}).Draw(c.t, "which")
}

// TestPlansMatchGraphQLGo compares the output of plans with that of
// graphql-go, byte by byte, for random selections of all queries and subscriptions
// and for all switches that change the data.
func TestPlansMatchGraphQLGo(t *testing.T) {
	t.Parallel()
	all := spoken()
	known := make(map[string]*Service, len(all)) // used to generate requests; each check creates its own service
	for name, o := range all {
		known[name] = spokenService(t, o)
		t.Cleanup(known[name].Shutdown)
	}
	names := slices.Sorted(maps.Keys(all))
	plans, updates := 0, 0
	little := func() bool { return plans < 30 || updates < 3*plans }
	check := func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "switches")
		query := rapid.IntRange(0, 3).Draw(rt, "query") == 0 // a query has one answer, a subscription many
		s := known[name]
		c := &chooser{t: rt, types: s.types, served: true, directives: rapid.IntRange(0, 4).Draw(rt, "directives") == 0}
		if s.clientSchema != nil {
			c.types = s.clientSchema.schema.Types
		}
		req, _, errs := s.clientSchema.translateRequest(c.request(s, query), false)
		if errs != nil {
			rt.Skip("conflicting fields")
		}
		var ours, theirs []string
		var planned bool
		synctest.Test(t, func(t *testing.T) {
			s := spokenService(t, all[name])
			if query {
				ours, theirs, planned = answers(t, s, req)
			} else {
				ours, theirs, planned = tell(t, s, req)
			}
			s.Shutdown()
			s.Wait()
		})
		if diff := cmp.Diff(theirs, ours); diff != "" {
			rt.Fatalf("%s\ngraphql-go (-) and the plan (+):\n%s", req.Query, diff)
		}
		if c.served && !planned {
			rt.Fatalf("%s: no plan supports it: %.300s", req.Query, theirs)
		}
		if planned {
			plans, updates = plans+1, updates+len(ours)
		}
	}
	for n := 0; n < 5 && little() && !t.Failed(); n++ { // some selections hardly ever change
		rapid.Check(t, check)
	}
	if little() {
		t.Errorf("%d plans with %d updates compare too little", plans, updates)
	}
}

// TestFragmentOfAnObject sends a fragment on an object that is a text in the
// executed schema, where the fragment has no valid place.
func TestFragmentOfAnObject(t *testing.T) {
	t.Parallel()
	s := spokenService(t, spoken()["objects"])
	t.Cleanup(s.Shutdown)
	req, _, errs := s.clientSchema.translateRequest(webservice.Request{Query: "subscription s { users(filter: {}) { activeProfile { ...outer } ...kept } }" +
		" fragment outer on ActiveProfileOfUser { ...inner } fragment inner on ActiveProfileOfUser { __typename } fragment kept on User { username }"}, false)
	if errs != nil {
		t.Fatalf("%s", errs)
	}
	if strings.Contains(req.Query, "ActiveProfileOfUser") || !strings.Contains(req.Query, "fragment kept") {
		t.Errorf("unexpected request %s", req.Query)
	}
}
