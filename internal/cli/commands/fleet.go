package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/textformat"
)

// FleetCommand returns `wallboard fleet`.
func FleetCommand(s *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("fleet", "Check all sites of the configuration at once", newFleetCheck(s))
}

func newFleetCheck(s *cmdutil.Setup) *cobra.Command {
	o := doctor.FleetOptions{Now: time.Now}
	cmd := &cobra.Command{
		Use: "check", Short: "Check versions, certificates, clocks, settings and recordings of all sites",
		Long: "Check examines the platform of each site, several at the same time, and prints one line for each: versions of the\n" +
			"services, days until the first certificate ends, difference of the clocks, time since the last recorded snapshot, and\n" +
			"problems. It compares versions and settings with those of more than half of the sites. In a cluster, a line about its servers follows,\n" +
			"as in `wallboard cluster check`. It only reads. With --json it prints all findings. The exit code is 0 if no site fails, 1 if one does, and 2 for an error in the configuration.",
		Example: "wallboard fleet check\nwallboard fleet check --json --timeout 10s",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Timeout <= 0 || o.AtOnce < 1 {
				return cmdutil.NewUsageError(errors.New("--timeout and --at-once must be above 0"))
			}
			c, err := s.LoadAll(false)
			if err != nil {
				return err
			}
			sites := doctor.CheckFleet(cmd.Context(), admin.FleetMembers(c, o.Timeout), o)
			if c.Cluster.Enabled() {
				sites = append(sites, admin.ExamineCluster(cmd.Context(), &c.Cluster))
			}
			if err := context.Cause(cmd.Context()); err != nil {
				return err
			}
			if err := cmdutil.WriteRows(s.Streams.Out, s.JSON, sites, admin.FleetRows(sites, time.Now(), c.UI.ASCII || !terminal.IsUnicodeLocale(os.Getenv))); err != nil {
				return err
			}
			if n := countFailed(sites); n > 0 {
				return fmt.Errorf("%d of %s", n, textformat.CountWithNoun(len(sites), "site fails", "sites fail"))
			}
			return nil
		},
	}
	cmd.Flags().DurationVar(&o.Timeout, "timeout", 30*time.Second, "how long each site may take")
	cmd.Flags().IntVar(&o.AtOnce, "at-once", 8, "number of sites to check at the same time")
	return cmd
}

func countFailed(sites []doctor.Site) int {
	n := 0
	for i := range sites {
		if sites[i].Verdict == doctor.VerdictFail {
			n++
		}
	}
	return n
}
