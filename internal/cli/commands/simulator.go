package commands

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model/resource"
)

// SimulatorCommand returns `wallboard simulator`.
func SimulatorCommand(s cmdutil.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulator",
		Short: "Run a simulated platform alone",
		Long: "Simulator runs a whole platform with a living contact center in it, for trying out and for tests.\n" +
			"It prints its address and a configuration that a board can use.",
	}
	o := AddSimulatorFlags(cmd.Flags(), false)
	cmd.Flags().StringVar(&o.Addr, "addr", "127.0.0.1:8400", "address to listen on; keep it on loopback, there is no real protection")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := CheckSimulatorFlags(o); err != nil {
			return cmdutil.NewUsageError(err)
		}
		srv, err := OpenSimulator(*o)
		if err != nil {
			return err
		}
		defer srv.Close() //nolint:errcheck // an error does not matter, because the process ends
		if !headless.IsLoopback(o.Addr) {
			_, _ = fmt.Fprintln(s.Err, "warning: every program that can reach", o.Addr, "can use the simulator; its password is public")
		}
		if err := cmdutil.WriteText(s.Out, SimulatorConfig(srv, o)); err != nil {
			return err
		}
		return srv.Serve(cmd.Context())
	}
	return cmd
}

// OpenSimulator creates a simulated platform that runs at the current time. Its day is chosen so
// that the floor is busiest now.
func OpenSimulator(o simulator.Options) (*simulator.Server, error) {
	now := time.Now()
	o.World.Start, o.World.Clock = world.OpeningTime(now), now
	srv, err := simulator.New(o)
	if err != nil {
		return nil, err
	}
	return srv, nil
}

// CheckSimulatorFlags checks the flags of a simulated platform. The error lists all problems.
func CheckSimulatorFlags(o *simulator.Options) error {
	o.Switches.Subprotocols = dropEmpty(o.Switches.Subprotocols)
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
	if w.TrafficFactor <= 0 || w.TrafficFactor > 100 {
		errs = append(errs, fmt.Errorf("--rate %v: want more than 0, at most 100", w.TrafficFactor))
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

// SimulatorConfig returns the text of a configuration file for the simulated platform. Its
// token is only valid for this platform.
func SimulatorConfig(srv *simulator.Server, o *simulator.Options) string {
	var b strings.Builder
	account := webservice.DefaultAccount()
	ids := make([]string, 0, len(srv.CampaignIDs()))
	for _, id := range srv.CampaignIDs() {
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
	fmt.Fprintf(&b, "[history]\nurl = %q\napi_key = %q # needs this file to be 0600\n", srv.StatURL(), simulator.DefaultAPIKey)
	for _, n := range srv.DisplayNames() {
		fmt.Fprintf(&b, "[[rtd.names]]\nkind = %q\ncode = %q\nname = %q\n", n.Kind, n.Code, n.Name)
	}
	return b.String()
}
