package proof_test

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
)

// ruledPlatforms returns platforms with restrictions beyond document 2, and platforms with
// stricter types than in its examples.
func ruledPlatforms() map[string]rtd.Switches {
	return map[string]rtd.Switches{
		"types behind an interface":            {Rules: rtd.Rules{RecordTypes: rtd.RecordsInterface}},
		"types behind an interface, no schema": {Rules: rtd.Rules{RecordTypes: rtd.RecordsInterface}, NoIntrospection: true},
		"types behind an interface, java":      {Rules: rtd.Rules{RecordTypes: rtd.RecordsInterface}, NoIntrospection: true, ErrorWords: rtd.WordsJava},
		"types behind an interface, none":      {Rules: rtd.Rules{RecordTypes: rtd.RecordsInterface}, NoIntrospection: true, ErrorWords: rtd.WordsNone},
		"types in a union":                     {Rules: rtd.Rules{RecordTypes: rtd.RecordsUnion}},
		"types in a union, no schema":          {Rules: rtd.Rules{RecordTypes: rtd.RecordsUnion}, NoIntrospection: true, ErrorWords: rtd.WordsJS},
		"a type for each channel":              {ChannelTypes: rtd.TypesEach},
		"a type for each channel, no schema":   {ChannelTypes: rtd.TypesEach, NoIntrospection: true},
		"another argument":                     {Rules: rtd.Rules{FilterArgument: "where"}},
		"another argument, js":                 {Rules: rtd.Rules{FilterArgument: "where"}, NoIntrospection: true, ErrorWords: rtd.WordsJS},
		"another argument, go":                 {Rules: rtd.Rules{FilterArgument: "where"}, NoIntrospection: true},
		"few subscriptions":                    {Rules: rtd.Rules{MaxSubscriptions: 5}},
		"few subscriptions, none":              {Rules: rtd.Rules{MaxSubscriptions: 5}, ErrorWords: rtd.WordsNone, NoIntrospection: true},
		"short subscriptions":                  {Rules: rtd.Rules{SubscriptionLifetime: 20 * time.Second}},
		"no aliases":                           {Rules: rtd.Rules{NoAliases: true}, RenamedRoots: true},
		"no aliases, types":                    {Rules: rtd.Rules{NoAliases: true}, ChannelTypes: rtd.TypesUnion},
		"no typenames":                         {Rules: rtd.Rules{NoTypenames: true}, NoIntrospection: true},
		"binary frames":                        {Rules: rtd.Rules{BinaryFrames: true}},
		"renamed, no schema":                   {RenamedRoots: true, NoIntrospection: true},
		"renamed, no schema, java":             {Rules: rtd.Rules{RootNames: "*Updated"}, NoIntrospection: true, ErrorWords: rtd.WordsJava},
		"token login only":                     {Rules: rtd.Rules{TokenLoginOnly: true}},
		"no typenames, none":                   {Rules: rtd.Rules{NoTypenames: true}, NoIntrospection: true, ErrorWords: rtd.WordsNone},
		"another argument, java":               {Rules: rtd.Rules{FilterArgument: "where"}, NoIntrospection: true, ErrorWords: rtd.WordsJava},
		"types in a union, java":               {Rules: rtd.Rules{RecordTypes: rtd.RecordsUnion}, NoIntrospection: true, ErrorWords: rtd.WordsJava},
		"types in a union, none":               {Rules: rtd.Rules{RecordTypes: rtd.RecordsUnion}, NoIntrospection: true, ErrorWords: rtd.WordsNone},
		"renamed, no schema, none":             {RenamedRoots: true, NoIntrospection: true, ErrorWords: rtd.WordsNone},
	}
}

// TestRuledPlatforms runs the board on each of these platforms. It must be live
// within 15 s, and half a minute later its figures must be true.
func TestRuledPlatforms(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(ruledPlatforms())) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRuled(t, ruledPlatforms()[name])
				defer r.end()
				r.liveWithin(15 * time.Second)
				if r.checkTruth(30 * time.Second); r.live*20 < r.seconds*19 {
					t.Errorf("live for only %d of %d s", r.live, r.seconds)
				}
				r.checkNoFieldLost(ruledPlatforms()[name])
			})
		})
	}
}

// platform is a run without faults.
type platform struct {
	*run
	stop func()
}

// newRuled starts a platform with a board.
func newRuled(t *testing.T, sw rtd.Switches, tune ...func(*feeds.Options)) *platform {
	t.Helper()
	r := &run{
		t: t, seed: 7, rng: rand.New(rand.NewPCG(7, 1)), network: newNetwork(7),
		ledger: newLedger(t, false), dialect: dialect{Switches: sw},
	}
	pass(opening + 2*time.Hour) // all agents of the day are logged in
	r.startPlatform()
	ctx, cancel := context.WithCancel(t.Context())
	o := r.feedOptions()
	o.Dialect.Roots = nil // not configured
	if sw.Rules.TokenLoginOnly {
		o.Auth, o.Credentials = feeds.AuthToken, feeds.Credentials{AccessToken: secret.New(webservice.DefaultAccount().Token)}
	}
	if os.Getenv("RULED_LOG") != "" {
		o.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	for _, t := range tune {
		t(&o)
	}
	f, err := feeds.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r.feed = f
	done := make(chan struct{})
	go func() { defer close(done); _ = f.Run(ctx) }()
	pass(r.tick() / 2)
	return &platform{run: r, stop: func() { cancel(); <-done; r.stopSrv(); r.network.close() }}
}

func (r *platform) end() {
	s := r.feed.Latest()
	if r.t.Failed() || testing.Verbose() {
		r.t.Logf("%s\nlearnt %+v", states(s, time.Now()), r.feed.Profile())
		for _, sub := range s.Health.Subscriptions {
			if sub.Lacks+sub.Unknown != "" {
				r.t.Logf("%s lacks %q, unknown %q", sub.Name, sub.Lacks, sub.Unknown)
			}
		}
	}
	r.stop()
}

// liveWithin waits until everything is live.
func (r *platform) liveWithin(d time.Duration) {
	r.t.Helper()
	for began := time.Now(); ; pass(500 * time.Millisecond) {
		r.note(time.Now())
		if s := r.feed.Latest(); s != nil && s.Health.Live() {
			r.t.Logf("live after %v", time.Since(began))
			return
		}
		if time.Since(began) > d {
			r.t.Errorf("not live within %v: %s", d, notLive(r.feed.Latest()))
			return
		}
	}
}

// checkNoFieldLost checks that the board requests every field that the platform sends.
func (r *platform) checkNoFieldLost(sw rtd.Switches) {
	r.t.Helper()
	for _, sub := range r.feed.Latest().Health.Subscriptions {
		want := ""
		if sw.Rules.RecordTypes != "" && (sub.Name == "userProfileStats" || sub.Name == "operatorProfileStats") {
			want = "loggedProfileId"
		}
		for lack := range strings.SplitSeq(sub.Lacks, ", ") {
			if lack != "" && (want == "" || !strings.HasSuffix(lack, want)) {
				r.t.Errorf("%s is asked for without %s", sub.Name, lack)
			}
		}
		if sub.Unknown != "" {
			r.t.Errorf("%s: unknown %s", sub.Name, sub.Unknown)
		}
	}
}

// checkTruth waits and compares the shown figures with the paused platform.
func (r *platform) checkTruth(d time.Duration) {
	r.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		pass(time.Second)
		r.look()
	}
	r.srv.Pause()
	var wrong []string
	for range 8 {
		pass(time.Second)
		if wrong = r.discrepancies(); len(wrong) == 0 {
			return
		}
	}
	r.t.Errorf("%d records are wrong:\n%s", len(wrong), strings.Join(wrong[:min(len(wrong), 8)], "\n"))
}
