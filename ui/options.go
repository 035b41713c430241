package ui

import (
	"context"
	"io"
	"slices"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/replay"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// Options configures a board. Only Source is required, or Archive.Replayed.
type Options struct {
	// Source provides the snapshots. A board with Archive.Replayed ignores Source and Now.
	Source floorview.Source
	// Alerts evaluates the figures and the rules. If it is nil, the board creates an engine with
	// the rules of Archive or, without an archive, with the built-in rules and the service level in
	// Targets. Otherwise the service level in Targets is ignored.
	Alerts alerts.Engine
	// Archive gives access to the recording of the floor.
	Archive replay.Archive
	// History reads past days from the platform; nil: the page History has only recorded days.
	History history.Reader
	// Names maps the platform's codes to display names.
	Names model.Names
	// Title is the name of the site, for the header and the window title.
	Title string
	// Targets holds targets and limits for figures and breaks.
	Targets Targets
	// Display configures how the board is drawn.
	Display Display
	// Alarm configures how the board signals critical situations by the window title, desktop notifications and the bell.
	Alarm AlarmSignals
	// Navigation holds the pages, the key bindings and the viewer's table layouts.
	Navigation Navigation
	// Actions holds the functions that the board calls when its viewer acts on the platform, on
	// alerts and on files. The zero value makes the board read-only.
	Actions Actions
	// Kiosk makes the board an unattended wall display; nil: an interactive board.
	Kiosk *kiosk.Options
	// OtherViewers configures the connection to the other viewers of the same floor.
	OtherViewers boarddialogs.ViewersOptions
	// OtherPlatforms holds the options for the other platforms of the viewer. Each platform has its
	// own source, controller and alerts. The board ignores the terminal settings and OtherPlatforms
	// in these options.
	OtherPlatforms []Options
	// Process connects the board with the process that runs it.
	Process Process
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
	// Context ends the board's commands; nil means [context.Background]. [Run] sets it.
	Context context.Context //nolint:containedctx // commands outlive the call that makes them
}

// Targets holds targets and limits for figures and breaks.
type Targets struct {
	// ServiceLevel is the service level formula; "" means [model.SLAllAbandons].
	ServiceLevel model.ServiceLevelFormula
	// SLTarget is the target of the service level, from 0 to 1; 0 means 0.8.
	SLTarget float64
	// Breaks holds the time limits of states and activity codes.
	Breaks breaks.Limits
	// Playbooks are the checklists of steps for situations.
	Playbooks []situation.Playbook
}

// Display configures how a board is drawn, and the terminal on which it is drawn.
type Display struct {
	// Theme is the initial theme; the zero Theme means [themes.DefaultName].
	Theme themes.Theme
	// Themes are the selectable themes; nil means the embedded ones.
	Themes []themes.Theme
	// LightTheme replaces Theme if the terminal reports a light background. If LightTheme is zero,
	// the board does not ask the terminal for its background.
	LightTheme themes.Theme
	// Language is the language of texts and figures; nil means English.
	Language *words.Language
	// ASCII restricts lines, signs and figures to ASCII characters. Names are not converted.
	ASCII bool
	// Location is the time zone of clock times; nil means local time.
	Location *time.Location
	// Mouse enables the mouse. The terminal then selects text only while shift is held.
	Mouse bool
	// Flash highlights changed figures for a moment.
	Flash bool
	// Refresh is the interval at which changes of the clock, figures and highlights are drawn; 0
	// means that every change is drawn immediately. A change by the viewer's input is always drawn
	// immediately. Only [Run] uses Refresh.
	Refresh time.Duration
	// Output is the terminal; nil means the standard output. Only [Run] uses Output.
	Output io.Writer

	frameDriven bool // the board draws only when it receives a [term.FrameMsg], as on a server
}

// Navigation holds the pages of a board, its key bindings and the viewer's table layouts.
type Navigation struct {
	// Pages are the pages in the order of their tabs; nil: [pages.DefaultSpecs]. Situations and
	// Feed are appended if they are missing.
	Pages []panes.PageSpec
	// StartPage is the name of the first page on the screen; "" means the first tab.
	StartPage string
	// Keys maps the names of actions to changed key bindings: one key, or several keys separated by
	// spaces. See [pages.KeyProblems] for the names.
	Keys map[string]string
	// Tables stores the viewer's table layouts; nil: the layouts are not saved.
	Tables *table.LayoutStore
}

// Actions holds the functions that a board calls when its viewer acts on the platform, on alerts
// and on files.
type Actions struct {
	// ViewOnly reports whether the viewer can neither take over nor snooze alerts. The board then
	// offers neither.
	ViewOnly bool
	// User is the name under which the viewer takes over alerts, usually the login name. If User is
	// "", the board asks the viewer for a name.
	User string
	// Controller acts on the platform; nil makes the board read-only.
	Controller *actions.Controller
	// Commands runs the configured commands for the selected record; nil: there are no commands. A
	// reload does not change Commands.
	Commands actions.CommandRunner
	// Recorder records the viewer's actions on alerts. It may refuse an action by returning an
	// error. nil: actions are not recorded.
	Recorder alerts.Recorder
	// Save writes a file when the viewer requests it; nil disables saving.
	Save dialog.Saver
	// PastActions returns the actions in the audit file since a time. It is called from commands,
	// so it must be safe for concurrent use. nil: there is no audit file.
	PastActions func(since time.Time) ([]handover.Action, error)
	// Sender sends the handover report of the shift; nil: this viewer cannot send reports.
	Sender handover.Sender
	// Reconnect makes the feed reconnect immediately; nil: the feed cannot be made to reconnect.
	Reconnect func()
}

// AlarmSignals configures how a board signals critical situations by the window title, desktop notifications and the bell.
type AlarmSignals struct {
	// RecoveryBell rings the bell when a critical situation ends, if one of its rules has a bell. A
	// kiosk ignores RecoveryBell.
	RecoveryBell bool
	// Title adds the number of critical situations, and the name of the first one, to the window
	// title.
	Title bool
	// Desktop shows a desktop notification when a situation becomes critical. A kiosk ignores
	// Desktop.
	Desktop bool
}

// Process connects a board with the process that runs it.
type Process struct {
	// Reloads delivers changed configurations. If it is nil, the configuration never changes.
	Reloads <-chan Reload
	// SharedCaches holds caches for all boards with the same floor, configuration and engine; nil:
	// the board has its own caches.
	SharedCaches *style.LookCache
	// RecordEvent adds an event to the recording; nil: events are not recorded. It is called from
	// Update and must return immediately.
	RecordEvent func(model.Event)
	// ShowInsecureBadge shows the badge for an unverified certificate even if the certificate of the
	// feed is verified. It is set, for example, if the certificate of the configuration service is
	// not verified.
	ShowInsecureBadge bool
	// ProblemText returns the current problem of notifications or of the recording, or "" if there
	// is none. A nil ProblemText means that neither is configured.
	ProblemText func() string
	// Heartbeat tells a watchdog that the kiosk works. Update calls it once a second if the kiosk
	// was drawn and its feed is alive; nil: there is no watchdog.
	Heartbeat func()
}

// withDefaults returns a copy of o in which default values replace missing fields. For a kiosk, it
// removes the options that need a viewer's input. If the rules of the archive cannot be used, the
// copy has an engine with the built-in rules, and withDefaults returns the error.
func (o Options) withDefaults() (Options, error) {
	o.Display.setDefaults()
	if recording := o.Archive.Replayed; recording != nil {
		o.Source, o.Now = recording, recording.BoardTime
	}
	if o.Targets.ServiceLevel == "" {
		o.Targets.ServiceLevel = model.SLAllAbandons
	}
	if o.Targets.SLTarget == 0 {
		o.Targets.SLTarget = alerts.DefaultSLTarget
	}
	if o.Navigation.Tables == nil {
		o.Navigation.Tables = table.OpenLayouts("")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Context == nil {
		o.Context = context.Background()
	}
	var err error
	if o.Alerts == nil {
		o.Alerts, err = o.localEngineOptions().Open()
	}
	o.Navigation.Pages = pages.CompleteSpecs(o.Navigation.Pages)
	if len(o.OtherPlatforms) > 0 && !slices.ContainsFunc(o.Navigation.Pages, pages.IsSites) {
		o.Navigation.Pages = pages.AppendSites(o.Navigation.Pages)
	}
	if o.Kiosk != nil {
		o.Archive.Open, o.Archive.Save, o.Archive.Backtest = nil, nil, nil // a kiosk has no viewer to rewind it
		o.Actions = Actions{User: o.Actions.User, Recorder: o.Actions.Recorder}
		o.Display.Mouse = false
	}
	o.Title = model.CleanText(o.Title, model.MaxName)
	o.Actions.User = model.CleanText(o.Actions.User, model.MaxName)
	return o, err
}

// setDefaults sets Theme and Themes if they are missing.
func (d *Display) setDefaults() {
	if d.Theme.Name == "" {
		// The error is ignored because the embedded default theme always loads, as a test of
		// package themes ensures. Without a theme, everything would be drawn unstyled.
		d.Theme, _ = themes.LoadEmbedded(themes.DefaultName)
	}
	if d.Themes == nil {
		for _, name := range themes.EmbeddedNames() {
			if t, err := themes.LoadEmbedded(name); err == nil {
				d.Themes = append(d.Themes, t)
			}
		}
	}
}

// themeSet returns the configured themes.
func (d *Display) themeSet() style.ThemeSet {
	return style.ThemeSet{Theme: d.Theme, LightTheme: d.LightTheme, Selectable: d.Themes}
}

// localEngineOptions returns the configuration of an engine for one board.
func (o *Options) localEngineOptions() alerts.LocalEngineOptions {
	return alerts.LocalEngineOptions{
		Rules: o.Archive.Engine, ServiceLevel: o.Targets.ServiceLevel, SLTarget: o.Targets.SLTarget, Names: o.Names, Breaks: o.Targets.Breaks, Now: o.Now,
	}
}
