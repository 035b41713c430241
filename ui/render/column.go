package render

import (
	"cmp"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/table"
)

// columnSpec is a table column in all languages.
type columnSpec struct {
	table.Column
	texts         columnTexts
	possibleWords []words.Text // words of which each cell holds one; the column is wide enough for them if there is room
}

// columnTexts holds the texts of a column.
type columnTexts struct {
	title, meaning words.Text // meaning explains the column; zero: the legend explains it
	formerTitle    string     // title in earlier versions of the program, for filters; "": unchanged
}

// withPossibleWords returns a copy of the column that is wide enough for each of some words.
func (c columnSpec) withPossibleWords(list ...words.Text) columnSpec {
	c.possibleWords = list
	return c
}

// inLanguage returns the column in a language. It is wide enough for the title and, if the values are aligned
// right, for the sort arrow.
func (c *columnSpec) inLanguage(l *words.Language) table.Column {
	out := c.Column
	out.Title, out.Explanation = c.texts.title.In(l), c.texts.meaning.In(l)
	width := ansi.StringWidth(out.Title)
	if out.Align == table.Right {
		width++
	}
	out.Min = max(out.Min, width)
	for _, word := range c.possibleWords {
		width := ansi.StringWidth(word.In(l)) + 2 // a mark beside the word: a glyph and a blank, or a question mark
		out.Ideal, out.Max = max(out.Ideal, width), max(out.Max, width)
	}
	if l != nil {
		out.Aliases = append(out.Aliases, c.texts.title.In(nil)) // filters of the configuration are in English
	}
	if c.texts.formerTitle != "" {
		out.Aliases = append(out.Aliases, c.texts.formerTitle)
	}
	return out
}

// withFormerTitle returns a copy of the column that filters also find by its former title.
func (c columnSpec) withFormerTitle(title string) columnSpec {
	c.texts.formerTitle = title
	return c
}

// column is a table column, with functions that draw its cells and return their values.
type column[R any] struct {
	columnSpec
	cell  func(v *View, r *row[R], dst *table.Cell)
	value func(v *View, r *row[R]) table.Value
	// compare compares two rows. If compare is nil, the values of the rows are compared.
	compare func(v *View, a, b *row[R]) int
	// figure is the name of the figure in the catalog. It is "" if the column shows a value that
	// the platform sends.
	figure    string
	direction kpi.Direction // whether higher or lower values are better, if the figure has a target
}

// Results of comparing two rows that have the same order in both sort directions. For example, rows
// with an unknown value come last in both.
const (
	alwaysFirst  = -2
	alwaysSecond = 2
)

// fixedOrder converts the result of a comparison into alwaysFirst, alwaysSecond or 0, so that
// it applies to both sort directions.
func fixedOrder(c int) int { return alwaysSecond * min(max(c, -1), 1) }

// compareKnown compares the values a and b. okA and okB report whether they are known. Known values
// come first in both sort directions.
func compareKnown[T cmp.Ordered](a T, okA bool, b T, okB bool) int {
	switch {
	case okA && okB:
		return cmp.Compare(a, b)
	case okA:
		return alwaysFirst
	case okB:
		return alwaysSecond
	}
	return 0
}

// compareRows compares two rows in ascending order. If the rows have the same order in both sort
// directions, it returns alwaysFirst or alwaysSecond.
func (c *column[R]) compareRows(v *View, a, b *row[R]) int {
	if c.compare != nil {
		return c.compare(v, a, b)
	}
	x, y := c.value(v, a), c.value(v, b)
	if x.Known && y.Known {
		return x.Compare(y)
	}
	return compareKnown(0, x.Known, 0, y.Known)
}

// The following functions return the value of a cell for sorting and filtering.

func intValue(n model.Int) table.Value {
	x, ok := n.Get()
	return table.Value{Kind: table.NumberValue, Known: ok, Number: float64(x)}
}

func figureValue(f model.Figure, k table.ValueKind) table.Value {
	x, ok := f.Get()
	if k == table.PercentValue {
		x *= 100
	}
	return table.Value{Kind: k, Known: ok, Number: x}
}

func durationValue(d time.Duration) table.Value {
	return table.Value{Kind: table.DurationValue, Known: true, Number: d.Seconds()}
}

// clockValue returns the value of a time of day, with its text. The value of the zero time is
// unknown.
func clockValue(o *Options, t time.Time) table.Value {
	local := o.Format().Local(t)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location())
	out := durationValue(local.Sub(midnight))
	out.Known, out.Text = !t.IsZero(), string(o.Format().Clock(nil, t))
	return out
}

// textValue returns the value of a string. It is unknown for "".
func textValue(s string) table.Value { return table.Value{Known: s != "", Text: s} }

// stateValue returns the value of a state. Its text is the word of the state; the rank determines
// its order.
func (v *View) stateValue(s State, rank int, known bool) table.Value {
	return table.Value{Known: known, Text: v.translate(s.Word), Number: float64(rank)}
}

// numberColumn returns a right-aligned column that sorts in descending order by default.
func numberColumn(id string, title words.Text, width, priority int) columnSpec {
	return columnSpec{texts: columnTexts{title: title}, Column: table.Column{
		ID: id, Min: width, Priority: priority, Align: table.Right, SortDescending: true, HasFigures: true,
	}}
}

// wordsColumn returns a left-aligned column. Its width is between low and high cells, and ideal if
// possible.
func wordsColumn(id string, title words.Text, low, ideal, high, priority int) columnSpec {
	return columnSpec{texts: columnTexts{title: title}, Column: table.Column{
		ID: id, Min: low, Ideal: ideal, Max: high, Weight: 1, Priority: priority, Align: table.Left,
	}}
}

// momentaryColumn returns a copy of the column c that is marked as momentary, because its values
// describe the present moment.
func momentaryColumn(c columnSpec) columnSpec {
	c.Momentary = true
	return c
}

// intColumn returns a column of whole numbers. It draws a zero as a dot, so that other numbers
// stand out.
func intColumn[R any](c columnSpec, get func(*R) model.Int) column[R] {
	return column[R]{
		columnSpec: c,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			n := get(r.record)
			if n == model.IntOf(0) && !v.Options.BlankFigures {
				v.Options.drawZero(dst)
				return
			}
			if dst.Text = v.Options.Format().Int(dst.Text, n); !n.Known() {
				dst.Style = v.sgr(themes.Unknown)
			}
		},
		value: func(_ *View, r *row[R]) table.Value { return intValue(get(r.record)) },
	}
}

// drawZero draws a dot in a cell with a known zero.
func (o *Options) drawZero(dst *table.Cell) {
	dst.Text, dst.Style = append(dst.Text[:0], o.glyphOrASCII("·", ".")...), o.Theme.OpenSequence(themes.Dim)
}

// secondsColumn returns a column of numbers of seconds, which are drawn as durations.
func secondsColumn[R any](c columnSpec, get func(*R) model.Int) column[R] {
	out := intColumn(c, get)
	inner := out.cell
	out.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		dst.Text = v.Options.Format().Seconds(dst.Text[:0], get(r.record))
	}
	out.value = func(_ *View, r *row[R]) table.Value {
		n := intValue(get(r.record))
		n.Kind = table.DurationValue
		return n
	}
	return out
}

// figuresColumn returns a column of figures. kind is the kind of their values. draw formats a
// figure.
func figuresColumn[R any](
	c columnSpec,
	kind table.ValueKind,
	get func(*View, *R) model.Figure,
	draw func(textformat.Format, []byte, model.Figure) []byte,
) column[R] {
	return column[R]{
		columnSpec: c,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			f := get(v, r.record)
			dst.Text = draw(v.Options.Format(), dst.Text, f)
			if !f.Known() {
				dst.Style = v.sgr(themes.Unknown)
			}
		},
		value: func(v *View, r *row[R]) table.Value { return figureValue(get(v, r.record), kind) },
	}
}

// percentColumn returns a column of shares, which are drawn as percentages.
func percentColumn[R any](c columnSpec, get func(*View, *R) model.Figure) column[R] {
	return figuresColumn(c, table.PercentValue, get, textformat.Format.Percent)
}

// durationColumn returns a column of figures in seconds, which are drawn as durations.
func durationColumn[R any](c columnSpec, get func(*View, *R) model.Figure) column[R] {
	return figuresColumn(c, table.DurationValue, get, textformat.Format.FigureSeconds)
}

// textColumn returns a column of strings. It draws "" as unknown.
func textColumn[R any](c columnSpec, get func(*View, *row[R]) string) column[R] {
	return labelColumn(c, get, func(*R) bool { return false })
}

// labelColumn returns a column of strings that may be absent. For "", the cell is empty if absent
// returns true; otherwise the string is drawn as unknown.
func labelColumn[R any](c columnSpec, get func(*View, *row[R]) string, absent func(*R) bool) column[R] {
	return column[R]{
		columnSpec: c,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			s := get(v, r)
			if s == "" && absent(r.record) {
				return
			}
			dst.Text = v.Options.Format().Text(dst.Text, s)
			if s == "" {
				dst.Style = v.sgr(themes.Unknown)
			}
		},
		value: func(v *View, r *row[R]) table.Value { return textValue(get(v, r)) },
	}
}

// activityColumn, serviceColumn and groupColumn return columns with the names of the agents'
// current activities, services and groups.
func activityColumn[R any](c columnSpec, get func(*R) *model.AgentFigures) column[R] {
	return labelColumn(momentaryColumn(c), func(v *View, r *row[R]) string {
		a := get(r.record)
		return v.activity(a.ActivityCode, a.ActivityCode2)
	}, func(r *R) bool { return get(r).ActivityCode.Known() })
}

func serviceColumn[R any](c columnSpec, get func(*R) *model.AgentFigures) column[R] {
	return labelColumn(momentaryColumn(c), func(v *View, r *row[R]) string {
		return v.displayName(model.NameService, get(r.record).CurrentService)
	}, func(r *R) bool { return get(r).CurrentService.Known() })
}

func groupColumn[R any](c columnSpec, get func(*R) *model.AgentFigures) column[R] {
	return labelColumn(momentaryColumn(c), func(v *View, r *row[R]) string {
		return v.displayName(model.NameGroup, get(r.record).CurrentGroup)
	}, func(r *R) bool { return get(r).CurrentGroup.Known() })
}

// sinceColumn returns a column of durations since an instant, which grow with the clock. The column
// sorts by instant, so that the order of the rows does not depend on the clock.
func sinceColumn[R any](c columnSpec, get func(*R) model.Instant) column[R] {
	c.NoFlash = true
	return column[R]{
		columnSpec: c,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			i := get(r.record)
			dst.Text = v.Options.Format().Since(dst.Text, i, v.Now)
			if !i.Known() {
				dst.Style = v.sgr(themes.Unknown)
			}
		},
		value: func(v *View, r *row[R]) table.Value {
			d, ok := get(r.record).Since(v.Now)
			out := durationValue(d.Truncate(time.Second))
			out.Known = ok
			return out
		},
		compare: func(_ *View, a, b *row[R]) int {
			x, okX := get(a.record).Milli()
			y, okY := get(b.record).Milli()
			return compareKnown(-x, okX, -y, okY)
		},
	}
}

// ageColumn is like sinceColumn, but for a time.Time. The zero time is unknown.
func ageColumn[R any](c columnSpec, get func(*R) time.Time) column[R] {
	return sinceColumn(c, func(r *R) model.Instant {
		if t := get(r); !t.IsZero() {
			return model.InstantOf(t)
		}
		return model.Instant{}
	})
}

func nameColumn[R any](c columnSpec) column[R] {
	out := textColumn(c, func(_ *View, r *row[R]) string { return r.name })
	out.cell = func(v *View, r *row[R], dst *table.Cell) { drawName(v.Options, r, dst) }
	out.compare = func(_ *View, a, b *row[R]) int { return compareNames(a, b) }
	return out
}

// withColor returns a copy of the column that draws cells in the color token returned by tone. If
// tone returns [themes.Text], the cell stays unchanged.
func (c column[R]) withColor(tone func(*View, *R) themes.Token) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		if t := tone(v, r.record); t != themes.Text {
			dst.Style = v.sgr(t)
		}
	}
	return c
}

// withExtraDrawing returns a copy of the column that calls draw after drawing a cell. draw may change the
// cell.
func (c column[R]) withExtraDrawing(draw func(*View, *R, *table.Cell)) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		draw(v, r.record, dst)
	}
	return c
}

// withPresumedMark returns a copy of the column that marks durations whose time unit is presumed.
// presumed is the kind of duration. known reports whether a record has a duration.
func (c column[R]) withPresumedMark(presumed model.Presumed, known func(*R) bool) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		if v.Presumed.Has(presumed) && known(r.record) {
			dst.Text = append(dst.Text, PresumedMark...)
		}
	}
	return c
}

// compareNames compares rows by name, ignoring case and accents. The name "" is unknown.
func compareNames[R any](a, b *row[R]) int {
	return compareKnown(a.sortKey, a.name != "", b.sortKey, b.name != "")
}
