package cli

import (
	"fmt"
	"log/slog"

	"wallboard/internal/output"

	"github.com/spf13/cobra"
)

// newConfig builds the commands about the configuration.
func newConfig(b *board) *cobra.Command {
	return group("config", "Work with the configuration", newConfigInit(b), newConfigCheck(b))
}

func newConfigCheck(b *board) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the configuration and say everything that is wrong with it", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := b.load(false)
			if err != nil {
				return err
			}
			if c.REST.Given() {
				client, err := newClient(c, slog.New(slog.DiscardHandler))
				if err != nil {
					return usageError{err}
				}
				client.Close()
			}
			if _, err = fmt.Fprintln(b.streams.Out, b.path()+": ok"); err != nil {
				return output.Failed(err)
			}
			return nil
		},
	}
}
