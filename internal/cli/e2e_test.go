package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// pass advances the time of a bubble.
func pass(d time.Duration) { <-time.After(d) }

// rig is a platform and a feed, connected by a network in memory.
type rig struct {
	t    *testing.T
	srv  *simulator.Server
	feed *feeds.Feed
	stop func()
}

// newRig starts a rig in a synctest bubble.
func newRig(t *testing.T, so simulator.Options, tune func(*feeds.Options)) *rig {
	t.Helper()
	net := testkit.NewPipeListener()
	so.Listener = net
	so.World.Start = world.OpeningTime(time.Now())
	srv, err := simulator.New(so)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := srv.Start(ctx); err != nil {
		t.Fatal(err)
	}
	fo := feeds.Options{
		URL: srv.HTTPURL(), WSURL: srv.WSURL(), Campaigns: srv.CampaignIDs(), DialContext: net.Dial,
		Credentials: feeds.Credentials{
			Username: webservice.DefaultAccount().Username, Password: secret.New(webservice.DefaultAccount().Password),
			AccessToken: secret.New(webservice.DefaultAccount().Token),
		},
		Jitter: func() float64 { return 0.5 },
	}
	if tune != nil {
		tune(&fo)
	}
	if so.Switches.DurationUnit == "" && fo.Dialect.Units == nil { // as detected within the first seconds
		fo.Dialect.Units = app.FeedOptions(&config.Config{RTD: config.RTD{Dialect: config.Dialect{Units: admin.SimulatorTimeUnits()}}}).Dialect.Units
	}
	if so.World.LongestWait == "" { // fixed, because tests add callers who have already waited for minutes
		fo.Dialect.LongestWait = model.WaitCurrent
	}
	feed, err := feeds.New(fo)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = feed.Run(ctx) }()
	return &rig{t: t, srv: srv, feed: feed, stop: func() {
		cancel()
		<-done
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	}}
}

// picture returns a snapshot in the platform's format.
func picture(t *testing.T, s *model.Snapshot) map[string]any {
	t.Helper()
	b, err := json.Marshal(headless.NewSnapshotDoc(s))
	if err != nil {
		t.Fatal(err)
	}
	p := decode(t, b)
	for _, k := range []string{"seq", "at", "live", "polling", "version", "serverHealth"} {
		delete(p, k)
	}
	return p
}

func decode(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	strip(v)
	return v
}

// strip removes fields about the update itself.
func strip(v map[string]any) {
	users, _ := v["users"].([]any)
	for _, u := range users {
		if m, ok := u.(map[string]any); ok {
			delete(m, "mutation")
		}
	}
}

// normal normalizes values with several representations: instants truncated to seconds if
// the platform does so, quoted numbers where document 2 shows no type, and the order of
// keyed lists.
func normal(v any, key string, seconds bool) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = normal(e, k, seconds)
		}
	case []any:
		for i, e := range v {
			v[i] = normal(e, key, seconds)
		}
		slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(elementKey(a), elementKey(b)) })
	case string:
		if at, err := time.Parse("2006-01-02T15:04:05.000Z", v); err == nil && seconds {
			return at.Truncate(time.Second).Format("2006-01-02T15:04:05.000Z")
		}
		switch key {
		case "value", "aggregatedValue", "activeProfile", "site":
			if f, err := strconv.ParseFloat(v, 64); err == nil {
				return f
			}
		}
	}
	return v
}

// elementKey returns the key of an element of a keyed list.
func elementKey(v any) string {
	m, _ := v.(map[string]any)
	for _, k := range []string{"activityCode", "key"} {
		if key, ok := m[k].(string); ok && len(m) <= 3 {
			return key
		}
	}
	return ""
}

// settle freezes the world and compares every field of every record with the platform.
func (r *rig) settle(form rtd.DateForm) {
	r.t.Helper()
	r.srv.Pause()
	// The slowest correction takes a minute; nearly all take a second.
	var want, got any
	for range 75 {
		pass(time.Second)
		s := r.feed.Latest()
		if s == nil {
			continue
		}
		want = normal(decode(r.t, r.srv.CurrentState()), "", form == rtd.DateSeconds)
		got = normal(picture(r.t, s), "", form == rtd.DateSeconds)
		if s.Health.Live() && reflect.DeepEqual(want, got) {
			return
		}
	}
	s := r.feed.Latest()
	r.t.Fatalf("the picture is not the truth (-platform +board), live %v %v\n%.3000s", s.Health.Live(), headless.CheckLive(s), cmp.Diff(want, got))
}

// combinations calls f for every combination of the simulator's switches.
func combinations(f func(name string, sw rtd.Switches)) {
	flags := []bool{false, true}
	for _, first := range []rtd.FirstMessage{rtd.FirstFull, rtd.FirstDelta, rtd.FirstNone, rtd.FirstKeys} {
		for _, nulls := range []rtd.NullKeys{rtd.NullKeysPresent, rtd.NullKeysAbsent} {
			for _, numbers := range []rtd.Numbers{rtd.NumbersInt, rtd.NumbersFloat, rtd.NumbersString} {
				for _, dates := range []rtd.DateForm{rtd.DateISO, rtd.DateSeconds, rtd.DateMilliseconds} {
					for _, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
						for bits := range 16 {
							sw := rtd.Switches{
								FirstMessage: first, NullKeys: nulls, Numbers: numbers, DateForm: dates,
								RenamedRoots: flags[bits&1], NoIntrospection: flags[bits>>1&1],
								KeylessDeltas: flags[bits>>2&1], PartialLists: flags[bits>>3&1],
								Subprotocols: []string{protocol},
							}
							f(fmt.Sprintf("%s,%s,%s,%s,%s,%04b", first, nulls, numbers, dates, protocol, bits), sw)
						}
					}
				}
			}
		}
	}
}

// everyTriple and everyPair are step sizes through the combinations that cover all combinations of values
// of any three, or two, switches.
const (
	everyTriple = 11
	everyPair   = 61
)

// TestStepsMeetEveryPosition checks that the steps cover these combinations.
func TestStepsMeetEveryPosition(t *testing.T) {
	t.Parallel()
	var positions [][]string // values of the switches by combination
	combinations(func(name string, _ rtd.Switches) {
		p := strings.Split(name, ",")
		bits := p[len(p)-1]
		positions = append(positions, append(p[:len(p)-1], strings.Split(bits, "")...))
	})
	// met returns the number of different combinations of values at three switches.
	met := func(step int, at [3]int) int {
		seen := make(map[[3]string]bool)
		for n := step; n <= len(positions); n += step {
			p := positions[n-1]
			seen[[3]string{p[at[0]], p[at[1]], p[at[2]]}] = true
		}
		return len(seen)
	}
	for i := range positions[0] {
		for j := range i {
			if at := [3]int{i, j, j}; met(everyPair, at) != met(1, at) {
				t.Errorf("a step of %d leaves out positions of %v", everyPair, at)
			}
			for k := range j {
				if at := [3]int{i, j, k}; met(everyTriple, at) != met(1, at) {
					t.Errorf("a step of %d leaves out positions of %v", everyTriple, at)
				}
			}
		}
	}
}

// TestEveryDialectEndsInTheTruth compares all fields with the platform under the combinations of what
// document 2 leaves open: all 2,304 with DIALECTS=all, otherwise a subset that covers all combinations of
// values of any three switches.
func TestEveryDialectEndsInTheTruth(t *testing.T) {
	t.Parallel()
	n, every := 0, everyTriple
	switch {
	case os.Getenv("DIALECTS") == "all":
		every = 1
	case testing.Short() || testkit.Race:
		every = everyPair
	}
	combinations(func(name string, sw rtd.Switches) {
		if n++; n%every != 0 {
			return
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) { speaksDialect(t, sw) })
		})
	})
}

func speaksDialect(t *testing.T, sw rtd.Switches) {
	so := simulator.Options{
		Switches: sw, Speed: 10,
		// Each group needs an agent, because a board learns nothing about a group without agents.
		World: world.Options{Seed: 2304, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 1},
	}
	r := newRig(t, so, func(o *feeds.Options) {
		if !sw.RenamedRoots || !sw.NoIntrospection {
			return
		}
		o.Dialect.Roots = make(map[string]string) // in this case the roots must be configured
		for _, q := range []string{
			"version", "serverHealth", "users", "serviceStats", "groupStats", "userStats", "userProfileStats",
			"pdCampaignStats", "serviceAttendantStats", "operatorStats", "operatorProfileStats",
		} {
			o.Dialect.Roots[q] = "on" + strings.ToUpper(q[:1]) + q[1:] + "Changed"
		}
	})
	defer r.stop()
	pass(8 * time.Second)
	r.settle(sw.DateForm)
}
