package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"wallboard/alert"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Alarm is what is wrong with a record: its active alerts, the most urgent
// first. What can be helped now, because people wait, comes before the figures
// of the day, which no one can change any more, however bad these are. What
// somebody has acknowledged comes last. A nil Alarm is that nothing is wrong.
type Alarm struct {
	// Level is the worst of the alerts that nobody has acknowledged.
	Level Level

	serial  uint64 // another one for every Alarm
	reasons []reason
}

// reason is one alert as rows show it.
type reason struct {
	rule, kpi string
	level     Level
	taken     bool // acknowledged
	doubtful  bool // not verified
}

// word is what a row calls the reason. Of what the feed no longer verifies it
// ends in a question mark.
func (r reason) word() string {
	word := r.rule
	switch r.rule {
	case "nobody ready":
		word = "nobody"
	case "longest wait":
		word = "wait"
	case "service level":
		word = "SL"
	case "budget spent":
		word = "budget"
	case "abandon rate":
		word = "abandon"
	}
	if r.doubtful {
		word += "?"
	}
	return word
}

// ofToday tells whether a rule is about a figure of the day.
func ofToday(rule string) bool {
	return rule == "service level" || rule == "budget spent" || rule == "abandon rate"
}

// urgency orders reasons: what is open first, of that what is live, and of that
// what is critical.
func (r reason) urgency() int {
	switch {
	case r.taken:
		return 0
	case ofToday(r.rule):
		return int(r.level)
	}
	return int(Critical) + int(r.level)
}

// rank orders reasons that are equally urgent.
func (r reason) rank() int {
	return slices.Index([]string{"abandon rate", "budget spent", "service level", "stranded", "nobody ready", "longest wait", "unstaffed"}, r.rule)
}

// newAlarm returns the alarm of some alerts.
func newAlarm(alerts []*Entry, serial uint64) *Alarm {
	a := &Alarm{serial: serial}
	for _, e := range alerts {
		r := reason{rule: e.Rule, kpi: e.KPI, level: Level(e.Level), taken: e.Ack != alert.Ack{}, doubtful: !e.Unverified.IsZero()}
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
	taken := false
	for _, r := range a.reasons {
		if r.taken && !taken {
			taken = true
			if glyph != "" {
				dst = append(dst, ' ')
			}
			dst = append(dst, takenGlyph(ascii)...)
		}
		dst = append(append(dst, ' '), r.word()...)
	}
	return dst
}

// fit is append in a number of cells: words that have no room are counted. It also
// returns the room that all of them would take.
func (a *Alarm) fit(dst []byte, cells int, ascii bool) (text []byte, all int) {
	text = a.append(dst, ascii)
	all = ansi.StringWidth(string(text))
	if a == nil || all <= cells {
		return text, all
	}
	short := *a
	for n := len(a.reasons) - 1; n > 0; n-- {
		short.reasons = a.reasons[:n]
		text = fmt.Appendf(short.append(dst, ascii), " +%d", len(a.reasons)-n)
		if ansi.StringWidth(string(text)) <= cells {
			return text, all
		}
	}
	return a.append(dst, ascii), all
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
func (a *Alarm) span(v *View) span {
	return span{string(a.append(nil, v.Options.ASCII)), a.token()}
}

// markAlarm puts the mark of an alarm in front of a row.
func (v *View) markAlarm(a *Alarm, dst *table.Row) {
	switch {
	case a == nil:
	case a.Level == Normal:
		dst.Marker, dst.MarkerStyle = takenGlyph(v.Options.ASCII), v.style(themes.Dim)
	default:
		v.mark(a.Level, dst)
	}
}

// alarmColumn sorts by urgency, what is equally urgent by name.
func alarmColumn[R any](priority int) column[R] {
	wide := words("alarm", "Alarm", 11, 18, 32, priority)
	wide.Desc = true
	return column[R]{
		Column: wide,
		cell: func(v *View, r *row[R], dst *table.Cell) {
			dst.Text, dst.Want = r.alarm.fit(dst.Text, dst.Width, v.Options.ASCII)
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
	return []string{"unstaffed", "nobody ready", "stranded", "queuedCalls"}
}

func waitNames() []string    { return []string{"longest wait", "longestWait", "maxTimeCallOnQueue"} }
func levelNames() []string   { return []string{"service level", "budget spent", "serviceLevel"} }
func abandonNames() []string { return []string{"abandon rate", "abandonRate"} }
func timeNames() []string {
	return []string{"wrap-up", "not ready", "booked", "talking", "timeInState"}
}
