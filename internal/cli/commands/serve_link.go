package commands

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/serve/web"
	"wallboard/internal/textformat"
)

func newServeLink(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "link USER", Short: "Print a link that gives a browser access to the board of a user",
		Long: "Link prints an address for the browser of a user with web = true. The address works once, within a day. The\n" +
			"browser keeps its access until serve unlink, or until the user is removed from the configuration. Run the command\n" +
			"as the user of the server, once for each browser.",
		Example: "wallboard serve link anna\nwallboard serve link hall",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, access, err := openWebAccess(set)
			if err != nil {
				return err
			}
			name := args[0]
			switch i := slices.IndexFunc(c.Serve.Users, func(u config.ServeUser) bool { return u.Name == name }); {
			case !c.Serve.Web.Enabled():
				return errors.New("serve.web.listen is not set: the server has no address for browsers")
			case i < 0:
				return fmt.Errorf("no [[serve.user]] has the name %q", name)
			case !c.Serve.Users[i].Web:
				return fmt.Errorf("%q may not use a browser: write web = true in the [[serve.user]]", name)
			}
			secret, err := access.NewLink(name)
			if err != nil {
				return err
			}
			return cmdutil.WriteText(set.Streams.Out, web.Address(c.Serve.Web.Listen, c.Serve.Web.Hosts, "/link/"+secret)+"\n")
		},
	}
}

func newServeUnlink(set *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "unlink [USER]", Short: "Remove the browsers and unused links of a user, or list all browsers",
		Long: "Unlink removes all browsers of a user, and links that were not used yet. Open pages end within two seconds.\n" +
			"Without a user, it lists the browsers: since when, and what they call themselves.",
		Example: "wallboard serve unlink\nwallboard serve unlink anna",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, access, err := openWebAccess(set)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				for _, d := range access.Devices() {
					if err := cmdutil.Printf(set.Streams.Out, "%s since %s: %s\n", d.User, d.Since.Local().Format("2006-01-02 15:04"), d.Browser); err != nil {
						return err
					}
				}
				return nil
			}
			n, err := access.Remove(args[0])
			if err != nil {
				return err
			}
			return cmdutil.WriteText(set.Streams.Out, textformat.CountWithNoun(n, "browser or link", "browsers and links")+" removed\n")
		},
	}
}

// openWebAccess returns the configuration and the file with the access of browsers.
func openWebAccess(set *cmdutil.Setup) (*config.Config, *web.Access, error) {
	c, err := set.LoadAll(false)
	if err != nil {
		return nil, nil, err
	}
	access, err := web.OpenAccess(c.Serve.Web.AccessPath(), time.Now)
	return c, access, err
}
