package cli

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// servers returns the dialects that a board may meet: what document 2 leaves open, and what proxies and
// other implementations change.
func servers() map[string]rtd.Switches {
	return map[string]rtd.Switches{
		"as document 2 shows it":      {},
		"other roots":                 {RenamedRoots: true},
		"other roots, fields missing": {RenamedRoots: true, MissingFields: missing()},
		"fields missing":              {MissingFields: missing()},
		"fields missing, no schema":   {MissingFields: missing(), NoIntrospection: true},
		"variables only":              {Filters: rtd.FiltersVariables},
		"variables only, no schema":   {Filters: rtd.FiltersVariables, NoIntrospection: true},
		"literals only":               {Filters: rtd.FiltersLiteral},
		"updates without key":         {KeylessDeltas: true},
		"without key, absent fields":  {KeylessDeltas: true, NullKeys: rtd.NullKeysAbsent, FirstMessage: rtd.FirstNone},
		"few keys in a filter":        {MaxFilterKeys: 7},
		"few keys, variables":         {MaxFilterKeys: 5, Filters: rtd.FiltersVariables},
		"short requests":              {MaxRequest: 1800},
		"upgrade stripped":            {Upgrade: rtd.UpgradeStripped},
		"upgrade refused":             {Upgrade: rtd.UpgradeRefused},
		"bad gateway":                 {Upgrade: rtd.UpgradeNoRoute},
		"upgrade cut":                 {Upgrade: rtd.UpgradeCut},
		"token in the upgrade":        {AuthAtUpgrade: true},
		"polled in pieces":            {Upgrade: rtd.UpgradeRefused, MaxFilterKeys: 7, Filters: rtd.FiltersVariables, MissingFields: missing()},
		"everything at once": {
			RenamedRoots: true, MissingFields: missing(), Filters: rtd.FiltersVariables, MaxFilterKeys: 9,
			KeylessDeltas: true, PartialLists: true, Numbers: rtd.NumbersString, DateForm: rtd.DateSeconds,
			NullKeys: rtd.NullKeysAbsent, FirstMessage: rtd.FirstDelta,
		},
	}
}

// missing returns a field in every kind of place.
func missing() []string {
	return []string{
		"ServiceStat.customStats", "ServiceCcCallAtStat.shortCalls", "ServiceUserStat.busyOnServUsers",
		"UserStat.currentGroup", "UserProfileCallStat.timeInHold", "User.site", "PdCampaignStat.ringingContacts",
		"GroupCcCallStat.shortCalls",
	}
}

// TestServersEndInTheTruth compares every field with the platform for every dialect, on
// both sub-protocols; a short test alternates between them.
func TestServersEndInTheTruth(t *testing.T) {
	t.Parallel()
	for i, name := range slices.Sorted(maps.Keys(servers())) {
		sw := servers()[name]
		for j, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
			if (testing.Short() || testkit.Race) && i%2 != j {
				continue
			}
			agents := 6
			if sw.MaxRequest > 0 {
				agents = 60 // too many for a single request
			}
			sw.Subprotocols = []string{protocol}
			t.Run(name+", "+protocol, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(t *testing.T) {
					r := newRig(t, simulator.Options{
						Switches: sw, Speed: 10,
						World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: agents, Operators: 1, Campaigns: 2},
					}, nil)
					defer r.stop()
					pass(20 * time.Second)
					r.settleOn(sw)
				})
			})
		}
	}
}

// settleOn is settle for a platform that lacks fields or is polled.
func (r *rig) settleOn(sw rtd.Switches) {
	r.t.Helper()
	r.srv.Pause()
	seconds := sw.DateForm == rtd.DateSeconds
	var want, got any
	for range 75 {
		pass(time.Second)
		s := r.feed.Latest()
		if s == nil {
			continue
		}
		want = normal(without(decode(r.t, r.srv.CurrentState()), sw.MissingFields), "", seconds)
		got = normal(without(picture(r.t, s), sw.MissingFields), "", seconds)
		if s.Health.Live() && reflect.DeepEqual(want, got) {
			r.marked(s, sw)
			return
		}
	}
	s := r.feed.Latest()
	r.t.Logf("learnt %+v", r.feed.Profile())
	r.t.Fatalf("the picture is not the truth (-platform +board), live %v %v\n%.3000s", s.Health.Live(), headless.CheckLive(s), cmp.Diff(want, got))
}

// marked checks the marks of a snapshot.
func (r *rig) marked(s *model.Snapshot, sw rtd.Switches) {
	r.t.Helper()
	if polls := sw.Upgrade != ""; polls != (s.Health.Link.PollEvery > 0) {
		r.t.Errorf("polled every %v", s.Health.Link.PollEvery)
	}
	if halved := len(r.feed.Profile().MaxKeys) > 0; halved != (sw.MaxRequest > 0 || sw.MaxFilterKeys > 0) {
		r.t.Errorf("most keys of a filter: %v", r.feed.Profile().MaxKeys)
	}
	for i := range s.Health.Subscriptions {
		sub := &s.Health.Subscriptions[i]
		polled := sub.State == model.SubPolling
		if want := sub.State != model.SubWaiting && (sw.Upgrade != "" || sw.KeylessDeltas && sub.Name == "users"); polled != want {
			r.t.Errorf("%s is %s: %s", sub.Name, sub.State, sub.Reason)
		}
		for _, m := range sw.MissingFields {
			typ, field, _ := strings.Cut(m, ".")
			if op := operationsOf()[typ]; model.Op(op) == sub.Name && !slices.ContainsFunc(strings.Split(sub.Lacks, ", "), func(p string) bool {
				return p == field || strings.HasPrefix(p, field+".") || strings.HasSuffix(p, "."+field)
			}) {
				r.t.Errorf("%s does not say that the server lacks %s: %q", sub.Name, field, sub.Lacks)
			}
		}
	}
}

// operationsOf maps types to the operation that uses them.
func operationsOf() map[string]string {
	return map[string]string{
		"ServiceStat": "serviceStats", "ServiceCcCallAtStat": "serviceStats", "ServiceUserStat": "serviceStats",
		"UserStat": "userStats", "UserProfileStat": "userProfileStats", "UserProfileCallStat": "operatorProfileStats", "User": "users",
		"PdCampaignStat": "pdCampaignStats", "GroupCcCallStat": "groupStats",
	}
}

// without removes fields from a snapshot.
func without(p map[string]any, missing []string) map[string]any {
	for _, m := range missing {
		typ, field, _ := strings.Cut(m, ".")
		records, _ := p[operationsOf()[typ]].([]any)
		for _, e := range records {
			drop(e, field)
		}
	}
	return p
}

func drop(v any, field string) {
	m, _ := v.(map[string]any)
	delete(m, field)
	for _, inner := range []string{"channelStats", "userStats"} {
		if in, ok := m[inner].(map[string]any); ok {
			delete(in, field)
		}
	}
}

// kept is a profile in memory.
type kept struct {
	p  dialect.Profile
	ok bool
}

func (k *kept) Load() (dialect.Profile, bool) { return k.p, k.ok }

func (k *kept) Save(p dialect.Profile) error {
	k.p, k.ok = p, true
	return nil
}

// TestUpdatesWithoutKeySettle counts the requests to a platform whose updates lack the key,
// with a subscription per record. Users cannot be subscribed to individually.
func TestUpdatesWithoutKeySettle(t *testing.T) {
	t.Parallel()
	for _, nulls := range []rtd.NullKeys{rtd.NullKeysPresent, rtd.NullKeysAbsent} {
		t.Run(string(nulls), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				const minutes = 5
				var mu sync.Mutex
				answers := make(map[string]int)
				so := small()
				so.Speed = 1
				so.Switches = rtd.Switches{KeylessDeltas: true, NullKeys: nulls}
				r := newRig(t, so, func(o *feeds.Options) {
					o.OnPayload = func(op string, answer bool, _ []byte) {
						if mu.Lock(); answer {
							answers[op]++
						}
						mu.Unlock()
					}
				})
				defer r.stop()
				r.live(time.Minute)
				pass(time.Minute)
				mu.Lock()
				clear(answers)
				mu.Unlock()
				pass(minutes * time.Minute)
				mu.Lock()
				defer mu.Unlock()
				for op, n := range answers {
					most := 4 * minutes // requests of audits, of their repetitions, and for agents who log in or out
					switch op {
					case "serverHealth":
						continue
					case "users":
						most = 30 * minutes
					}
					if n > most {
						t.Errorf("%s was asked for %d times in %d minutes, want %d at most", op, n, minutes, most)
					}
				}
				t.Log(answers)
			})
		})
	}
}
