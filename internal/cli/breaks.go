package cli

import (
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
)

func newBreaksCommand(b *commandSetup) *cobra.Command {
	var wait time.Duration
	var onlyOver bool
	cmd := &cobra.Command{
		Use:   "breaks",
		Short: "Report on the breaks of the day, for each agent and kind of break",
		Long: "Breaks connects, waits until the figures of the agents are live, and prints how often and how long each agent\n" +
			"has been on each kind of break today, with the limits of [[break]]. The total is the platform's count; the\n" +
			"number of breaks and the longest one are as observed, since the time below the table. With [record] this\n" +
			"includes the recorded hours. Then it prints how many agents can leave now and in each half hour, and what one\n" +
			"agent more or less out means for the callers; with --json also who has had no break for longest.",
		Example: "wallboard breaks --over\nwallboard breaks --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.withPlatform(cmd.Context(), slog.LevelWarn, app.PlatformOptions{LoadAlerts: true}, func(p *app.Platform, v *headless.Viewer) error {
				ctx, stop := p.Run(cmd.Context(), nil)
				defer stop()
				doc, err := headless.ReadBreaks(ctx, v, wait, p.Config().Record.Enabled, onlyOver)
				switch {
				case err != nil:
					return err
				case b.JSON:
					return cmdutil.WriteJSON(b.Streams.Out, doc)
				case len(doc.Breaks) > 0:
					err = cmdutil.WriteTable(b.Streams.Out, doc.Rows())
				}
				if err != nil {
					return err
				}
				return cmdutil.WriteText(b.Streams.Out, doc.Text())
			})
		},
	}
	cmd.Flags().DurationVar(&wait, "for", 10*time.Second, "maximum time to wait until everything is live")
	cmd.Flags().BoolVar(&onlyOver, "over", false, "only breaks over a limit")
	return cmd
}
