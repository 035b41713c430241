package commands

import (
	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
)

// VersionCommand returns `wallboard version`.
func VersionCommand(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, the commit and the editions of the platform's services",
		Long: "Version prints the version, the commit, the version of Go, the platform that the program was built for, and the\n" +
			"documented editions of the platform's services that it follows.",
		RunE: func(*cobra.Command, []string) error {
			return cmdutil.WriteResult(set.Streams.Out, set.JSON, admin.ReadBuild(), admin.ReadBuild().Text())
		},
	}
}
