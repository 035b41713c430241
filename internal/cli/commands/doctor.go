package commands

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/terminal"
	"wallboard/model"
)

// maxLearnDuration is the largest value of the flag --learn.
const maxLearnDuration = time.Hour

// DoctorCommand returns `wallboard doctor`.
func DoctorCommand(setup *cmdutil.Setup) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if learn < 0 || learn > maxLearnDuration {
				return cmdutil.NewUsageError(fmt.Errorf("--learn %v: want 0s to %v", learn, maxLearnDuration))
			}
			out := &supportBundle{Setup: setup}
			out.Config, out.Err = setup.Load(false)
			err := out.Err
			switch {
			case err == nil:
				err = runDoctor(cmd.Context(), setup, out, learn)
			case !isFileProblem(err, setup.Platform):
				return err // no bundle, because it would say that the configuration cannot be read
			}
			if bundlePath != "" && cmd.Context().Err() == nil {
				if writeErr := out.write(bundlePath); writeErr != nil {
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

// isFileProblem reports whether the error of loading a configuration is caused by the content
// of the file and not by the selected platform.
func isFileProblem(err error, platform string) bool {
	var problems config.Errors
	isChoice := func(p config.Problem) bool { return platform != "" && p.Key == "platform" }
	return errors.As(err, &problems) && !slices.ContainsFunc(problems, isChoice)
}

// errChecksFailed reports that some checks of the doctor failed.
var errChecksFailed = errors.New("not everything works")

// runDoctor checks the services of a platform, prints the report and stores it in out. It
// watches the feed for at least the duration learn.
func runDoctor(ctx context.Context, setup *cmdutil.Setup, out *supportBundle, learn time.Duration) error {
	c := out.Config
	o := admin.DoctorOptions(c, setup.NewLogger(setup.Streams.Err, slog.LevelError))
	o.MinWatch, o.OnSnapshot = learn, func(s *model.Snapshot) { out.LastSnapshot = s }
	r, err := doctor.Examine(ctx, o)
	if err != nil {
		return fmt.Errorf("examine: %w", err)
	}
	out.Report = r
	if setup.JSON {
		err = r.WriteJSON(setup.Streams.Out)
	} else {
		err = r.WriteText(setup.Streams.Out, c.UI.ASCII || !terminal.IsUnicodeLocale(os.Getenv))
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if !r.IsOK() {
		return errChecksFailed
	}
	return nil
}
