package proof_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

// randomOptions returns random options for a platform. Each switch of the real-time display service
// gets a random value, including those for the form of the schema; most switches keep their
// default. The same seed gives the same options. The caller sets the address and the world.
//
// randomOptions never selects a date format that gives the age of an instant, because the age is
// wrong by the time that the message takes to arrive. It never selects hostile texts, because
// [simulator.Server.CurrentState] returns the original texts.
func randomOptions(seed uint64) simulator.Options {
	d := randomizer{rand.New(rand.NewPCG(seed, 7))}
	o := simulator.Options{
		Switches: rtd.Switches{
			FirstMessage:    choice(d, rtd.FirstFull, rtd.FirstDelta, rtd.FirstNone, rtd.FirstKeys),
			NullKeys:        choice(d, rtd.NullKeysPresent, rtd.NullKeysAbsent),
			Numbers:         choice(d, rtd.NumbersInt, rtd.NumbersFloat, rtd.NumbersString),
			DateForm:        choice(d, rtd.InstantForms()...),
			QuotedDates:     d.rarely(),
			NeverHeld:       choice(d, rtd.NeverHeldLogin, rtd.NeverHeldZero, rtd.NeverHeldNull, rtd.NeverHeldEmpty, rtd.NeverHeldNegative, rtd.NeverHeldEpoch, rtd.NeverHeldFar, rtd.NeverHeldQuoted),
			RenamedRoots:    d.rarely(),
			NoIntrospection: d.rarely(),
			KeylessDeltas:   d.rarely(),
			PartialLists:    d.rarely(),
			MissingFields:   d.missingFields(),
			ChannelTypes:    choice(d, rtd.TypesOne, rtd.TypesUnion, rtd.TypesInterface),
			ErrorWords:      choice(d, rtd.AllErrorWords()...),
			Filters:         choice(d, rtd.FiltersAny, rtd.FiltersLiteral, rtd.FiltersVariables),
			Subprotocols:    choice(d, nil, []string{rtd.SubprotocolLegacy}, []string{rtd.SubprotocolTransport}),
			Upgrade:         rtd.UpgradePasses,
		},
		Arrivals:   choice(d, rtd.ArrivalsWhole, rtd.ArrivalsKeys),
		GatherTime: choice(d, 0, 100*time.Millisecond, 500*time.Millisecond, time.Second),
	}
	o.Switches.Shapes = d.fieldShapes(o.Switches.MissingFields)
	o.Switches.SubprotocolRefusal = choice(d, rtd.SubprotocolRefusalClose, rtd.SubprotocolRefusalStatus)
	o.Switches.SocketAuth = choice(d, rtd.SocketAuthAny, rtd.SocketAuthSession, rtd.SocketAuthCookie, rtd.SocketAuthInit)
	o.Switches.AuthAtUpgrade = o.Switches.SocketAuth != rtd.SocketAuthInit && d.rarely()
	if d.rarely() {
		o.Switches.MaxFilterKeys = 3 + d.IntN(20)
	}
	if d.rarely() {
		o.Switches.MaxRequest = 4000 + d.IntN(4000)
	}
	if d.rarely() {
		o.Switches.Upgrade = choice(d, rtd.UpgradeStripped, rtd.UpgradeRefused, rtd.UpgradeNoRoute, rtd.UpgradeCut)
	}
	if d.rarely() {
		o.ReplicaLag = time.Duration(d.IntN(5000)) * time.Millisecond
	}
	if d.rarely() {
		o.UpdatesPerMessage = 1 + d.IntN(5)
	}
	if d.rarely() {
		o.Switches.DurationUnit = rtd.DurationsInMilliseconds
	}
	if o.Switches.ChannelTypes == rtd.TypesInterface { // the interface contains this field, so no type may lack it
		o.Switches.MissingFields = slices.DeleteFunc(o.Switches.MissingFields, func(f string) bool { return strings.HasSuffix(f, ".answeredCalls") })
	}
	o.Switches.Rules = randomRules(seed, &o.Switches)
	return o
}

// randomRules selects restrictions that the server enforces although document 2 does not mention
// them. About half of the seeds get one rule, unless the rule contradicts the switches in sw. The
// rules use a random source of their own, so that a new rule does not change the switches that
// belong to a seed.
func randomRules(seed uint64, sw *rtd.Switches) (r rtd.Rules) {
	d := randomizer{rand.New(rand.NewPCG(seed, 8))}
	ofUsers := func(s string) bool { return strings.HasPrefix(s, "User") }
	switch d.IntN(18) {
	case 0:
		if !slices.ContainsFunc(slices.Concat(sw.MissingFields, sw.Shapes), ofUsers) {
			r.RecordTypes = choice(d, rtd.RecordsInterface, rtd.RecordsUnion)
		}
	case 1:
		r.FilterArgument = choice(d, "where", "filters", "criteria")
	case 2:
		if !sw.RenamedRoots {
			r.RootNames = choice(d, "*Updated", "watch*", "live_*_feed")
		}
	case 3:
		r.MaxSubscriptions = 4 + d.IntN(9)
	case 4:
		r.SubscriptionLifetime = time.Duration(15+d.IntN(60)) * time.Second
	case 5:
		r.NoAliases = true
	case 6:
		r.NoTypenames = sw.ChannelTypes == rtd.TypesOne
	case 7:
		r.BinaryFrames = true
	case 8:
		r.TokenLoginOnly = sw.SocketAuth == rtd.SocketAuthAny || sw.SocketAuth == rtd.SocketAuthSession
	}
	return r
}

// randomizer selects random values for options.
type randomizer struct{ *rand.Rand }

// rarely returns true in one of five cases, so that a random platform differs from the default only
// in a few switches at a time.
func (d randomizer) rarely() bool { return d.IntN(5) == 0 }

// choice returns a random element of positions. In at least half of the cases it returns the first
// one, which is the default.
func choice[T any](d randomizer, positions ...T) T {
	if d.IntN(2) == 0 {
		return positions[0]
	}
	return positions[d.IntN(len(positions))]
}

// missingFields returns up to three fields that the schema leaves out, as Type.field.
func (d randomizer) missingFields() []string {
	if !d.rarely() {
		return nil
	}
	fields := optionalFields()
	var missing []string
	for range 1 + d.IntN(3) {
		missing = append(missing, fields[d.IntN(len(fields))])
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// fieldShapes returns up to two fields that have another shape in the schema, as
// Type.field=shape. They are not among the missing fields.
func (d randomizer) fieldShapes(missing []string) []string {
	if !d.rarely() {
		return nil
	}
	all := []string{
		"User.activeProfile=object", "User.site=list", "User.services=object", "UserStat.currentService=object",
		"UserStat.userSite=argument", "GroupStat.customStats=argument", "UserProfileStat.timeInHold=scalar",
		"ServiceStat.code=object", "PdCampaignStat.okContacts=list",
	}
	all = slices.DeleteFunc(all, func(s string) bool {
		field, _, _ := strings.Cut(s, "=")
		return slices.Contains(missing, field)
	})
	first, second := d.IntN(len(all)), d.IntN(len(all))
	if first == second {
		return all[first : first+1]
	}
	return []string{all[first], all[second]}
}

// optionalFields returns the fields of the records of document 2, as Type.field. Fields that
// identify a record or a list element are left out.
func optionalFields() []string {
	doc, err := parser.ParseSchema(&ast.Source{Input: rtd.SDL()})
	if err != nil {
		panic(err) // cannot happen: the embedded schema is valid
	}
	keys := []string{"username", "code", "channel", "component", "id", "campaignId", "key", "mutation"}
	var fields []string
	for _, typ := range doc.Definitions {
		if typ.Kind != ast.Object || !isRecordPart(typ.Name) {
			continue
		}
		for _, f := range typ.Fields {
			if isKeyed := typ.Name == "TimeInActivityCode" || typ.Name == "UserProfileInActivityCode"; slices.Contains(keys, f.Name) || isKeyed && f.Name == "activityCode" {
				continue
			}
			fields = append(fields, typ.Name+"."+f.Name)
		}
	}
	return fields
}

// isRecordPart reports whether a type is a record of document 2 or a part of one. It returns
// false for operations, logins, versions and the server health.
func isRecordPart(name string) bool {
	switch name {
	case "Query", "Mutation", "Subscription", "RtdVersion", "Version", "ServerHealth", "SessionUser", "Session", "AuthToken":
		return false
	}
	return true
}

// TestRandomOptions checks that every switch varies, that random options are valid, and that
// the same seed returns the same options.
func TestRandomOptions(t *testing.T) {
	t.Parallel()
	seen := make(map[string]map[string]bool)
	for seed := range uint64(300) {
		o := randomOptions(seed)
		if err := o.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := randomOptions(seed); !reflect.DeepEqual(o, again) {
			t.Fatalf("seed %d draws %+v, then %+v", seed, o, again)
		}
		v := reflect.ValueOf(o.Switches)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if seen[name] == nil {
				seen[name] = make(map[string]bool)
			}
			seen[name][fmt.Sprint(v.Field(i).Interface())] = true
		}
	}
	for name, positions := range seen {
		if len(positions) < 2 {
			t.Errorf("the switch %s is always drawn as %v", name, positions)
		}
	}
}
