package cli

import (
	"context"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/app/webboards"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/serve/sshterminal"
)

func newServeCommand(b *commandSetup) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the board over SSH and to browsers, with one connection to the platform",
		Long: "Serve connects to the platform once and serves the board over SSH to the users in [[serve.user]], who log in with\n" +
			"their keys: ssh -p 2222 HOST. Sessions can only show the board: commands, files and forwarding are disabled.\n" +
			"With [serve.web], users with web = true can also look at it with a browser: wallboard docs web.\n" +
			"Only users with the role act or admin can act on the platform. Changed users are admitted or disconnected at once.\n" +
			"wallboard docs serve explains how to begin.",
		Example: "wallboard serve check\nwallboard serve\nssh -p 2222 127.0.0.1",
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.serveBoards(cmd.Context()) },
	}
	b.addNotifyFlag(cmd.Flags())
	cmd.AddCommand(commands.ServeCommands(b.Setup)...)
	return cmd
}

// serveBoards serves boards over SSH until ctx ends.
func (b *commandSetup) serveBoards(ctx context.Context) error {
	defer b.hangups.MarkService()()
	c, err := b.LoadAll(false)
	if err != nil {
		return err
	}
	level := new(slog.LevelVar)
	level.Set(c.Log.SlogLevel())
	log := b.NewLogger(b.Streams.Err, level)
	e := b.environment()
	e.StartWeb = func(ctx context.Context, s *app.BoardServer, onEvent func(sshterminal.Event)) (func(), error) {
		return webboards.Start(ctx, s, onEvent, log, func(at net.Addr) error {
			return cmdutil.Printf(b.Streams.Out, "browsers can connect to %s\n", at)
		})
	}
	return e.ServeBoards(ctx, b.sources.platformSources(c), log, level, b.notify, func(at net.Addr, hostKey string) error {
		return cmdutil.Printf(b.Streams.Out, "the board is at %s, host key %s\n", at, hostKey)
	})
}
