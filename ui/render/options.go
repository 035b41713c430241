package render

import (
	"strconv"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Options are the settings of a board. They must not be changed once they are
// in use: another setting is another Options, so that a cache can tell by the
// pointer that what it holds is out of date.
type Options struct {
	Theme themes.Theme
	Names model.Names
	// Goal returns what a service is measured by; nil is [alert.DefaultGoal]
	// for all.
	Goal func(service string) alert.Goal
	// Own are the KPIs of one's own, by what they are about.
	Own map[alert.Scope][]alert.KPI
	// Limit returns how long an agent may be in their state; nil knows none.
	Limit func(*model.AgentFigures) (time.Duration, bool)
	// ASCII draws glyphs and bars with ASCII characters only.
	ASCII bool
	// Signs draws bars with the signs of what they are made of: there are no colours
	// to tell it by.
	Signs bool
	// Blank prints every figure as unknown: it is too old to be shown.
	Blank bool
	// Width is how the renderer measures text; see table.Model.SetWidthMethod.
	Width ansi.Method
	// Location is the time zone of clock times; nil is the local one.
	Location *time.Location
}

// Format returns how the options print figures.
func (o *Options) Format() Format {
	return Format{ASCII: o.ASCII, Blank: o.Blank, Location: o.Location}
}

// Bar is what a bar draws a state with: where there are no colours, what its legend
// has; "" is a full block.
func (o *Options) Bar(s State) string {
	if o.Signs {
		return s.Glyph(o.ASCII)
	}
	return ""
}

// Scope says which part of the floor is shown. Scopes are comparable.
type Scope struct {
	Channel model.Channel
	// Service and Group keep only the agents who serve them; "" is all.
	Service, Group string
	// Keep narrows it further; nil is all.
	Keep *Keep
	// Presumed are the times whose unit is presumed, which are marked.
	Presumed model.Presumed
}

// View is what everything is drawn with.
type View struct {
	Options *Options
	Scope
	// Now is the time on the server's clock: that of the snapshots.
	Now    time.Time
	Shared any // what is seen, as it is to other boards that see the same; nil: there are none
	// Marks say which rows an action is under way on; nil is none.
	Marks *Marks
	// Alerts are what is wrong with the rows; nil is nothing.
	Alerts *Alerts
	// Situations are what is to be said of them; nil is nothing.
	Situations *situation.View
	// Past is what came and went.
	Past []situation.Past
	// Figures are the values of KPIs of one's own; nil knows none.
	Figures Figures
	// Trends are the samples of the rows' figures; nil has none.
	Trends Trends
	// Outlook says where the day of a service ends, in sentences; nil does not know.
	Outlook func(*model.Service) []string
	// Thin says how many of a service may go before calls wait, and who is likely to be
	// free next, in sentences; nil does not know.
	Thin func(*model.Service) []string
	// Break says how the break of an agent is, in sentences; nil does not know.
	Break func(username string) []string
	// Rows knows where the records of the agent are whose detail is drawn again and again;
	// nil looks through all.
	Rows *AgentRows
}

// goal returns what a service is measured by.
func (o *Options) goal(service string) alert.Goal {
	if o.Goal == nil {
		return alert.DefaultGoal()
	}
	return o.Goal(service)
}

// style returns the escape sequence of a token.
func (v *View) style(t themes.Token) string { return v.Options.Theme.SGR(t) }

// pick returns the glyph, or its ASCII stand-in.
func (v *View) pick(glyph, ascii string) string {
	if v.Options.ASCII {
		return ascii
	}
	return glyph
}

// stateCell draws a state's glyph and word.
func (v *View) stateCell(s State, dst *table.Cell) {
	dst.String(s.Glyph(v.Options.ASCII))
	dst.String(" ")
	dst.String(s.Word)
	dst.Style = v.style(s.Token)
}

// mark puts the mark of a level in front of a row.
func (v *View) mark(l Level, dst *table.Row) {
	if l > Normal {
		dst.Marker, dst.MarkerStyle = l.Glyph(v.Options.ASCII), v.style(l.Token())
	}
}

// named returns what people call a code, "" when it is unknown.
func (v *View) named(kind model.NameKind, code model.Text) string {
	s := code.String()
	if s == "" {
		return ""
	}
	return v.Options.Names.Of(kind, s)
}

// numbered is named for codes that are numbers.
func (v *View) numbered(kind model.NameKind, code model.Int) string {
	n, ok := code.Get()
	if !ok {
		return ""
	}
	return v.Options.Names.Of(kind, strconv.FormatInt(n, 10))
}
