package boarddialogs

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/backtest"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// Backtest tests a rule on the recorded day that contains at, in the time zone of at. The zero time
// means the last recorded day. sweep is a variation of a field of the rule (see [backtest.Sweep]);
// "" means the default variations. The function calls report with its progress from 0 to 1. It is
// called by a command, which cancels the backtest through ctx.
type Backtest func(ctx context.Context, at time.Time, rule, sweep string, report func(fraction float64)) (backtest.Result, error)

// backtestDialog is the dialog that runs a backtest of a rule and shows the result. Closing the
// dialog cancels the backtest.
type backtestDialog struct {
	dialogs  *dialog.Stack
	names    model.Names
	day      time.Time // the day of the backtest; zero: the last recorded day
	rule     string
	sweep    string
	backtest Backtest

	progress atomic.Uint64 // progress from 0 to 1, as the bits of a float64
	cancel   context.CancelFunc
	result   *backtest.Result
	failure  string
	text     dialog.Scroller
}

type backtestMsg struct {
	result backtest.Result
	err    error
}

// OpenBacktest opens a dialog that tests a rule on the recorded day that contains at. The zero time
// means the last recorded day.
func OpenBacktest(dialogs *dialog.Stack, names model.Names, run Backtest, at time.Time, rule, sweep string) tea.Cmd {
	return dialogs.Open(&backtestDialog{dialogs: dialogs, names: names, day: at, rule: rule, sweep: sweep, backtest: run})
}

// BacktestDayText returns the day of a backtest: the date, or "today" for the zero time.
func BacktestDayText(at time.Time) words.Text {
	if at.IsZero() {
		return words.DialogDayToday()
	}
	return words.DialogDayOfYear(words.Date(at), strconv.Itoa(at.Year()))
}

// Begin implements [dialog.Starter].
func (d *backtestDialog) Begin() tea.Cmd {
	ctx, cancel := context.WithCancel(d.dialogs.Context())
	d.cancel = cancel
	say := func(fraction float64) { d.progress.Store(math.Float64bits(fraction)) }
	return d.dialogs.RouteAnswer(d, func() tea.Msg {
		r, err := d.backtest(ctx, d.day, d.rule, d.sweep, say)
		cancel()
		return backtestMsg{r, err}
	})
}

// HandleEsc implements [dialog.EscHandler]. It cancels the backtest and lets the stack close the
// dialog.
func (d *backtestDialog) HandleEsc() bool {
	d.cancel()
	return false
}

// Title implements [dialog.Dialog].
func (d *backtestDialog) Title() string {
	return words.DialogTestedOn(BacktestDayText(d.day), d.rule).In(d.dialogs.Look().Format.Words)
}

// maxBacktestWidth is the maximum width of the dialog in cells. It is enough for the charts of a
// result.
const maxBacktestWidth = 140

// Size implements [dialog.Dialog].
func (d *backtestDialog) Size(maxW, maxH int) (w, h int) {
	w = min(maxBacktestWidth, maxW)
	return w, min(len(d.lines(w))+2, maxH)
}

// Update implements [dialog.Dialog].
func (d *backtestDialog) Update(msg tea.Msg) tea.Cmd {
	if result, ok := msg.(backtestMsg); ok {
		if d.result = &result.result; result.err != nil {
			d.failure = style.OneLine(words.TextOf(result.err).In(d.dialogs.Look().Format.Words))
		}
		return nil
	}
	d.text.Update(msg)
	return nil
}

func (d *backtestDialog) lines(w int) []string {
	p := dialog.TextBuilder{Look: d.dialogs.Look(), Width: w}
	l := p.Look.Format.Words
	switch {
	case d.failure != "":
		p.Text(themes.Critical, d.failure)
	case d.result == nil:
		fraction := math.Float64frombits(d.progress.Load())
		p.Text(themes.Text, words.DialogTesting(BacktestDayText(d.day), int(fraction*100)).In(l))
		const cells = 40
		n := min(max(int(fraction*cells), 0), cells)
		p.Text(themes.Accent, strings.Repeat(p.Look.Glyphs.Rule, n))
		p.Text(themes.Dim, words.DialogEscCancels().In(l))
	default:
		st := backtest.ReportOptions{Width: w, ASCII: p.Look.ASCII, Zone: p.Look.Zone(), Names: d.names, OnlyRule: d.rule}
		for i, line := range d.result.Report(st) {
			token := themes.Text
			if i == 0 || strings.HasPrefix(line, "RULE") || strings.HasPrefix(line, "The other") {
				token = themes.Dim
			}
			p.Add(d.colorLine(p.Look, token, style.Truncate(line, w, p.Look.Glyphs.Ellipsis)))
		}
	}
	return p.Lines
}

// colorLine draws a line of the report in the color of token. The marks of charts have the colors
// of alerts.
func (d *backtestDialog) colorLine(lk *style.Look, token themes.Token, line string) string {
	if lk.ASCII {
		return lk.Style(token).Render(line)
	}
	marks := backtest.CellMarks(false)
	var b strings.Builder
	for len(line) > 0 {
		end := strings.IndexAny(line, marks[backtest.CellWarning]+marks[backtest.CellCritical])
		if end != 0 {
			if end < 0 {
				end = len(line)
			}
			b.WriteString(lk.Style(token).Render(line[:end]))
			line = line[end:]
			continue
		}
		mark, as := marks[backtest.CellWarning], themes.Warn
		if strings.HasPrefix(line, marks[backtest.CellCritical]) {
			mark, as = marks[backtest.CellCritical], themes.Critical
		}
		run := len(line) - len(strings.TrimLeft(line, mark))
		b.WriteString(lk.Style(as).Render(line[:run]))
		line = line[run:]
	}
	return b.String()
}

// View implements [dialog.Dialog].
func (d *backtestDialog) View(w, h int) []string {
	return d.text.ViewCounted(d.dialogs.Look(), d.lines(w), 0, 0, w, h)
}
