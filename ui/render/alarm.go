package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
)

// Alarm holds the active alerts of a record. Alerts that need a person are drawn first, the most
// urgent one first, with colors, glyphs and words. The others follow, with an unobtrusive mark
// for their standing. An alert about a figure of the day has an unobtrusive mark in the cell of
// that figure, because the figure can hardly be changed any more. A nil Alarm has no alerts.
type Alarm struct {
	// Level is the worst level of the alerts that need a person.
	Level Level

	serial  uint64        // unique for every Alarm
	reasons []alarmReason // alerts about the present, the most urgent first
	missed  []alarmReason // open alerts about figures of the day that have a cell
}

// alarmReason is an alert as rows show it.
type alarmReason struct {
	rule, kpi string
	level     Level
	standing  situation.Standing
	doubtful  bool // not verified
}

// word returns the text of the reason in a row, with a question mark if the feed does
// not verify the figures.
func (r alarmReason) word() string {
	word := alert.RuleTitle(r.rule)
	if r.doubtful {
		word += "?"
	}
	return word
}

// isOpen reports whether the alert needs a person.
func (r alarmReason) isOpen() bool { return r.standing == situation.StandingOpen }

// isUnattended reports whether the alert needs a person or is watched, so that no viewer has dealt with
// it yet.
func (r alarmReason) isUnattended() bool { return r.standing <= situation.StandingWatched }

// mark returns the mark of an alert that needs no person.
func (r alarmReason) mark(ascii bool) string {
	return standingState(r.standing, r.level).Glyph(ascii)
}

// standingState returns how an alert or a situation of a level that needs no person is drawn.
func standingState(s situation.Standing, l Level) State {
	switch s {
	case situation.StandingSilenced:
		return State{"Silent", themes.Dim, SilencedGlyph, SilencedGlyph}
	case situation.StandingDaily:
		return State{"Today", themes.Text, (&Options{}).MissedGlyph(kpi.Higher), "<"}
	case situation.StandingTaken:
		return State{"Taken", themes.Dim, AcknowledgedGlyph(false), AcknowledgedGlyph(true)}
	case situation.StandingOpen, situation.StandingWatched:
	}
	if l == Critical {
		return State{"Watched, critical", themes.Dim, "▵", "'"}
	}
	return State{"Watched", themes.Dim, "·", "."}
}

// isNamed reports whether one of the names is the reason's rule or KPI.
func (r alarmReason) isNamed(names []string) bool {
	return slices.Contains(names, r.rule) || r.kpi != "" && slices.Contains(names, r.kpi)
}

// urgency orders reasons: critical ones, warnings, and those that need no person.
func (r alarmReason) urgency() int {
	if !r.isOpen() {
		return 0
	}
	return int(r.level)
}

// newAlarm returns the alarm of some alerts.
func newAlarm(alerts []*AlertEntry, serial uint64) *Alarm {
	a := &Alarm{serial: serial}
	for _, e := range alerts {
		r := alarmReason{rule: e.Rule, kpi: e.KPI, level: Level(e.Level), standing: e.standing, doubtful: !e.UnverifiedSince.IsZero()}
		switch {
		case e.Daily && hasOwnCell(&e.Alert) && (r.standing != situation.StandingDaily || strings.Contains(e.Text, alert.TargetStillMet)): // taken over, or still on target: no mark
		case e.Daily && hasOwnCell(&e.Alert):
			a.missed = append(a.missed, r)
		default:
			if r.isOpen() {
				a.Level = max(a.Level, r.level)
			}
			a.reasons = append(a.reasons, r)
		}
	}
	slices.SortStableFunc(a.reasons, func(x, y alarmReason) int {
		return cmp.Or(cmp.Compare(y.urgency(), x.urgency()), cmp.Compare(x.standing, y.standing), cmp.Compare(y.level, x.level), cmp.Compare(alert.Rank(x.rule), alert.Rank(y.rule)), cmp.Compare(x.rule, y.rule))
	})
	return a
}

// hasOwnCell reports whether an alert is about a figure with a column or a tile. Other alerts, such as
// those of custom rules with a condition, are shown only as words.
func hasOwnCell(a *alert.Alert) bool {
	f := kpi.Named(a.KPI)
	switch {
	case a.KPI == "":
		return alert.BuiltInRule(a.Rule).Column != alert.ColumnNone
	case f == nil: // a configured KPI has both
		return true
	case a.Key.Scope == alert.Floor:
		return f.Tile.Label != ""
	}
	form := f.FormFor(a.Key.Scope)
	return form != nil && form.Heading != ""
}

// hasReasons reports whether there are alerts to show with words, acknowledged or not.
func (a *Alarm) hasReasons() bool { return a != nil && len(a.reasons) > 0 }

// MostUrgent returns the most urgent reason, unless a viewer has dealt with it, and the level of
// the alarm.
func (a *Alarm) MostUrgent() (word string, level Level) {
	if !a.hasReasons() || !a.reasons[0].isUnattended() {
		return "", Normal
	}
	return a.reasons[0].word(), a.Level
}

// urgency returns the urgency of the most urgent reason, 0 for none.
func (a *Alarm) urgency() int {
	if !a.hasReasons() {
		return 0
	}
	return a.reasons[0].urgency() + 1
}

// id returns a number that identifies the alarm, 0 for none.
func (a *Alarm) id() uint64 {
	if a == nil {
		return 0
	}
	return a.serial
}

// level returns the level that colors a figure: the worst level of the open and watched alerts
// whose rule or KPI has one of the names.
func (a *Alarm) level(names ...string) Level { return a.worstLevel(alarmReason.isUnattended, names) }

// openLevel is like level, but ignores watched alerts. Marks use it.
func (a *Alarm) openLevel(names ...string) Level { return a.worstLevel(alarmReason.isOpen, names) }

// worstLevel returns the worst level of the reasons that count and have one of the names.
func (a *Alarm) worstLevel(counts func(alarmReason) bool, names []string) Level {
	worst := Normal
	if a == nil {
		return worst
	}
	for _, r := range a.reasons {
		if counts(r) && r.isNamed(names) {
			worst = max(worst, r.level)
		}
	}
	return worst
}

// MissesTarget reports whether an open alert says that a figure of the day, or a rule about it,
// with one of the names misses its target.
func (a *Alarm) MissesTarget(names ...string) bool {
	return a != nil && slices.ContainsFunc(a.missed, func(r alarmReason) bool { return r.isNamed(names) })
}

// hasReasonAbout reports whether an alert, acknowledged or not, has one of the names as its
// rule or KPI.
func (a *Alarm) hasReasonAbout(names ...string) bool {
	return a != nil && slices.ContainsFunc(a.reasons, func(r alarmReason) bool { return r.isNamed(names) })
}

// addSearchWords calls add with the texts that a filter finds the alarm by.
func (a *Alarm) addSearchWords(add func(string)) {
	if a == nil {
		return
	}
	for _, list := range [][]alarmReason{a.reasons, a.missed} {
		for _, r := range list {
			add(r.word())
			add(r.rule)
		}
	}
}

// appendText appends the alarm's glyph and words, then those of alerts that need no person.
func (a *Alarm) appendText(dst []byte, ascii bool) []byte {
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
		dst = append(append(dst, between...), r.word()...)
		between = ", "
	}
	return dst
}

// appendFittingText is like append, limited to the width of a cell. An ellipsis and a count of the
// acknowledged alerts replace words that do not fit. A single word that is too long is cut.
func (a *Alarm) appendFittingText(v *View, dst *table.Cell) {
	ascii, width := v.Options.ASCII, v.Options.WidthMethod.StringWidth
	dst.Text = a.appendText(dst.Text, ascii)
	dst.WantedWidth = width(string(dst.Text))
	if dst.WantedWidth <= dst.Width {
		return
	}
	short, ellipsis := *a, v.Options.glyphOrASCII("…", "~")
	for n := len(a.reasons) - 1; n > 0; n-- {
		short.reasons = a.reasons[:n]
		text, more := string(short.appendText(nil, ascii)), a.summarizeRest(n, ascii, ", "+ellipsis)
		if available := dst.Width - width(more); n == 1 && width(text) > available { // the ellipsis stands for both
			more = a.summarizeRest(n, ascii, "")
			text = v.Options.WidthMethod.Truncate(text+ellipsis, max(dst.Width-width(more), 0), ellipsis)
		}
		if width(text)+width(more) <= dst.Width {
			dst.Text = append(append(dst.Text[:0], text...), more...)
			return
		}
	}
}

// summarizeRest summarizes the reasons from n on: the text open stands for open ones, and a count
// for acknowledged ones.
func (a *Alarm) summarizeRest(n int, ascii bool, open string) string {
	text, taken := "", 0
	for _, r := range a.reasons[n:] {
		if !r.isOpen() && a.reasons[n-1].isOpen() {
			taken++
		} else {
			text = open // open, or acknowledged like the one before
		}
	}
	if taken > 0 {
		text += fmt.Sprintf(" %s%d", a.reasons[len(a.reasons)-1].mark(ascii), taken)
	}
	return text
}

// token returns the token that the alarm is drawn with.
func (a *Alarm) token() themes.Token {
	switch {
	case !a.hasReasons():
		return themes.Text
	case a.Level == Normal:
		return themes.Dim
	}
	return a.Level.Token()
}

// headingSpan returns the alarm's text for a heading.
func (a *Alarm) headingSpan(v *View) textlayout.Span {
	return textlayout.NewSpan(string(a.appendText(nil, v.Options.ASCII)), a.token())
}

// setAlarmMark puts the mark of an alarm in front of a row, and tints the row from a level on.
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

// alarmColumn returns the column of alarms, sorted by urgency, then by the number of waiting
// contacts, then by name.
func alarmColumn[R any](priority int, waiting func(*R) model.Int) column[R] {
	wide := wordsColumn("alarm", "Alarm", 14, 26, 48, priority)
	wide.SortDescending = true
	wide.DropBelow = 86 // drop less important figures before this column shrinks
	return column[R]{
		Column: wide,
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
			return cmp.Or(cmp.Compare(a.alarm.urgency(), b.alarm.urgency()), cmp.Compare(waiting(a.rec).Or(0), waiting(b.rec).Or(0)),
				inBothDirections(compareNames(a, b)))
		},
	}
}

// withAlarmLevel draws a column's cells in the color of the open and watched alerts whose rule or
// KPI has one of the names, and marks figures of the day that miss their target.
func (c column[R]) withAlarmLevel(names ...string) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		if l := r.alarm.level(names...); l > Normal {
			dst.Style = v.sgr(l.Token())
		}
		if r.alarm.MissesTarget(names...) && !v.Options.Blank {
			v.Options.addMissedMark(c.better, dst)
		}
	}
	return c
}

// MissedGlyph returns the mark of a figure of the day beyond its target: it points up or down
// like the deviation.
func (o *Options) MissedGlyph(better kpi.Direction) string {
	if better == kpi.Higher {
		return o.glyphOrASCII("▾", "<")
	}
	return o.glyphOrASCII("▴", ">")
}

// withAlarm returns a figure in the color of the open and watched alerts whose rule or KPI has one of
// the names, and with the mark of a missed target.
func (v *View) withAlarm(s textlayout.Span, a *Alarm, better kpi.Direction, names ...string) textlayout.Span {
	if a.MissesTarget(names...) && !v.Options.Blank {
		s.Text = v.Options.MissedGlyph(better) + s.Text
	}
	return withLevel(s, a.level(names...))
}

// addMissedMark puts the mark of a missed target in front of the figure of a cell. If the cell is too
// narrow, it removes the blank before the percent sign, or omits the mark. It never cuts the figure.
func (o *Options) addMissedMark(better kpi.Direction, dst *table.Cell) {
	fits := func(text string) bool { return dst.Width == 0 || o.WidthMethod.StringWidth(text) <= dst.Width }
	text := o.MissedGlyph(better) + string(dst.Text)
	if !fits(text) {
		text = strings.ReplaceAll(text, " ", "")
	}
	if fits(text) {
		dst.Text = append(dst.Text[:0], text...)
	}
}

// Names of the rules and KPIs whose alerts concern a queue or an agent's time.
var (
	staffingNames     = append(alert.ColumnRules(alert.ColumnQueue), "queuedCalls")
	waitNames         = append(alert.ColumnRules(alert.ColumnWait), "longestWait", "maxTimeCallOnQueue")
	serviceLevelNames = append(alert.ColumnRules(alert.ColumnServiceLevel), "serviceLevel")
	abandonNames      = append(alert.ColumnRules(alert.ColumnAbandon), "abandonRate")
	timeNames         = append(alert.ColumnRules(alert.ColumnTime), "timeInState")
)

// alarmNames returns the names of the rules and KPIs whose alerts concern a figure of the
// catalogue.
func alarmNames(figure string) []string {
	switch figure {
	case "serviceLevel":
		return serviceLevelNames
	case "abandonRate":
		return abandonNames
	}
	return []string{figure}
}
