package cli

import (
	"cmp"
	"context"
	"os/user"
	"time"

	"github.com/spf13/pflag"

	"wallboard/cli/clustering"
	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/config"
	"wallboard/control"
)

// board is what the commands share that show a platform.
type board struct {
	*command.Setup
	plain   plainFlags
	metrics string   // address to serve metrics on; "": none
	names   []string // that they are served under, beside those of the machine
	notify  bool     // this board tells people about alerts
	kiosk   bool     // it hangs on a wall, whatever the configuration says
	opened  bool     // and it has read that once
	played  bool     // on a simulated platform: nothing of it is kept
	hup     *hangups
	member  *clustering.Member // of a cluster; nil: this program is by itself, or has not joined yet
	hostKey string             // by which the viewers of a server know it, as in authorized_keys
	// locks make an action the only one on its target on all nodes of a cluster, by the
	// platform that it is on.
	locks map[string]func(ctx context.Context, target string) (control.Lock, error)

	// lived returns the hours before a simulated platform began; nil: it is a real one,
	// of which there may be a recording.
	lived func(*config.Config) morning
	// livedDays returns the days before that; nil likewise.
	livedDays func(*config.Config) days
}

// plainFlags are those of a board in lines of text.
type plainFlags struct {
	on    bool
	every time.Duration
}

// plainFlag adds the flags of the commands that can show a board in lines of text.
func (b *board) plainFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.plain.on, "plain", false, "lines of text instead of a screen, for screen readers: says what changes, and answers what is typed")
	fs.DurationVar(&b.plain.every, "every", time.Minute, "with --plain: how often the floor is summed up; 0 is never")
}

// metricsFlag adds the flag of the commands that open a board.
func (b *board) metricsFlag(fs *pflag.FlagSet) {
	fs.StringVar(&b.metrics, "metrics", "", "serve metrics for Prometheus on this address, for example "+headless.MetricsAddress)
	metricsNameFlag(fs, &b.names)
}

// metricsNameFlag adds the flag of further names that metrics are served under.
func metricsNameFlag(fs *pflag.FlagSet, names *[]string) {
	fs.StringArrayVar(names, "metrics-name", nil, "serve metrics under this host name, too; without it under addresses and the name of the machine, with any domain")
}

// notifyFlag adds the flag of the commands that open a board on a real platform.
func (b *board) notifyFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.notify, "notify", false, "tell the [[notify]] of the configuration about alerts; of several boards only one should")
}

// viewerName is who acknowledges alerts: the login's user, else that of the
// operating system.
func viewerName(c *config.Config) string {
	if name := cmp.Or(c.REST.Username, c.RTD.Username); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
