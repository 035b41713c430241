package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
)

// exitStatus is the section EXIT STATUS of all manual pages, as lines "term|text".
const exitStatus = "0|success; for an action on the platform: confirmed\n" +
	"1|failure; for an action on the platform: refused or failed\n" +
	"2|wrong command line or configuration\n" +
	"3|an action on the platform was not sent\n" +
	"4|the outcome of an action on the platform is unknown\n" +
	"10, 11|status: the worst situation is a warning, or critical"

// manFilesSection is the section FILES of all manual pages, as lines "term|text".
const manFilesSection = "~/.config/wallboard/config.toml|the configuration; services use /etc/wallboard/config.toml\n" +
	"~/.config/wallboard/themes/|themes of your own\n" +
	"~/.local/state/wallboard/|the log wallboard.log, the audit file audit.jsonl, recordings, settings of tables, the host key of the server\n" +
	"~/.cache/wallboard/|answers of the statistical data service\n" +
	"/var/lib/wallboard/|state of the services of a package"

// manEnvironment is the section ENVIRONMENT of all manual pages, as lines "term|text".
const manEnvironment = "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME|directories that replace ~/.config, ~/.local/state and ~/.cache\n" +
	"CREDENTIALS_DIRECTORY|directory with files of secrets, set by systemd\n" +
	"LANG, LC_ALL, LC_CTYPE|a locale other than UTF-8 restricts the screen to ASCII\n" +
	"TERM, COLORTERM, NO_COLOR|the abilities of the terminal; NO_COLOR disables colors\n" +
	"TZ|time zone, unless the configuration sets one\n" +
	"SSH_AUTH_SOCK|the SSH agent of view\n" +
	"WALLBOARD_URL, WALLBOARD_REST_URL, WALLBOARD_HISTORY_URL, WALLBOARD_USER|defaults of config init\n" +
	"SOURCE_DATE_EPOCH|date of the pages that man writes, in seconds since 1970"

// ManCommand returns `wallboard man`, which writes manual pages. It replaces the command man of
// fang, which writes a single page with the date of the run.
func ManCommand(s cmdutil.Streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man [command]",
		Short:   "Write the manual page of a command",
		Long:    "Man writes the manual page of a command, by default of wallboard itself. With --dir it writes the pages of all commands.",
		Example: "wallboard man serve check | man -l -\nwallboard man --dir ~/.local/share/man/man1",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			of := &manual{
				Version: "wallboard " + admin.BuildVersion(), Date: manDate(os.Getenv("SOURCE_DATE_EPOCH"), admin.ReadBuild().Time), Title: "Wallboard",
				ExitStatus: exitStatus, Files: manFilesSection, Environment: manEnvironment, Documents: "wallboard docs, /usr/share/doc/wallboard",
				// Show the usual configuration directory instead of that of the user who runs the command.
				Replace: [2]string{filepath.Dir(config.DefaultPath()), "~/.config/wallboard"},
			}
			if dir != "" {
				return of.writeAll(cmd.Root(), dir)
			}
			page, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return cmdutil.NewUsageError(fmt.Errorf("no command %q", strings.Join(args, " ")))
			}
			return cmdutil.WriteText(s.Out, of.page(page))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory for the pages of all commands")
	return cmd
}
