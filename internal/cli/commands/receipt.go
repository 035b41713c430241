package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/report/figureproof"
	"wallboard/model"
	"wallboard/model/kpi"
)

// ReceiptCommand returns `wallboard receipt`.
func ReceiptCommand(s *cmdutil.Setup) *cobra.Command {
	var selection cmdutil.RecordingSelection
	var at, about, figure, file string
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
			if figure != "" && kpi.FigureNamed(figure) == nil && !custom(figure) {
				return cmdutil.NewUsageError(fmt.Errorf("--figure %q: there is no such figure in docs/user/kpis.md, and none in [[kpi]] that has receipts", figure))
			}
			r, err := selection.Open(s, args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			in := r.Info()
			instant, err := in.ParseInstant(at, in.Last)
			if err != nil {
				return cmdutil.NewUsageError(fmt.Errorf("--at %w", err))
			}
			near, err := figureproof.SnapshotsNear(r, instant)
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
			all := figureproof.AllReceipts(near[0], rules, keep)
			all = slices.DeleteFunc(all, func(r figureproof.Receipt) bool { return figure != "" && r.Figure != figure })
			if len(all) == 0 {
				return errors.New("no such figure was known then")
			}
			if file != "" || s.JSON {
				return WriteReceipts(s.Streams.Out, file, all)
			}
			return cmdutil.WriteText(s.Streams.Out, figureproof.ReceiptsText(all, in.Location(), nil))
		},
	}
	selection.AddFlags(cmd)
	cmd.Flags().StringVar(&at, "at", "", "time of day (13:50), date and time, or duration before the end (default: the end of the recording)")
	cmd.Flags().StringVar(&about, "about", "", "only the service, group or campaign with this code, or the agent with this user name (default: all but agents)")
	cmd.Flags().StringVar(&figure, "figure", "", "only the figure with this name, for example serviceLevel; also one of [[kpi]]")
	cmd.Flags().StringVarP(&file, "out", "o", "", "write the receipts to this file, as JSON")
	return cmd
}

// configuredRules returns the rules of the configuration, or the default rules if the configuration
// cannot be read. custom reports whether [[kpi]] defines a figure with the given name.
func configuredRules(s *cmdutil.Setup) (rules figureproof.Rules, custom func(name string) bool) {
	o := alert.Options{Goal: alert.DefaultGoal()}
	if c, err := s.Load(true); err == nil {
		o = c.AlertOptions(c.Names())
	}
	return figureproof.RulesOf(o), func(name string) bool {
		return slices.ContainsFunc(o.KPIs, func(k alert.KPI) bool { return k.Name == name })
	}
}

// WriteReceipts writes receipts as JSON to a file, or to out if file is "".
func WriteReceipts(out io.Writer, file string, all []figureproof.Receipt) error {
	var text strings.Builder
	if err := cmdutil.WriteJSON(&text, figureproof.Document{Receipts: all}); err != nil {
		return err
	}
	return cmdutil.WriteOutput(out, file, text.String())
}

// maxReceiptFile is the maximum size of a file of receipts in bytes.
const maxReceiptFile = 256 << 20

// VerifyCommand returns `wallboard verify`.
func VerifyCommand(s *cmdutil.Setup) *cobra.Command {
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
			receipts, err := figureproof.ReadReceipts(text)
			if err = errors.Join(err, text.Close()); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			r, err := selection.Open(s, args[1:])
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			rules, _ := configuredRules(s)
			checks, err := figureproof.Verify(receipts, rules, func(at time.Time) ([]*model.Snapshot, error) { return figureproof.SnapshotsNear(r, at) })
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
func writeChecks(s *cmdutil.Setup, checks []figureproof.Check, zone *time.Location) error {
	text, err := figureproof.ReportText(checks, zone, nil)
	return errors.Join(cmdutil.WriteResult(s.Streams.Out, s.JSON, checks, text), err)
}
