package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/phrases"
	"wallboard/internal/record"
	"wallboard/internal/report/receipt"
	"wallboard/model"
	"wallboard/model/kpi"
)

// newReceipt returns `wallboard receipt`.
func newReceipt(s *cmdutil.Setup) *cobra.Command {
	var (
		selection               cmdutil.RecordingSelection
		at, about, figure, file string
	)
	cmd := &cobra.Command{
		Use: "receipt [FILE|FOLDER]", Short: "Show how the figures of a recorded moment were computed",
		Long: "Receipt prints, for each figure of a service, group, campaign or channel at a recorded time (of an agent with --about):\n" +
			"its value, unit and formula, the platform's fields that it depends on, when all records were last compared with the\n" +
			"platform's full state, and how many differences such comparisons had found. Figures of [[kpi]] have receipts unless they\n" +
			"depend on earlier values, on the time or on a forecast. On a board, the command receipt of the palette saves the same for the\n" +
			"selected record; `wallboard verify` recomputes it.",
		Example: "wallboard receipt --at 13:50 --about SRV01 --figure serviceLevel\nwallboard receipt --at 13:50 --out receipts.json && wallboard verify receipts.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			rules, custom := configuredRules(s)
			if figure != "" && kpi.Named(figure) == nil && !custom(figure) {
				return cmdutil.NewUsageError(fmt.Errorf("--figure %q: there is no such figure in docs/user/kpis.md, and none in [[kpi]] that has receipts", figure))
			}
			r, err := selection.Open(s, args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			in := r.Info()
			instant, err := commands.ParseInstant(at, in, in.Last)
			if err != nil {
				return cmdutil.NewUsageError(fmt.Errorf("--at %w", err))
			}
			near, err := snapshotsNear(r, instant)
			if err != nil {
				return err
			}
			if len(near) == 0 {
				return fmt.Errorf("nothing was recorded at %s", instant.In(in.Location()).Format(time.DateTime))
			}
			var keep func(alert.Key) bool
			if about != "" {
				keep = func(k alert.Key) bool { return k.Code == about }
			}
			all := receipt.All(near[0], rules, keep)
			all = slices.DeleteFunc(all, func(r receipt.Receipt) bool { return figure != "" && r.Figure != figure })
			if len(all) == 0 {
				return errors.New("no such figure was known then")
			}
			if file != "" || s.JSON {
				return writeReceiptFile(s, file, all)
			}
			return cmdutil.WriteText(s.Streams.Out, describeReceipts(all, in.Location()))
		},
	}
	selection.AddFlags(cmd)
	cmd.Flags().StringVar(&at, "at", "", "time of day (13:50), date and time, or duration before the end (default: the end of the recording)")
	cmd.Flags().StringVar(&about, "about", "", "only the service, group or campaign with this code, or the agent with this user name (default: all but agents)")
	cmd.Flags().StringVar(&figure, "figure", "", "only the figure with this name, for example serviceLevel; also one of [[kpi]]")
	cmd.Flags().StringVarP(&file, "out", "o", "", "write the receipts to this file, as JSON")
	return cmd
}

// configuredRules returns the rules of the configuration, or the default ones without one. custom
// reports whether there is a figure of [[kpi]] with a name.
func configuredRules(s *cmdutil.Setup) (rules receipt.Rules, custom func(name string) bool) {
	o := alert.Options{Goal: alert.DefaultGoal()}
	if c, err := s.Load(true); err == nil {
		o = c.AlertOptions(c.Names())
		o.Rules = nil // only figures are computed
	}
	rules.Goal = func(service string) kpi.Goal {
		if g, ok := o.Goals[service]; ok {
			return g
		}
		return o.Goal
	}
	if len(o.KPIs) > 0 {
		rules.Custom = func(snapshot *model.Snapshot) receipt.Explainer {
			e, err := alert.New(o)
			if err != nil { // cannot happen: the configuration was checked when it was loaded
				return nil
			}
			e.Evaluate(snapshot, snapshot.At)
			return e
		}
	}
	return rules, func(name string) bool {
		return slices.ContainsFunc(o.KPIs, func(k alert.KPI) bool { return k.Name == name })
	}
}

// snapshotsNear returns the snapshots within [receipt.Tolerance] of a time, nearest first.
func snapshotsNear(r *record.Recording, at time.Time) (near []*model.Snapshot, err error) {
	p := r.Player()
	s, err := p.Seek(at.Add(-receipt.Tolerance))
	if err == nil && s == nil {
		s, err = p.Next()
	}
	for ; err == nil && s != nil && !s.At.After(at.Add(receipt.Tolerance)); s, err = p.Next() {
		if !s.At.Before(at.Add(-receipt.Tolerance)) {
			near = append(near, s)
		}
	}
	slices.SortStableFunc(near, func(a, b *model.Snapshot) int { return cmp.Compare(a.At.Sub(at).Abs(), b.At.Sub(at).Abs()) })
	return near, err
}

func writeReceiptFile(s *cmdutil.Setup, file string, all []receipt.Receipt) error {
	var text strings.Builder
	if err := cmdutil.WriteJSON(&text, receipt.Document{Receipts: all}); err != nil {
		return err
	}
	return cmdutil.WriteOutput(s.Streams.Out, file, text.String())
}

// describeReceipts returns the receipts as text for people.
func describeReceipts(all []receipt.Receipt, zone *time.Location) string {
	var out strings.Builder
	for i := range all {
		r := &all[i]
		fmt.Fprintf(&out, "%s: %s %s = %s\n", recordName(r), r.Title, formatReceipt(r), r.Formula)
		names := make([]string, 0, len(r.Fields))
		for name := range r.Fields {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&out, "    %s = %s\n", name, r.Fields[name])
		}
		if g := r.Goal; g != nil && g.ServiceLevel != nil {
			fmt.Fprintf(&out, "    target %g, calls counted by the formula %s\n", *g.ServiceLevel, g.Formula)
		}
	}
	last := &all[0]
	verified := "not compared with the platform's full state yet"
	if !last.Verified.IsZero() {
		verified = "all records last compared with the platform's full state at " + last.Verified.In(zone).Format(time.TimeOnly)
	}
	found := "no difference was found until then"
	if last.Differences > 0 {
		found = phrases.Count(int(last.Differences), "difference", "differences") + " found and repaired until then, the last at " + last.LastDifference.In(zone).Format(time.TimeOnly) //nolint:gosec // a number of differences
	}
	fmt.Fprintf(&out, "at %s; %s; %s\n", last.Time.In(zone).Format(time.DateTime), verified, found)
	return out.String()
}

func recordName(r *receipt.Receipt) string {
	return strings.Join(slices.DeleteFunc([]string{string(r.Scope), r.Code, string(r.Channel)}, func(s string) bool { return s == "" }), " ")
}

func formatReceipt(r *receipt.Receipt) string {
	switch {
	case r.NA:
		return "n/a"
	case r.Value == nil:
		return "unknown"
	}
	return string(phrases.Format{}.KPI(nil, r.Unit, model.FigureOf(*r.Value)))
}

// maxReceiptFile is the maximum size of a file of receipts in bytes.
const maxReceiptFile = 256 << 20

// newVerify returns `wallboard verify`.
func newVerify(s *cmdutil.Setup) *cobra.Command {
	var selection cmdutil.RecordingSelection
	cmd := &cobra.Command{
		Use: "verify RECEIPTS [FILE|FOLDER]", Short: "Recompute figures from the recording and say whether they hold",
		Long: "Verify reads the receipts of `wallboard receipt`, of the board's command receipt, or of `wallboard handover --receipts`,\n" +
			"recomputes each figure from the recorded fields, and prints those that do not hold. A figure holds if its value, all\n" +
			"its fields and the comparisons with the platform are those of a snapshot recorded within 2 s, and its targets are those of\n" +
			"the configuration. The exit status is 1 unless all of them hold. It shows that the figure follows from what was recorded,\n" +
			"not that the platform sent the truth.",
		Example: "wallboard verify receipts.json",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); err == nil && info.Size() > maxReceiptFile {
				return fmt.Errorf("%s is larger than %d MiB", args[0], maxReceiptFile>>20)
			}
			text, err := securefile.OpenRegular(args[0])
			if err != nil {
				return err
			}
			receipts, err := receipt.Read(text)
			if err = errors.Join(err, text.Close()); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			r, err := selection.Open(s, args[1:])
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			rules, _ := configuredRules(s)
			checks, err := receipt.Verify(receipts, rules, func(at time.Time) ([]*model.Snapshot, error) { return snapshotsNear(r, at) })
			if err != nil {
				return err
			}
			return writeChecks(s, checks, r.Info().Location())
		},
	}
	selection.AddFlags(cmd)
	return cmd
}

// writeChecks prints the result of a check. It returns an error unless all receipts hold.
func writeChecks(s *cmdutil.Setup, checks []receipt.Check, zone *time.Location) error {
	counts := make(map[receipt.Result]int)
	var out strings.Builder
	for i := range checks {
		c := &checks[i]
		counts[c.Result]++
		if c.Result == receipt.Holds {
			continue
		}
		fmt.Fprintf(&out, "%s at %s: %s %s %s: %s", recordName(&c.Receipt), c.Receipt.Time.In(zone).Format(time.DateTime), c.Receipt.Title, formatReceipt(&c.Receipt), c.Result, c.Reason)
		if c.Result == receipt.Differs {
			again := c.Receipt
			again.Value, again.NA = c.Recomputed, c.Recomputed == nil
			fmt.Fprintf(&out, "; the recording gives %s", formatReceipt(&again))
		}
		out.WriteString("\n")
	}
	var err error
	if bad := len(checks) - counts[receipt.Holds]; bad > 0 {
		err = fmt.Errorf("%d of %s do not hold: %d differ, %d are not in the recording", bad, phrases.Count(len(checks), "figure", "figures"), counts[receipt.Differs], counts[receipt.NotRecorded])
	}
	if s.JSON {
		return errors.Join(cmdutil.WriteJSON(s.Streams.Out, checks), err)
	}
	out.WriteString(strconv.Itoa(counts[receipt.Holds]) + " of " + phrases.Count(len(checks), "figure", "figures") + " hold\n")
	return errors.Join(cmdutil.WriteText(s.Streams.Out, out.String()), err)
}
