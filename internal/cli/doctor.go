package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/cli/operations"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/terminal"
	"wallboard/model"
)

// maxLearn is the maximum of the flag --learn.
const maxLearn = time.Hour

func newDoctor(b *commandSetup) *cobra.Command {
	var learn time.Duration
	bundlePath := ""
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the platform's services and suggest settings",
		Long: "Doctor checks the real-time display, the configuration service and the statistical data service. It prints what works,\n" +
			"what the server lacks and what to change in the configuration. It only reads.\n" +
			"With --bundle it also writes a zip file for a request for help: versions, findings, the configuration without\n" +
			"texts, the log without values that may be names, figures of the last recorded hour, and a list of what was left out.\n" +
			"The exit code is 0 if everything works, 1 if something does not, and 2 for an error in the configuration.",
		Example: "wallboard doctor\nwallboard doctor --learn 2m --json\nwallboard doctor --bundle wallboard-support.zip",
		Args:    cmdutil.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if learn < 0 || learn > maxLearn {
				return cmdutil.NewUsageError(fmt.Errorf("--learn %v: want 0s to %v", learn, maxLearn))
			}
			out := &commands.SupportBundle{Setup: b.Setup, Build: readBuild(), Created: time.Now()}
			out.Config, out.Err = b.Load(false)
			err := out.Err
			if err == nil {
				err = b.runDoctor(cmd.Context(), out, learn)
			}
			if bundlePath != "" && cmd.Context().Err() == nil {
				if writeErr := out.Write(bundlePath); writeErr != nil {
					return writeErr
				}
			}
			return err
		},
	}
	cmd.Flags().DurationVar(&learn, "learn", 0, "observe the platform for this long before the report, for example 2m")
	cmd.Flags().StringVar(&bundlePath, "bundle", "", "also write a support bundle without secrets and names to this zip file")
	return cmd
}

// errFailures is the error of the doctor if its report contains failures.
var errFailures = errors.New("not everything works")

// runDoctor checks the services of a platform, prints the report and notes it in out. learn is the
// minimum time to watch the feed.
func (b *commandSetup) runDoctor(ctx context.Context, out *commands.SupportBundle, learn time.Duration) error {
	c := out.Config
	o := doctor.Options{Feed: app.FeedOptions(c), MinWatch: learn, OnSnapshot: func(s *model.Snapshot) { out.Last = s }}
	o.Feed.Profiles = nil // the doctor detects the dialect itself
	o.Feed.Logger = b.NewLogger(b.Streams.Err, slog.LevelError)
	if c.REST.IsConfigured() {
		o.ConfigurationURL = c.REST.URL
		o.Configuration = newRESTCheck(c, b.NewLogger(b.Streams.Err, slog.LevelError))
	}
	if c.History.IsConfigured() {
		historyOptions := app.HistoryOptions(c, o.Feed.Logger)
		o.Statistics = &historyOptions
	}
	r, err := doctor.Examine(ctx, o)
	if err != nil {
		return fmt.Errorf("examine: %w", err)
	}
	out.Report = r
	if b.JSON {
		err = r.WriteJSON(b.Streams.Out)
	} else {
		err = r.WriteText(b.Streams.Out, c.UI.ASCII || !terminal.IsUnicodeLocale(os.Getenv))
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if !r.IsOK() {
		return errFailures
	}
	return nil
}

// newRESTCheck returns a check that queries the version of the configuration service. The check
// then logs in or, if the service is used without a login, tests the credentials.
func newRESTCheck(c *config.Config, log *slog.Logger) doctor.Check {
	return func(ctx context.Context) (string, error) {
		client, err := app.NewRESTClient(c, log)
		if err != nil {
			return "", err
		}
		defer app.EndSession(client)
		edition, err := client.Session.Edition(ctx)
		if err != nil {
			return "", err
		}
		if c.REST.Auth != config.AuthSession {
			if err := client.CheckCredentials(ctx); err != nil {
				return "", err
			}
			return fmt.Sprintf("edition %s, it takes %s", edition, operations.DescribeCredentials(c)), nil
		}
		profile, err := client.Session.Login(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("edition %s, logged in as %s", edition, profile.Username), nil
	}
}
