package cmdutil

import "github.com/spf13/cobra"

// NewGroup returns a command that only groups subcommands. Run alone, it prints its help.
func NewGroup(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(children...)
	return cmd
}
