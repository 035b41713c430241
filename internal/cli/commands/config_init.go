package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/model"
)

func newConfigInit(s *cmdutil.Setup) *cobra.Command {
	i := &admin.ConfigCreator{Options: s.Options, Example: s.Streams.Example, Log: s.Streams.Err}
	cmd := &cobra.Command{
		Use: "init", Short: "Write a first configuration, with what the platform has",
		Long: "Init connects to the platform, watches it for a while, and writes a configuration with every setting explained:\n" +
			"where the platform is, how to log in, and the services, groups and campaigns that were found. It never writes\n" +
			"over a file without --force.\n\n" +
			"The secret (a password, or the access token with --auth token or cookie) comes from the environment variable\n" +
			"WALLBOARD_PASSWORD or WALLBOARD_TOKEN, from a file of yours with --secret-file, or is asked for on a terminal and\n" +
			"kept in a file of mode 0600 (0640 in a folder of root that a group may enter, such as /etc/wallboard). It is never an\n" +
			"argument and is never written to the configuration.\n\n" +
			"Campaigns are found through the configuration service: give its address with --rest-url.\n" +
			"The page History needs the statistical data service: give its address with --history-url. Its API key comes from\n" +
			"the environment variable WALLBOARD_API_KEY, or from a file of yours with --api-key-file.\n" +
			"Without --url, it asks nothing and writes a file for you to complete.",
		Example: "wallboard config init --url https://host/rtd --user anna\n" +
			"wallboard config init --url https://host/rtd --rest-url https://host/platform --user anna --output wall.toml",
	}
	fs := cmd.Flags()
	fs.StringVar(&i.URL, "url", os.Getenv("WALLBOARD_URL"), "address of the real-time display service, https://…")
	fs.StringVar(&i.RESTURL, "rest-url", os.Getenv("WALLBOARD_REST_URL"), "address of the configuration service, https://…")
	fs.StringVar(&i.HistoryURL, "history-url", os.Getenv("WALLBOARD_HISTORY_URL"), "address of the statistical data service, https://…")
	fs.StringVar(&i.KeyFile, "api-key-file", "", "file with the API key of the statistical data service, of mode 0600 (default WALLBOARD_API_KEY)")
	fs.StringVar(&i.Auth, "auth", config.AuthLogin, "how to log in: login, token or cookie")
	fs.StringVar(&i.User, "user", os.Getenv("WALLBOARD_USER"), "user name to log in with")
	fs.StringVar(&i.SecretEnv, "secret-env", "", "environment variable with the secret (default WALLBOARD_PASSWORD or WALLBOARD_TOKEN)")
	fs.StringVar(&i.SecretFile, "secret-file", "", "file with the secret, of mode 0600 (default beside the configuration)")
	fs.StringVar(&i.CAFile, "ca-file", "", "PEM file of the certificates to trust instead of the system's")
	fs.BoolVar(&i.Insecure, "insecure-skip-verify", false, "accept any certificate; the board shows a permanent mark")
	fs.StringVar(&i.Output, "output", "", "file to write (default the configuration file)")
	fs.BoolVar(&i.Force, "force", false, "overwrite an existing file")
	fs.DurationVar(&i.Learn, "for", 10*time.Second, "longest time to watch the platform; 0 sends no request")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return initConfig(cmd.Context(), s, i) }
	return cmd
}

// initConfig writes the first configuration that i describes. It asks the user for a missing secret.
func initConfig(ctx context.Context, s *cmdutil.Setup, i *admin.ConfigCreator) error {
	if i.Output == "" {
		i.Output = s.Path()
	}
	if _, err := os.Lstat(i.Output); err == nil && !i.Force {
		return cmdutil.NewUsageError(fmt.Errorf("%s exists already: --force overwrites it, --output names another file", i.Output))
	}
	if i.URL == "" && i.RESTURL+i.HistoryURL != "" {
		return cmdutil.NewUsageError(errors.New("--rest-url and --history-url need --url: the address of the real-time display service"))
	}
	if err := config.CheckDir(i.Output); err != nil {
		return err
	}
	if err := admin.CheckWritable(i.Output); err != nil {
		return fmt.Errorf("%w; --output names another file", err)
	}
	if i.URL != "" {
		if err := chooseSecret(ctx, s.Streams, i); err != nil {
			return err
		}
	}
	found, err := i.Write(ctx)
	if err != nil {
		return err
	}
	text := "wrote " + i.Output + found + "\n"
	if i.URL == "" {
		text += "Fill in [rtd] there, then run `wallboard config check`.\n"
	}
	return cmdutil.WriteText(s.Streams.Out, text)
}

// chooseSecret determines the source of the secret: the flags, an environment variable, or a
// file from an earlier run. If there is none, it asks the user to type the secret.
func chooseSecret(ctx context.Context, streams cmdutil.Streams, i *admin.ConfigCreator) error {
	variable := map[string]string{"password": "WALLBOARD_PASSWORD", "access_token": "WALLBOARD_TOKEN"}[i.SecretKey()]
	switch {
	case i.SecretEnv != "" && i.SecretFile != "":
		return cmdutil.NewUsageError(errors.New("give --secret-env or --secret-file, not both"))
	case i.SecretEnv != "" || i.SecretFile != "":
		return nil
	case os.Getenv(variable) != "":
		i.SecretEnv = variable
		return nil
	}
	i.SecretFile = strings.ReplaceAll(i.SecretKey(), "access_", "")
	if _, err := os.Lstat(i.SecretPath()); err == nil {
		return nil // keep the file from an earlier run
	}
	in, ok := cmdutil.TerminalOf(streams.In)
	if !ok {
		return cmdutil.NewUsageError(fmt.Errorf("there is no secret: set %s, or give --secret-file", variable))
	}
	defer streams.RestoreOnQuit()()
	question := strings.ReplaceAll(i.SecretKey(), "_", " ") + " of " + i.URL + ": "
	var err error
	i.Secret, err = terminal.AskSecret(ctx, in, streams.Err, model.CleanText(question, model.MaxBody))
	if errors.Is(err, terminal.ErrNothingTyped) {
		err = cmdutil.NewUsageError(err)
	}
	return err
}
