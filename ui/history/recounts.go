package history

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// Recording reads the recording of the floor. Intervals is called from commands. The other methods
// are called from Update.
type Recording interface {
	// Intervals returns the figures of all intervals of the given length between two instants. Its
	// error message is a sentence for the viewer.
	Intervals(ctx context.Context, from, to time.Time, length time.Duration, scope analysis.Scope, progress analysis.Progress) ([]analysis.Interval, error)
	// ServiceLevelFormula returns the service level formula of a service. The empty string means all services.
	ServiceLevelFormula(service string) model.ServiceLevelFormula
	// ServiceLevelTarget returns the service level target of a service. The empty string means all services.
	ServiceLevelTarget(service string) model.Float
}

// intervalsView shows the figures of a recorded day, with a line for each interval.
type intervalsView struct {
	*selection
	scrollableView

	keyMap  *Keys
	shared  SharedKeys
	length  int    // index in [analysis.IntervalLengths] of the length of an interval
	service string // code of the service; "": all services
}

// intervalsQuery requests the figures of a recorded day by interval.
type intervalsQuery struct {
	board  *Board
	date   time.Time
	length time.Duration
	scope  analysis.Scope
}

func (q intervalsQuery) equals(other query) bool {
	o, ok := other.(intervalsQuery)
	return ok && o.date.Equal(q.date) && o.length == q.length && o.scope == q.scope
}

func (q intervalsQuery) becomesOutdated(today time.Time) bool { return !q.date.Before(today) }

func (q intervalsQuery) read(ctx context.Context, _ Reader, progress func(contact.Progress)) (any, error) {
	list, err := q.board.Recording.Intervals(ctx, q.date, contact.StartOfDay(q.date, 1), q.length, q.scope, func(done, total int) {
		progress(contact.Progress{Read: done, Total: total})
	})
	return list, err
}

// channel returns the channel to which the selected kind of contact belongs.
func (v *intervalsView) channel() model.Channel {
	switch v.kind {
	case contact.Video:
		return model.Video
	case contact.Chat:
		return model.Chat
	case contact.Inbound, contact.Outbound:
	}
	return model.Call
}

func (v *intervalsView) query() query {
	return intervalsQuery{v.board, v.date(), analysis.IntervalLengths()[v.length], analysis.Scope{Channel: v.channel(), Service: v.service}}
}

// serviceName returns the name of the selected service, or "All services" if none is selected.
func (v *intervalsView) serviceName() words.Text {
	if v.service == "" {
		return words.HistoryAllServices()
	}
	return words.Name(v.board.Floor.Names.NameOf(model.NameService, v.service))
}

func (v *intervalsView) description(w int) words.Text {
	return words.HistoryIntervalsOf(v.serviceName(), v.dayText(w), int(analysis.IntervalLengths()[v.length].Minutes()))
}

func (v *intervalsView) searchHint() words.Text { return words.Text{} }

func (v *intervalsView) emptyText(answer any) words.Text {
	if list, _ := answer.([]analysis.Interval); len(list) > 0 {
		return words.Text{}
	}
	return v.board.withHint(words.HistoryNothingRecorded(), words.HistoryPressOtherDays())
}

// services returns the codes of the channel's services, sorted by service name.
func (v *intervalsView) services() []string {
	var codes []string
	if v.board.Floor.Shown == nil {
		return nil
	}
	for r := range v.board.Floor.Shown.Services.All() {
		if r.Channel == v.channel() {
			codes = append(codes, r.Key().Code)
		}
	}
	name := func(code string) string { return strings.ToLower(v.board.Floor.Names.NameOf(model.NameService, code)) }
	slices.SortFunc(codes, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	return codes
}

func (v *intervalsView) handleKey(msg tea.KeyPressMsg) bool {
	switch rows := table.DefaultKeyMap(); {
	case v.handleDay(v.keyMap, msg, contact.StartOfDay):
	case key.Matches(msg, v.keyMap.PeriodLength):
		v.length = (v.length + 1) % len(analysis.IntervalLengths())
		v.text.ScrollToTop()
	case key.Matches(msg, v.keyMap.Grouping):
		all := append([]string{""}, v.services()...)
		v.service = all[(slices.Index(all, v.service)+1)%len(all)]
		v.text.ScrollToTop()
	case key.Matches(msg, rows.LineUp, rows.LineDown, rows.PageUp, rows.PageDown, rows.GotoTop, rows.GotoBottom):
		v.text.Press(msg)
	default:
		return false
	}
	return true
}

func (v *intervalsView) keys(bool) []key.Binding {
	return []key.Binding{
		v.board.helpOf(v.keyMap.Grouping, words.HistoryKeyNextService()), v.board.helpOf(v.keyMap.PeriodLength, words.HistoryKeyLengths()), v.keyMap.Earlier, v.keyMap.Later,
	}
}

func (v *intervalsView) search(func() tea.Cmd) tea.Cmd { return nil }

// table converts an answer to a table of intervals for a file, in English.
func (v *intervalsView) table(answer any) analysis.Table {
	list, _ := answer.([]analysis.Interval)
	return analysis.NewTable(v.date(), v.board.serverTime(v.board.Floor.LocalNow), analysis.IntervalLengths()[v.length], v.serviceName().In(nil), v.channel(),
		v.board.Recording.ServiceLevelFormula(v.service), list)
}

// intervalWidths holds the widths in cells of all columns except the last, which gets the remaining
// width. On narrow screens, shortWidths replace the widths. A column is wider if its title needs more.
var (
	intervalWidths = []int{11, 9, 9, 8, 10, 9, 10, 7}
	shortWidths    = []int{11, 6, 6, 8, 6, 6, 6, 6}
)

// intervalTitles returns the titles of all columns.
func intervalTitles(short bool) []words.Text {
	if short {
		return []words.Text{
			words.HistoryInterval(), words.HistoryShortReceived(), words.HistoryShortAnswered(), words.HistorySl(), words.HistoryShortAbandoned(),
			words.HistoryShortHandling(), words.HistoryShortLoggedIn(), words.HistoryReady(), words.HistoryRecorded(),
		}
	}
	return []words.Text{
		words.HistoryInterval(), words.HistoryReceived(), words.HistoryAnswered(), words.HistorySl(), words.HistoryAbandoned(),
		words.HistoryHandling(), words.HistoryLoggedIn(), words.HistoryReady(), words.HistoryRecorded(),
	}
}

// fittingColumns returns the widths of the columns on a page of w cells, and the titles of all
// columns. The titles are short if w is small.
func fittingColumns(lk *style.Look, w int) (widths []int, head []string) {
	sum := func() (n int) {
		for _, width := range widths {
			n += width
		}
		return n + 1
	}
	for _, short := range []bool{false, true} {
		if widths = slices.Clone(intervalWidths); short {
			widths = slices.Clone(shortWidths)
		}
		head = nil
		for i, title := range intervalTitles(short) {
			if head = append(head, lk.Translate(title)); i < len(widths) {
				widths[i] = max(widths[i], style.Width(head[i])+1)
			}
		}
		if sum() <= w {
			return widths, head
		}
	}
	for len(widths) > 1 && sum() > w {
		widths = widths[:len(widths)-1]
	}
	return widths, head
}

// minNotesWidth is the minimum width of the page, in cells, for notes beside the figures.
const minNotesWidth = 110

func (v *intervalsView) draw(answer any, x, y, w, h int) []string {
	list, _ := answer.([]analysis.Interval)
	d, lk := v.table(answer), v.board.look()
	widths, head := fittingColumns(lk, w)
	notes, longest, room := make([]string, len(list)), 0, w-3
	for i := range list {
		notes[i] = lk.Translate(list[i].Note(d.CreatedAt, v.board.zone()))
		longest = max(longest, style.Width(notes[i]))
	}
	for _, width := range widths {
		room -= width
	}
	figures, wide := len(widths), w >= minNotesWidth && longest <= room
	if !wide {
		head = head[:figures]
	}
	bars := newContactBars(lk, d.Rows, room-2-max(longest, notesWidth))
	if !wide {
		bars.width = 0
	}
	out := []string{v.drawRow(head, widths, bars.drawLegend(), w, func(int) themes.Token { return themes.Header })}
	target, measured := v.board.Recording.ServiceLevelTarget(v.service).Get()
	var lines []string
	for i := range list {
		level, known := d.Rows[i].ServiceLevel.Get()
		note := notes[i]
		cells := append(rowCells(lk, &d.Rows[i]), note)
		if !wide {
			cells = cells[:figures]
		}
		lines = append(lines, v.drawRow(cells, widths, bars.draw(&d.Rows[i]), w, func(col int) themes.Token {
			switch {
			case col == 0 || col == figures:
				return themes.Dim
			case cells[col] == string(lk.Format.Unknown(nil)):
				return themes.Unknown
			case col == 3 && known && measured && level < target:
				return themes.Warn
			}
			return themes.Text
		}))
		if !wide && note != "" {
			lines = append(lines, lk.Wrap(themes.Dim, style.Blanks(3)+note, w)...)
		}
	}
	about := paragraph(lk, themes.Dim, words.HistoryIntervalsAbout(words.ServiceLevelFormula(d.Formula)), w)
	available := h - len(out) - len(about) - 1
	if available < 3 {
		about, available = nil, h-len(out)
	}
	out = append(out, v.text.View(lines, x, y+len(out), w, min(available, len(lines)))...)
	if about != nil {
		out = append(append(out, style.Blanks(w)), about...)
	}
	return out
}

// rowCells returns the formatted cells of an interval, without the note.
func rowCells(lk *style.Look, r *analysis.Row) []string {
	f := lk.Format
	figure := func(v model.Float, format func(v float64) []byte) string {
		if x, ok := v.Get(); ok {
			return string(format(x))
		}
		return string(f.Unknown(nil))
	}
	count := func(n model.Int) string { return string(f.Int(nil, n)) }
	mean := func(v float64) []byte { return f.Words.AppendDecimal(nil, v) }
	return []string{
		textformat.ToASCII(textformat.Clock(r.From, nil)+"–"+textformat.Clock(r.To, nil), lk.ASCII), count(r.Received), count(r.Answered),
		figure(r.ServiceLevel, func(v float64) []byte { return f.Words.AppendPercent(nil, v) }), count(r.Abandoned),
		figure(r.Handling, func(v float64) []byte { return f.Duration(nil, textformat.DurationFromSeconds(v)) }), figure(r.LoggedIn, mean), figure(r.Ready, mean),
	}
}

// drawRow draws a row of cells. The last cell is the note; bar draws the bar in front of it. token
// returns the color token of a column.
func (v *intervalsView) drawRow(cells []string, widths []int, bar func(*style.Line), w int, token func(col int) themes.Token) string {
	lk := v.board.look()
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i, text := range cells {
		switch {
		case i == 0:
			l.Add(lk.Style(token(i)), style.Fit(text, widths[i], ""))
		case i < len(widths):
			l.Add(lk.Style(token(i)), style.PadLeft(text, widths[i]))
		default:
			bar(l)
			l.Space(themes.Style{}, 2).Add(lk.Style(token(i)), text)
		}
	}
	return l.Finish(themes.Style{})
}

// contactBars draws the number of contacts in each interval as a bar between the figures and the
// note.
type contactBars struct {
	look    *style.Look
	width   int     // width of the longest bar in cells; 0: no bars
	maximum float64 // number of contacts of the longest bar
}

// Minimum widths of the notes and of the bars, in cells.
const (
	notesWidth  = 36
	minBarWidth = 26
)

// newContactBars returns bars of at most w cells, or none if w is less than minBarWidth.
func newContactBars(lk *style.Look, rows []analysis.Row, w int) contactBars {
	b := contactBars{look: lk, width: w}
	if w < minBarWidth {
		b.width = 0
	}
	for i := range rows {
		n, _ := rows[i].Received.Get()
		b.maximum = max(b.maximum, float64(n))
	}
	return b
}

// glyphs returns the characters of a bar: answered for answered contacts, other for all other
// contacts.
func (b contactBars) glyphs() (answered, other string) {
	if b.look.ASCII {
		return "#", "="
	}
	return "█", "▒"
}

// drawLegend returns a function that draws the legend of the bars.
func (b contactBars) drawLegend() func(*style.Line) {
	answered, other := b.glyphs()
	text := answered + " " + b.look.Translate(words.HistoryAnswered()) + " " + other + " " + b.look.Translate(words.HistoryNotAnswered())
	return func(l *style.Line) {
		if b.width > 0 {
			l.Space(themes.Style{}, 2).Add(b.look.Style(themes.Header), style.Fit(text, b.width, b.look.Glyphs.Ellipsis))
		}
	}
}

// draw returns a function that draws the bar of an interval.
func (b contactBars) draw(r *analysis.Row) func(*style.Line) {
	return func(l *style.Line) {
		if b.width == 0 {
			return
		}
		answered, other := b.glyphs()
		all, _ := r.Received.Get()
		done, _ := r.Answered.Get()
		n := int(math.Round(float64(all) / max(b.maximum, 1) * float64(b.width)))
		first := min(int(math.Round(float64(done)/max(b.maximum, 1)*float64(b.width))), n) // at most n, because contacts of the previous interval may be answered in this one
		l.Space(themes.Style{}, 2).Add(b.look.Style(themes.Gauge), strings.Repeat(answered, first))
		l.Add(b.look.Style(themes.Dim), strings.Repeat(other, n-first)).Space(themes.Style{}, b.width-n)
	}
}

func (v *intervalsView) exportTable(answer any) exportTable {
	d := v.table(answer)
	name := "intervals-" + d.Date.Format(time.DateOnly)
	if v.service != "" {
		name += "-" + safeFileName(v.service)
	}
	return exportTable{name: name, header: analysis.CSVColumns(), rows: d.CSVRows(), jsonValue: d}
}
