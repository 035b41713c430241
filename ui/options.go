package ui

import (
	"context"
	"io"
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/handover"
	"wallboard/layouts"
	"wallboard/model"
	"wallboard/situation/breaks"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/company"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// Steering is where a viewer begins, and by which keys they go on.
type Steering struct {
	// StartPage is the page to begin with, by name; "" is the first.
	StartPage string
	// Company are the others who look at the same floor.
	Company company.Options
	// Tables are how the viewer wants tables to be; nil: a book that is kept nowhere.
	Tables *layouts.Book
	// Commands are run with what the viewer points at; nil: there are none. They stay
	// those that the board was opened with.
	Commands Launcher
	// Beside are the boards of other platforms, which the viewer can go to. Each has a
	// source, a way to act and alerts of its own; what they have of the terminal, and
	// their own Beside, are not looked at.
	Beside []Options
	// Keys are other keys of actions, by the names that [KeyProblems] knows: one key or
	// several with blanks between.
	Keys map[string]string
}

// Options say what a board shows and how. Only Source is needed.
type Options struct {
	// Source is where the pictures of the floor come from.
	Source SnapshotSource
	// Output is the terminal; nil: the standard output. Only [Run] looks at it.
	Output io.Writer
	// Memory is what was recorded of the floor, to go back to.
	Memory Memory
	// Controller acts on the platform; nil makes a board that can only look.
	Controller *actions.Controller
	// History tells what has been; nil makes a board that has no history.
	History history.Reader
	// Save writes a file that the viewer asked for; nil: nothing can be saved.
	Save dialog.Saver
	// Deeds returns what was done on the platform since a time, from the record
	// of actions; nil: there is no such record. It is called from commands.
	Deeds func(since time.Time) ([]handover.Deed, error)
	// Alerts evaluates figures and rules. Nil: the board makes one with the built-in
	// rules, measured by ServiceLevel and SLTarget, which otherwise have no part in
	// it.
	Alerts Engine
	// User is who acknowledges alerts: whoever is logged in; "": it is asked for.
	User string
	// Theme is what the board starts with; the zero Theme is [themes.Default].
	Theme themes.Theme
	// Themes are those to choose from; nil: the embedded ones.
	Themes []themes.Theme
	// LightTheme takes Theme's place when the terminal says that its
	// background is light. The zero Theme: the terminal is not asked.
	LightTheme themes.Theme
	// Names are what people call the platform's codes.
	Names model.Names
	// Title is the name of the site, in the header and as the window's title.
	Title string
	// ServiceLevel is the formula of the service level; "" is
	// [model.SLAllAbandons].
	ServiceLevel model.ServiceLevelFormula
	// SLTarget is the service level to reach, 0 to 1; 0 means 0.8.
	SLTarget float64
	// ASCII draws with 7-bit characters only; names stay as they are.
	ASCII bool
	// Mouse switches the mouse on. The terminal's own selection of text then
	// needs shift.
	Mouse bool
	Signals
	// Pages are the board's pages in the order of their tabs; nil: [DefaultPages].
	// Alerts and Feed follow if they are not among them.
	Pages []panes.PageSpec
	// Kiosk makes the board one that hangs on a wall; nil: somebody operates it.
	Kiosk *kiosk.Options
	Steering
	// MarkInsecure shows the mark of an unverified certificate even if the
	// feed does not report one, for example when another service is asked
	// without verifying it.
	MarkInsecure bool
	// Location is the time zone of clock times; nil is the local one.
	Location *time.Location
	// Retry makes the feed try to connect now instead of waiting for its next
	// try; nil: it cannot be asked to.
	Retry func()
	// Reloads brings changed configurations; nil: there are none.
	Reloads <-chan Reload
	Upkeep
	// Breaks are how long agents may be in states and activity codes.
	Breaks breaks.Limits
	// Now is the clock; nil is [time.Now].
	Now func() time.Time
	// Context ends the board's commands; nil is [context.Background]. [Run]
	// sets it.
	Context context.Context //nolint:containedctx // commands outlive the call that makes them
}

// Signals are how the board shows that something changes.
type Signals struct {
	// Flash marks changed figures for a moment.
	Flash bool
	// RecoveryBell rings when a critical alert is over whose rule rings; never on a
	// kiosk.
	RecoveryBell bool
	// Refresh is how often what changes by itself is drawn, all of it together: the clock,
	// figures, and the end of highlights; 0: as it comes. What the viewer does is drawn at
	// once. It holds for [Run].
	Refresh time.Duration

	paced bool // the board is told when a frame is due ([paint.Due]), and waits for nothing else
}

// Upkeep is what looks after the board from outside.
type Upkeep struct {
	// Alike is what boards share that show the same floor by the same configuration, with
	// an engine that is theirs together; nil: the board is alone.
	Alike *look.Shared
	// Marked is called from Update with what a recording is to be marked with. It must
	// return at once. Nil: nothing is recorded.
	Marked func(model.Event)
	// Recorder records what the viewer does about alerts, and may keep them from it; nil:
	// nobody does.
	Recorder alerts.Recorder
	// Trouble says who cannot be told about alerts now, or why nothing is recorded; ""
	// for neither; nil: nobody is to be told, and nothing recorded.
	Trouble func() string
	// Beat is called from Update once a second when a kiosk has been drawn and its
	// feed is alive; nil: nobody watches over it.
	Beat func()
}

// defaultTarget is the 80 of "80/20", the field's usual service level.
const defaultTarget = 0.8

func (o Options) withDefaults() Options {
	if o.Theme.Name == "" {
		// The embedded default is covered by a test of its package; were it
		// broken, the zero Theme would still draw everything, unstyled.
		o.Theme, _ = themes.Load(themes.Default)
	}
	if o.Themes == nil {
		for _, name := range themes.Names() {
			if t, err := themes.Load(name); err == nil {
				o.Themes = append(o.Themes, t)
			}
		}
	}
	if o.ServiceLevel == "" {
		o.ServiceLevel = model.SLAllAbandons
	}
	if o.SLTarget == 0 {
		o.SLTarget = defaultTarget
	}
	if o.Tables == nil {
		o.Tables = layouts.Open("")
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
	if len(o.Beside) > 0 && !slices.ContainsFunc(o.Pages, isSites) {
		o.Pages = withSites(o.Pages)
	}
	if o.Kiosk != nil {
		o.Memory.Open, o.Memory.Save, o.Memory.Try = nil, nil, nil // nobody is there to rewind it
		o.Commands = nil
		o.Controller, o.Retry, o.Mouse, o.Save, o.Deeds = nil, nil, false, nil, nil
	}
	o.Title = model.CleanText(o.Title, model.MaxName)
	o.User = model.CleanText(o.User, model.MaxName)
	return o
}

// defaultEngine returns the engine of a board that was given none.
func defaultEngine(o Options) *alert.Engine {
	goal := alert.DefaultGoal()
	goal.Formula, goal.ServiceLevel = o.ServiceLevel, model.FloatOf(o.SLTarget)
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: goal, Names: o.Names})
	if err != nil {
		panic("the built-in rules are broken: " + err.Error()) // a test of package alert compiles them
	}
	return e
}
