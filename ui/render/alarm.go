package render

import (
	"cmp"
	"fmt"
	"slices"

	"wallboard/alert"
	"wallboard/themes"
	"wallboard/ui/sheet"
	"wallboard/ui/table"
)

// Alarm is what is wrong with a record: its active alerts, the most urgent
// first. What can be helped now, because people wait, comes before the figures
// of the day, which no one can change any more, however bad these are. What
// somebody has acknowledged, or what is silent, comes last. A nil Alarm is that nothing is wrong.
type Alarm struct {
	// Level is the worst of the alerts that are open: see [Entry.Open].
	Level Level

	serial  uint64 // another one for every Alarm
	reasons []reason
}

// reason is one alert as rows show it.
type reason struct {
	rule, kpi string
	level     Level
	day       bool // about a figure of the day
	taken     bool // acknowledged, or silent
	silent    bool
	doubtful  bool // not verified
}

// word is what a row calls the reason. Of what the feed no longer verifies it
// ends in a question mark.
func (r reason) word() string {
	word := ruleInWords(r.rule)
	if r.doubtful {
		word += "?"
	}
	return word
}

// ruleInWords is what a row calls the alerts of a rule: built-in rules have names that
// somebody has to look up, and words that nobody has to. docs/alerts.md has both.
func ruleInWords(rule string) string {
	switch rule {
	case "longest wait":
		return "long wait"
	case "stranded":
		return "not routed"
	case "service level":
		return "off target"
	case "budget spent":
		return "just on target"
	case "abandon rate":
		return "many gave up"
	case "dry":
		return "list empty"
	}
	return rule
}

// mark is that of what steps back.
func (r reason) mark(ascii bool) string {
	if r.silent {
		return SilentGlyph
	}
	return TakenGlyph(ascii)
}

// urgency orders reasons: what is open first, of that what is live, and of that
// what is critical.
func (r reason) urgency() int {
	switch {
	case r.taken:
		return 0
	case r.day:
		return int(r.level)
	}
	return int(Critical) + int(r.level)
}

// rank orders reasons that are equally urgent.
func (r reason) rank() int {
	return slices.Index([]string{"abandon rate", "budget spent", "service level", "stranded", "nobody ready", alert.Crowded, alert.NobodyForLong, "longest wait", "unstaffed"}, r.rule)
}

// newAlarm returns the alarm of some alerts.
func newAlarm(alerts []*Entry, serial uint64) *Alarm {
	a := &Alarm{serial: serial}
	for _, e := range alerts {
		r := reason{rule: e.Rule, kpi: e.KPI, level: Level(e.Level), day: e.Day, taken: !e.Open(), silent: !e.Silent.IsZero(), doubtful: !e.Unverified.IsZero()}
		if !r.taken {
			a.Level = max(a.Level, r.level)
		}
		a.reasons = append(a.reasons, r)
	}
	slices.SortStableFunc(a.reasons, func(x, y reason) int {
		return cmp.Or(cmp.Compare(y.urgency(), x.urgency()), cmp.Compare(y.rank(), x.rank()), cmp.Compare(x.rule, y.rule))
	})
	return a
}

// Pressing returns the most urgent reason that is open and about now, not about the day, and
// its level; [Normal] is that of none.
func (a *Alarm) Pressing() (word string, level Level) {
	if a == nil || a.reasons[0].taken || a.reasons[0].day {
		return "", Normal
	}
	return a.reasons[0].word(), a.reasons[0].level
}

// urgency is that of the most urgent reason, 0 for none.
func (a *Alarm) urgency() int {
	if a == nil {
		return 0
	}
	return a.reasons[0].urgency() + 1
}

// id tells alarms apart.
func (a *Alarm) id() uint64 {
	if a == nil {
		return 0
	}
	return a.serial
}

// level returns the worst level of the open alerts by the rules, or about the
// KPIs, with the names.
func (a *Alarm) level(names ...string) Level {
	worst := Normal
	if a == nil {
		return worst
	}
	for _, r := range a.reasons {
		if !r.taken && (slices.Contains(names, r.rule) || r.kpi != "" && slices.Contains(names, r.kpi)) {
			worst = max(worst, r.level)
		}
	}
	return worst
}

// words passes on what a filter finds the alarm by.
func (a *Alarm) words(add func(string)) {
	if a == nil {
		return
	}
	for _, r := range a.reasons {
		add(r.word())
		add(r.rule)
	}
}

// append appends the alarm's glyph and words, then those of what was
// acknowledged.
func (a *Alarm) append(dst []byte, ascii bool) []byte {
	if a == nil {
		return dst
	}
	glyph := a.Level.Glyph(ascii)
	dst = append(dst, glyph...)
	last, between := glyph, " "
	for _, r := range a.reasons {
		if mark := r.mark(ascii); r.taken && mark != last {
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

// fit is append in the width of a cell: where words have no room an ellipsis says that
// there are more, and a count how many of them were acknowledged. Of a single word that
// is too long as much is left as there is room for.
func (a *Alarm) fit(v *View, dst *table.Cell) {
	ascii, width := v.Options.ASCII, v.Options.Width.StringWidth
	dst.Text = a.append(dst.Text, ascii)
	dst.Want = width(string(dst.Text))
	if a == nil || dst.Want <= dst.Width {
		return
	}
	short, ellipsis := *a, v.pick("…", "~")
	for n := len(a.reasons) - 1; n > 0; n-- {
		short.reasons = a.reasons[:n]
		text, more := string(short.append(nil, ascii)), a.more(n, ascii, ", "+ellipsis)
		if room := dst.Width - width(more); n == 1 && width(text) > room { // the ellipsis says both
			more = a.more(n, ascii, "")
			text = v.Options.Width.Truncate(text+ellipsis, max(dst.Width-width(more), 0), ellipsis)
		}
		if width(text)+width(more) <= dst.Width {
			dst.Text = append(append(dst.Text[:0], text...), more...)
			return
		}
	}
}

// more says that there are reasons from n on: open ones in the words given, and how many
// of the others there are.
func (a *Alarm) more(n int, ascii bool, open string) string {
	text, taken := "", 0
	for _, r := range a.reasons[n:] {
		if r.taken && !a.reasons[n-1].taken {
			taken++
		} else {
			text = open // or taken like the one before
		}
	}
	if taken > 0 {
		text += fmt.Sprintf(" %s%d", a.reasons[len(a.reasons)-1].mark(ascii), taken)
	}
	return text
}

// token returns what the alarm is drawn with.
func (a *Alarm) token() themes.Token {
	switch {
	case a == nil:
		return themes.Text
	case a.Level == Normal:
		return themes.Dim
	}
	return a.Level.Token()
}

// span is the alarm in a heading.
func (a *Alarm) span(v *View) sheet.Span {
	return sheet.Say(string(a.append(nil, v.Options.ASCII)), a.token())
}

// markAlarm puts the mark of an alarm in front of a row.
func (v *View) markAlarm(a *Alarm, dst *table.Row) {
	switch {
	case a == nil:
	case a.Level == Normal:
		dst.Marker, dst.MarkerStyle = a.reasons[0].mark(v.Options.ASCII), v.style(themes.Dim)
	default:
		v.mark(a.Level, dst)
	}
}

// alarmColumn sorts by urgency, what is equally urgent by name.
func alarmColumn[R any](priority int) column[R] {
	wide := words("alarm", "Alarm", 14, 26, 48, priority)
	wide.Desc = true
	wide.Before = 86 // more figures than anybody reads at once
	return column[R]{
		Column: wide,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			r.alarm.fit(v, dst)
			if r.alarm != nil {
				dst.Style = v.style(r.alarm.token())
			}
		},
		order: func(_ *View, a, b *row[R]) int {
			return cmp.Or(cmp.Compare(a.alarm.urgency(), b.alarm.urgency()), anyway(compareNames(a, b)))
		},
	}
}

// alarmed draws a column's cells with the level of the open alerts by the rules,
// or about the KPIs, with the names.
func (c column[R]) alarmed(names ...string) column[R] {
	inner := c.cell
	c.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		if l := r.alarm.level(names...); l > Normal {
			dst.Style = v.style(l.Token())
		}
	}
	return c
}

// What the alerts about a queue and about an agent's time are called: rules and
// KPIs.
func staffingNames() []string {
	return []string{"unstaffed", "nobody ready", alert.NobodyForLong, alert.Crowded, "stranded", "queuedCalls"}
}

func waitNames() []string    { return []string{"longest wait", "longestWait", "maxTimeCallOnQueue"} }
func levelNames() []string   { return []string{"service level", "budget spent", "serviceLevel"} }
func abandonNames() []string { return []string{"abandon rate", "abandonRate"} }
func timeNames() []string {
	return []string{"wrap-up", alert.NotReady, alert.BreakTooLong, "booked", "talking", "timeInState"}
}
