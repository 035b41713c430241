package cli

import (
	"context"
	"time"

	"github.com/spf13/pflag"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/control"
	"wallboard/internal/report/headless"
)

// commandSetup holds what the commands that show a platform share.
type commandSetup struct {
	*cmdutil.Setup
	textMode     textModeFlags
	metrics      string          // address to serve metrics on; "": none
	metricsNames []string        // further host names of the metrics
	notify       bool            // send notifications
	kiosk        bool            // kiosk mode
	kioskDecided bool            // kiosk mode is decided
	env          app.Environment // what the runtime of a platform needs to know
	hangups      *hangups
	member       *commands.Member // nil: not (yet) in a cluster
	hostKey      string           // SSH host key of a server, as in authorized_keys
	// locks ensure that only one node of a cluster acts on a target at a time, by platform.
	locks map[string]func(ctx context.Context, target string) (control.Lock, error)
}

// textModeFlags holds the flags of text mode.
type textModeFlags struct {
	enabled  bool
	interval time.Duration
}

// plainFlag adds the flags of text mode.
func (b *commandSetup) plainFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.textMode.enabled, "plain", false, "text mode for screen readers: prints changes as lines of text, and answers typed commands")
	fs.DurationVar(&b.textMode.interval, "every", time.Minute, "with --plain: interval of summaries of the floor; 0 means never")
}

// metricsFlag adds the flags for metrics on a board.
func (b *commandSetup) metricsFlag(fs *pflag.FlagSet) {
	fs.StringVar(&b.metrics, "metrics", "", "serve metrics for Prometheus on this address, for example "+headless.MetricsAddress)
	metricsNameFlag(fs, &b.metricsNames)
}

// metricsNameFlag adds the flag for further host names of the metrics.
func metricsNameFlag(fs *pflag.FlagSet, names *[]string) {
	fs.StringArrayVar(names, "metrics-name", nil, "additional host name that metrics are served under; addresses and the name of the machine are always accepted")
}

// notifyFlag adds the flag for notifications.
func (b *commandSetup) notifyFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.notify, "notify", false, "send notifications about alerts to the targets in [[notify]]; use it on one board only")
}
