package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
	"wallboard/ui/pages"
)

func newDemoCommand(b *commandSetup) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the board on a simulated platform",
		Long: "Demo starts a simulated platform on loopback and opens the board on it, over a real socket.\n" +
			"Within two minutes a problem occurs on the simulated floor and is resolved.\n" +
			"The flags of wallboard simulator change the behavior of the platform.",
	}
	o := commands.AddSimulatorFlags(cmd.Flags(), true)
	b.addMetricsFlags(cmd.Flags())
	b.addPlainFlags(cmd.Flags())
	cmd.Flags().BoolVar(&b.sources.kiosk, "kiosk", false, "kiosk mode: see wallboard kiosk")
	n := addPlatformsFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return b.runDemo(cmd.Context(), *o, *n)
	}
	return cmd
}

// demoPlatformNames returns the names of the simulated platforms of a demo with --platforms.
func demoPlatformNames() []string { return []string{"Milan", "Rome", "Turin", "Palermo"} }

// addPlatformsFlag adds the flag --platforms, the number of simulated platforms. It returns a
// pointer to the value of the flag.
func addPlatformsFlag(fs *pflag.FlagSet) *int {
	return fs.Int("platforms", 1, "simulated platforms in one board, at most "+strconv.Itoa(len(demoPlatformNames())))
}

// runDemo runs n simulated platforms and shows a board of all of them.
func (b *commandSetup) runDemo(ctx context.Context, o simulator.Options, n int) error {
	if n < 1 || n > len(demoPlatformNames()) {
		return cmdutil.NewUsageError(fmt.Errorf("--platforms %d: want 1 to %d", n, len(demoPlatformNames())))
	}
	err := b.withSimulation(ctx, o, n, func(sources []app.ConfigSource) error { return b.showBoards(ctx, sources...) })
	if errors.Is(err, commands.ErrNoTerminal) {
		return errors.New("the demo needs a terminal; `wallboard simulator` runs the platform alone")
	}
	return err
}

// withSimulation starts n simulated platforms that record into a temporary folder, calls use with
// their configurations, and stops them.
func (b *commandSetup) withSimulation(ctx context.Context, o simulator.Options, n int, use func(sources []app.ConfigSource) error) error {
	b.env.Simulated = true
	if baseOptions := b.Options; n > 1 { // with several platforms, there is also the page Sites
		b.Options = func() config.Options {
			o := baseOptions()
			o.Pages = append(o.Pages, pages.SitesName)
			return o
		}
	}
	if _, err := b.LoadAll(true); err != nil {
		return err
	}
	if err := commands.CheckSimulatorFlags(&o); err != nil {
		return cmdutil.NewUsageError(err)
	}
	tempFolder, remove, err := securefile.CreateTempFolder(os.TempDir(), "wallboard-demo-", time.Now()) // temporary folder for recordings
	if err != nil {
		return fmt.Errorf("record the demo: %w", err)
	}
	defer remove()
	var sources []app.ConfigSource
	worlds := make(map[string]func(*config.Config) app.EarlierHours) // by platform address
	earlierDays := make(map[string]app.DaySource)                    // by platform address
	for i := range n {
		platform := o
		platform.World.Seed += int64(i)
		srv, err := commands.OpenSimulator(platform)
		if err != nil {
			return err
		}
		defer srv.Close() //nolint:errcheck // an error does not matter, because the process ends
		if err := srv.Start(ctx); err != nil {
			return err
		}
		defer os.Remove(app.BudgetPath(srv.StatURL())) //nolint:errcheck // the file may not exist
		worlds[srv.HTTPURL()], earlierDays[srv.HTTPURL()] = app.SimulatedHours(srv.WorldOptions(), admin.BuildVersion()), app.SimulatedDays(srv.WorldOptions())
		name, folder := "", filepath.Join(tempFolder, "shift")
		if n > 1 {
			name = demoPlatformNames()[i]
			folder = filepath.Join(tempFolder, name)
		}
		sources = append(sources, func() (*config.Config, feeds.Options, error) {
			c, fo, err := b.loadDemo(srv, &platform, name)
			if err == nil {
				c.Record.Enabled, c.Record.Dir = true, folder
			}
			return c, fo, err
		})
	}
	b.env.EarlierHours = func(c *config.Config) app.EarlierHours { return worlds[c.RTD.URL](c) }
	b.env.EarlierDays = func(c *config.Config) app.DaySource { return earlierDays[c.RTD.URL] }
	return use(sources)
}

// loadDemo reads the configuration and replaces its platform with a simulated one. name is the name
// of the platform in a demo with several platforms, otherwise "".
func (b *commandSetup) loadDemo(srv *simulator.Server, o *simulator.Options, name string) (*config.Config, feeds.Options, error) {
	c, err := b.LoadAll(true)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	admin.UseSimulator(c, srv, o, name)
	b.sources.applyKioskMode(c)
	fo := app.FeedOptions(c)
	fo.Campaigns = srv.CampaignIDs()
	fo.Auth, fo.Credentials = feeds.AuthToken, feeds.Credentials{AccessToken: secret.New(webservice.DefaultAccount().Token)}
	return c, fo, nil
}
