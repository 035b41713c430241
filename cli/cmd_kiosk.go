package cli

import (
	"wallboard/cli/command"
	"wallboard/cli/simulating"

	"github.com/spf13/cobra"
)

func newKiosk(b *board) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kiosk",
		Short: "Open the board on a wall: pages rotate, nobody can touch anything",
		Long: "Kiosk opens the board for a screen that nobody operates, as [kiosk] in the configuration says.\n" +
			"Its pages rotate, alerts bring theirs to the front, and the keys do nothing but turn the page.\n" +
			"Nothing can act on the platform. It ends with SIGTERM, or with the keys of kiosk.quit.\n" +
			"docs/kiosk.md says how it is started with the machine.",
		Args: command.NoArgs,
	}
	o := simulating.Flags(cmd.Flags(), true)
	demo := cmd.Flags().Bool("demo", false, "on a simulated platform; the flags about one are for this only")
	n := platformsFlag(cmd.Flags())
	b.metricsFlag(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		b.kiosk = true
		if *demo {
			return b.demo(cmd.Context(), *o, *n)
		}
		return b.run(cmd.Context())
	}
	return cmd
}
