package commands

import (
	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/serve/sshterminal"
)

func newServeKnownHosts(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "known-hosts [[NODE=]HOST...]", Short: "Print the known_hosts lines of this server and its cluster",
		Long: "Known-hosts prints the host key of this server as a known_hosts line, for the names that viewers use,\n" +
			"each with the port of serve.listen unless it has one. The default is the name of the machine.\n" +
			"In a cluster it also prints a line for each other running node, under the name of the node or under\n" +
			"the names given as NODE=HOST. It asks the server of this user, and exits with 1 if the key of a node\n" +
			"is missing. A wall needs all lines in one file: wallboard view --known-hosts FILE --batch.",
		Example: "wallboard serve known-hosts wb1.example.com >> known_hosts\n" +
			"wallboard serve known-hosts wb1=wb1.example.com wb2=wb2.example.com wb3=wb3.example.com > known_hosts",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := set.LoadAll(false)
			if err != nil {
				return err
			}
			key, _, err := sshterminal.HostKey(c.Serve.HostKeyPath())
			if err != nil {
				return err
			}
			lines, err := admin.KnownHostLines(cmd.Context(), c, key.PublicKey(), args)
			for _, line := range lines {
				if err := cmdutil.WriteText(set.Streams.Out, line+"\n"); err != nil {
					return err
				}
			}
			return err
		},
	}
}
