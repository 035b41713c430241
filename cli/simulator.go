package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/feeds/times"
	"wallboard/internal/output"
	"wallboard/model/resource"
	"wallboard/secret"
	"wallboard/simulator"
	"wallboard/simulator/accounts"
	"wallboard/simulator/rest"
	"wallboard/simulator/rtd"
	"wallboard/simulator/stat"
	"wallboard/simulator/world"
)

func newSimulator(s command.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulator",
		Short: "Run a simulated platform alone",
		Long: "Simulator runs a whole platform with a living contact center in it, for trying out and for tests.\n" +
			"It prints its address and a configuration that a board can use.",
		Args: command.NoArgs,
	}
	o := platformFlags(cmd.Flags(), false)
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
	fmt.Fprintf(&b, "[rest.paths]\n%s = %q\n", resource.OpMessageHistory, rest.MessagesPath)
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
			"Within two minutes something goes wrong on the simulated floor, and recovers.\n" +
			"The switches of wallboard simulator make it a platform that behaves differently.",
		Args: command.NoArgs,
	}
	o := platformFlags(cmd.Flags(), true)
	b.metricsFlag(cmd.Flags())
	b.plainFlag(cmd.Flags())
	cmd.Flags().BoolVar(&b.kiosk, "kiosk", false, "as on a wall: see wallboard kiosk")
	n := cmd.Flags().Int("platforms", 1, "simulated platforms in one board, at most "+strconv.Itoa(len(demoNames())))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o.Switches.Subprotocols = dropEmpty(o.Switches.Subprotocols)
		if *n < 1 || *n > len(demoNames()) {
			return command.Usage(fmt.Errorf("--platforms %d: want 1 to %d", *n, len(demoNames())))
		}
		if *n > 1 && (b.kiosk || b.plain.on || b.metrics != "") {
			return command.Usage(errors.New("--kiosk, --plain and --metrics are for one platform"))
		}
		return b.demo(cmd.Context(), *o, *n)
	}
	return cmd
}

// demoNames are what the platforms of a demo with several are called.
func demoNames() []string { return []string{"Milan", "Rome", "Turin", "Palermo"} }

// demo runs simulated platforms, and the board on them.
func (b *board) demo(ctx context.Context, o simulator.Options, n int) error {
	b.played = true
	if _, err := b.LoadEach(true); err != nil {
		return err
	}
	if err := checkPlatform(&o); err != nil {
		return command.Usage(err)
	}
	memory, err := os.MkdirTemp("", "wallboard-demo-") // what is recorded of it goes with it
	if err != nil {
		return fmt.Errorf("record the demo: %w", err)
	}
	defer os.RemoveAll(memory) //nolint:errcheck // the process ends
	var read []source
	worlds := make(map[string]func(*config.Config) readHours) // by the address of the platform
	for i := range n {
		one := o
		one.World.Seed += int64(i)
		srv, err := openPlatform(one)
		if err != nil {
			return err
		}
		defer srv.Close() //nolint:errcheck // the process ends
		if err := srv.Start(ctx); err != nil {
			return err //nolint:wrapcheck // it names the simulator
		}
		defer os.Remove(wiring.BudgetFile(srv.StatURL())) //nolint:errcheck // of this platform, which ends, perhaps nothing was asked
		worlds[srv.HTTPURL()] = livedBefore(srv.World())
		name, folder := "", memory
		if n > 1 {
			name = demoNames()[i]
			folder = filepath.Join(memory, name)
		}
		read = append(read, func() (*config.Config, feeds.Options, error) {
			c, fo, err := b.loadDemo(srv, &one, name)
			if err == nil {
				c.Record.Enabled, c.Record.Dir = true, folder
			}
			return c, fo, err
		})
	}
	b.lived = func(c *config.Config) readHours { return worlds[c.RTD.URL](c) }
	err = b.show(ctx, read...)
	if errors.Is(err, errNoTerminal) {
		return errors.New("the demo needs a terminal; `wallboard simulator` runs the platform alone")
	}
	return err
}

// loadDemo reads the configuration, for a simulated platform; of several it has a name.
func (b *board) loadDemo(srv *simulator.Server, o *simulator.Options, name string) (*config.Config, feeds.Options, error) {
	c, err := b.LoadEach(true)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	demoConfig(c, srv, o, name)
	b.kioskConfig(c)
	fo := wiring.FeedOptions(c)
	fo.Campaigns = srv.Campaigns()
	fo.Auth, fo.Credentials = feeds.AuthToken, feeds.Credentials{AccessToken: secret.New(accounts.Default().Token)}
	return c, fo, nil
}

// demoConfig points a configuration at the simulated platform; what it says of
// the screen stays.
func demoConfig(c *config.Config, srv *simulator.Server, o *simulator.Options, name string) {
	c.RTD = config.Default().RTD
	c.RTD.URL, c.RTD.WSOverride = srv.HTTPURL(), srv.WSURL()
	c.REST, c.Audit, c.History = demoREST(srv), demoAudit(c.Audit), demoHistory(srv)
	if c.Platform != "" { // that is the name of a real one
		c.UI.Site = ""
	}
	c.Platform, c.Platforms = name, nil
	if c.UI.Site = cmp.Or(name, c.UI.Site); c.UI.Site == "" {
		c.UI.Site = "Demo"
	}
	if o.Switches.RenamedRoots && o.Switches.NoIntrospection {
		c.RTD.Dialect.Roots = make(map[string]string)
		for _, op := range srv.RTD().Roots() {
			c.RTD.Dialect.Roots[op.Query] = op.Subscription
		}
	}
	if o.Switches.Lengths != rtd.LengthsMilliseconds {
		c.RTD.Dialect.Units = knownSeconds()
	}
	for _, n := range srv.Names() {
		c.RTD.Names = append(c.RTD.Names, config.Name{Kind: n.Kind, Code: n.Code, Name: n.Name})
	}
}

// knownSeconds pins the unit of lengths: it takes seconds to recognise it, and
// cannot be done where time runs faster than ours.
func knownSeconds() map[string]string {
	units := make(map[string]string)
	for _, f := range []times.Field{times.HoldTotal, times.Codes, times.QueueLongest, times.QueueAverage} {
		units[f.String()] = times.Seconds.String()
	}
	return units
}
