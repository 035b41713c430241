package cmdutil

import "github.com/spf13/cobra"

// NoArgs is like [cobra.NoArgs], but returns a [UsageError], which sets the exit code 2.
func NoArgs(cmd *cobra.Command, args []string) error {
	return CheckArgs(cobra.NoArgs)(cmd, args)
}

// CheckArgs wraps check so that its errors are of the type [UsageError], which sets the exit code
// 2.
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
