package cli

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/doctor"
	"wallboard/internal/history"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// diagnoses returns the expected findings of the doctor for each switch of the simulator.
func diagnoses() []struct {
	field    string // name in rtd.Switches
	switches rtd.Switches
	says     []string
	config   string
} {
	return []struct {
		field    string
		switches rtd.Switches
		says     []string
		config   string
	}{
		{"", rtd.Switches{}, []string{
			"HTTP ok answers", "Schema ok shown", "Numbers ok whole", "Dates ok as a text", "First message ok whole",
			"Unchanged fields ok are null", "Lists ok an update holds the whole", "users ok live",
			"graphql-transport-ws ok", "graphql-ws ok", "Version ok 1.0.2", "Counters ok rise and fall", "Sum ok received",
			statistical + "Access ok answers", statistical + "Clock ok", statistical + "Schema ok shown", statistical + "Operations ok all",
			statistical + "Names ok addressBookContactsCount is addressBookContactsTotal", statistical + "Counts ok 100",
			statistical + "Pages ok 1000", statistical + "Rate ok 4 of 100",
		}, ""},
		{"FirstMessage", rtd.Switches{FirstMessage: rtd.FirstNone}, []string{"First message note none before"}, ""},
		{"FirstMessage", rtd.Switches{FirstMessage: rtd.FirstDelta}, []string{"First message note at once, but only"}, ""},
		{"FirstMessage", rtd.Switches{FirstMessage: rtd.FirstKeys}, []string{"First message note at once, but only"}, ""},
		{"NullKeys", rtd.Switches{NullKeys: rtd.NullKeysAbsent}, []string{"Unchanged fields note are left out"}, ""},
		{"Numbers", rtd.Switches{Numbers: rtd.NumbersFloat}, []string{"Numbers note with a fraction"}, ""},
		{"Numbers", rtd.Switches{Numbers: rtd.NumbersString}, []string{"Numbers note quoted"}, ""},
		{"DateForm", rtd.Switches{DateForm: rtd.DateSeconds}, []string{"Dates note as a number", "Unit note timeInState: seconds since 1970"}, `timeInState = "unix-s"`},
		{"DateForm", rtd.Switches{DateForm: rtd.DateMilliseconds}, []string{"Unit note timeInHold.timeInState: milliseconds since 1970"}, `"timeInHold.timeInState" = "unix-ms"`},
		{"DateForm", rtd.Switches{DateForm: rtd.DateElapsedMillis}, []string{"Unit note timeInState: a length in milliseconds"}, `timeInState = "ms"`},
		{"QuotedDates", rtd.Switches{DateForm: rtd.DateElapsed, QuotedDates: true}, []string{"Unit note timeInState: a length in seconds"}, `timeInState = "s"`},
		{"NeverHeld", rtd.Switches{NeverHeld: rtd.NeverHeldZero}, []string{"userProfileStats ok live"}, ""},
		{"DurationUnit", rtd.Switches{DateForm: rtd.DateElapsedMillis, DurationUnit: rtd.DurationsInMilliseconds}, []string{"Unit note timeInState: a length in milliseconds"}, "[rtd.dialect.units]"},
		{"RenamedRoots", rtd.Switches{RenamedRoots: true}, []string{"Names note 11 subscriptions"}, `users = "onUsersChanged"`},
		{"NoIntrospection", rtd.Switches{NoIntrospection: true}, []string{"Schema note not shown"}, ""},
		{"KeylessDeltas", rtd.Switches{KeylessDeltas: true}, []string{"Updates note do not say which record", "users note polled"}, "keyless = ["},
		{"PartialLists", rtd.Switches{PartialLists: true}, []string{"Lists note an update holds the changed"}, ""},
		{
			"MissingFields",
			rtd.Switches{MissingFields: []string{"UserStat.currentGroup"}},
			[]string{"userStats note fields this server lacks: currentGroup"},
			`lacks = ["userStats.currentGroup"]`,
		},
		{
			"Shapes",
			rtd.Switches{Shapes: []string{"User.activeProfile=object"}},
			[]string{"Shape note a field is an object here: users.activeProfile.id", "users ok live", "userStats ok live"},
			`inside = ["users.activeProfile.id"]`,
		},
		{
			"Shapes",
			rtd.Switches{Shapes: []string{"User.activeProfile=object"}, NoIntrospection: true},
			[]string{"users note fields this server lacks: activeProfile", "userStats ok live"},
			`lacks = ["users.activeProfile"]`,
		},
		{
			"ChannelTypes",
			rtd.Switches{ChannelTypes: rtd.TypesUnion},
			[]string{"Types note one that document 2 does not show: serviceStats.channelStats.ServiceMediaStat"},
			`"serviceStats.channelStats.ServiceMediaStat"]`,
		},
		{"ErrorWords", rtd.Switches{ErrorWords: rtd.WordsNone}, []string{"users ok live"}, ""},
		{"Filters", rtd.Switches{Filters: rtd.FiltersVariables}, []string{"Filters note have to be sent as variables"}, `filters = "variables"`},
		{"Filters", rtd.Switches{Filters: rtd.FiltersLiteral}, []string{"users ok live", "serviceStats ok live"}, ""},
		{"MaxFilterKeys", rtd.Switches{MaxFilterKeys: 9}, []string{"Filter size note at most about"}, "max_keys = "},
		{"MaxRequest", rtd.Switches{MaxRequest: 1400}, []string{"serviceStats ok live", "Filter size note at most about"}, "max_keys = "},
		{"Upgrade", rtd.Switches{Upgrade: rtd.UpgradeStripped}, []string{"WebSocket note no WebSocket passes", "users note polled"}, ""},
		{"Upgrade", rtd.Switches{Upgrade: rtd.UpgradeCut}, []string{"WebSocket note no WebSocket passes", "users note polled"}, ""},
		{
			"Subprotocols",
			rtd.Switches{Subprotocols: []string{rtd.SubprotocolLegacy}},
			[]string{"graphql-transport-ws note", "graphql-ws ok opens"},
			`subprotocol = "graphql-ws"`,
		},
		{
			"SubprotocolRefusal",
			rtd.Switches{SubprotocolRefusal: rtd.SubprotocolRefusalStatus, Subprotocols: []string{rtd.SubprotocolLegacy}},
			[]string{"graphql-transport-ws note", "graphql-ws ok opens"},
			`subprotocol = "graphql-ws"`,
		},
		{
			"SocketAuth",
			rtd.Switches{SocketAuth: rtd.SocketAuthCookie},
			[]string{"Credentials note the configured way is refused; what works: the access token in a cookie"},
			`auth = "cookie"`,
		},
		{"AuthAtUpgrade", rtd.Switches{AuthAtUpgrade: true}, []string{"graphql-ws ok opens", "Credentials note"}, `auth = "cookie"`},
	}
}

// pastDiagnoses returns the expected findings about the statistical data service.
func pastDiagnoses() []struct {
	field  string // name in stat.StatisticsOptions
	stat   simulator.StatisticsOptions
	says   []string
	config string
} {
	return []struct {
		field  string
		stat   simulator.StatisticsOptions
		says   []string
		config string
	}{
		{"NoIntrospection", simulator.StatisticsOptions{NoIntrospection: true}, []string{
			statistical + "Schema note not shown", statistical + "Operations ok all", statistical + "Names note not known: addressBookContactsCount",
		}, ""},
		{"MissingOperations", simulator.StatisticsOptions{MissingOperations: []string{"inboundVideoCalls"}}, []string{statistical + "Operations note this server lacks: inboundVideoCalls"}, ""},
		{
			"MissingOperations",
			simulator.StatisticsOptions{MissingOperations: []string{"inboundVideoCalls", "inboundCallsCount"}, NoIntrospection: true},
			[]string{statistical + "Operations note this server lacks: inboundCallsCount, inboundVideoCalls"},
			"",
		},
		{"MaxFields", simulator.StatisticsOptions{MaxFields: 30}, []string{statistical + "Counts note at most about 10"}, "[history]\nbatch = 10"},
		{"MaxFields", simulator.StatisticsOptions{MaxFields: 1}, []string{statistical + "Counts note one in"}, "[history]\nbatch = 1"},
		{"Refusals", simulator.StatisticsOptions{Refusals: simulator.RefusalsErrors, NoIntrospection: true}, []string{statistical + "Rate note a request was refused"}, ""},
	}
}

// statistical is the prefix of findings about the statistical data service.
const statistical = "Statistical data: "

func TestDoctorNamesEverySwitch(t *testing.T) {
	t.Parallel()
	var named []string
	try := func(field string, o simulator.Options, says []string, config string) {
		if named = append(named, field); testkit.Race && len(named)%4 != 1 {
			return // the switches do not differ in their concurrency
		}
		t.Run(field+" "+says[0], func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) { diagnose(t, o, says, config) })
		})
	}
	for _, d := range diagnoses() {
		try(d.field, simulator.Options{Switches: d.switches}, d.says, d.config)
	}
	for _, d := range pastDiagnoses() {
		try(d.field, simulator.Options{Stat: d.stat}, d.says, d.config)
	}
	named = append(named, "Path", "APIKey", "Limit", "MaxRows") // these switches do not change what the server answers
	named = append(named, "Rules")                              // TestRuledPlatforms of the proof tries each rule
	for _, of := range []reflect.Type{reflect.TypeFor[rtd.Switches](), reflect.TypeFor[simulator.StatisticsOptions]()} {
		for i := range of.NumField() {
			if !slices.Contains(named, of.Field(i).Name) {
				t.Errorf("the doctor is not tried against the switch %s", of.Field(i).Name)
			}
		}
	}
}

// diagnose checks the doctor's findings and suggested settings.
func diagnose(t *testing.T, o simulator.Options, says []string, config string) {
	t.Helper()
	r := examined(t, o)
	if !r.IsOK() {
		t.Errorf("not well: %+v", r.Findings)
	}
	said := sentences(r)
	for _, want := range says {
		if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%q is not said:\n%s", want, strings.Join(said, "\n"))
		}
	}
	if got := strings.Join(r.Config, "\n"); !strings.Contains(got, config) || config == "" && got != "" {
		t.Errorf("the configuration is %q, want %q", got, config)
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

// examined runs the doctor in a bubble.
func examined(t *testing.T, o simulator.Options) *doctor.Report {
	t.Helper()
	var fo feeds.Options
	if o.Stat.Refusals != "" {
		o.Stat.Limit = 4 // requests per minute
	}
	o.Speed = 20
	o.World = world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2, Pace: 20}
	r := newRig(t, o, func(o *feeds.Options) { fo = *o })
	defer r.stop()
	report, err := doctor.Examine(t.Context(), doctor.Options{
		Feed: fo, MinWatch: 25 * time.Second, Now: time.Now, Statistics: pastOf(r, fo, simulator.DefaultAPIKey),
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// pastOf returns the options for a platform's statistical data service.
func pastOf(r *rig, fo feeds.Options, key string) *history.Options {
	return &history.Options{URL: r.srv.StatURL(), APIKey: secret.New(key), DialContext: fo.DialContext}
}

// TestDoctorSaysWhatFails checks the findings about services that refuse requests.
func TestDoctorSaysWhatFails(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var fo feeds.Options
		r := newRig(t, simulator.Options{}, func(o *feeds.Options) { fo = *o })
		defer r.stop()
		fo.Credentials.AccessToken = secret.New("wrong-token")
		refuse := func(context.Context) (string, string, error) { return "", "", errors.New("the user is refused") }
		began := time.Now()
		report, err := doctor.Examine(t.Context(), doctor.Options{Feed: fo, Configuration: refuse, Statistics: pastOf(r, fo, "wrong-key")})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("a refused token was reported after %v", took)
		}
		if report.IsOK() {
			t.Error("all is called well")
		}
		var text, js bytes.Buffer
		if err := errors.Join(report.WriteText(&text, true), report.WriteJSON(&js)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"x fail  HTTP", "-> check url and the credentials in [rtd]", "x fail  Access", "the user is refused", "API key rejected (status 403)"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q is not in\n%s", want, &text)
			}
		}
		for _, beside := range []string{"userStats", "Counters", "what works", "rtd.dialect"} {
			if strings.Contains(text.String(), beside) {
				t.Errorf("%q is beside the point in\n%s", beside, &text)
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
