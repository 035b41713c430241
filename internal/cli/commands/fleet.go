package commands

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/phrases"
	"wallboard/ui/replay"
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
			sites := doctor.CheckFleet(cmd.Context(), fleetMembers(c, o.Timeout), o)
			if c.Cluster.Enabled() {
				sites = append(sites, checkClusterOfFleet(cmd.Context(), &c.Cluster))
			}
			if err := context.Cause(cmd.Context()); err != nil {
				return err
			}
			if s.JSON {
				err = cmdutil.WriteJSON(s.Streams.Out, sites)
			} else {
				err = writeFleet(s.Streams, sites, c.UI.ASCII || !terminal.IsUnicodeLocale(os.Getenv))
			}
			if err != nil {
				return err
			}
			if n := countFailed(sites); n > 0 {
				return fmt.Errorf("%d of %s", n, phrases.Count(len(sites), "site fails", "sites fail"))
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
		if sites[i].Verdict == doctor.Fail {
			n++
		}
	}
	return n
}

// checkClusterOfFleet asks this user's running node about the servers of the cluster.
func checkClusterOfFleet(ctx context.Context, c *config.Cluster) doctor.Site {
	site := doctor.Site{Name: "cluster " + c.Name, Verdict: doctor.OK}
	fail := func(text string) {
		site.Verdict = doctor.Fail
		site.Problems = append(site.Problems, doctor.Finding{About: "Cluster", Verdict: doctor.Fail, Text: text})
	}
	n := nodeQuery{Cluster: c}
	all, err := n.statuses(ctx)
	if err != nil {
		fail(err.Error())
	}
	for _, st := range all {
		for _, problem := range st.Problems(c.Lease, n.expectedPeers(), time.Now()) {
			fail(st.PlatformPrefix(": ") + problem)
		}
	}
	return site
}

// fleetMembers returns the platforms of a configuration as members of a fleet.
func fleetMembers(c *config.Config, timeout time.Duration) []doctor.Member {
	all := c.PlatformConfigs()
	differences := deviations(all)
	members := make([]doctor.Member, len(all))
	for i, platform := range all {
		o := examination(platform, slog.New(slog.DiscardHandler))
		o.Brief, o.Settle = true, timeout*2/3
		members[i] = doctor.Member{
			Name:    platform.RTD.URL,
			Differs: differences[i],
			Examine: func(ctx context.Context) (*doctor.Report, error) { return doctor.Examine(ctx, o) },
		}
		if platform.Platform != "" {
			members[i].Name = platform.Platform
		}
		if platform.Record.Enabled {
			members[i].Recorded = func() (time.Time, error) { return lastRecorded(platform) }
		}
	}
	return members
}

// deviations returns, for each configuration, the keys whose values differ from those of more than
// half of all configurations. It leaves out keys for which no value has this majority. It also
// leaves out addresses, credentials, names and codes, because every platform has its own.
func deviations(all []*config.Config) [][]string {
	unequal := make([]map[string]int, len(all)) // number of configurations with another value, by key
	hasMajority := make(map[string]bool)        // whether a value of the key has the majority
	inMajority := func(i int, key string) bool { return 2*unequal[i][key] < len(all) }
	for i := range all {
		unequal[i] = make(map[string]int)
		for j := range all {
			for _, key := range deviatingKeys(all[i], all[j]) {
				unequal[i][key]++
			}
		}
		for key := range unequal[i] {
			hasMajority[key] = hasMajority[key] || inMajority(i, key)
		}
	}
	out := make([][]string, len(all))
	for i := range all {
		for _, key := range slices.Sorted(maps.Keys(unequal[i])) {
			if hasMajority[key] && !inMajority(i, key) {
				out[i] = append(out[i], key)
			}
		}
	}
	return out
}

// platformSpecificKey matches the keys that each platform has its own value for.
var platformSpecificKey = regexp.MustCompile(`^(platform|record\.dir|ui\.site|rtd\.(services|groups|campaigns|names|user_site)|(rtd|rest|history)\.(url|ws_url|username|ca_file|(password|access_token|api_key).*))$`)

func deviatingKeys(a, b *config.Config) []string {
	keys := slices.DeleteFunc(config.ChangedKeys(a, b), platformSpecificKey.MatchString)
	for section, configured := range map[string][2]bool{
		"rest": {a.REST.IsConfigured(), b.REST.IsConfigured()}, "history": {a.History.IsConfigured(), b.History.IsConfigured()},
	} {
		if configured[0] != configured[1] {
			keys = append(keys, section)
		}
	}
	return keys
}

// lastRecorded returns the time of a platform's last recorded snapshot, or the zero time if
// there is none.
func lastRecorded(c *config.Config) (time.Time, error) {
	r, err := app.OpenRecording(c)
	if errors.Is(err, replay.ErrNothingYet) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	return r.Info().Last, r.Close()
}

// writeFleet writes a line for each site.
func writeFleet(out cmdutil.Streams, sites []doctor.Site, ascii bool) error {
	now := time.Now()
	lines := [][]string{{"", "SITE", "VERSIONS", "CERTIFICATE", "CLOCK", "RECORDED", "PROBLEMS"}}
	for i := range sites {
		s := &sites[i]
		certificate, clock, recorded := "-", "-", "-"
		if days, ok := s.Certificate(now); ok {
			if certificate = strconv.Itoa(days) + " d"; days < 0 {
				certificate = "expired"
			}
		}
		if skew, ok := s.Clock(); ok {
			if clock = "ok"; math.Abs(skew) > 2 {
				clock = fmt.Sprintf("%+.0f s", skew)
			}
		}
		if !s.LastRecorded.IsZero() {
			recorded = phrases.ConfigDuration(now.Sub(s.LastRecorded).Truncate(time.Second)) + " ago"
		}
		lines = append(lines, []string{
			s.Mark(ascii) + " " + string(s.Verdict), s.Name, s.Versions(), certificate, clock, recorded, s.Summary(),
		})
	}
	return cmdutil.WriteTable(out.Out, lines)
}
