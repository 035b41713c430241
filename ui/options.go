package ui

import (
	"context"
	"io"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// Navigation holds the viewer's start page, key bindings and personal settings.
type Navigation struct {
	// StartPage is the name of the first page on the screen; "" means the first tab.
	StartPage string
	// OtherViewers configures the connection to the other viewers of the same floor.
	OtherViewers OtherViewers
	// Tables stores the viewer's table layouts; nil: the layouts are not saved.
	Tables *table.LayoutStore
	// Commands runs the configured commands for the selected record; nil: there are no commands. A
	// reload does not change Commands.
	Commands CommandRunner
	// OtherPlatforms holds the options for the other platforms of the viewer. Each platform has its
	// own source, controller and alerts. The board ignores the terminal settings and OtherPlatforms
	// in these options.
	OtherPlatforms []Options
	// Keys holds changed key bindings by action name (see [keymap.Problems]): one key, or
	// several separated by spaces.
	Keys map[string]string
}

// Options configures a board. Only Source is required.
type Options struct {
	// Source provides the snapshots.
	Source snapshot.Source
	// Output is the terminal; nil: the standard output. Only [Run] uses Output.
	Output io.Writer
	// Archive gives access to the recording of the floor.
	Archive replay.Archive
	// Controller acts on the platform; nil makes the board read-only.
	Controller *actions.Controller
	// History reads past days from the platform; nil disables the page History.
	History history.Reader
	// Save writes a file on the viewer's request; nil disables saving.
	Save dialog.Saver
	// PastActions returns the actions in the audit file since a time. It is called from commands.
	// nil: there is no audit file.
	PastActions func(since time.Time) ([]handover.Action, error)
	// Alerts evaluates figures and rules. If it is nil, the board creates an engine with
	// the built-in rules, ServiceLevel and SLTarget. Otherwise ServiceLevel and SLTarget are ignored.
	Alerts Engine
	// User is the name of the viewer for taking over alerts, usually the login name. If it is "",
	// the board asks the viewer for a name.
	User string
	// Theme is the initial theme; the zero Theme means [themes.Default].
	Theme themes.Theme
	// Themes are the selectable themes; nil means the embedded ones.
	Themes []themes.Theme
	// LightTheme replaces Theme if the terminal reports a light background. If LightTheme is zero,
	// the board does not ask the terminal for its background.
	LightTheme themes.Theme
	// Names maps the platform's codes to display names.
	Names model.Names
	// Title is the name of the site, for the header and the window title.
	Title string
	// ServiceLevel is the service level formula; "" means [model.SLAllAbandons].
	ServiceLevel model.ServiceLevelFormula
	// SLTarget is the target service level, 0 to 1; 0 means 0.8.
	SLTarget float64
	// ASCII restricts drawing to 7-bit characters. Names are not converted.
	ASCII bool
	// Mouse enables the mouse. Selecting text with the terminal then needs shift.
	Mouse bool
	ChangeSignals
	// Pages are the pages in the order of their tabs; nil: [DefaultPages]. Situations and Feed are
	// appended if they are missing.
	Pages []panes.PageSpec
	// Kiosk makes the board an unattended wall display; nil: an interactive board.
	Kiosk *kiosk.Options
	Navigation
	// MarkInsecure shows the badge for an unverified certificate even if the certificate of the
	// feed is verified. It is true, for example, if the certificate of the configuration service is
	// not verified.
	MarkInsecure bool
	// Location is the time zone of clock times; nil means local time.
	Location *time.Location
	// Reconnect makes the feed connect again at once; nil: not supported.
	Reconnect func()
	// Reloads delivers changed configurations; nil: never.
	Reloads <-chan Reload
	ProcessHooks
	// Rules holds rules of the floor that are not alert rules.
	Rules FloorRules
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
	// Context ends the board's commands; nil means [context.Background]. [Run] sets it.
	Context context.Context //nolint:containedctx // commands outlive the call that makes them
}

// FloorRules holds the rules of a floor that are not alert rules.
type FloorRules struct {
	// Breaks holds the time limits of states and activity codes.
	Breaks breaks.Limits
	// Playbooks says what to do in situations.
	Playbooks []situation.Playbook
}

// ChangeSignals configures how the board shows changes.
type ChangeSignals struct {
	// Flash highlights changed figures for a moment.
	Flash bool
	// Alarm configures how critical situations are announced outside the screen.
	Alarm AlarmSignals
	// Refresh is the interval at which changes of the clock, figures and highlights are drawn; 0:
	// every change is drawn at once. A change by the viewer's input is always drawn at once. Only
	// [Run] uses Refresh.
	Refresh time.Duration

	paced bool // frames are driven by [term.FrameMsg] only
}

// AlarmSignals configures how critical situations are announced outside the screen.
type AlarmSignals struct {
	// RecoveryBell rings the bell when a critical situation ends, if one of its rules has a bell;
	// never on a kiosk.
	RecoveryBell bool
	// Title adds the number of critical situations and the name of the first to the window title.
	Title bool
	// Desktop shows a notification on the desktop when a situation becomes critical; never on a
	// kiosk.
	Desktop bool
}

// ProcessHooks connects the board with the process that runs it.
type ProcessHooks struct {
	// SharedCaches holds caches for all boards with the same floor, configuration and engine; nil:
	// a board on its own.
	SharedCaches *style.LookCache
	// MarkEvent adds an event to the recording; nil: events are not recorded. It is called from
	// Update and must return at once.
	MarkEvent func(model.Event)
	// Recorder records the viewer's actions on alerts and may refuse an action; nil: actions are
	// not recorded.
	Recorder alerts.Recorder
	// ProblemText returns the current problem with notifications or the recording, or "" if there
	// is none; nil: neither of them is configured.
	ProblemText func() string
	// Heartbeat is called from Update once a second if the kiosk was drawn and its feed is alive;
	// nil: there is no watchdog.
	Heartbeat func()
}

// defaultSLTarget is the default target service level: the 80 in "80/20".
const defaultSLTarget = 0.8

// withDefaults returns the options with default values for missing fields. For a kiosk it removes
// the options that only a viewer can use.
func (o Options) withDefaults() Options {
	if o.Theme.Name == "" {
		// The embedded default always loads, as a test of package themes ensures. Otherwise the
		// zero Theme would draw everything unstyled.
		o.Theme, _ = themes.LoadEmbedded(themes.Default)
	}
	if o.Themes == nil {
		for _, name := range themes.EmbeddedNames() {
			if t, err := themes.LoadEmbedded(name); err == nil {
				o.Themes = append(o.Themes, t)
			}
		}
	}
	if o.ServiceLevel == "" {
		o.ServiceLevel = model.SLAllAbandons
	}
	if o.SLTarget == 0 {
		o.SLTarget = defaultSLTarget
	}
	if o.Tables == nil {
		o.Tables = table.OpenLayouts("")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Alerts == nil {
		o.Alerts = defaultEngine(o)
	}
	o.Pages = completePages(o.Pages)
	if len(o.OtherPlatforms) > 0 && !slices.ContainsFunc(o.Pages, isSites) {
		o.Pages = appendSites(o.Pages)
	}
	if o.Kiosk != nil {
		o.Archive.Open, o.Archive.Save, o.Archive.Backtest = nil, nil, nil // a kiosk has no viewer to rewind it
		o.Commands = nil
		o.Controller, o.Reconnect, o.Mouse, o.Save, o.PastActions = nil, nil, false, nil, nil
	}
	o.Title = model.CleanText(o.Title, model.MaxName)
	o.User = model.CleanText(o.User, model.MaxName)
	return o
}

// defaultEngine returns the engine of a board without Options.Alerts.
func defaultEngine(o Options) *alert.Engine {
	goal := alert.DefaultGoal()
	goal.Formula, goal.ServiceLevel = o.ServiceLevel, model.FloatOf(o.SLTarget)
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: goal, Names: o.Names})
	if err != nil {
		panic("the built-in rules are broken: " + err.Error()) // a test of package alert compiles them
	}
	return e
}
