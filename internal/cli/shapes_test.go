package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// shaped is a platform with another GraphQL library, and the fields that cannot be requested there.
type shaped struct {
	rtd.Switches
	lost []string
}

// shapes returns platforms with other shapes of fields, types or subscription names, and other texts of
// errors.
func shapes() map[string]shaped {
	objects := []string{"User.activeProfile=object", "User.services=object", "UserStat.currentService=object", "ServiceStat.code=object", "User.site=list"}
	plain := []string{"User.activeProfile=object", "UserStat.userSite=argument", "UserProfileStat.timeInHold=scalar"}
	lost := []string{"User.activeProfile", "UserStat.userSite", "UserProfileStat.timeInHold"}
	all := map[string]shaped{
		"objects":                 {rtd.Switches{Shapes: objects}, nil},
		"argument and scalar":     {rtd.Switches{Shapes: plain[1:]}, lost[1:]},
		"types in a union":        {rtd.Switches{ChannelTypes: rtd.TypesUnion}, nil},
		"types behind one":        {rtd.Switches{ChannelTypes: rtd.TypesInterface}, nil},
		"types, no schema":        {rtd.Switches{ChannelTypes: rtd.TypesUnion, NoIntrospection: true}, nil},
		"types behind one, lacks": {rtd.Switches{ChannelTypes: rtd.TypesInterface, NoIntrospection: true, MissingFields: []string{"ServiceMediaStat.shortCalls"}}, []string{"ServiceCcCallAtStat.shortCalls"}},
		"suggested roots":         {rtd.Switches{RenamedRoots: true, NoIntrospection: true, ErrorWords: rtd.WordsJS}, nil},
		"suggested roots, python": {rtd.Switches{RenamedRoots: true, NoIntrospection: true, ErrorWords: rtd.WordsPython}, nil},
		"no reasons, few keys":    {rtd.Switches{MaxFilterKeys: 7, ErrorWords: rtd.WordsNone, NoIntrospection: true}, nil},
	}
	for _, words := range []rtd.ErrorWords{
		rtd.WordsGo, rtd.WordsJS, rtd.WordsJava, rtd.WordsHotChocolate, rtd.WordsPython, rtd.WordsRust, rtd.WordsNone,
	} {
		all["no schema, "+string(words)] = shaped{rtd.Switches{Shapes: plain, NoIntrospection: true, ErrorWords: words}, lost}
	}
	return all
}

// TestForeignShapesEndInTheTruth compares every field with the platform, except lost ones,
// which have to be named.
func TestForeignShapesEndInTheTruth(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(shapes())) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				c := shapes()[name]
				r := newRig(t, simulator.Options{
					Switches: c.Switches, Speed: 10,
					World: world.Options{Seed: 3, Services: 4, Groups: 2, Agents: 8, Operators: 1, Campaigns: 2},
				}, nil)
				defer r.stop()
				pass(40 * time.Second)
				c.MissingFields = slices.DeleteFunc(slices.Concat(c.MissingFields, c.lost), func(m string) bool {
					return strings.HasPrefix(m, "ServiceMediaStat") // no record of document 2 has these fields
				})
				r.settleOn(c.Switches)
				if h := r.feed.Latest().Health; h.HasUnreadableRecords() {
					t.Errorf("something is still unknown: %+v", h.Subscriptions)
				}
			})
		})
	}
}

// TestSubscriptionsThatAreNotFoundArePolled uses a platform whose names of subscriptions are unknown.
func TestSubscriptionsThatAreNotFoundArePolled(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{
			Switches: rtd.Switches{Rules: rtd.Rules{RootNames: "feed_*_of_now"}, NoIntrospection: true, ErrorWords: rtd.WordsJava}, Speed: 10,
			World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
		}, nil)
		defer r.stop()
		pass(20 * time.Second)
		s := r.feed.Latest()
		if !s.Health.Live() {
			t.Fatalf("not live: %v", headless.CheckLive(s))
		}
		for _, sub := range s.Health.Subscriptions {
			if sub.State != model.SubPolling && sub.State != model.SubWaiting || sub.State == model.SubPolling && !strings.Contains(sub.Reason, "no subscription") {
				t.Errorf("%s is %s: %s", sub.Name, sub.State, sub.Reason)
			}
		}
		if len(r.feed.Profile().Roots) > 0 {
			t.Errorf("learnt %v", r.feed.Profile().Roots)
		}
	})
}

// TestNothingWaitsForWhatIsRefused refuses all requests for the users: data that depends on them is
// marked, and everything else is live.
func TestNothingWaitsForWhatIsRefused(t *testing.T) {
	t.Parallel()
	for _, words := range []rtd.ErrorWords{rtd.WordsJS, rtd.WordsNone} {
		bubble(t, func(t *testing.T) {
			r := newRig(t, simulator.Options{
				Switches: rtd.Switches{Shapes: []string{"User.username=argument"}, ErrorWords: words, NoIntrospection: true}, Speed: 10,
				World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
			}, nil)
			defer r.stop()
			pass(time.Minute)
			s := r.feed.Latest()
			for _, sub := range s.Health.Subscriptions {
				switch sub.Name {
				case "version", "serverHealth", "pdCampaignStats":
					if sub.State != model.SubLive {
						t.Errorf("%s: %s is %s: %s", words, sub.Name, sub.State, sub.Reason)
					}
				default:
					if sub.State != model.SubRefused || sub.Reason == "" {
						t.Errorf("%s: %s is %s: %q", words, sub.Name, sub.State, sub.Reason)
					}
				}
			}
			if s.Campaigns.Len() != 2 {
				t.Errorf("%d campaigns", s.Campaigns.Len())
			}
		})
	}
}

// TestTypesOfNoUseAreNotPlainlyLive uses services of a type that has no documented field.
func TestTypesOfNoUseAreNotPlainlyLive(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var missing []string
		doc, err := parser.ParseSchema(&ast.Source{Input: rtd.SDL()})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range doc.Definitions.ForName("ServiceCcCallAtStat").Fields {
			if f.Name != "shortCalls" {
				missing = append(missing, "ServiceMediaStat."+f.Name)
			}
		}
		r := newRig(t, simulator.Options{
			Switches: rtd.Switches{ChannelTypes: rtd.TypesUnion, NoIntrospection: true, MissingFields: missing}, Speed: 10,
			World: world.Options{Seed: 3, Services: 4, Groups: 2, Agents: 8, Operators: 1, Campaigns: 2},
		}, func(o *feeds.Options) {
			o.Dialect.MissingFields = map[string][]string{"serviceStats": {"channelStats.ServiceMediaStat"}} // the learnt profile of a server that rejects this fragment
		})
		defer r.stop()
		pass(20 * time.Second)
		s := r.feed.Latest()
		if sub := s.Health.Subscription("serviceStats"); !strings.Contains(sub.Unknown, "ServiceMediaStat") || !s.Health.HasUnreadableRecords() {
			t.Errorf("%s: %q", sub.State, sub.Unknown)
		}
		if s.Health.Subscription("groupStats").Unknown != "" {
			t.Error("known fields are called unknown")
		}
	})
}

// TestNonsenseChangesNoDialect sends records without a name twice an hour: the dialect stays the same.
func TestNonsenseChangesNoDialect(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		sw := rtd.Switches{}
		store := &kept{}
		r := newRig(t, simulator.Options{
			Switches: sw, Speed: 10,
			World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
		}, func(o *feeds.Options) { o.Profiles = store })
		defer r.stop()
		pass(20 * time.Second)
		for range 2 {
			r.srv.Faults().RTD.NullRecords(6)
			pass(time.Minute)
		}
		for _, sub := range r.feed.Latest().Health.Subscriptions {
			if sub.State == model.SubPolling {
				t.Errorf("%s is polled: %s", sub.Name, sub.Reason)
			}
		}
		if p := r.feed.Profile(); len(p.Keyless) > 0 || len(store.p.Keyless) > 0 {
			t.Errorf("learnt of %v", p.Keyless)
		}
		r.settleOn(sw)
	})
}

// TestWhatWasLearntIsTriedAgain starts with a wrong profile.
func TestWhatWasLearntIsTriedAgain(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		sw := rtd.Switches{}
		store := &kept{ok: true, p: dialect.Profile{
			Server: "1.0.2", Filters: dialect.FiltersVariables, Keyless: []string{"users", "serviceStats"},
			MissingFields: map[string][]string{"users": {"site", "activeProfile"}, "serviceStats": {"customStats"}},
			ObjectMembers: map[string][]string{}, Types: map[string][]string{},
		}}
		r := newRig(t, simulator.Options{
			Switches: sw, Speed: 10,
			World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
		}, func(o *feeds.Options) { o.Profiles = store })
		defer r.stop()
		pass(90 * time.Second)
		r.settleOn(sw)
		if p := r.feed.Profile(); len(p.MissingFields)+len(p.Keyless) > 0 || p.Filters != dialect.FiltersAuto {
			t.Errorf("still believed: %+v", p)
		}
	})
}
