package cli

import (
	"context"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
)

func newMetricsCommand(b *commandSetup) *cobra.Command {
	addr := headless.DefaultMetricsAddress
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Serve figures, alerts and the state of the feed for Prometheus",
		Long: "Metrics connects like a board, without a screen, and serves GET /metrics in the OpenMetrics text format:\n" +
			"figures of the floor, of services, groups and campaigns, agents by state, alerts, and the state of the feed.\n" +
			"Agents are not named. Figures of subscriptions that are not live are omitted.\n" +
			"With several platforms, samples have the label platform.\n\n" +
			"A board serves the same with --metrics.",
		Example: "wallboard metrics --addr 127.0.0.1:9464\ncurl http://127.0.0.1:9464/metrics",
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.serveMetrics(cmd.Context(), addr) },
	}
	addMetricsNameFlag(cmd.Flags(), &b.metricsNames)
	cmd.Flags().StringVar(&addr, "addr", addr, "address to listen on; keep it on loopback, because no login is required")
	return cmd
}

// serveMetrics serves the metrics of all platforms on an address over HTTP until ctx ends.
func (b *commandSetup) serveMetrics(ctx context.Context, addr string) error {
	return b.runService(ctx, func(platforms []*app.Platform) (stop func(), err error) {
		var viewers []*headless.Viewer
		for _, p := range platforms {
			v, err := p.TextViewer()
			if err != nil {
				return nil, err
			}
			viewers = append(viewers, v)
		}
		if err := headless.CheckListenAddress(addr); err != nil {
			return nil, cmdutil.NewUsageError(err)
		}
		m, err := headless.ServeMetrics(addr, viewers, platforms[0].Log, b.Streams.Err, b.metricsNames...)
		if err != nil {
			return nil, err
		}
		return m.Stop, cmdutil.Printf(b.Streams.Out, "metrics at http://%s/metrics\n", m.Addr)
	})
}
