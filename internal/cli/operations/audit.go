package operations

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/control/audit"
	"wallboard/model/resource"
)

// newAudit returns the command that reads the audit log.
func newAudit(set *cmdutil.Setup) *cobra.Command {
	var (
		f             audit.Filter
		since, until  string
		file          string
		multiPlatform bool // the configuration has several platforms, so the output names them
		visits        bool
	)
	cmd := &cobra.Command{
		Use: "audit", Short: "Show the audit log: users, actions, times and outcomes",
		Long: "Audit reads the file of [audit] in the configuration, including rotated ones. It contains\n" +
			"all platforms; --platform shows one of them.\n" +
			"An action without an outcome is unknown: the program ended before the answer.",
		Example: "wallboard audit --since 24h --outcome unknown\nwallboard audit --since 2026-11-20 --user anna.rossi --json",
		Args:    cmdutil.NoArgs,
	}
	fs := cmd.Flags()
	fs.StringVar(&since, "since", "", "start: a time, a date (in UTC) or a duration before now (24h)")
	fs.StringVar(&until, "until", "", "before this time")
	fs.StringVarP(&file, "file", "f", "", "file to read instead of the configured one, for example the demo's")
	fs.BoolVar(&visits, "visits", false, "show visits over SSH instead of actions")
	fs.StringVar(&f.User, "user", "", "only actions of this user")
	fs.StringVar(&f.Action, "action", "", "only this action, for example dial or campaign-stop")
	fs.StringVar(&f.Outcome, "outcome", "", "only this outcome: confirmed, rejected, not-sent, unknown")
	fs.BoolVar(&f.OnlyUnfinished, "unfinished", false, "only actions without an outcome")
	cmd.RunE = func(*cobra.Command, []string) error {
		now := time.Now()
		for _, t := range []struct {
			flag, text string
			at         *time.Time
		}{{"since", since, &f.Since}, {"until", until, &f.Until}} {
			instant, err := parseAuditTime(t.text, now)
			if err != nil {
				return cmdutil.NewUsageError(fmt.Errorf("--%s %q: %w", t.flag, t.text, err))
			}
			*t.at = instant
		}
		f.Outcome = strings.ReplaceAll(f.Outcome, "-", " ")
		if file == "" {
			c, err := set.LoadAll(false)
			if err != nil {
				return fmt.Errorf("%w\n(to read a file without a configuration, name it: wallboard audit --file FILE)", err)
			}
			if file, multiPlatform = c.Audit.Path(), c.MultiPlatform(); set.Platform != "" {
				f.Platform = c.RTD.URL
			}
			if visits {
				file = c.Audit.VisitsPath()
			}
		}
		return showAudit(set, file, f, multiPlatform)
	}
	return cmd
}

// parseAuditTime parses a time, a date, or a duration before now. A time without a zone is in UTC,
// like the times that the command prints.
func parseAuditTime(text string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d.Abs()), nil
	}
	t, err := resource.ParseTime(text)
	if err != nil {
		return time.Time{}, errors.New("want a time (2026-11-20 17:45, in UTC), a date or how long ago (24h)")
	}
	instant, _ := t.Get()
	return instant, nil
}

// showAudit prints those actions in the audit file at path that match the filter. If some lines are
// unreadable, it returns an error after it has printed the readable actions.
func showAudit(set *cmdutil.Setup, path string, f audit.Filter, multiPlatform bool) error {
	var (
		entries []audit.Entry
		broken  []error
	)
	for e, err := range audit.Read(path, f) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			broken = append(broken, err)
		default:
			entries = append(entries, e)
		}
	}
	s := &invocation{streams: set.Streams, command: "audit", json: set.JSON}
	columns := []Column{
		{"TIME", "time"},
		{"PLATFORM", "platform"},
		{"USER", "person|user|osUser"},
		{"ACTION", "action"},
		{"TARGET", "target"},
		{"OUTCOME", "outcome"},
		{"WHAT BECAME OF IT", "sentence"},
		{"WARNING", "warning"},
	}
	if !multiPlatform {
		columns = slices.Delete(columns, 1, 2)
	}
	err := printRows(s, entries, columns...)
	return errors.Join(append([]error{err}, broken...)...)
}
