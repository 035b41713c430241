package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// Alarm holds the active alerts of a record as its row shows them. Alerts that need action come
// first, with colors, glyphs and words. The others have an unobtrusive mark that shows why they
// need no action. An alert about a figure of the day has an unobtrusive mark in the cell of that
// figure, because the figure can hardly be changed any more. A nil Alarm has no alerts.
type Alarm struct {
	// Level is the highest level of the alerts that need action.
	Level Level

	serial        uint64     // unique for every Alarm
	reasons       []rowAlert // alerts that the row shows in words, the most urgent first
	missedTargets []rowAlert // alerts about figures of the day that miss their targets and have their own cell
}

// rowAlert is an alert as a row shows it.
type rowAlert struct {
	rule, kpi    string
	level        Level
	attention    situation.AttentionState
	isUnverified bool // the figures behind the alert are not verified
}

// ruleTitle returns the title of the alert's rule in a language, followed by a question mark if the figures
// behind the alert are not verified.
func (r rowAlert) ruleTitle(l *words.Language) string {
	word := alert.RuleTitle(r.rule).In(l)
	if r.isUnverified {
		word += "?"
	}
	return word
}

// isOpen reports whether the alert needs action.
func (r rowAlert) isOpen() bool { return r.attention == situation.AttentionOpen }

// isUnattended reports whether the alert is open or watched, that is, no viewer has dealt with it.
func (r rowAlert) isUnattended() bool { return r.attention <= situation.AttentionMonitored }

// mark returns the glyph of an alert that needs no action.
func (r rowAlert) mark(ascii bool) string {
	return attentionState(r.attention, r.level).Glyph(ascii)
}

// attentionState returns the display state of an alert or a situation that needs no action. s is the
// reason why it needs none.
func attentionState(s situation.AttentionState, l Level) State {
	switch s {
	case situation.AttentionSilenced:
		return State{words.StateSilent(), themes.Dim, SilencedGlyph, SilencedGlyph}
	case situation.AttentionDaily:
		return State{words.StateToday(), themes.Text, (&Options{}).MissedGlyph(kpi.HigherIsBetter), (&Options{ASCII: true}).MissedGlyph(kpi.HigherIsBetter)}
	case situation.AttentionTaken:
		return State{words.StateTaken(), themes.Dim, AcknowledgedGlyph(false), AcknowledgedGlyph(true)}
	case situation.AttentionOpen, situation.AttentionMonitored:
	}
	if l == Critical {
		return State{words.StateMonitoredCritical(), themes.Dim, "▵", "'"}
	}
	return State{words.StateMonitored(), themes.Dim, "▹", ","}
}

// matchesAny reports whether names contains the alert's rule or KPI.
func (r rowAlert) matchesAny(names []string) bool {
	return slices.Contains(names, r.rule) || r.kpi != "" && slices.Contains(names, r.kpi)
}

// urgency returns the rank of the alert for sorting. Alerts that need no action have the lowest
// rank, critical alerts the highest.
func (r rowAlert) urgency() int {
	if !r.isOpen() {
		return 0
	}
	return int(r.level)
}

// newAlarm returns an alarm with the given alerts about a record.
func newAlarm(alerts []*AlertEntry, serial uint64) *Alarm {
	a := &Alarm{serial: serial}
	for _, e := range alerts {
		r := rowAlert{rule: e.Rule, kpi: e.KPI, level: Level(e.Level), attention: e.attention, isUnverified: !e.UnverifiedSince.IsZero()}
		switch {
		case e.Daily && hasOwnCell(&e.Alert) && (r.attention != situation.AttentionDaily || e.IsTargetMet()): // not shown: a viewer has taken the alert over, or the figure is still on target
		case e.Daily && hasOwnCell(&e.Alert):
			a.missedTargets = append(a.missedTargets, r)
		default:
			if r.isOpen() {
				a.Level = max(a.Level, r.level)
			}
			a.reasons = append(a.reasons, r)
		}
	}
	slices.SortStableFunc(a.reasons, func(x, y rowAlert) int {
		return cmp.Or(cmp.Compare(y.urgency(), x.urgency()), cmp.Compare(x.attention, y.attention), cmp.Compare(y.level, x.level), cmp.Compare(alert.RuleRank(x.rule), alert.RuleRank(y.rule)), cmp.Compare(x.rule, y.rule))
	})
	return a
}

// hasOwnCell reports whether an alert is about a figure that has its own column or tile. Other
// alerts, such as those of custom rules with a condition, are shown only in words.
func hasOwnCell(a *alert.Alert) bool {
	f := kpi.FigureNamed(a.KPI)
	switch {
	case a.KPI == "":
		return alert.BuiltInRule(a.Rule).Column != alert.ColumnNone
	case f == nil: // every configured KPI has a column and a tile
		return true
	case a.Key.Scope == alert.Floor:
		return f.Tile > 0
	}
	form := f.FormFor(a.Key.Scope)
	return form != nil && form.HasColumn
}

// hasReasons reports whether the row shows alerts in words, including alerts that viewers have
// taken over.
func (a *Alarm) hasReasons() bool { return a != nil && len(a.reasons) > 0 }

// MostUrgent returns the word for the most urgent alert in the language l, and the level of the alarm.
// If there are no alerts, or if the most urgent one is neither open nor watched, it returns "" and Normal.
func (a *Alarm) MostUrgent(l *words.Language) (word string, level Level) {
	if !a.hasReasons() || !a.reasons[0].isUnattended() {
		return "", Normal
	}
	return a.reasons[0].ruleTitle(l), a.Level
}

// urgency returns the rank of the most urgent alert plus 1, or 0 if there are no alerts.
func (a *Alarm) urgency() int {
	if !a.hasReasons() {
		return 0
	}
	return a.reasons[0].urgency() + 1
}

// id returns a number that identifies the alarm, or 0 for a nil Alarm.
func (a *Alarm) id() uint64 {
	if a == nil {
		return 0
	}
	return a.serial
}

// level returns the highest level of the open and watched alerts whose rule or KPI is in names. It
// determines the color of figures.
func (a *Alarm) level(names ...string) Level { return a.worstLevel(rowAlert.isUnattended, names) }

// openLevel returns the highest level of the open alerts whose rule or KPI is in names. It
// determines the marks of rows.
func (a *Alarm) openLevel(names ...string) Level { return a.worstLevel(rowAlert.isOpen, names) }

// worstLevel returns the highest level of the alerts for which counts returns true and whose rule
// or KPI is in names.
func (a *Alarm) worstLevel(counts func(rowAlert) bool, names []string) Level {
	worst := Normal
	if a == nil {
		return worst
	}
	for _, r := range a.reasons {
		if counts(r) && r.matchesAny(names) {
			worst = max(worst, r.level)
		}
	}
	return worst
}

// MissesTarget reports whether there is an alert that a figure of the day misses its target, and
// the alert's rule or KPI is in names. It ignores alerts that a viewer has taken over.
func (a *Alarm) MissesTarget(names ...string) bool {
	return a != nil && slices.ContainsFunc(a.missedTargets, func(r rowAlert) bool { return r.matchesAny(names) })
}

// hasReasonAbout reports whether the row shows an alert in words whose rule or KPI is in names.
// This includes alerts that a viewer has taken over.
func (a *Alarm) hasReasonAbout(names ...string) bool {
	return a != nil && slices.ContainsFunc(a.reasons, func(r rowAlert) bool { return r.matchesAny(names) })
}

// addSearchWords calls add with each string in which a filter searches for the alerts.
func (a *Alarm) addSearchWords(v *View, add func(string)) {
	if a == nil {
		return
	}
	for _, list := range [][]rowAlert{a.reasons, a.missedTargets} {
		for _, r := range list {
			v.addSearchText(alert.RuleTitle(r.rule), add)
			add(r.rule)
			add(formerTitles[alert.RuleTitle(r.rule).In(nil)])
		}
	}
}

// appendText appends the glyph and the words of the alarm, in the language of the view, to dst. Alerts
// that need action come first, followed by the others with their marks.
func (a *Alarm) appendText(dst []byte, v *View) []byte {
	ascii := v.Options.ASCII
	if !a.hasReasons() {
		return dst
	}
	glyph := a.Level.Glyph(ascii)
	dst = append(dst, glyph...)
	last, between := glyph, " "
	for _, r := range a.reasons {
		if mark := r.mark(ascii); !r.isOpen() && mark != last {
			if last != "" {
				dst = append(dst, ' ')
			}
			dst = append(dst, mark...)
			last, between = mark, " "
		}
		dst = append(append(dst, between...), r.ruleTitle(v.Options.Words)...)
		between = ", "
	}
	return dst
}

// appendFittingText sets the text of the cell dst to that of appendText, shortened to the width of
// the cell. Alerts that do not fit are replaced as described at summarizeRest. If the first word
// does not fit, it is cut.
func (a *Alarm) appendFittingText(v *View, dst *table.Cell) {
	ascii, width := v.Options.ASCII, v.Options.WidthMethod.StringWidth
	dst.Text = a.appendText(dst.Text, v)
	dst.WantedWidth = width(string(dst.Text))
	if dst.WantedWidth <= dst.Width {
		return
	}
	short, ellipsis := *a, v.Options.glyphOrASCII("…", "~")
	for n := len(a.reasons) - 1; n > 0; n-- {
		short.reasons = a.reasons[:n]
		text, more := string(short.appendText(nil, v)), a.summarizeRest(n, ascii, ", "+ellipsis)
		if available := dst.Width - width(more); n == 1 && width(text) > available { // a single ellipsis replaces the rest of the word and the alerts after it
			more = a.summarizeRest(n, ascii, "")
			text = v.Options.WidthMethod.Truncate(text+ellipsis, max(dst.Width-width(more), 0), ellipsis)
		}
		if width(text)+width(more) <= dst.Width {
			dst.Text = append(append(dst.Text[:0], text...), more...)
			return
		}
	}
}

// summarizeRest returns a replacement for the alerts from index n on. The result begins with open if
// these include alerts that need action, or alerts of the same kind as alert n-1. If alert n-1 needs
// action, the number of alerts that need none follows.
func (a *Alarm) summarizeRest(n int, ascii bool, open string) string {
	text, taken := "", 0
	for _, r := range a.reasons[n:] {
		if !r.isOpen() && a.reasons[n-1].isOpen() {
			taken++
		} else {
			text = open // needs action, or needs none like the alert before it
		}
	}
	if taken > 0 {
		text += fmt.Sprintf(" %s%d", a.reasons[len(a.reasons)-1].mark(ascii), taken)
	}
	return text
}

func (a *Alarm) token() themes.Token {
	switch {
	case !a.hasReasons():
		return themes.Text
	case a.Level == Normal:
		return themes.Dim
	}
	return a.Level.Token()
}

// headingSpan returns the text of the alarm in its color, for the heading of a detail view.
func (a *Alarm) headingSpan(v *View) textlayout.Span {
	return textlayout.NewSpan(string(a.appendText(nil, v)), a.token())
}

// setAlarmMark sets the mark of the alarm a in front of the row dst. If the level is at least
// tintFrom, it also tints the row.
func (v *View) setAlarmMark(a *Alarm, tintFrom Level, dst *table.Row) {
	switch {
	case !a.hasReasons():
	case a.Level == Normal:
		dst.Marker, dst.MarkerStyle = a.reasons[0].mark(v.Options.ASCII), v.sgr(themes.Dim)
	default:
		if v.setLevelMark(a.Level, dst); a.Level >= tintFrom {
			dst.Style = v.Options.Tints[a.Level]
		}
	}
}

// alarmColumn returns the column of alarms. The column sorts by urgency, then by the number of
// waiting contacts, then by name.
func alarmColumn[R any](priority int, waiting func(*R) model.Int) column[R] {
	wide := wordsColumn("alarm", words.ColumnAlarm(), 14, 26, 48, priority)
	wide.SortDescending = true
	wide.DropBelow = 86 // less important figures are dropped before this column shrinks
	return column[R]{
		columnSpec: wide,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			r.alarm.appendFittingText(v, dst)
			if r.alarm != nil {
				dst.Style = v.sgr(r.alarm.token())
			}
		},
		value: func(v *View, r *row[R]) table.Value {
			whole := table.Cell{Width: math.MaxInt16}
			r.alarm.appendFittingText(v, &whole)
			return textValue(string(whole.Text))
		},
		compare: func(_ *View, a, b *row[R]) int {
			return cmp.Or(cmp.Compare(a.alarm.urgency(), b.alarm.urgency()), cmp.Compare(waiting(a.record).Or(0), waiting(b.record).Or(0)),
				fixedOrder(compareNames(a, b)))
		},
	}
}

// withAlarmLevel returns a copy of the column that draws cells in the color of the open and watched
// alerts whose rule or KPI is in names. A figure of the day that misses its target gets a mark.
func (c column[R]) withAlarmLevel(names ...string) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		if l := r.alarm.level(names...); l > Normal {
			dst.Style = v.sgr(l.Token())
		}
		if r.alarm.MissesTarget(names...) && !v.Options.BlankFigures {
			v.Options.addMark(v.Options.MissedGlyph(c.direction), dst)
		}
	}
	return c
}

// MissedGlyph returns the mark for a figure of the day that misses its target. It points down if
// higher values are better, and otherwise up.
func (o *Options) MissedGlyph(better kpi.Direction) string {
	if better == kpi.HigherIsBetter {
		return o.glyphOrASCII("▾", "v")
	}
	return o.glyphOrASCII("▴", "^")
}

// withAlarm returns the figure s in the color of the highest level of the open and watched alerts
// whose rule or KPI is in names. A figure that misses its target also gets a mark.
func (v *View) withAlarm(s textlayout.Span, a *Alarm, better kpi.Direction, names ...string) textlayout.Span {
	if a.MissesTarget(names...) && !v.Options.BlankFigures {
		s.Text = v.Options.MissedGlyph(better) + s.Text
	}
	return withLevel(s, a.level(names...))
}

// addMark puts a mark in front of the figure in a cell. If the cell is too narrow, it removes the
// space before the percent sign, or else omits the mark. It does not cut the figure.
func (o *Options) addMark(mark string, dst *table.Cell) {
	fits := func(text string) bool { return dst.Width == 0 || table.TextWidth(o.WidthMethod, text) <= dst.Width }
	text := mark + string(dst.Text)
	if !fits(text) {
		text = strings.ReplaceAll(text, " ", "")
	}
	if fits(text) {
		dst.Text = append(dst.Text[:0], text...)
	}
}

// The rules and KPIs whose alerts color the same column: the queue, the longest wait, the service
// level, the abandon rate, or an agent's time in state.
var (
	staffingAlertNames     = append(alert.ColumnRules(alert.ColumnQueue), "queuedCalls")
	waitAlertNames         = append(alert.ColumnRules(alert.ColumnWait), "longestWait", "maxTimeCallOnQueue")
	serviceLevelAlertNames = append(alert.ColumnRules(alert.ColumnServiceLevel), "serviceLevel")
	abandonAlertNames      = append(alert.ColumnRules(alert.ColumnAbandon), "abandonRate")
	timeAlertNames         = append(alert.ColumnRules(alert.ColumnTime), "timeInState")
)

// figureAlertNames returns the names of the rules and KPIs whose alerts color a figure of the catalog.
func figureAlertNames(figure string) []string {
	switch figure {
	case "serviceLevel":
		return serviceLevelAlertNames
	case "abandonRate":
		return abandonAlertNames
	}
	return []string{figure}
}
