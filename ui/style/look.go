package style

import (
	"strings"
	"sync"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Options holds the settings for a look.
type Options struct {
	Theme       themes.Theme
	NamedTheme  bool            // the theme was chosen by name, regardless of the terminal's colors
	Mono        bool            // the terminal has no colors
	Depth       themes.Depth    // number of colors that the terminal supports
	ASCII       bool            // use only ASCII characters
	Location    *time.Location  // time zone of displayed and typed times; nil: local time
	WidthMethod ansi.Method     // how the terminal measures text
	Words       *words.Language // language of texts; nil: English
}

// Look holds the theme and the options for drawing the board. Apart from its caches, a Look never
// changes: each theme has its own Look. The pointers Render and BlankRender are used in cache keys.
type Look struct {
	Options

	Render      *render.Options // options for package render
	BlankRender *render.Options // like Render, for figures that are too old to be shown
	Format      textformat.Format
	Glyphs      Glyphs
	StaleSGR    string        // escape sequence of the style of stale figures
	Cache       *DrawingCache // drawings shared with other boards with this look; nil: not shared

	dialogFader, staleFader fader // see [Look.Fade] and [Look.FadeStale]

	gradients sync.Map // maps themes.Token to []chart.Shade
	tints     sync.Map // maps themes.Token to an escape sequence
}

// New returns a look. renderOptions contains the options of package render that do not depend on the
// look: names, targets, limits of states and configured KPIs. New sets the theme, the characters, the
// time zone, the language and the tints of rows in a copy of them.
func New(o Options, renderOptions render.Options) *Look {
	if !o.NamedTheme {
		o.Theme = o.Theme.WithoutBackground() // the terminal's background is used everywhere, so that there are no patches
	}
	renderOptions.Theme, renderOptions.ASCII, renderOptions.Location, renderOptions.Words = o.Theme, o.ASCII, o.Location, o.Words
	renderOptions.WidthMethod = o.WidthMethod
	if o.ASCII && o.Words != nil {
		renderOptions.Words = o.Words.ASCII()
	}
	renderOptions.BarGlyphs = o.ASCII || o.Mono || !o.Theme.HasColors()
	lk := &Look{Options: o, Format: renderOptions.Format(), Glyphs: glyphsFor(o.ASCII)}
	renderOptions.Tints = [...]string{render.Warning: lk.rowTint(themes.GaugeWarn), render.Critical: lk.rowTint(themes.GaugeCritical)}
	blank := renderOptions
	blank.BlankFigures = true
	lk.Render, lk.BlankRender = &renderOptions, &blank
	// With colors, stale figures are not underlined, because a pane full of underlined text would
	// look ruled.
	lk.StaleSGR = o.Theme.OpenSequence(themes.Stale)
	if open := styleSequence(o.Theme.Style(themes.Stale).Lipgloss().Underline(false)); !o.Mono && open != o.Theme.OpenSequence(themes.Dim) {
		lk.StaleSGR = open
	}
	lk.dialogFader, lk.staleFader = lk.faders()
	return lk
}

// rowTint returns the escape sequence for table rows with an alert. t is GaugeWarn or
// GaugeCritical, for the level of the alert. The sequence sets a tinted background. Without a tint,
// it sets bold text and, for GaugeCritical on a terminal with colors, the color of t.
func (lk *Look) rowTint(t themes.Token) string {
	if tint := lk.Tint(t); tint != "" {
		return tint
	}
	bold := ansi.SGR(ansi.AttrBold)
	if t == themes.GaugeCritical && !lk.Mono {
		return lk.Theme.OpenSequence(t) + bold
	}
	return bold
}

// styleSequence returns the sequence that activates a Lip Gloss style.
func styleSequence(st lipgloss.Style) string {
	open, _, _ := strings.Cut(st.Render("x"), "x")
	return open
}

// Glyphs holds the characters that the board itself draws, each one cell wide.
type Glyphs struct {
	Ellipsis, Dot, Live, Busy, Failed, Stopped, HiddenBefore, Crumb, Bar, Rule, Pointer, Check, Action, New string
}

func glyphsFor(ascii bool) Glyphs {
	if ascii {
		return Glyphs{
			Ellipsis: "~", Dot: "-", Live: "O", Busy: "o", Failed: "!", Stopped: "#",
			HiddenBefore: "<", Crumb: ">", Bar: "|", Rule: "-", Pointer: ">", Check: "+", Action: "@", New: "&",
		}
	}
	return Glyphs{
		Ellipsis: "…", Dot: "·", Live: "●", Busy: "◌", Failed: "▲", Stopped: "■",
		HiddenBefore: "‹", Crumb: "›", Bar: "│", Rule: "─", Pointer: "▌", Check: "✓", Action: "◆", New: "*",
	}
}

// Base returns the escape sequence of the style below all text. It returns "" if there are no
// colors or if the board uses the terminal's own colors. A theme chosen by name sets its own
// colors, because it may be a light theme on a dark terminal or vice versa. They are set with a
// sequence, because terminal multiplexers do not forward the colors of a Bubble Tea view.
func (lk *Look) Base() string {
	if lk.Mono || !lk.NamedTheme {
		return ""
	}
	return lk.Theme.BaseSequence()
}

// Style returns the style of a token.
func (lk *Look) Style(t themes.Token) themes.Style { return lk.Theme.Style(t) }

// BarTextStyle returns the style of text with the token t on the top and bottom lines. On a bar in reverse
// video, a text color would become a background color.
func (lk *Look) BarTextStyle(t themes.Token) themes.Style {
	bar := lk.Style(themes.StatusBar)
	if bar.Lipgloss().GetReverse() {
		return lk.reversedBarStyle(bar, t)
	}
	return themes.Style{Open: bar.Open + lk.Theme.OpenSequence(t), Close: ansi.ResetStyle}
}

// reversedBarStyle returns the style of text on a bar in reverse video, without colors. Keys, titles
// and accents are bold. Only critical alerts and warnings are drawn as badges.
func (lk *Look) reversedBarStyle(bar themes.Style, t themes.Token) themes.Style {
	var attributes ansi.Style
	switch t {
	case themes.Critical:
		return lk.Style(themes.BadgeCritical)
	case themes.Warn:
		return lk.Style(themes.BadgeWarn)
	case themes.Key:
		attributes = attributes.Bold().Underline(true)
	case themes.Title, themes.Accent:
		attributes = attributes.Bold()
	default:
		return bar
	}
	return themes.Style{Open: bar.Open + attributes.String(), Close: ansi.ResetStyle}
}

// Zone returns the time zone of displayed and typed times.
func (lk *Look) Zone() *time.Location {
	if lk.Location == nil {
		return time.Local
	}
	return lk.Location
}

// FormatDuration formats a duration.
func (lk *Look) FormatDuration(d time.Duration) string { return string(lk.Format.Duration(nil, d)) }

// PercentText formats a share between 0 and 1 as a percentage.
func (lk *Look) PercentText(v float64) string {
	return string(lk.Format.Percent(nil, model.FigureOf(v)))
}

// FormatCount formats a whole number.
func (lk *Look) FormatCount(n int) string { return string(lk.Format.Count(nil, int64(n))) }

// FormatCountRange formats a range of whole numbers.
func (lk *Look) FormatCountRange(from, to int) string {
	dash := "–"
	if lk.ASCII {
		dash = "-"
	}
	return lk.FormatCount(from) + dash + lk.FormatCount(to)
}

// JoinFirst joins the first n strings of a list with sep. If there are more, it adds their number.
func (lk *Look) JoinFirst(list []string, n int, sep string) string {
	if len(list) <= n {
		return strings.Join(list, sep)
	}
	return strings.Join(list[:n], sep) + sep + words.DetailAndMore(len(list)-n).In(lk.Format.Words)
}

// ChartGlyphs returns the set of characters for drawing charts.
func (lk *Look) ChartGlyphs() chart.CharSet {
	if lk.ASCII {
		return chart.ASCII
	}
	return chart.Blocks
}

// Gradient returns the shades of an area in the color of a token, from a color near the background
// to the color itself. On a terminal with few colors, it returns only the color itself.
func (lk *Look) Gradient(t themes.Token) []chart.Shade {
	if cached, ok := lk.gradients.Load(t); ok {
		return cached.([]chart.Shade)
	}
	out := []chart.Shade{{Fg: lk.Theme.OpenSequence(t)}}
	if fg, bg := lk.Theme.Gradient(t, lk.Depth); fg != nil {
		out = make([]chart.Shade, len(fg))
		for i := range out {
			out[i] = chart.Shade{Fg: fg[i], Bg: bg[i]}
		}
	}
	lk.gradients.Store(t, out)
	return out
}

// Band returns the shaded area between two series, which is drawn behind the lines of a chart.
func (lk *Look) Band(low, high []float64) chart.Band {
	b := chart.Band{Low: low, High: high, Glyph: "░", Shade: lk.Gradient(themes.Dim)[0], OverAreaStyle: lk.Theme.OpenSequence(themes.Text)}
	if lk.ASCII {
		b.Glyph, b.Shade = ":", chart.Shade{Fg: lk.Theme.OpenSequence(themes.Faint)}
	}
	return b
}

// TableGlyphs returns the glyphs for drawing tables.
func (lk *Look) TableGlyphs() table.Glyphs {
	if lk.ASCII {
		return table.ASCIIGlyphs()
	}
	return table.DefaultGlyphs()
}

// TableStyles returns the styles for drawing tables.
func (lk *Look) TableStyles() table.Styles {
	t := lk.Theme
	blank := ""
	if lk.Base() != "" {
		blank = ConcealSequence
	}
	return table.Styles{
		Base:            lk.Base(),
		Header:          t.OpenSequence(themes.Header),
		HeaderSorted:    t.OpenSequence(themes.HeaderSorted),
		Label:           t.OpenSequence(themes.Faint),
		SecondLine:      t.OpenSequence(themes.Dim),
		Selected:        t.OpenSequence(themes.Selection),
		SelectedBlurred: t.OpenSequence(themes.SelectionBlurred),
		Unmatched:       t.OpenSequence(themes.Dim),
		Cursor:          t.OpenSequence(themes.Accent),
		Mark:            t.OpenSequence(themes.Accent),
		Flash:           t.OpenSequence(themes.Flash),
		EmptyTableText:  t.OpenSequence(themes.Dim),
		ScrollThumb:     t.OpenSequence(themes.Border),
		ScrollTrack:     t.OpenSequence(themes.Faint),
		Blank:           blank,
	}
}

// AreaGlyph returns the character that represents an area of a chart in a legend.
func (lk *Look) AreaGlyph() string {
	if lk.ASCII {
		return "#"
	}
	return "█"
}

// MaxSeries is the maximum number of lines in a chart. Viewers could not distinguish more.
const MaxSeries = 6

// SeriesGlyph returns the character that marks line i of a chart. i must be less than MaxSeries.
func (lk *Look) SeriesGlyph(i int) string {
	if lk.ASCII {
		return [MaxSeries]string{"*", "o", "+", "x", "#", "@"}[i]
	}
	return [MaxSeries]string{"●", "■", "▲", "◆", "○", "□"}[i]
}
