package cli

import (
	"context"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/report/ask"
	"wallboard/ui/term"
)

func newMCPCommand(b *commandSetup) *cobra.Command {
	fl := askFlags{setup: b, hidesNamesByDefault: true}
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve answers about the floor to other programs over the Model Context Protocol",
		Long: "Mcp speaks the Model Context Protocol on its standard input and output. It offers the tools floor, why, what_helps,\n" +
			"at, compare, forecast, incidents and rules, which answer like wallboard ask. No tool can act on the platform:\n" +
			"the command has no connection for actions. Agents are not named unless --names allows it.",
		Example: "wallboard mcp\nwallboard mcp --as floor-1 --names initials\nwallboard mcp --recording shift.wbr",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fl.withFloor(cmd.Context(), func(ctx context.Context, f *ask.Responder) error {
				out, release := term.LimitOutput(ctx, b.Streams.Out)
				defer release()
				return ask.ServeMCP(ctx, f, admin.BuildVersion(), b.Streams.In, out)
			})
		},
	}
	fl.addTo(cmd)
	return cmd
}
