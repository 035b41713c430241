package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/internal/output"
	"wallboard/restclient"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/simulator/rtd"
	"wallboard/simulator/stat"
	"wallboard/simulator/world"
)

// platformFlags fill the options of a simulated platform.
func platformFlags(fs *pflag.FlagSet) *simulator.Options {
	o := &simulator.Options{}
	w, sw, f := &o.World, &o.Switches, &o.Faults
	fs.Int64Var(&w.Seed, "seed", 1, "seed of the simulated world; the same seed gives the same day")
	fs.IntVar(&w.Services, "services", 12, "services, at most 200")
	fs.IntVar(&w.Groups, "groups", 10, "groups, at most 50")
	fs.IntVar(&w.Agents, "agents", 60, "agents, at most 25000")
	fs.IntVar(&w.Channels, "channels", 0, "channels of every agent and service, at most 9; 0: one to three, by lot")
	fs.IntVar(&w.Operators, "operators", 4, "attendant operators")
	fs.IntVar(&w.Campaigns, "campaigns", 5, "dialer campaigns")
	fs.IntVar(&w.Sites, "sites", 2, "sites")
	fs.Float64Var(&w.Rate, "rate", 1, "multiplies the traffic")
	fs.Float64Var(&w.Churn, "churn", 0, "agents a minute who log out and are back within 15 s")
	fs.BoolVar(&w.Drama, "drama", true, "surges, a team at lunch, a campaign that runs dry")
	fs.Float64Var(&o.Speed, "speed", 1, "simulated seconds per second")
	fs.DurationVar(&o.Tick, "tick", 100*time.Millisecond, "time between two updates")
	fs.IntVar(&o.UpdatesPerSecond, "updates", 0, "force so many agent updates per second, for load tests")
	fs.IntVar(&o.UpdatesPerMessage, "per-message", 0, "records per message at most; 0: no bound")
	fs.IntVar(&o.FullRate, "full-rate", 0, "records of full states put together per second, one request after the other; 0: at once")

	fs.StringVar((*string)(&sw.FirstMessage), "first-message", string(rtd.FirstFull), "first message of a subscription: full, delta, none, keys")
	fs.StringVar((*string)(&o.Arrivals), "arrivals", string(rtd.ArrivalsWhole), "how a record that comes under a filter is told of: whole, keys")
	fs.DurationVar(&o.Gather, "gather", 0, "how long each subscription gathers its updates before it sends them")
	fs.StringVar((*string)(&sw.NullKeys), "null-keys", string(rtd.NullKeysPresent), "unchanged fields of an update: present (as null), absent")
	fs.StringVar((*string)(&sw.Numbers), "numbers", string(rtd.NumbersInt), "form of numbers: int, float, string")
	fs.StringVar((*string)(&sw.DateForm), "dates", string(rtd.DateISO), "form of dates: iso, iso-offset, iso-local, seconds, fraction, milliseconds, microseconds, elapsed, elapsed-part, elapsed-millis, elapsed-micros, elapsed-clock")
	fs.BoolVar(&sw.QuotedDates, "quoted-dates", false, "write dates that are numbers as texts")
	fs.StringVar((*string)(&sw.NeverHeld), "never-held", string(rtd.NeverHeldLogin), "instant of the hold of who never held: login, zero, quoted, null, empty, negative, epoch, far")
	fs.StringVar((*string)(&sw.Lengths), "lengths", string(rtd.LengthsSeconds), "unit of the times whose unit is not documented: seconds, milliseconds")
	fs.BoolVar(&sw.RenamedRoots, "renamed-roots", false, "give the subscriptions other names than the queries")
	fs.BoolVar(&sw.NoIntrospection, "no-introspection", false, "refuse to show the schema")
	fs.BoolVar(&sw.KeylessDeltas, "keyless", false, "leave the key out of an update where the schema allows it")
	fs.BoolVar(&sw.PartialLists, "partial-lists", false, "send only the changed elements of a keyed list")
	fs.BoolVar(&o.HostileTexts, "hostile-texts", false, "names and texts that attack terminals, pages and shells")
	fs.StringSliceVar(&sw.MissingFields, "missing-fields", nil, "fields that the schema lacks, as Type.field")
	fs.StringSliceVar(&sw.Shapes, "shapes", nil, "fields of another shape, as Type.field=object, list, scalar or argument")
	fs.StringVar((*string)(&sw.ChannelTypes), "channel-types", string(rtd.TypesOne), "types of a service's figures on other channels than calls: one, union, interface")
	fs.StringVar((*string)(&sw.ErrorWords), "error-words", string(rtd.WordsGo),
		"whose words refusals are in: graphql-go, graphql-js, graphql-java, hot-chocolate, graphql-core, async-graphql, none")
	fs.StringVar((*string)(&sw.Filters), "filters", string(rtd.FiltersAny), "accepted form of a filter: any, literals, variables")
	fs.IntVar(&sw.MaxFilterKeys, "max-filter-keys", 0, "keys that a filter may name at most; 0: no bound")
	fs.IntVar(&sw.MaxRequest, "max-request", 0, "longest message from a client in bytes; 0: no bound")
	fs.StringVar((*string)(&sw.Upgrade), "upgrade", string(rtd.UpgradePasses), "what becomes of a WebSocket on the way: passes, stripped, refused, bad-gateway, cut")
	fs.StringSliceVar(&sw.Subprotocols, "subprotocols", nil, "accepted sub-protocols, the preferred first (default graphql-transport-ws,graphql-ws)")
	fs.StringVar((*string)(&sw.SubprotocolRefusal), "subprotocol-refusal", string(rtd.SubprotocolRefusalClose), "how a client is refused that offers none of them: close (with 4406), status (400 to the upgrade)")
	fs.StringVar((*string)(&sw.SocketAuth), "socket-auth", string(rtd.SocketAuthAny), "what a WebSocket is let in by: any, session (cookie of a login), cookie (access token), init (access token in connection_init)")
	fs.BoolVar(&sw.AuthAtUpgrade, "auth-at-upgrade", false, "refuse an upgrade without good credentials in a cookie with 401")

	serviceFlags(fs, o)
	faultFlags(fs, f)
	return o
}

// serviceFlags are those of the configuration and the statistical data service.
func serviceFlags(fs *pflag.FlagSet, o *simulator.Options) {
	fs.StringVar((*string)(&o.REST.Edition), "edition", string(rest.Edition140), "edition of the configuration service: 1.0.2, 1.4.0")
	fs.StringVar((*string)(&o.REST.Errors), "rest-errors", string(rest.ErrorsJSON), "form of the configuration service's errors: json, text, html, empty, fields, hostile")
	fs.BoolVar(&o.REST.ServiceKeys, "service-keys", false, "take access tokens as keys of service accounts: by the configuration service as bearer, by no login to it")
	fs.BoolVar(&o.REST.SMSInHistory, "rest-sms-history", false, "keep text messages that are sent in the messaging history")
	fs.StringVar((*string)(&o.REST.Lists.Form), "rest-lists", string(rest.ListsShown), "form of the configuration service's lists: shown, paged, array, other")
	fs.IntVar(&o.REST.Lists.MostRows, "rest-most-rows", 0, "rows that a page of the configuration service has at most; 0: no bound")
	fs.BoolVar(&o.REST.Lists.RowsAsAsked, "rest-rows-as-asked", false, "count pages in the size that is asked for, whatever they have")
	fs.BoolVar(&o.REST.Lists.Moved, "rest-moved", false, "dialer operations of edition 1.4.0 beside its campaign operation")
	fs.IntVar(&o.Stat.MostRows, "stat-most-rows", 0, "rows that a page of the statistical data service has at most; 0: no bound")
	fs.StringVar(&o.REST.LoginVersion, "login-version", "", "the only version that logins to the configuration service may name (default that of the edition)")
}

// faultFlags are the troubles that the platform makes by chance.
func faultFlags(fs *pflag.FlagSet, f *simulator.FaultRates) {
	fs.Float64Var(&f.Drop, "fault-drop", 0, "connections cut, per minute")
	fs.Float64Var(&f.Stall, "fault-stall", 0, "stalls, per minute")
	fs.DurationVar(&f.StallFor, "fault-stall-for", 20*time.Second, "length of a stall")
	fs.Float64Var(&f.Refuse, "fault-refuse", 0, "times that everything is cut and refused for a while, per minute")
	fs.DurationVar(&f.RefuseFor, "fault-refuse-for", 20*time.Second, "length of a refusal")
	fs.IntVar(&f.SlowBytes, "fault-slow", 0, "write so many bytes at a time at most, always")
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
	fs.DurationVar(&f.RESTDelay, "fault-rest-delay", 0, "keep every answer of the configuration service back for so long")
}

func newSimulator(s command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulator",
		Short: "Run a simulated platform alone",
		Long: "Simulator runs a whole platform with a living contact center in it, for trying out and for tests.\n" +
			"It prints its address and a configuration that a board can use.",
		Args: command.NoArgs,
	}
	o := platformFlags(cmd.Flags())
	cmd.Flags().StringVar(&o.Addr, "addr", "127.0.0.1:8400", "address to listen on; keep it on loopback, there is no real protection")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o.Switches.Subprotocols = dropEmpty(o.Switches.Subprotocols)
		if err := checkPlatform(o); err != nil {
			return command.Usage(err)
		}
		srv, err := openPlatform(*o)
		if err != nil {
			return err
		}
		defer srv.Close() //nolint:errcheck // the process ends
		if !headless.Loopback(o.Addr) {
			_, _ = fmt.Fprintln(s.Err, "warning: everybody who reaches", o.Addr, "can use the simulator; its password is public")
		}
		if _, err := fmt.Fprint(s.Out, platformConfig(srv, o)); err != nil {
			return output.Failed(err)
		}
		return srv.Serve(cmd.Context())
	}
	return cmd
}

// openPlatform prepares a simulated platform whose day is at its busiest now,
// whatever the clock says.
func openPlatform(o simulator.Options) (*simulator.Server, error) {
	now := time.Now()
	o.World.Start, o.World.Clock = world.OpeningTime(now), now
	srv, err := simulator.New(o)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the simulator
	}
	return srv, nil
}

// checkPlatform says what of the flags cannot be, all at once.
func checkPlatform(o *simulator.Options) error {
	var errs []error
	between := func(flag string, n, least, most int) {
		if n < least || n > most {
			errs = append(errs, fmt.Errorf("--%s %d: want %d to %d", flag, n, least, most))
		}
	}
	w := &o.World
	between("services", w.Services, 1, 200)
	between("groups", w.Groups, 1, 50)
	between("agents", w.Agents, 1, 25_000)
	between("channels", w.Channels, 0, world.NumChannels)
	between("operators", w.Operators, 1, 100)
	between("campaigns", w.Campaigns, 1, 100)
	between("sites", w.Sites, 1, 50)
	between("updates", o.UpdatesPerSecond, 0, 1_000_000)
	between("full-rate", o.FullRate, 0, 1_000_000)
	between("per-message", o.UpdatesPerMessage, 0, 1_000_000)
	if o.Speed <= 0 || o.Speed > 1000 {
		errs = append(errs, fmt.Errorf("--speed %v: want more than 0, at most 1000", o.Speed))
	}
	if w.Rate <= 0 || w.Rate > 100 {
		errs = append(errs, fmt.Errorf("--rate %v: want more than 0, at most 100", w.Rate))
	}
	if o.Tick < time.Millisecond || o.Tick > time.Minute {
		errs = append(errs, fmt.Errorf("--tick %v: want 1ms to 1m", o.Tick))
	}
	if err := o.Validate(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func dropEmpty(list []string) []string {
	var kept []string
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// platformConfig is a configuration for the simulated platform. The token in it
// opens nothing but the simulator.
func platformConfig(srv *simulator.Server, o *simulator.Options) string {
	var b strings.Builder
	account := accounts.Default()
	ids := make([]string, 0, len(srv.Campaigns()))
	for _, id := range srv.Campaigns() {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	fmt.Fprintf(&b, "# A simulated platform. User %q, password %q, token %q.\n", account.Username, account.Password, account.Token)
	fmt.Fprintf(&b, "[rtd]\nurl = %q\nws_url = %q\naccess_token = %q # needs this file to be 0600\n", srv.HTTPURL(), srv.WSURL(), account.Token)
	fmt.Fprintf(&b, "campaigns = [%s]\n", strings.Join(ids, ", "))
	if o.Switches.RenamedRoots && o.Switches.NoIntrospection {
		b.WriteString("[rtd.dialect.roots]\n")
		for _, op := range srv.RTD().Roots() {
			fmt.Fprintf(&b, "%s = %q\n", op.Query, op.Subscription)
		}
	}
	fmt.Fprintf(&b, "[rest]\nurl = %q\nusername = %q\npassword = %q # needs this file to be 0600\n", srv.RESTURL(), account.Username, account.Password)
	fmt.Fprintf(&b, "[rest.paths]\n%s = %q\n", restclient.OpMessageHistory, rest.MessagesPath)
	fmt.Fprintf(&b, "[history]\nurl = %q\napi_key = %q # needs this file to be 0600\n", srv.StatURL(), stat.DefaultAPIKey)
	for _, n := range srv.Names() {
		fmt.Fprintf(&b, "[[rtd.names]]\nkind = %q\ncode = %q\nname = %q\n", n.Kind, n.Code, n.Name)
	}
	return b.String()
}

func newDemo(b *board) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the board on a simulated platform",
		Long: "Demo starts a simulated platform on loopback and opens the board on it, over a real socket.\n" +
			"Within two minutes something goes wrong on the simulated floor, and recovers.",
		Args: command.NoArgs,
	}
	o := platformFlags(cmd.Flags())
	b.metricsFlag(cmd.Flags())
	b.plainFlag(cmd.Flags())
	cmd.Flags().BoolVar(&b.kiosk, "kiosk", false, "as on a wall: see wallboard kiosk")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o.Switches.Subprotocols = dropEmpty(o.Switches.Subprotocols)
		return b.demo(cmd.Context(), *o)
	}
	return cmd
}

// demo runs a simulated platform, and the board on it.
func (b *board) demo(ctx context.Context, o simulator.Options) error {
	b.played = true
	if _, err := b.Load(true); err != nil {
		return err
	}
	if err := checkPlatform(&o); err != nil {
		return command.Usage(err)
	}
	srv, err := openPlatform(o)
	if err != nil {
		return err
	}
	defer srv.Close() //nolint:errcheck // the process ends
	if err := srv.Start(ctx); err != nil {
		return err //nolint:wrapcheck // it names the simulator
	}
	defer os.Remove(budgetFile(srv.StatURL())) //nolint:errcheck // of this platform, which ends, perhaps nothing was asked
	err = b.show(ctx, func() (*config.Config, feeds.Options, error) { return b.loadDemo(srv, &o) })
	if errors.Is(err, errNoTerminal) {
		return errors.New("the demo needs a terminal; `wallboard simulator` runs the platform alone")
	}
	return err
}

// loadDemo reads the configuration, for a simulated platform.
func (b *board) loadDemo(srv *simulator.Server, o *simulator.Options) (*config.Config, feeds.Options, error) {
	c, err := b.Load(true)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	demoConfig(c, srv, o)
	b.kioskConfig(c)
	fo := feedOptions(c)
	fo.Campaigns = srv.Campaigns()
	fo.Auth, fo.Credentials = feeds.AuthToken, feeds.Credentials{AccessToken: secret.New(accounts.Default().Token)}
	return c, fo, nil
}

// demoConfig points a configuration at the simulated platform; what it says of
// the screen stays.
func demoConfig(c *config.Config, srv *simulator.Server, o *simulator.Options) {
	c.RTD = config.Default().RTD
	c.RTD.URL, c.RTD.WSOverride = srv.HTTPURL(), srv.WSURL()
	c.REST, c.Audit, c.History = demoREST(srv), demoAudit(c.Audit), demoHistory(srv)
	if c.UI.Site == "" {
		c.UI.Site = "Demo"
	}
	if o.Switches.RenamedRoots && o.Switches.NoIntrospection {
		c.RTD.Dialect.Roots = make(map[string]string)
		for _, op := range srv.RTD().Roots() {
			c.RTD.Dialect.Roots[op.Query] = op.Subscription
		}
	}
	for _, n := range srv.Names() {
		c.RTD.Names = append(c.RTD.Names, config.Name{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
}
