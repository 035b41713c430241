package cmdutil

import "github.com/spf13/cobra"

// NoArgs is [cobra.NoArgs], but its error has the exit code of a wrong command line.
func NoArgs(cmd *cobra.Command, args []string) error {
	return CheckArgs(cobra.NoArgs)(cmd, args)
}

// CheckArgs wraps a check of the arguments, so that its errors have the exit code of a wrong command
// line.
func CheckArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return NewUsageError(err)
		}
		return nil
	}
}

// NewGroup returns a command that only has subcommands. Without a subcommand it prints its help.
func NewGroup(use, short string, children ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(children...)
	return cmd
}
