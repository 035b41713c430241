package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/report/headless"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// Source provides the snapshots of a platform. It is a feed, or a node of a cluster instead of a
// feed.
type Source interface {
	Runner
	hub.Source
	// Reconfigure changes the subscriptions. Reconnect changes the connection.
	Reconfigure(want feeds.RuntimeOptions)
	Reconnect(o feeds.Options) error
	// RetryNow makes the source connect at once if it is waiting for the next attempt.
	RetryNow()
}

// ConfigSource reads the configuration of a platform and the options of its feed.
type ConfigSource func() (*config.Config, feeds.Options, error)

// PlatformOptions configure a [Platform]. The zero value is for text mode: the platform records and
// stores alerts but cannot act.
type PlatformOptions struct {
	// IsObserver is true for commands without a board. Such commands share the snoozes of this
	// user's boards but neither store alerts nor record. If LoadAlerts is also true, the platform
	// reads the stored alerts.
	IsObserver, LoadAlerts bool
	// HasBoards is true for boards, which connect to the configuration service and the statistical
	// data service. HasHistory is true for commands that connect only to the statistical data
	// service.
	HasBoards, HasHistory bool
	// HubOptions holds further options of the hub.
	HubOptions hub.Options
	// ViewerCount returns the number of viewers of this node of a cluster. It may be nil if the program
	// never joins a cluster.
	ViewerCount func() int

	shareAlerts func(context.Context, *hub.Hub) // exchanges alerts with the other nodes of a cluster; nil: no cluster
}

// Platform is a platform that [Environment.Open] has opened; [Platform.Close] closes it. It has the source
// of the snapshots, the hub with all viewers, the connections of boards, and the recording. [Platform.Run]
// connects to the platform and follows the configuration.
type Platform struct {
	Source   Source
	Hub      *hub.Hub
	Control  *ActionClients // nil without boards
	History  *SharedHistory // nil if the program needs no history
	Recorder *Recorder
	Notifier *Notifier // sends notifications; nil: none are sent
	Notes    *statefile.NoteBook
	Log      *slog.Logger

	env               *Environment
	readConfig        ConfigSource
	level             *slog.LevelVar // level of Log, which the configuration sets
	options           PlatformOptions
	startConfig       *config.Config
	themesFingerprint fingerprint // fingerprint of the theme files
	redirectConsent   *redirectConsent
	retryRequested    atomic.Bool    // the viewer has requested a new connection
	closing           sync.WaitGroup // goroutines that close previous stores of alerts

	mu              sync.Mutex
	config          *config.Config   // current configuration
	recipients      []config.Notify  // recipients of handovers in force
	alertStore      *statefile.Store // current store of alerts
	intradayFile    intradayFile
	localViewer     *hub.Viewer // viewer of this machine's board from LocalViewer; nil: none
	rejectionReason words.Text  // why the last changed configuration was rejected; zero: it was not
	pending         words.Text  // describes the part of the saved configuration that is not in force; zero: none
}

// Open opens a platform. read returns its configuration. level is the level of log, which a changed
// configuration can set.
func (e *Environment) Open(ctx context.Context, read ConfigSource, log *slog.Logger, level *slog.LevelVar, o PlatformOptions) (*Platform, error) {
	c, fo, err := read()
	if err != nil {
		return nil, err
	}
	if c.Platform != "" {
		log = log.With("platform", c.Platform)
	}
	fo.Logger = log
	source, share, err := e.newSource(ctx, c, fo, o.ViewerCount)
	if err != nil {
		return nil, err
	}
	o.shareAlerts = share
	p, err := e.OpenWithSource(ctx, c, source, log, o)
	if err == nil {
		p.readConfig, p.level = read, level
	}
	return p, err
}

// OpenWithSource opens a platform that gets its snapshots from source. Such a platform does not
// follow changes of its configuration.
func (e *Environment) OpenWithSource(ctx context.Context, c *config.Config, source Source, log *slog.Logger, o PlatformOptions) (_ *Platform, err error) {
	p := &Platform{Source: source, Log: log, env: e, options: o, startConfig: c, config: c, recipients: c.Notify, redirectConsent: &redirectConsent{reread: make(chan struct{}, 1)}, Recorder: &Recorder{Stop: func() {}}}
	p.alertStore = p.openAlerts(c)
	p.intradayFile.log = new(forecast.IntradayLog)
	p.openIntraday(c)
	p.Notes = statefile.OpenNotes(p.notesPath(c), log)
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if o.HasBoards || o.HasHistory {
		if p.History, err = openHistory(c, log); err != nil {
			return nil, err
		}
	}
	if o.HasBoards {
		if p.Control, err = OpenActionClients(ctx, c, source.Latest, log, e.OpenConnection); err != nil {
			return nil, err
		}
	}
	if !o.IsObserver {
		p.Recorder = e.StartRecorder(ctx, c, source, log)
	}
	ho := o.HubOptions
	ho.Source, ho.Engine, ho.Names, ho.Salt = source, engineConstructor(c, e.SpokenAlerts), c.Names(), time.Now().String()
	ho.MinGroup = c.Privacy.SmallestGroup
	ho.IntradayLog, ho.Notes = p.intradayFile.log, p.Notes
	ho.Secrets, ho.Breaks, ho.Holidays = maskedLogins(c), c.BreakLimits(), c.Holidays()
	ho.RestoreEngine = func(e *alert.Engine) { p.currentAlertStore().RestoreEngine(e) }
	if p.alertStore.QueueAlerts != nil {
		ho.OnEnded = p.StoreAlerts
	}
	ho.Recorded = hub.RecordedData{
		Snapshots: p.Recorder.EarlierHours, Days: p.Recorder.EarlierDays, Marks: p.Recorder.Marks, LacksNames: NewArchive(c, hub.Visibility{}).Pseudonymous,
	}
	if o.IsObserver && c.Record.Enabled {
		ho.Recorded.Marks = recordedMarks(c, log)
	}
	ho.OnChange = func(list []situation.Change, ended func() []alert.Alert) {
		if p.Recorder.AddMark != nil {
			for _, event := range alerts.RecordingMarks(list, ended) {
				p.Recorder.AddMark(event)
			}
		}
	}
	if ho.OnUnclaimed != nil {
		ho.UnclaimedAfter = c.Serve.EscalateAfter
	}
	if p.Hub, err = hub.New(ho); err != nil {
		return nil, err
	}
	return p, nil
}

// NewFeed creates the feed of a platform. The feed sends nothing until it runs.
func NewFeed(o feeds.Options) (*feeds.Feed, error) {
	feed, err := feeds.New(o)
	if err != nil {
		return nil, fmt.Errorf("prepare the feed: %w", err)
	}
	return feed, nil
}

// openIntraday switches to the file with the courses of the platform in c.
func (p *Platform) openIntraday(c *config.Config) {
	if err := p.intradayFile.open(c, p.env.Simulated); err != nil {
		p.logIntradayError(err)
	}
}

func (p *Platform) notesPath(c *config.Config) string {
	if p.env.Simulated {
		return ""
	}
	return statefile.NotesPath(c.RTD.URL)
}

func (p *Platform) logIntradayError(err error) {
	p.Log.Warn("the days for forecasts cannot be read or stored", "error", err)
}

// openAlerts opens the store of alerts of the platform in c. The store reads the stored alerts and
// writes new ones. For observers and kiosks it writes none, because no alert can be acknowledged
// there. For an observer without LoadAlerts, it reads only snoozes.
func (p *Platform) openAlerts(c *config.Config) *statefile.Store {
	if p.env.Simulated {
		return statefile.NoStore()
	}
	f := statefile.NewAlertFile(statefile.AlertsPath(c.RTD.URL), p.Log)
	switch {
	case p.options.IsObserver && !p.options.LoadAlerts:
		return f.OpenSnoozes()
	case p.options.IsObserver, c.Kiosk.Enabled:
		return f.OpenReadOnly()
	}
	return f.Open()
}

func (p *Platform) currentAlertStore() *statefile.Store {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.alertStore
}

// StoreAlerts queues alerts to be stored. It never blocks and may drop alerts.
func (p *Platform) StoreAlerts(list []alert.Alert) {
	if k := p.currentAlertStore(); k.QueueAlerts != nil {
		k.QueueAlerts(list)
	}
}

// Config returns the current configuration.
func (p *Platform) Config() *config.Config {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.config
}

// LocalViewer returns the viewer of this machine's board. The configuration determines what that
// viewer may see.
func (p *Platform) LocalViewer() (*hub.Viewer, error) {
	v, err := p.Hub.NewViewer(LocalVisibility(p.Config()), 0, 0)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.localViewer = v
	return v, err
}

// TextViewer returns a viewer without a screen, for the terminal of this machine.
func (p *Platform) TextViewer() (*headless.Viewer, error) {
	return headless.NewViewer(p.Hub, p.Config().Platform, !terminal.IsUnicodeLocale(os.Getenv))
}

// Run starts the source and the background tasks, such as the hub. If f is not nil, the platform also
// follows its configuration. The context running ends when the source ends, and its cause is the error
// of the source. stop ends the source and the tasks and waits until they have ended.
func (p *Platform) Run(ctx context.Context, f *ConfigObserver) (running context.Context, stop func()) {
	ctx, stopSource := RunFeed(ctx, p.Source)
	var background sync.WaitGroup
	if !p.options.IsObserver { // an observer has no board and evaluates alerts itself
		background.Go(func() { p.Hub.Run(ctx) })
		background.Go(func() { p.intradayFile.run(ctx, p.logIntradayError) })
		background.Go(func() { p.watchActions(ctx) })
	}
	notes := p.Notes.All()
	background.Go(func() { p.recordEarlierNotes(ctx, notes) })
	background.Go(func() { p.Notes.WatchNotes(ctx, notes, p.recordNote) })
	if p.options.shareAlerts != nil {
		background.Go(func() { p.options.shareAlerts(ctx, p.Hub) })
	}
	if f != nil {
		background.Go(func() { p.followConfig(ctx, f) })
	}
	return ctx, func() { stopSource(); background.Wait() }
}

// RunPlatforms starts platforms. follower returns the observer of the platform platforms[n], or nil if
// the platform has none. The context running ends when the first source ends. stop ends the platforms
// and waits until they have ended.
func RunPlatforms(ctx context.Context, platforms []*Platform, follower func(n int) *ConfigObserver) (running context.Context, stop func()) {
	var stops []func()
	for i, p := range platforms {
		var end func()
		ctx, end = p.Run(ctx, follower(i))
		stops = append(stops, end)
	}
	return ctx, func() {
		for _, end := range slices.Backward(stops) {
			end()
		}
	}
}

// EndCause returns the error that ended ctx. It returns nil if ctx was canceled on purpose or has
// not ended.
func EndCause(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// Close closes the platform. All viewers must have left before.
func (p *Platform) Close() {
	p.Recorder.Stop()
	if !finishesWithin(maxShutdownWait, func() { p.currentAlertStore().Stop(); p.closing.Wait() }) {
		p.Log.Error("disk timeout: the last alerts may not be stored", "after", maxShutdownWait)
	}
	if p.History != nil {
		p.History.Close()
	}
	if p.Control != nil {
		p.Control.Close()
	}
}

// ViewerName returns the name for acknowledgements: the login name on the platform or, if there is
// none, the user name of the operating system.
func ViewerName(c *config.Config) string {
	if name := cmp.Or(c.REST.Username, c.RTD.Username); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// maskedLogins returns the login names that are masked like the names of agents. On a kiosk they
// include the user of the boards that share stored alerts with the kiosk.
func maskedLogins(c *config.Config) []string {
	out := []string{c.RTD.Username, c.REST.Username}
	if c.Kiosk.Enabled {
		out = append(out, ViewerName(c))
	}
	return out
}

// LocalVisibility returns the visibility of the local board: the whole floor, with the names of
// agents in full unless the configuration of a kiosk shortens or hides them.
func LocalVisibility(c *config.Config) hub.Visibility {
	if c.Kiosk.Enabled {
		return hub.Visibility{Names: model.NameMode(c.Kiosk.Names)}
	}
	return hub.Visibility{Names: model.NamesFull}
}

// engineConstructor returns a function that creates an alert engine for a part of the floor. If
// spoken is true, the texts of alerts are worded for reading aloud.
func engineConstructor(c *config.Config, spoken bool) func(model.FloorPart) (*alert.Engine, error) {
	return func(part model.FloorPart) (*alert.Engine, error) {
		c := Restrict(c, part)
		o := c.AlertOptions(c.Names())
		o.SpellOut = spoken
		return newAlertEngine(o)
	}
}
