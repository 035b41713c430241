// Package sites is the page about all platforms of a board: a row for each, and below
// them the situations on any of them that need action. It draws from values. Actions
// are possible only after going to a platform.
package sites

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
)

// Name is the name of the page.
const Name = "Sites"

// PlatformRow holds the data of a platform.
type PlatformRow struct {
	Name  string
	State string        // state of its feed, as a glyph and a word
	Token themes.Token  // token of State
	Heard time.Duration // time since data last arrived
	Knows bool          // data have arrived
	Now   time.Time     // on the platform's clock
	Old   bool          // its figures are too old to be shown

	Waiting, Free, Logged model.Int
	Longest, Level        model.Figure
	Met                   bool // the service level meets its target, or there is none

	Live []situation.Situation // current situations, the worst first
}

// Take takes the figures of a floor, and their targets.
func (l *PlatformRow) Take(f *model.Floor, goal alert.Goal) {
	figure := func(name string) model.Figure { return kpi.Named(name).On(model.ScopeFloor).OfFloor(f, goal) }
	l.Waiting, l.Free, l.Logged = f.Calls.QueuedCalls, f.CountInStates(model.Ready), f.Logged()
	l.Longest, l.Level = figure("longestWait"), figure("serviceLevel")
	if level, ok := l.Level.Get(); ok {
		target, agreed := goal.ServiceLevel.Get()
		l.Met = !agreed || level >= target
	}
}

// GoMsg asks for the board of a platform.
type GoMsg struct {
	At    int        // index of the platform
	About *alert.Key // record to show; nil: a page
	First bool       // the first page, otherwise the viewer's current one
}

// needs counts the situations that need action and were not taken over.
func (l *PlatformRow) needs() (critical, warning int) {
	for i := range l.Live {
		switch s := &l.Live[i]; {
		case s.Ack != alert.Ack{}:
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}
