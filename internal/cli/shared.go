package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/pflag"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/report/headless"
	"wallboard/internal/words"
)

// commandSetup holds the flags and the state shared by all commands that use a platform.
type commandSetup struct {
	*cmdutil.Setup
	textMode     textModeFlags
	metrics      string   // address to serve metrics on; "": none
	metricsNames []string // additional host names that requests for metrics may use
	notify       bool     // send notifications
	sources      configSources
	env          app.Environment
	hangups      *terminal.Hangups
}

// environment returns the environment for opening platforms, updated with the values of the flags.
func (b *commandSetup) environment() *app.Environment {
	b.env.ReadOnly, b.env.ConfigFile, b.env.OnHangup = b.ReadOnly, b.Setup, b.hangups.AddHandler
	return &b.env
}

// openPlatforms opens the platforms of sources for a command without a board. The platforms log to
// standard error, at minLevel or higher. If err is nil, the caller must call
// closeAll.
func (b *commandSetup) openPlatforms(ctx context.Context, minLevel slog.Level, o app.PlatformOptions, sources ...app.ConfigSource) (platforms []*app.Platform, closeAll func(), err error) {
	closeAll = func() {
		for _, p := range platforms {
			p.Close()
		}
	}
	o.IsObserver = true
	level := new(slog.LevelVar)
	log := b.NewLogger(b.Streams.Err, level)
	for _, read := range sources {
		p, err := b.environment().Open(ctx, read, log, level, o)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		level.Set(max(p.Config().Log.SlogLevel(), minLevel))
		platforms = append(platforms, p)
	}
	return platforms, closeAll, nil
}

// withPlatform opens the selected or only platform like [commandSetup.openPlatforms], calls use with
// it and a viewer of its hub, and closes it. It does not run the platform.
func (b *commandSetup) withPlatform(ctx context.Context, minLevel slog.Level, o app.PlatformOptions, use func(*app.Platform, *headless.Viewer) error) error {
	platforms, closeAll, err := b.openPlatforms(ctx, minLevel, o, b.sources.readConfigured)
	if err != nil {
		return err
	}
	defer closeAll()
	v, err := platforms[0].TextViewer()
	if err != nil {
		return err
	}
	return use(platforms[0], v)
}

// runService opens all platforms, calls start and runs the platforms until ctx ends, even if
// the terminal disappears. If start returns a function stop, runService calls it at the end.
func (b *commandSetup) runService(ctx context.Context, start func(platforms []*app.Platform) (stop func(), err error)) error {
	defer b.hangups.MarkService()()
	sources, err := b.sources.allSources()
	if err != nil {
		return err
	}
	platforms, closeAll, err := b.openPlatforms(ctx, slog.LevelDebug, app.PlatformOptions{}, sources...)
	if err != nil {
		return err
	}
	defer closeAll()
	end, err := start(platforms)
	if end != nil {
		defer end()
	}
	if err != nil {
		return err
	}
	ctx, stop := app.RunPlatforms(ctx, platforms, func(int) *app.ConfigObserver { return newConfigObserver() })
	defer stop()
	<-ctx.Done()
	return app.EndCause(ctx)
}

// viewerLanguage returns the language of texts for the user of the command: the configured one or that
// of the locale. nil is English.
func viewerLanguage(c *config.Config) *words.Language {
	return words.AvailableLanguages.Choose(c.UI.Language, os.Getenv)
}

// terminalLanguage returns the language of what a command writes to the terminal: in ASCII letters if the locale has no
// UTF-8.
func terminalLanguage(c *config.Config) *words.Language {
	l := viewerLanguage(c)
	if !terminal.IsUnicodeLocale(os.Getenv) {
		l = l.ASCII()
	}
	return l
}

// newConfigObserver returns an observer of configuration changes for a platform without a board.
func newConfigObserver() *app.ConfigObserver {
	return &app.ConfigObserver{RestartKeys: []string{"platform"}}
}

// waitFlags holds the flags of commands that observe a platform for a short time.
type waitFlags struct {
	wait, watch time.Duration
	flags       *pflag.FlagSet
}

func (fl *waitFlags) addTo(fs *pflag.FlagSet) {
	fl.flags = fs
	fs.DurationVar(&fl.wait, "for", 10*time.Second, "maximum time to wait until everything is live")
	fs.DurationVar(&fl.watch, "watch", 0, "time to observe, for alerts that need some time (default: as long as one of them waits, at most 30s)")
}

// maxAutoWatch is the longest time for which a command without --watch observes. It does not wait
// for rules that need longer.
const maxAutoWatch = 30 * time.Second

// startEvaluation evaluates the alerts of a platform that is live, starting with the situations that a board has
// recorded. It returns how long to observe the platform: the duration of --watch or, without this flag,
// the time until the conditions that hold now have lasted for the duration of their rules. It ignores
// rules that need longer than maxAutoWatch. It adds one evaluation interval, because the hub evaluates a
// snapshot at most once a second.
func (fl *waitFlags) startEvaluation(ctx context.Context, p *app.Platform, v *headless.Viewer) time.Duration {
	if v.Evaluate(); v.LastSnapshot != nil {
		p.Hub.LoadIncidents(ctx, v.EvaluatedAt)
		v.Evaluate()
	}
	if fl.flags.Changed("watch") || !v.IsLive() {
		return fl.watch
	}
	if pending := v.Observations().PendingUntil(v.EvaluatedAt.Add(maxAutoWatch)).Sub(v.EvaluatedAt); pending > 0 {
		return pending + headless.EvaluateInterval
	}
	return 0
}

// check returns an error if a duration is out of range.
func (fl *waitFlags) check() error {
	if fl.wait <= 0 || fl.watch < 0 {
		return cmdutil.NewUsageError(errors.New("--for must be more than 0, --watch at least 0"))
	}
	return nil
}

type textModeFlags struct {
	enabled         bool
	summaryInterval time.Duration
}

// addPlainFlags adds the flags --plain and --every to a command.
func (b *commandSetup) addPlainFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&b.textMode.enabled, "plain", false, "text mode for screen readers: prints changes as lines of text, and answers typed commands")
	fs.DurationVar(&b.textMode.summaryInterval, "every", time.Minute, "with --plain: interval of summaries of the floor; 0 means never")
}

// addMetricsFlags adds the flags --metrics and --metrics-name to a command that shows a board.
func (b *commandSetup) addMetricsFlags(fs *pflag.FlagSet) {
	fs.StringVar(&b.metrics, "metrics", "", "serve metrics for Prometheus on this address, for example "+headless.DefaultMetricsAddress)
	addMetricsNameFlag(fs, &b.metricsNames)
}

// addMetricsNameFlag adds the flag --metrics-name, which sets additional host names for metrics.
func addMetricsNameFlag(fs *pflag.FlagSet, names *[]string) {
	fs.StringArrayVar(names, "metrics-name", nil, "additional host name that metrics are served under; addresses and the name of the machine are always accepted")
}

func (b *commandSetup) addNotifyFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&b.notify, "notify", false, "send notifications about alerts to the targets in [[notify]]; use it on one board only")
}
