package render

import (
	"strconv"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// Options holds the settings of a board. It must not be changed once it is in use. For a change a
// new Options is made, so that caches can compare pointers.
type Options struct {
	Theme themes.Theme
	Names model.Names
	// Targets returns the targets of a service. If it is nil, all services have [alert.DefaultGoal].
	Targets func(service string) alert.Goal
	// CustomKPIs lists the configured KPIs by scope.
	CustomKPIs map[alert.Scope][]alert.KPI
	// StateLimit returns how long an agent may stay in the current state, and whether there is a
	// limit. It is nil if there are no limits.
	StateLimit func(*model.AgentFigures) (time.Duration, bool)
	// ASCII restricts glyphs and bars to ASCII characters.
	ASCII bool
	// BarGlyphs draws the parts of bars with the glyphs of their states, for screens without colors.
	BarGlyphs bool
	// Blank draws every figure as unknown, because the figures are too old.
	Blank bool
	// Tints holds the background color of rows with an open alert, by level. The color "" means none.
	Tints [Critical + 1]string
	// WidthMethod is how the width of text is measured; see table.Model.SetWidthMethod.
	WidthMethod ansi.Method
	// Location is the time zone of displayed times; nil means the local one.
	Location *time.Location
}

// Format returns the format of figures.
func (o *Options) Format() phrases.Format {
	return phrases.Format{ASCII: o.ASCII, Blank: o.Blank, Location: o.Location}
}

// BarGlyph returns the glyph that stands for a state in bars. It is "" on a screen with colors,
// where bars consist of full blocks.
func (o *Options) BarGlyph(s State) string {
	if o.BarGlyphs {
		return s.Glyph(o.ASCII)
	}
	return ""
}

// Scope is the part of the floor to show. Two scopes can be compared with ==.
type Scope struct {
	Channel model.Channel
	// Service and Group restrict agents to those assigned to them; "" means all.
	Service, Group string
	// Restriction restricts the rows further; nil means all.
	Restriction *Restriction
	// Presumed holds the kinds of time whose unit is presumed. Such times are marked.
	Presumed model.Presumed
}

// View holds everything that rows and detail views are drawn with, except the records.
type View struct {
	Options *Options
	Scope
	// Now is the time on the server's clock, like the times in snapshots.
	Now time.Time
	// ShareKey is equal for boards with the same view, which share drawings. A nil key means no sharing.
	ShareKey any
	// Marks holds the marks of pending actions; nil: none.
	Marks *ActionMarks
	// Alerts holds the alerts about the rows; nil: none.
	Alerts *Alerts
	// Situations holds the current situations; nil: none.
	Situations *situation.View
	// EndedSituations lists situations that have ended.
	EndedSituations []situation.PastSituation
	// KPIValues returns the values of configured KPIs; nil: unknown.
	KPIValues KPIValues
	// Trends returns the samples of figures; nil: none.
	Trends Trends
	// ForecastSentences describes the end-of-day forecast of a service in sentences; nil:
	// unknown.
	ForecastSentences func(*model.Service) []string
	// DrawRestOfDay draws the forecast of the half hours until the end of the day; nil: unknown.
	DrawRestOfDay func(*model.Service, *textlayout.Pen)
	// SpareAgentSentences describes in sentences how many agents of a service can leave before calls have
	// to wait. It also says who is likely to be free next. It is nil if that is unknown.
	SpareAgentSentences func(*model.Service) []string
	// BreakSentences describes the current break of an agent in sentences; nil: unknown.
	BreakSentences func(username string) []string
	// AgentRows caches where the records of a detail view's agent are. If it is nil, all are searched.
	AgentRows *AgentRows
}

// goal returns the targets of a service.
func (o *Options) goal(service string) alert.Goal {
	if o.Targets == nil {
		return alert.DefaultGoal()
	}
	return o.Targets(service)
}

// sgr returns the escape sequence for the color of a token.
func (v *View) sgr(t themes.Token) string { return v.Options.Theme.SGR(t) }

// glyphOrASCII returns glyph, or its stand-in ascii if only ASCII characters may be used.
func (o *Options) glyphOrASCII(glyph, ascii string) string {
	if o.ASCII {
		return ascii
	}
	return glyph
}

// drawState draws the glyph and the word of a state in a cell.
func (v *View) drawState(s State, dst *table.Cell) {
	dst.AppendString(s.Glyph(v.Options.ASCII))
	dst.AppendString(" ")
	dst.AppendString(s.Word)
	dst.Style = v.sgr(s.Token)
}

// setLevelMark puts the mark of a level in front of a row, if the level has one.
func (v *View) setLevelMark(l Level, dst *table.Row) {
	if l > Normal {
		dst.Marker, dst.MarkerStyle = l.Glyph(v.Options.ASCII), v.sgr(l.Token())
	}
}

// displayName returns the configured name of a code, or else the code. It returns "" for an unknown code.
func (v *View) displayName(kind model.NameKind, code model.Text) string {
	s := code.String()
	if s == "" {
		return ""
	}
	return v.Options.Names.Of(kind, s)
}

// numberedName is like displayName, for codes that are numbers.
func (v *View) numberedName(kind model.NameKind, code model.Int) string {
	n, ok := code.Get()
	if !ok {
		return ""
	}
	return v.Options.Names.Of(kind, strconv.FormatInt(n, 10))
}
