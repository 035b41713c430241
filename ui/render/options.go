package render

import (
	"strconv"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// Options holds the settings for drawing a board. An Options in use must not be changed. Caches
// compare pointers, so a change needs a new Options.
type Options struct {
	Theme themes.Theme
	Names model.Names
	// Targets returns the targets of a service. If Targets is nil, all services have the targets of
	// [alert.DefaultGoal].
	Targets func(service string) alert.Goal
	// CustomKPIs lists the configured KPIs by scope.
	CustomKPIs map[alert.Scope][]alert.KPI
	// StateLimit returns how long an agent may stay in the current state. The bool result is false
	// if the state has no limit. StateLimit is nil if no state has a limit.
	StateLimit func(*model.AgentFigures) (time.Duration, bool)
	// ASCII restricts glyphs and bars to ASCII characters.
	ASCII bool
	// BarGlyphs draws bars with the glyphs of states instead of blocks, for screens without colors.
	BarGlyphs bool
	// BlankFigures draws every figure as unknown, because the figures are too old.
	BlankFigures bool
	// Tints holds the background color of rows with an open alert, by level. "" means no background
	// color.
	Tints [Critical + 1]string
	// WidthMethod is the method for measuring the width of text, as in
	// [table.Model.SetWidthMethod].
	WidthMethod ansi.Method
	// Location is the time zone in which times are shown; nil means local time.
	Location *time.Location
	// Words is the language; nil means English.
	Words *words.Language
}

// Format returns the format in which figures are drawn.
func (o *Options) Format() textformat.Format {
	return textformat.Format{ASCII: o.ASCII, AllUnknown: o.BlankFigures, Location: o.Location, Words: o.Words}
}

// BarGlyph returns the glyph that represents a state in bars. It returns "" for a screen with
// colors, where bars consist of full blocks.
func (o *Options) BarGlyph(s State) string {
	if o.BarGlyphs {
		return s.Glyph(o.ASCII)
	}
	return ""
}

// Scope describes the part of the floor that is drawn. Scopes are comparable with ==.
type Scope struct {
	Channel model.Channel
	// Service and Group restrict agents to those who are assigned to them; "" means no restriction.
	Service, Group string
	// Restriction restricts the rows further; nil means no restriction.
	Restriction *Restriction
	// Presumed holds the kinds of durations whose time unit is presumed. A mark follows such
	// durations.
	Presumed model.Presumed
}

// View holds everything that is needed to draw rows and detail views, except the records.
type View struct {
	Options *Options
	Scope
	// Now is the current time on the server's clock, as are the times in snapshots.
	Now time.Time
	// CacheKey is equal for all boards with the same view. These boards share drawn rows and lines.
	// A nil key disables sharing.
	CacheKey any
	// Marks holds the marks of pending actions; nil means no marks.
	Marks *ActionMarks
	// Alerts holds the alerts about the records; nil means no alerts.
	Alerts *Alerts
	// Situations holds the current situations; nil means no situations.
	Situations *situation.View
	// EndedSituations lists situations that have ended.
	EndedSituations []situation.PastSituation
	// KPIValues provides the values of configured KPIs; nil means that they are unknown.
	KPIValues KPIValues
	// Trends provides the samples of figures; nil means that there are none.
	Trends Trends
	// ForecastSentences describes the end-of-day forecast of a service in sentences; nil means that
	// there is no forecast.
	ForecastSentences func(*model.Service) []string
	// DrawRestOfDay draws the forecast for each half hour until the end of the day; nil means that
	// there is no forecast.
	DrawRestOfDay func(*model.Service, *textlayout.Pen)
	// SpareAgentSentences describes in sentences how many agents of a service can leave before
	// calls have to wait, and which agents are likely to be free next; nil means that this is
	// unknown.
	SpareAgentSentences func(*model.Service) []string
	// BreakSentences describes the current break of an agent in sentences. isOver is true if the break
	// is longer than allowed, which the first sentence then says. nil means that breaks are unknown.
	BreakSentences func(username string) (lines []string, isOver bool)
	// AgentRows finds the records of the agent in a detail view. If AgentRows is nil, the whole
	// table is searched each time.
	AgentRows *model.AgentRows
}

func (o *Options) targetsOf(service string) alert.Goal {
	if o.Targets == nil {
		return alert.DefaultGoal()
	}
	return o.Targets(service)
}

// sgr returns the escape sequence that selects the color of a token.
func (v *View) sgr(t themes.Token) string { return v.Options.Theme.OpenSequence(t) }

// glyphOrASCII returns glyph, or ascii if only ASCII characters may be drawn.
func (o *Options) glyphOrASCII(glyph, ascii string) string {
	if o.ASCII {
		return ascii
	}
	return glyph
}

// translate returns a text in the language of the view.
func (v *View) translate(t words.Text) string { return t.In(v.Options.Words) }

// addSearchText calls add with a text that a filter searches, in the language of the view and in English,
// because filters of the configuration are in English.
func (v *View) addSearchText(t words.Text, add func(string)) {
	add(v.translate(t))
	if v.Options.Words != nil {
		add(t.In(nil))
	}
}

// drawState draws the glyph and the word of a state in a cell.
func (v *View) drawState(s State, dst *table.Cell) {
	dst.AppendString(s.Glyph(v.Options.ASCII))
	dst.AppendString(" ")
	dst.AppendString(v.translate(s.Word))
	dst.Style = v.sgr(s.Token)
}

// setLevelMark sets the mark of the level l in front of the row dst. Normal has no mark.
func (v *View) setLevelMark(l Level, dst *table.Row) {
	if l > Normal {
		dst.Marker, dst.MarkerStyle = l.Glyph(v.Options.ASCII), v.sgr(l.Token())
	}
}

// displayName returns the configured name of a code, or the code itself if it has no such name. It
// returns "" if the code is unknown.
func (v *View) displayName(kind model.NameKind, code model.Text) string {
	s := code.String()
	if s == "" {
		return ""
	}
	return v.Options.Names.NameOf(kind, s)
}

// numberedName is like displayName, but for a numeric code.
func (v *View) numberedName(kind model.NameKind, code model.Int) string {
	n, ok := code.Get()
	if !ok {
		return ""
	}
	return v.Options.Names.NameOf(kind, strconv.FormatInt(n, 10))
}
