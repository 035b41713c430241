package cli

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/doctor"
	"wallboard/feeds"
	"wallboard/history"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/world"
)

// diagnoses are what the doctor has to say of each switch of the simulator.
func diagnoses() []struct {
	field    string // of simulator.Switches
	switches simulator.Switches
	says     []string
	config   string
} {
	return []struct {
		field    string
		switches simulator.Switches
		says     []string
		config   string
	}{
		{"", simulator.Switches{}, []string{
			"HTTP ok answers", "Schema ok shown", "Numbers ok whole", "Dates ok as a text", "First message ok whole",
			"Unchanged fields ok are null", "Lists ok an update holds the whole", "users ok live",
			"graphql-transport-ws ok", "graphql-ws ok", "Version ok 1.0.2", "Counters ok rise and fall", "Sum ok received",
			statistical + "Access ok answers", statistical + "Clock ok", statistical + "Schema ok shown", statistical + "Operations ok all",
			statistical + "Names ok addressBookContactsCount is addressBookContactsTotal", statistical + "Counts ok 100",
			statistical + "Pages ok 1000", statistical + "Rate ok 4 of 100",
		}, ""},
		{"FirstMessage", simulator.Switches{FirstMessage: simulator.FirstNone}, []string{"First message note none before"}, ""},
		{"FirstMessage", simulator.Switches{FirstMessage: simulator.FirstDelta}, []string{"First message note at once, but only"}, ""},
		{"FirstMessage", simulator.Switches{FirstMessage: simulator.FirstKeys}, []string{"First message note at once, but only"}, ""},
		{"NullKeys", simulator.Switches{NullKeys: simulator.NullKeysAbsent}, []string{"Unchanged fields note are left out"}, ""},
		{"Numbers", simulator.Switches{Numbers: simulator.NumbersFloat}, []string{"Numbers note with a fraction"}, ""},
		{"Numbers", simulator.Switches{Numbers: simulator.NumbersString}, []string{"Numbers note quoted"}, ""},
		{"DateForm", simulator.Switches{DateForm: simulator.DateSeconds}, []string{"Dates note as a number", "Unit note timeInState: seconds since 1970"}, `timeInState = "unix-s"`},
		{"DateForm", simulator.Switches{DateForm: simulator.DateMilliseconds}, []string{"Unit note timeInHold.timeInState: milliseconds since 1970"}, `"timeInHold.timeInState" = "unix-ms"`},
		{"DateForm", simulator.Switches{DateForm: simulator.DateElapsedMillis}, []string{"Unit note timeInState: a length in milliseconds"}, `timeInState = "ms"`},
		{"QuotedDates", simulator.Switches{DateForm: simulator.DateElapsed, QuotedDates: true}, []string{"Unit note timeInState: a length in seconds"}, `timeInState = "s"`},
		{"NeverHeld", simulator.Switches{NeverHeld: simulator.NeverHeldZero}, []string{"userProfileStats ok live"}, ""},
		{"Lengths", simulator.Switches{DateForm: simulator.DateElapsedMillis, Lengths: simulator.LengthsMilliseconds}, []string{"Unit note timeInState: a length in milliseconds"}, "[rtd.dialect.units]"},
		{"RenamedRoots", simulator.Switches{RenamedRoots: true}, []string{"Names note 11 subscriptions"}, `users = "onUsersChanged"`},
		{"NoIntrospection", simulator.Switches{NoIntrospection: true}, []string{"Schema note not shown"}, ""},
		{"KeylessDeltas", simulator.Switches{KeylessDeltas: true}, []string{"Updates note do not say which record", "users note polled"}, "keyless = ["},
		{"PartialLists", simulator.Switches{PartialLists: true}, []string{"Lists note an update holds the changed"}, ""},
		{
			"MissingFields",
			simulator.Switches{MissingFields: []string{"UserStat.currentGroup"}},
			[]string{"userStats note fields this server lacks: currentGroup"},
			`lacks = ["userStats.currentGroup"]`,
		},
		{
			"Shapes",
			simulator.Switches{Shapes: []string{"User.activeProfile=object"}},
			[]string{"Shape note a field is an object here: users.activeProfile.id", "users ok live", "userStats ok live"},
			`inside = ["users.activeProfile.id"]`,
		},
		{
			"Shapes",
			simulator.Switches{Shapes: []string{"User.activeProfile=object"}, NoIntrospection: true},
			[]string{"users note fields this server lacks: activeProfile", "userStats ok live"},
			`lacks = ["users.activeProfile"]`,
		},
		{
			"ChannelTypes",
			simulator.Switches{ChannelTypes: simulator.TypesUnion},
			[]string{"Types note one that document 2 does not show: serviceStats.channelStats.ServiceMediaStat"},
			`"serviceStats.channelStats.ServiceMediaStat"]`,
		},
		{"ErrorWords", simulator.Switches{ErrorWords: simulator.WordsNone}, []string{"users ok live"}, ""},
		{"Filters", simulator.Switches{Filters: simulator.FiltersVariables}, []string{"Filters note have to be sent as variables"}, `filters = "variables"`},
		{"Filters", simulator.Switches{Filters: simulator.FiltersLiteral}, []string{"users ok live", "serviceStats ok live"}, ""},
		{"MaxFilterKeys", simulator.Switches{MaxFilterKeys: 9}, []string{"Filter size note at most about"}, "max_keys = "},
		{"MaxRequest", simulator.Switches{MaxRequest: 1400}, []string{"serviceStats ok live", "Filter size note at most about"}, "max_keys = "},
		{"Upgrade", simulator.Switches{Upgrade: simulator.UpgradeStripped}, []string{"WebSocket note no WebSocket passes", "users note polled"}, ""},
		{"Upgrade", simulator.Switches{Upgrade: simulator.UpgradeCut}, []string{"WebSocket note no WebSocket passes", "users note polled"}, ""},
		{
			"Subprotocols",
			simulator.Switches{Subprotocols: []string{simulator.SubprotocolLegacy}},
			[]string{"graphql-transport-ws note", "graphql-ws ok opens"},
			`subprotocol = "graphql-ws"`,
		},
		{
			"SubprotocolRefusal",
			simulator.Switches{SubprotocolRefusal: simulator.SubprotocolRefusalStatus, Subprotocols: []string{simulator.SubprotocolLegacy}},
			[]string{"graphql-transport-ws note", "graphql-ws ok opens"},
			`subprotocol = "graphql-ws"`,
		},
		{
			"SocketAuth",
			simulator.Switches{SocketAuth: simulator.SocketAuthCookie},
			[]string{"Credentials note the configured way is refused; what works: the access token in a cookie"},
			`auth = "cookie"`,
		},
		{"AuthAtUpgrade", simulator.Switches{AuthAtUpgrade: true}, []string{"graphql-ws ok opens", "Credentials note"}, `auth = "cookie"`},
		{"NoStatIntrospection", simulator.Switches{NoStatIntrospection: true}, []string{
			statistical + "Schema note not shown", statistical + "Operations ok all", statistical + "Names note not known: addressBookContactsCount",
		}, ""},
		{"StatLacks", simulator.Switches{StatLacks: []string{"inboundVideoCalls"}}, []string{statistical + "Operations note this server lacks: inboundVideoCalls"}, ""},
		{
			"StatLacks",
			simulator.Switches{StatLacks: []string{"inboundVideoCalls", "inboundCallsCount"}, NoStatIntrospection: true},
			[]string{statistical + "Operations note this server lacks: inboundCallsCount, inboundVideoCalls"},
			"",
		},
		{"StatMaxFields", simulator.Switches{StatMaxFields: 30}, []string{statistical + "Counts note at most about 10"}, "[history]\nbatch = 10"},
		{"StatMaxFields", simulator.Switches{StatMaxFields: 1}, []string{statistical + "Counts note one in"}, "[history]\nbatch = 1"},
		{"StatRefusals", simulator.Switches{StatRefusals: simulator.StatRefusalsErrors, NoStatIntrospection: true}, []string{statistical + "Rate note a request was refused"}, ""},
	}
}

// statistical begins what is said of the statistical data service.
const statistical = "Statistical data: "

func TestDoctorNamesEverySwitch(t *testing.T) {
	t.Parallel()
	var named []string
	for _, d := range diagnoses() {
		named = append(named, d.field)
		t.Run(d.field+" "+strings.Join(d.says[:1], ""), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := examined(t, d.switches)
				if !r.Well() {
					t.Errorf("not well: %+v", r.Findings)
				}
				said := sentences(r)
				for _, want := range d.says {
					if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, want) }) {
						t.Errorf("%q is not said:\n%s", want, strings.Join(said, "\n"))
					}
				}
				if config := strings.Join(r.Config, "\n"); !strings.Contains(config, d.config) || d.config == "" && config != "" {
					t.Errorf("the configuration is %q, want %q", config, d.config)
				}
			})
		})
	}
	of := reflect.TypeFor[simulator.Switches]()
	named = append(named, "HostileTexts") // says nothing of the server
	for i := range of.NumField() {
		if !slices.Contains(named, of.Field(i).Name) {
			t.Errorf("the doctor is not tried against the switch %s", of.Field(i).Name)
		}
	}
}

func sentences(r *doctor.Report) []string {
	var said []string
	for _, f := range r.Findings {
		service := ""
		if f.Service+": " == statistical {
			service = statistical
		}
		said = append(said, service+f.About+" "+string(f.Verdict)+" "+f.Text)
	}
	return said
}

// examined lets the doctor look at a platform, inside a bubble.
func examined(t *testing.T, sw simulator.Switches) *doctor.Report {
	t.Helper()
	var fo feeds.Options
	limit := 0 // of requests for statistics, in a minute
	if sw.StatRefusals != "" {
		limit = 4
	}
	r := newRig(t, simulator.Options{
		Switches: sw, Speed: 20, StatLimit: limit,
		World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2, Pace: 20},
	}, func(o *feeds.Options) { fo = *o })
	defer r.stop()
	report, err := doctor.Examine(t.Context(), doctor.Options{
		Feed: fo, Learn: 25 * time.Second, Now: time.Now, Statistics: pastOf(r, fo, simulator.DefaultAPIKey),
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// pastOf is the way to a platform's statistical data service.
func pastOf(r *rig, fo feeds.Options, key string) *history.Options {
	return &history.Options{URL: r.srv.StatURL(), APIKey: secret.New(key), DialContext: fo.DialContext}
}

// TestDoctorSaysWhatFails looks at services that refuse.
func TestDoctorSaysWhatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var fo feeds.Options
		r := newRig(t, simulator.Options{}, func(o *feeds.Options) { fo = *o })
		defer r.stop()
		fo.Credentials.AccessToken = secret.New("wrong-token")
		refuse := func(context.Context) (string, error) { return "", errors.New("the user is refused") }
		report, err := doctor.Examine(t.Context(), doctor.Options{Feed: fo, Configuration: refuse, Statistics: pastOf(r, fo, "wrong-key")})
		if err != nil {
			t.Fatal(err)
		}
		if report.Well() {
			t.Error("all is called well")
		}
		var text, js bytes.Buffer
		if err := errors.Join(report.WriteText(&text, true), report.WriteJSON(&js)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"x fail  HTTP", "-> look at url and the credentials in [rtd]", "x fail  Access", "the user is refused", "the API key was refused (status 403)"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q is not in\n%s", want, &text)
			}
		}
		if strings.Contains(text.String()+js.String(), "wrong-") {
			t.Error("the token or the key is told")
		}
		for _, r := range text.String() {
			if r > '~' {
				t.Errorf("%q is not ASCII", r)
			}
		}
	})
}
