// Package sites is the page about all platforms of a board: a line for each, and below it
// what needs a person on any of them. It draws from values. Nothing on it can be acted on:
// whoever wants to goes to the platform first.
package sites

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/situation"
	"wallboard/themes"
)

// Name is what the page is called.
const Name = "Sites"

// Line is what there is to say of a platform.
type Line struct {
	Name  string
	State string        // of its feed, in a glyph and a word
	Token themes.Token  // of that
	Heard time.Duration // how long ago it was heard of
	Knows bool          // it was, ever
	Now   time.Time     // on its clock
	Old   bool          // its figures are too old to be shown

	Waiting, Free, Logged model.Int
	Longest, Level        model.Figure
	Met                   bool // the level is what was agreed on, or nobody knows

	Live []situation.Situation // what needs a person, the worst first
}

// Take takes over the figures of a floor, and what they are measured by.
func (l *Line) Take(f *model.Floor, goal alert.Goal) {
	figure := func(name string) model.Figure { return kpi.Named(name).On(model.ScopeFloor).OfFloor(f, goal) }
	l.Waiting, l.Free, l.Logged = f.Calls.QueuedCalls, f.Heads(model.Ready), f.Logged()
	l.Longest, l.Level = figure("longestWait"), figure("serviceLevel")
	if level, ok := l.Level.Get(); ok {
		target, agreed := goal.ServiceLevel.Get()
		l.Met = !agreed || level >= target
	}
}

// Go asks for the board of a platform.
type Go struct {
	At    int        // the place of the platform
	About *alert.Key // what is to be shown of it; nil: what Page says
	First bool       // its first page, else the one that the viewer is on
}

// needs counts what needs a person and was not taken over.
func (l *Line) needs() (critical, warning int) {
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
