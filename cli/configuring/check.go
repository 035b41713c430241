// Package configuring is the commands about the configuration: a first one, and what is
// wrong with one.
package configuring

import (
	"fmt"
	"log/slog"

	"wallboard/cli/command"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/internal/output"

	"github.com/spf13/cobra"
)

// New builds the commands.
func New(s *command.Setup) *cobra.Command {
	return command.Group("config", "Work with the configuration", newInit(s), newCheck(s))
}

func newCheck(s *command.Setup) *cobra.Command {
	demo := false
	cmd := &cobra.Command{
		Use: "check", Short: "Check the configuration and say everything that is wrong with it", Args: command.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := s.LoadEach(demo)
			if err != nil {
				return err
			}
			if err := check(c); err != nil {
				return err
			}
			if _, err = fmt.Fprintln(s.Streams.Out, s.Path()+": ok"); err != nil {
				return output.Failed(err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "check it for the demo, which needs no addresses and no secrets")
	return cmd
}

// check returns what is wrong with a configuration that could be read.
func check(c *config.Config) error {
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
	return nil
}
