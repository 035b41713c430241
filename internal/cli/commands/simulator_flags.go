package commands

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// AddSimulatorFlags adds the flags of a simulated platform. If hide is true, the flags that
// only tests need do not appear in the help. These flags change the behavior or the pace of
// the platform.
func AddSimulatorFlags(fs *pflag.FlagSet, hide bool) *simulator.Options {
	o := &simulator.Options{}
	addFloorFlags(fs, o)
	switches := pflag.NewFlagSet("", pflag.ContinueOnError)
	addPaceFlags(switches, o)
	addRealTimeFlags(switches, o)
	addRuleFlags(switches, &o.Switches.Rules)
	addServiceFlags(switches, o)
	switches.VisitAll(func(f *pflag.Flag) { f.Hidden = hide })
	fs.AddFlagSet(switches)
	addFaultFlags(fs, &o.Faults)
	return o
}

// addFloorFlags adds the flags for the size and the traffic of the simulated floor.
func addFloorFlags(fs *pflag.FlagSet, o *simulator.Options) {
	w := &o.World
	fs.Int64Var(&w.Seed, "seed", 1, "seed of the simulated world; the same seed gives the same day")
	fs.IntVar(&w.Services, "services", 12, "services, at most 200")
	fs.IntVar(&w.Groups, "groups", 10, "groups, at most 50")
	fs.IntVar(&w.Agents, "agents", 60, "agents, at most 25000")
	fs.IntVar(&w.Channels, "channels", 0, "channels of every agent and service, at most 9; 0: one to three, at random")
	fs.IntVar(&w.Operators, "operators", 4, "attendant operators")
	fs.IntVar(&w.Campaigns, "campaigns", 5, "dialer campaigns")
	fs.IntVar(&w.Sites, "sites", 2, "sites")
	fs.Float64Var(&w.TrafficFactor, "rate", 1, "multiplies the traffic")
	fs.BoolVar(&w.Drama, "drama", true, "surges, a team at lunch, a campaign that runs dry")
	fs.StringVar(&w.Scenario, "stage", "", "instead of the drama one situation, 20 s after the start: "+strings.Join(simulator.ScenarioNames(), ", "))
	fs.Float64Var(&o.Speed, "speed", 1, "simulated seconds per second")
}

// addPaceFlags adds the flags for the pace of the simulation, which load tests change.
func addPaceFlags(fs *pflag.FlagSet, o *simulator.Options) {
	fs.Float64Var(&o.World.LogoutsPerMinute, "churn", 0, "agents a minute who log out and are back within 15 s")
	fs.DurationVar(&o.Tick, "tick", 100*time.Millisecond, "time between two updates")
	fs.IntVar(&o.UpdatesPerSecond, "updates", 0, "forced agent updates per second, for load tests")
	fs.IntVar(&o.UpdatesPerMessage, "per-message", 0, "maximum records per message; 0: no limit")
	fs.IntVar(&o.FullRate, "full-rate", 0, "records of full states put together per second, one request after the other; 0: at once")
}

// addRealTimeFlags adds the flags for the behavior of the real-time display service.
func addRealTimeFlags(fs *pflag.FlagSet, o *simulator.Options) {
	sw := &o.Switches
	fs.StringVar((*string)(&sw.FirstMessage), "first-message", string(rtd.FirstFull), "first message of a subscription: full, delta, none, keys")
	fs.StringVar((*string)(&o.Arrivals), "arrivals", string(rtd.ArrivalsWhole), "update for a record that starts to match a filter: whole, keys")
	fs.DurationVar(&o.GatherTime, "gather", 0, "how long each subscription gathers its updates before it sends them")
	fs.StringVar((*string)(&sw.NullKeys), "null-keys", string(rtd.NullKeysPresent), "unchanged fields of an update: present (as null), absent")
	fs.StringVar((*string)(&sw.Numbers), "numbers", string(rtd.NumbersInt), "form of numbers: int, float, string")
	fs.StringVar((*string)(&sw.DateForm), "dates", string(rtd.DateISO), "form of dates: iso, iso-offset, iso-local, seconds, fraction, milliseconds, microseconds, elapsed, elapsed-part, elapsed-millis, elapsed-micros, elapsed-clock")
	fs.BoolVar(&sw.QuotedDates, "quoted-dates", false, "write dates that are numbers as texts")
	fs.StringVar((*string)(&sw.NeverHeld), "never-held", string(rtd.NeverHeldLogin), "hold instant of agents who never held a call: login, zero, quoted, null, empty, negative, epoch, far")
	fs.StringVar((*string)(&o.World.LongestWait), "longest-wait", string(world.LongestNow), "meaning of maxTimeCallOnQueue: current, current-kept, daily, daily-on-exit")
	fs.StringVar((*string)(&sw.DurationUnit), "lengths", string(rtd.DurationsInSeconds), "unit of the times whose unit is not documented: seconds, milliseconds")
	fs.BoolVar(&sw.RenamedRoots, "renamed-roots", false, "give the subscriptions other names than the queries")
	fs.BoolVar(&sw.NoIntrospection, "no-introspection", false, "refuse to show the schema")
	fs.BoolVar(&sw.KeylessDeltas, "keyless", false, "leave the key out of an update where the schema allows it")
	fs.BoolVar(&sw.PartialLists, "partial-lists", false, "send only the changed elements of a keyed list")
	fs.StringSliceVar(&sw.MissingFields, "missing-fields", nil, "fields that the schema lacks, as Type.field")
	fs.StringSliceVar(&sw.Shapes, "shapes", nil, "fields of another shape, as Type.field=object, list, scalar or argument")
	fs.StringVar((*string)(&sw.ChannelTypes), "channel-types", string(rtd.TypesOne), "types of a service's figures on other channels than calls: one, union, interface, each")
	fs.StringVar((*string)(&sw.ErrorWords), "error-words", string(rtd.WordsGo),
		"library whose error messages refusals imitate: graphql-go, graphql-js, graphql-java, hot-chocolate, graphql-core, async-graphql, none")
	fs.StringVar((*string)(&sw.Filters), "filters", string(rtd.FiltersAny), "accepted form of a filter: any, literals, variables")
	fs.IntVar(&sw.MaxFilterKeys, "max-filter-keys", 0, "maximum keys in a filter; 0: no limit")
	fs.IntVar(&sw.MaxRequest, "max-request", 0, "maximum size of a message from a client in bytes; 0: no limit")
	fs.StringVar((*string)(&sw.Upgrade), "upgrade", string(rtd.UpgradePasses), "effect of a proxy on WebSockets: passes, stripped, refused, bad-gateway, cut")
	fs.StringSliceVar(&sw.Subprotocols, "subprotocols", nil, "accepted sub-protocols, the preferred first (default graphql-transport-ws,graphql-ws)")
	fs.StringVar((*string)(&sw.SubprotocolRefusal), "subprotocol-refusal", string(rtd.SubprotocolRefusalClose), "refusal of a client that offers none of them: close (with 4406), status (400 to the upgrade)")
	fs.StringVar((*string)(&sw.SocketAuth), "socket-auth", string(rtd.SocketAuthAny), "credentials that a WebSocket accepts: any, session (cookie of a login), cookie (access token), init (access token in connection_init)")
	fs.BoolVar(&sw.AuthAtUpgrade, "auth-at-upgrade", false, "refuse an upgrade without good credentials in a cookie with 401")
}

// addRuleFlags adds the flags for rules of the real-time display service that document 2 does not
// mention.
func addRuleFlags(fs *pflag.FlagSet, r *rtd.Rules) {
	fs.StringVar((*string)(&r.RecordTypes), "record-types", string(rtd.RecordsOne), "types of the figures of users and profiles: one, interface, union (call fields on calls only)")
	fs.StringVar(&r.FilterArgument, "filter-argument", rtd.DefaultFilterArgument, "name of the argument that carries a filter")
	fs.StringVar(&r.RootNames, "root-names", "", "names of the subscriptions, * being the query's name, for example *Updated")
	fs.IntVar(&r.MaxSubscriptions, "max-subscriptions", 0, "maximum subscriptions per connection; 0: no limit")
	fs.DurationVar(&r.SubscriptionLifetime, "subscription-life", 0, "time after which the server completes a subscription; 0: never")
	fs.BoolVar(&r.NoAliases, "no-aliases", false, "refuse requests with an alias")
	fs.BoolVar(&r.NoTypenames, "no-typenames", false, "refuse requests for __typename")
	fs.BoolVar(&r.BinaryFrames, "binary-frames", false, "send messages in binary frames")
	fs.BoolVar(&r.ZerosForUnknown, "zeros-for-unknown", false, "answer for services that do not exist with records of zeros")
	fs.BoolVar(&r.TokenLoginOnly, "token-login-only", false, "take access tokens by loginWithAccessToken only")
}

// addServiceFlags adds the flags for the behavior of the configuration service and of the
// statistical data service.
func addServiceFlags(fs *pflag.FlagSet, o *simulator.Options) {
	fs.BoolVar(&o.HostileTexts, "hostile-texts", false, "names and texts that attack terminals, pages and shells")
	fs.StringVar((*string)(&o.REST.Edition), "edition", string(rest.Edition140), "edition of the configuration service: 1.0.2, 1.4.0")
	fs.StringVar((*string)(&o.REST.Errors), "rest-errors", string(rest.ErrorsJSON), "form of the configuration service's errors: json, text, html, empty, fields, hostile")
	fs.BoolVar(&o.REST.ServiceKeys, "service-keys", false, "take access tokens as keys of service accounts: by the configuration service as bearer, by no login to it")
	fs.BoolVar(&o.REST.SMSInHistory, "rest-sms-history", false, "keep text messages that are sent in the messaging history")
	fs.StringVar((*string)(&o.REST.Lists.Form), "rest-lists", string(rest.ListsDocumented), "form of the configuration service's lists: shown, paged, array, other")
	fs.IntVar(&o.REST.Lists.MaxRows, "rest-most-rows", 0, "maximum rows per page of the configuration service; 0: no limit")
	fs.BoolVar(&o.REST.Lists.OffsetByRequestedSize, "rest-rows-as-asked", false, "count pages by the requested size, even if pages are smaller")
	fs.BoolVar(&o.REST.Lists.MovedPaths, "rest-moved", false, "dialer operations of edition 1.4.0 beside its campaign operation")
	fs.IntVar(&o.Stat.MaxRows, "stat-most-rows", 0, "maximum rows per page of the statistical data service; 0: no limit")
	fs.StringVar(&o.REST.LoginVersion, "login-version", "", "the only version that logins to the configuration service may name (default that of the edition)")
}

func addFaultFlags(fs *pflag.FlagSet, f *simulator.FaultRates) {
	fs.Float64Var(&f.Drop, "fault-drop", 0, "connections cut, per minute")
	fs.Float64Var(&f.Stall, "fault-stall", 0, "stalls, per minute")
	fs.DurationVar(&f.StallFor, "fault-stall-for", 20*time.Second, "length of a stall")
	fs.Float64Var(&f.Refuse, "fault-refuse", 0, "outages that cut and refuse everything for a while, per minute")
	fs.DurationVar(&f.RefuseFor, "fault-refuse-for", 20*time.Second, "length of a refusal")
	fs.IntVar(&f.SlowBytes, "fault-slow", 0, "maximum bytes per write, always")
	fs.DurationVar(&f.SlowPause, "fault-slow-pause", 20*time.Millisecond, "pause after each such write")
	fs.Float64Var(&f.Lose, "fault-lose", 0, "updates lost, per minute")
	fs.Float64Var(&f.Repeat, "fault-repeat", 0, "updates repeated, per minute")
	fs.Float64Var(&f.Malformed, "fault-malformed", 0, "malformed frames, per minute")
	fs.Float64Var(&f.Error, "fault-error", 0, "times that all subscriptions end with an error, per minute")
	fs.Float64Var(&f.Expire, "fault-expire", 0, "expired sessions, per minute")
	fs.Float64Var(&f.CutRequest, "fault-cut-request", 0, "requests to the configuration service cut before they are complete, per minute")
	fs.Float64Var(&f.CutResponse, "fault-cut-response", 0, "answers of the configuration service cut after it acted, per minute")
	fs.Float64Var(&f.RESTError, "fault-rest-error", 0, "requests to the configuration service answered with an error, per minute")
	fs.Float64Var(&f.RESTLimit, "fault-rest-limit", 0, "requests to the configuration service refused for their rate, per minute")
	fs.DurationVar(&f.RESTDelay, "fault-rest-delay", 0, "delay of every answer of the configuration service")
}
