package cli

import (
	"fmt"
	"log/slog"

	"wallboard/cli/command"
	"wallboard/cli/wiring"
	"wallboard/internal/output"

	"github.com/spf13/cobra"
)

// newConfig builds the commands about the configuration.
func newConfig(b *board) *cobra.Command {
	return command.Group("config", "Work with the configuration", newConfigInit(b), newConfigCheck(b))
}

func newConfigCheck(b *board) *cobra.Command {
	demo := false
	cmd := &cobra.Command{
		Use: "check", Short: "Check the configuration and say everything that is wrong with it", Args: command.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := b.LoadEach(demo)
			if err != nil {
				return err
			}
			for _, one := range c.Each() {
				if !one.REST.Given() {
					continue
				}
				client, err := wiring.RESTClient(one, slog.New(slog.DiscardHandler))
				if err != nil {
					return command.Usage(err)
				}
				client.Close()
			}
			if _, err = fmt.Fprintln(b.Streams.Out, b.Path()+": ok"); err != nil {
				return output.Failed(err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "check it for the demo, which needs no addresses and no secrets")
	return cmd
}
