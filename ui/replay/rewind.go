package replay

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// Speeds are the speeds of the replay, in ascending order.
var Speeds = []float64{1, 2, 5, 10, 30, 60, 120, 300, 600}

// markSign is the sign on the time line for a kind of mark.
type markSign struct {
	kind  model.MarkKind
	token themes.Token
	glyph func(style.Glyphs) string
}

func criticalGlyph(g style.Glyphs) string { return g.Failed }
func actionGlyph(g style.Glyphs) string   { return g.Action }

// markSigns are the signs of the marks that the viewer can jump to. If several marks fall on the same
// cell, the sign that comes first in markSigns is drawn there, and the others beside it. Warnings and
// recoveries have no sign, because there are too many of them.
var markSigns = []markSign{
	{model.MarkCritical, themes.Critical, criticalGlyph},
	{model.MarkAction, themes.Accent, actionGlyph},
	{model.MarkNote, themes.Text, actionGlyph},
	{model.MarkCut, themes.Warn, criticalGlyph},
	{model.MarkClock, themes.Warn, criticalGlyph},
}

// signIndex returns the index in markSigns of the sign for a kind of mark, or -1 if there is none.
func signIndex(k model.MarkKind) int {
	return slices.IndexFunc(markSigns, func(s markSign) bool { return s.kind == k })
}

// JumpMarks returns the marks that the viewer can jump to, ordered by time. It omits a mark less
// than a second after another mark of the same kind if its text is the same or empty.
func JumpMarks(marks []model.Mark) []model.Mark {
	out := slices.DeleteFunc(slices.Clone(marks), func(m model.Mark) bool { return signIndex(m.Kind) < 0 })
	slices.SortStableFunc(out, func(a, b model.Mark) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(signIndex(a.Kind), signIndex(b.Kind)))
	})
	return slices.CompactFunc(out, func(a, b model.Mark) bool {
		return b.At.Sub(a.At) < atMarkDistance && a.Kind == b.Kind && (a.Text == b.Text || b.Text == "")
	})
}

// MarkText describes a mark, with its sign and its time.
func MarkText(lk *style.Look, m model.Mark) string {
	text := m.At.In(lk.Zone()).Format(time.TimeOnly) + "  "
	if i := signIndex(m.Kind); i >= 0 {
		text = markSigns[i].glyph(lk.Glyphs) + " " + text
	}
	return text + lk.Translate(markText(m, lk.Format.Words))
}

// markText returns the text of a mark or, if it has none, a phrase for its kind. Recordings of an earlier version hold only texts in
// English. For another language l, markText tells the recorded queue of their situations instead.
func markText(m model.Mark, l *words.Language) words.Text {
	if text := words.Restored(m.Message); !text.IsZero() {
		return text
	}
	switch x := m.Incident; {
	case x != nil && x.Waiting > 0 && m.Kind == model.MarkCritical && l.Tag() != "en":
		longest := words.Duration(time.Duration(x.Longest) * time.Second)
		return words.RuleMessage(words.Name(x.Title), words.SituationWaitingLongest(words.CountWaiting(x.Waiting, x.Channel), longest))
	case m.Kind == model.MarkCut && m.Text != "":
		return words.ReplayMarkCutBecause(m.Text)
	case m.Text != "":
		return words.Name(m.Text)
	}
	switch m.Kind { //nolint:exhaustive // viewers can jump only to these
	case model.MarkCritical:
		return words.ReplayMarkCritical()
	case model.MarkAction:
		return words.ReplayMarkAction()
	case model.MarkNote:
		return words.ReplayMarkNote()
	case model.MarkCut:
		return words.ReplayMarkCut()
	case model.MarkClock:
		return words.ReplayMarkClock()
	}
	return words.Text{}
}

// atMarkDistance is the distance up to which the replay is considered to be at a mark.
const atMarkDistance = time.Second

// NextMark returns the first mark that is more than atMarkDistance after the instant at. If
// backwards is true, it returns the last mark that is more than atMarkDistance before the instant.
// known is false if there is no such mark. The marks must be in the order of time.
func NextMark(marks []model.Mark, at time.Time, backwards bool) (mark model.Mark, known bool) {
	if backwards {
		for _, m := range slices.Backward(marks) {
			if at.Sub(m.At) > atMarkDistance {
				return m, true
			}
		}
		return mark, false
	}
	for _, m := range marks {
		if m.At.Sub(at) > atMarkDistance {
			return m, true
		}
	}
	return mark, false
}

// maxRewind is the maximum time that a viewer can rewind with "back".
const maxRewind = 366 * 24 * time.Hour

// ParseInstant parses a time of day such as "14:05", "yesterday 14:05" or "at 14:05", or a time
// before now such as "back 40m" or, in minutes, "back 40". A time of day later than now means
// yesterday. ok is false for any other line.
func ParseInstant(line string, now time.Time, zone *time.Location) (at time.Time, ok bool) {
	fields := strings.Fields(strings.ToLower(line))
	switch {
	case len(fields) == 1:
		return parseClock(fields, now.In(zone))
	case len(fields) == 0:
		return at, false
	}
	switch fields[0] {
	case "back":
		text := strings.Join(fields[1:], "")
		span, err := time.ParseDuration(text)
		if err != nil {
			span, err = time.ParseDuration(text + "m")
		}
		return now.Add(-span), err == nil && span > 0 && span < maxRewind
	case "at":
		return parseClock(fields[1:], now.In(zone))
	case "yesterday":
		return parseClock(fields, now.In(zone))
	}
	return at, false
}

// IsTimeOfDay reports whether a line for [ParseInstant] looks like a time of day, even if the
// time is invalid: "25:99", "14:0", "at 3:05pm". typed is the time without the word "at".
func IsTimeOfDay(line string) (typed string, ok bool) {
	typed = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(line)), "at "))
	hours, minutes, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(typed, "yesterday ")), ":")
	_, err := strconv.Atoi(hours)
	return typed, ok && err == nil && minutes != ""
}

// parseClock parses a time of day. The result is on the day of now, or on the day before if the
// word "yesterday" precedes the time or the time would be later than now. ok is false if the words
// are not a time of day.
func parseClock(fields []string, now time.Time) (at time.Time, ok bool) {
	days := 0
	if fields[0] == "yesterday" {
		fields, days = fields[1:], 1
	}
	if len(fields) != 1 {
		return at, false
	}
	return contact.ParseTimeOfDay(fields[0], now, days)
}

// TimeLine draws the time line of a replay.
type TimeLine struct {
	Look      *style.Look
	From, To  time.Time
	At        time.Time
	IsEmptyAt func(at time.Time) bool // reports whether nothing was recorded at an instant
	Marks     []model.Mark            // marks returned by [JumpMarks]
	State     string                  // speed, pause or end of the recording in words
	Hints     []style.KeyHint         // key hints, most important first
}

// minTimeLine is the minimum width of the time line in cells.
const minTimeLine = 10

// Text returns the header line of a replay, width cells wide. It contains the start, the time line
// with the marks and the position, the end, the state, and as many key hints as fit.
func (b TimeLine) Text(width int) string {
	lk := b.Look
	bar, zone := lk.Style(themes.StatusBar), lk.Zone()
	from, to := textformat.Clock(b.From, zone), textformat.Clock(b.To, zone)
	state := "  " + b.State + " "
	l := style.NewLine(width, lk.Glyphs.Ellipsis)
	line := min(width-len(from)-len(to)-style.Width(state)-5, max(width/2, minTimeLine))
	if line >= minTimeLine {
		l.Add(lk.BarTextStyle(themes.Dim), " "+from+" ")
		b.drawLine(l, line)
		l.Add(lk.BarTextStyle(themes.Dim), " "+to)
	}
	l.Space(bar, 1).Add(lk.Style(themes.BadgeReplay), " "+b.State+" ").Space(bar, 1)
	return lk.AddBarHints(l, b.Hints...).Finish(bar)
}

// drawLine appends the time line to l, width cells wide. It shows the position, the marks and the
// gaps of the recording.
func (b TimeLine) drawLine(l *style.Line, width int) {
	lk, span := b.Look, max(b.To.Sub(b.From), time.Second)
	cell := func(at time.Time) int {
		return min(max(int(float64(width)*float64(at.Sub(b.From))/float64(span)), 0), width-1)
	}
	marked := make(map[int]*markSign, len(b.Marks))
	for s := range markSigns {
		for _, m := range b.Marks {
			if m.Kind != markSigns[s].kind || m.At.Before(b.From) || m.At.After(b.To) {
				continue
			}
			if i, ok := chart.NearestFree(cell(m.At), width, func(i int) bool { return marked[i] == nil || marked[i] == &markSigns[s] }); ok {
				marked[i] = &markSigns[s]
			}
		}
	}
	position := cell(b.At)
	for i := range width {
		middle := b.From.Add(time.Duration((float64(i) + 0.5) / float64(width) * float64(span)))
		switch {
		case i == position:
			l.Add(lk.Style(themes.BadgeReplay), lk.Glyphs.Live)
		case marked[i] != nil:
			l.Add(lk.BarTextStyle(marked[i].token), marked[i].glyph(lk.Glyphs))
		case b.IsEmptyAt(middle):
			l.Add(lk.BarTextStyle(themes.Faint), " ")
		default:
			l.Add(lk.BarTextStyle(themes.Faint), lk.Glyphs.Rule)
		}
	}
}

// FormatInstant formats an instant as a time of day. It includes the date if it differs from that
// of now.
func FormatInstant(at, now time.Time, lk *style.Look) string {
	return lk.Translate(instantText(at, now, lk.Zone()))
}

// instantText returns the text of [FormatInstant] in a time zone.
func instantText(at, now time.Time, zone *time.Location) words.Text {
	at = at.In(zone)
	clock := at.Format(time.TimeOnly)
	if at.Format(time.DateOnly) == now.In(zone).Format(time.DateOnly) {
		return words.Name(clock)
	}
	return words.CalendarInstant(words.Weekday(at.Weekday()), words.DayMonth(at), clock)
}
