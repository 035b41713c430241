package cli

import (
	"wallboard/internal/cli/commands"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newKioskCommand(b *commandSetup) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kiosk",
		Short: "Open the board on a wall display: pages rotate, and actions are disabled",
		Long: "Kiosk opens the board for an unattended screen, configured by [kiosk].\n" +
			"Pages rotate, alerts bring their page to the front, and keys only turn pages.\n" +
			"Actions on the platform are disabled. It ends with SIGTERM, or with the key of kiosk.quit.\n" +
			"wallboard docs kiosk explains how to start it at boot.",
	}
	o := commands.AddSimulatorFlags(cmd.Flags(), true)
	n := addPlatformsFlag(cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = true }) // hidden, because the flags of the simulator only apply with --demo
	demo := cmd.Flags().Bool("demo", false, "use a simulated platform; see wallboard demo for its flags")
	b.addMetricsFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		b.sources.kiosk = true
		if *demo {
			return b.runDemo(cmd.Context(), *o, *n)
		}
		return b.runBoard(cmd.Context())
	}
	return cmd
}
