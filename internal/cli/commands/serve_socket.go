package commands

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/serve/web"
	"wallboard/internal/textformat"
)

// ServeCommands returns the subcommands of `wallboard serve`.
func ServeCommands(set *cmdutil.Setup) []*cobra.Command {
	return []*cobra.Command{newServeCheck(set), newServeWho(set), newServeKick(set), newServeKnownHosts(set), newServeLink(set), newServeUnlink(set)}
}

func newServeCheck(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "List the users who may log in, and check [serve]",
		RunE: func(*cobra.Command, []string) error {
			c, err := set.LoadAll(false)
			if err != nil {
				return err
			}
			access, err := app.AccessOf(c, 0)
			if err != nil {
				return err
			}
			key, _, err := sshterminal.HostKey(c.Serve.HostKeyPath())
			if err != nil {
				return err
			}
			text := c.Serve.Listen + ", host key " + ssh.FingerprintSHA256(key.PublicKey()) + "\n"
			if c.Serve.Web.Enabled() {
				text += "browsers: " + web.Address(c.Serve.Web.Listen, c.Serve.Web.Hosts, "/") + "\n"
			}
			for i := range c.Serve.Users {
				text += describeRights(&c.Serve.Users[i], &access)
			}
			return cmdutil.WriteText(set.Streams.Out, text)
		},
	}
}

// describeRights describes a user in two lines: the role, the keys, the sessions and rights,
// and the visible part of the floor.
func describeRights(u *config.ServeUser, access *sshterminal.Access) string {
	keys := textformat.CountWithNoun(len(u.Keys), "key", "keys")
	if n := len(access.Authorities); n > 0 {
		keys += ", certificates of " + textformat.CountWithNoun(n, "authority", "authorities")
	}
	if u.Web {
		keys += ", browsers"
	}
	silence := "may not silence what is critical"
	if u.CanSilence() {
		silence = "may silence everything"
	}
	return fmt.Sprintf("%s: %s, %s, %s at once, %s\n  sees %s\n", u.Name, u.RoleName(), keys, textformat.CountWithNoun(u.MaxSessions(), "session", "sessions"), silence, describeVisibility(u))
}

func newServeWho(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "who", Short: "List the viewers: since when, from where, and their resource usage",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := app.AskServer(cmd.Context(), "who")
			if err != nil {
				return err
			}
			if set.JSON {
				return cmdutil.WriteJSONLine(set.Streams.Out, a)
			}
			now := time.Now()
			for _, v := range a.Viewers {
				if err := cmdutil.WriteText(set.Streams.Out, v.WithRates(now).Text(now).In(nil)+"\n"); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newServeKick(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "kick USER", Short: "End the sessions of a viewer", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := app.AskServer(cmd.Context(), "kick "+args[0])
			if err != nil {
				return err
			}
			if a.UnknownUser {
				return fmt.Errorf("no user %q in [[serve.user]]", args[0])
			}
			return cmdutil.WriteText(set.Streams.Out, textformat.CountWithNoun(a.EndedSessions, "session has", "sessions have")+" ended.\n")
		},
	}
}
