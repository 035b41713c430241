package history

import (
	"context"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// groupsView shows the number of contacts in each group on a day or in a month.
type groupsView struct {
	*selection
	scrollableView

	keyMap     *Keys
	shared     SharedKeys
	grouping   int  // index in the list of groupings that the platform offers
	showsMonth bool // the counts are for the whole month, not only the day
}

// groupQuery requests the number of contacts in each group on a day or in a month.
type groupQuery struct {
	kind          contact.Kind
	date          time.Time // midnight in the contact center's time zone
	groupingIndex int
	wholeMonth    bool
}

func (q groupQuery) equals(other query) bool {
	o, ok := other.(groupQuery)
	return ok && o.kind == q.kind && o.groupingIndex == q.groupingIndex && o.wholeMonth == q.wholeMonth && o.date.Equal(q.date)
}

func (q groupQuery) becomesOutdated(today time.Time) bool {
	last := q.date
	if q.wholeMonth {
		last = time.Date(last.Year(), last.Month()+1, 0, 0, 0, 0, 0, last.Location())
	}
	return !last.Before(today)
}

// groupAnswer holds the number of contacts in each group.
type groupAnswer struct {
	query     groupQuery
	grouping  string   // grouping of the counts, as named by the platform
	groupings []string // all groupings for the kind of contact
	groups    []contact.Group
}

func (q groupQuery) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	ctx = contact.WithProgress(ctx, func(p contact.Progress) { progress(contact.Progress{Wait: p.Wait}) })
	a := groupAnswer{query: q}
	var err error
	if a.groupings, err = r.GroupByValues(ctx, q.kind); err != nil {
		return a, err
	}
	if len(a.groupings) > 0 {
		a.grouping = a.groupings[q.groupingIndex%len(a.groupings)]
	}
	span := contact.Range{From: q.date, To: contact.StartOfDay(q.date, 1)}
	if q.wholeMonth {
		span.To = contact.StartOfMonth(q.date, 1)
	}
	a.groups, err = r.Groups(ctx, contact.GroupQuery{Kind: q.kind, By: a.grouping, Range: span})
	return a, err
}

func (v *groupsView) query() query {
	q := groupQuery{kind: v.kind, date: v.date(), groupingIndex: v.grouping, wholeMonth: v.showsMonth}
	if v.showsMonth {
		q.date = contact.StartOfMonth(q.date, 0)
	}
	return q
}

func (v *groupsView) description(w int) words.Text {
	if v.showsMonth {
		return v.describe(v.monthText())
	}
	return v.describe(v.dayText(w))
}

func (v *groupsView) searchHint() words.Text { return words.Text{} }

func (v *groupsView) emptyText(answer any) words.Text {
	if a, _ := answer.(groupAnswer); len(a.groups) > 0 {
		return words.Text{}
	}
	if kind := kindNamesOf(v.kind).plural; v.showsMonth {
		return v.board.withHint(words.HistoryNoneInMonth(kind), words.HistoryPressNextKind())
	}
	return v.board.withHint(words.HistoryNoneOnDay(kindNamesOf(v.kind).plural), words.HistoryPressKindOrMonth())
}

func (v *groupsView) handleKey(msg tea.KeyPressMsg) bool {
	step := contact.StartOfDay
	if v.showsMonth {
		step = contact.StartOfMonth
	}
	switch {
	case v.handleDay(v.keyMap, msg, step):
	case key.Matches(msg, v.keyMap.PeriodLength):
		v.showsMonth = !v.showsMonth
	case key.Matches(msg, v.keyMap.Grouping):
		v.grouping++
	default:
		return v.text.HandleKey(msg)
	}
	return true
}

func (v *groupsView) keys(bool) []key.Binding {
	return []key.Binding{
		v.board.helpOf(v.shared.Kind, words.HistoryKeyKind()), v.keyMap.Earlier, v.keyMap.Later, v.board.helpOf(v.keyMap.PeriodLength, words.HistoryKeyDayMonth()),
	}
}

// draw draws the groups, those with the most contacts first. Each line shows the share of a group
// and a bar.
func (v *groupsView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(groupAnswer)
	lk := v.board.look()
	maximum, total := 0, 0
	for _, g := range a.groups {
		maximum, total = max(maximum, g.Count), total+g.Count
	}
	grouping := groupingText(a.grouping)
	about := words.HistoryGroupsHead(total, grouping, len(a.groups))
	text := lk.Translate(about)
	if len(a.groupings) > 1 && !v.board.Kiosk {
		text = style.FirstFitting(w-1, lk.Translate(words.HistoryGroupsMore(about)), text)
	}
	head := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Dim), " "+text)
	name := min(max(w/3, 14), 40)
	bar := max(w-name-22, 0)
	lines := make([]string, 0, len(a.groups))
	for _, g := range a.groups {
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		token, text := themes.Text, g.Name
		if text == "" {
			if token, text = themes.Unknown, lk.Translate(words.HistoryNoGroup(grouping)); g.ID != "" {
				text = g.ID
			}
		}
		l.Add(lk.Style(token), style.Fit(text, name, lk.Glyphs.Ellipsis))
		l.Add(lk.Style(themes.Digits), style.PadLeft(lk.FormatCount(g.Count), 8))
		if total > 0 {
			l.Add(lk.Style(themes.Dim), style.PadLeft(lk.PercentText(float64(g.Count)/float64(total)), 9))
		}
		if bar > 4 && maximum > 0 {
			l.Space(themes.Style{}, 2)
			gauge := chart.StackedBar{Width: max(g.Count*bar/maximum, 1), Set: lk.ChartGlyphs()}
			l.AddRaw(gauge.Render([]chart.StackedPart{{Value: 1, Style: lk.Theme.OpenSequence(themes.Gauge)}}), gauge.Width)
		}
		lines = append(lines, l.Finish(themes.Style{}))
	}
	return append([]string{head.Finish(themes.Style{}), style.Blanks(w)}, v.text.View(lines, x, y+2, w, h-2)...)
}

func (v *groupsView) exportTable(answer any) exportTable {
	a, _ := answer.(groupAnswer)
	day := a.query.date.Format(time.DateOnly)
	if a.query.wholeMonth {
		day = a.query.date.Format("2006-01")
	}
	s := exportTable{
		name:   "history-" + kindFileName(a.query.kind) + "-by-" + strings.ToLower(a.grouping) + "-" + day,
		header: []string{"name", "id", "count"}, jsonValue: a.groups,
	}
	for _, g := range a.groups {
		s.rows = append(s.rows, []string{g.Name, g.ID, strconv.Itoa(g.Count)})
	}
	return s
}
