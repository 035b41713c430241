package operations

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/control/audit"
	"wallboard/internal/textformat"
	"wallboard/model/resource"
)

// newAuditCommand returns the command that reads the audit log.
func newAuditCommand(set *cmdutil.Setup) *cobra.Command {
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
		Example: "wallboard audit --since 24h --outcome unknown\nwallboard audit --since 2026-11-20 --user anna.rossi --json\n" +
			"wallboard audit --visits --about anna.rossi",
	}
	cmd.AddCommand(newAuditVerify(set), newAuditHead(set))
	fs := cmd.Flags()
	fs.StringVar(&since, "since", "", "start: a time, a date (in UTC) or a duration before now (24h)")
	fs.StringVar(&until, "until", "", "before this time")
	fs.StringVarP(&file, "file", "f", "", "file to read instead of the configured one, for example the demo's")
	fs.BoolVar(&visits, "visits", false, "show who logged in over SSH, and who looked at recordings, instead of actions")
	fs.StringVar(&f.User, "user", "", "only actions of this user")
	fs.StringVar(&f.Target, "about", "", "only entries whose target contains this text, for example an agent's user name")
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

// auditFile selects the audit file or the log of visits, with the file of stored heads.
type auditFile struct {
	path       string
	isVisitLog bool
	heads      string

	headsConfigured bool // heads comes from the configuration
}

func (a *auditFile) addFlags(fs *pflag.FlagSet) {
	fs.StringVarP(&a.path, "file", "f", "", "file to read instead of the configured one")
	fs.BoolVar(&a.isVisitLog, "visits", false, "read the log of visits over SSH instead of the actions")
}

// resolve sets the paths from the configuration, unless a flag names a file.
func (a *auditFile) resolve(set *cmdutil.Setup) error {
	if a.path != "" {
		return nil
	}
	c, err := set.LoadAll(false)
	if err != nil {
		return fmt.Errorf("%w\n(to read a file without a configuration, name it with --file)", err)
	}
	path, heads := c.Audit.Path(), c.Audit.Heads
	if a.isVisitLog {
		path, heads = c.Audit.VisitsPath(), c.Audit.VisitsHeadsPath()
	}
	a.path, a.headsConfigured = path, a.heads == ""
	a.heads = cmp.Or(a.heads, heads)
	return nil
}

// readHeads returns the stored heads from the file or, if its name is "-", from standard
// input, where node selects the copies of one node. It returns no heads if no file is named,
// or if the configured file does not exist yet.
func (a *auditFile) readHeads(set *cmdutil.Setup, node string) (heads []audit.Head, unreadable int, err error) {
	switch a.heads {
	case "":
		return nil, 0, nil
	case "-":
		return audit.ReadHeads(set.Streams.In, node)
	}
	heads, unreadable, err = audit.ReadStoredHeads(a.heads)
	if a.headsConfigured && errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil // no line was written since the file was configured
	}
	return heads, unreadable, err
}

// newAuditVerify returns the command that checks the chain of the audit file.
func newAuditVerify(set *cmdutil.Setup) *cobra.Command {
	var file auditFile
	var node string
	cmd := &cobra.Command{
		Use: "verify", Short: "Check that nobody changed, removed, inserted or reordered lines of the audit log",
		Long: "Verify reads the audit file and its rotated files. Each line contains the SHA-256 hash of the line\n" +
			"before it. Whoever can write the file could cut off its end, or write a whole new chain: only a hash\n" +
			"that is stored elsewhere shows that. Such hashes are in the file of [audit] heads, in mails with the\n" +
			"output of wallboard audit head, and in the copies of the other nodes of a cluster.\n" +
			"The exit status is 1 if the chain is damaged.",
		Example: "wallboard audit verify\nwallboard audit verify --heads mailed-heads.jsonl\n" +
			"wallboard cluster audit | wallboard audit verify --heads - --node hall",
	}
	file.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&file.heads, "heads", "", `file with stored hashes, or "-" for standard input (default: that of [audit] heads)`)
	cmd.Flags().StringVar(&node, "node", "", "name of this node, if standard input contains the copies of a cluster")
	cmd.RunE = func(*cobra.Command, []string) error {
		if err := file.resolve(set); err != nil {
			return err
		}
		heads, unreadable, err := file.readHeads(set, node) // read them before the file, because other programs may append lines
		if err != nil {
			return err
		}
		if unreadable > 0 {
			if err := cmdutil.Printf(set.Streams.Err, "%s in the file of hashes\n", textformat.CountWithNoun(unreadable, "unreadable line", "unreadable lines")); err != nil {
				return err
			}
		}
		v, err := audit.Verify(file.path, heads)
		if err != nil {
			return err
		}
		if err := cmdutil.WriteResult(set.Streams.Out, set.JSON, v, v.Text(len(heads) > 0)); err != nil {
			return err
		}
		if !v.Intact() {
			return fmt.Errorf("%s is damaged in %s", filepath.Base(file.path), textformat.CountWithNoun(len(v.Findings)+v.Further, "place", "places"))
		}
		return nil
	}
	return cmd
}

// newAuditHead returns the command that prints the hash of the last line.
func newAuditHead(set *cmdutil.Setup) *cobra.Command {
	var file auditFile
	cmd := &cobra.Command{
		Use: "head", Short: "Print the hash of the last line of the audit log, to be stored elsewhere",
		Long: "Head prints one line of JSON. Mail it every night, or append it to a file on another machine:\n" +
			"wallboard audit verify --heads FILE compares it later.",
		Example: "wallboard audit head | mail -s 'wallboard audit' auditor@example.com",
	}
	file.addFlags(cmd.Flags())
	cmd.RunE = func(*cobra.Command, []string) error {
		if err := file.resolve(set); err != nil {
			return err
		}
		v, err := audit.Verify(file.path, nil)
		if err != nil {
			return err
		}
		if v.Head.Hash == "" {
			return fmt.Errorf("%s has no lines", filepath.Base(file.path))
		}
		return cmdutil.WriteJSONLine(set.Streams.Out, v.Head)
	}
	return cmd
}

// parseAuditTime parses a time, a date, or a duration before now. A time without a zone is in
// UTC, because the command prints times in UTC.
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

// showAudit prints the actions in the audit file at path that match the filter. If some lines
// are unreadable, it prints the others and returns an error.
func showAudit(set *cmdutil.Setup, path string, f audit.Filter, multiPlatform bool) error {
	var entries []audit.Entry
	var broken []error
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
