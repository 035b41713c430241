package history

import (
	"context"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// groupsView counts contacts per group on a day or in a month.
type groupsView struct {
	*chosen
	scrolled

	page   *Keys
	others SharedKeys
	by     int  // index of the grouping
	month  bool // a whole month
}

// groupQuestion requests contacts per group.
type groupQuestion struct {
	kind  contact.Kind
	date  time.Time // midnight in the contact center's time zone
	by    int
	month bool
}

func (q groupQuestion) same(other question) bool {
	o, ok := other.(groupQuestion)
	return ok && o.kind == q.kind && o.by == q.by && o.month == q.month && o.date.Equal(q.date)
}

func (q groupQuestion) ages(time.Time) bool { return false }

// groupAnswer is contacts per group.
type groupAnswer struct {
	of     groupQuestion
	by     string   // grouping, as the platform names it
	bys    []string // all groupings
	groups []contact.Group
}

func (q groupQuestion) read(ctx context.Context, r Reader, far func(contact.Progress)) (any, error) {
	ctx = contact.WithProgress(ctx, func(p contact.Progress) { far(contact.Progress{Wait: p.Wait}) })
	a := groupAnswer{of: q}
	var err error
	if a.bys, err = r.GroupBys(ctx, q.kind); err != nil {
		return a, err
	}
	if len(a.bys) > 0 {
		a.by = a.bys[q.by%len(a.bys)]
	}
	span := contact.Range{From: q.date, To: contact.StartOfDay(q.date, 1)}
	if q.month {
		span.To = contact.StartOfMonth(q.date, 1)
	}
	a.groups, err = r.Groups(ctx, contact.GroupQuery{Kind: q.kind, By: a.by, Range: span})
	return a, err
}

func (v *groupsView) question() question {
	q := groupQuestion{kind: v.kind, date: v.date(), by: v.by, month: v.month}
	if v.month {
		q.date = contact.StartOfMonth(q.date, 0)
	}
	return q
}

func (v *groupsView) about(w int) string {
	if v.month {
		return v.words(v.monthWords())
	}
	return v.words(v.dayWords(w))
}

func (v *groupsView) invites() string { return "" }

func (v *groupsView) empty(answer any) string {
	if a, _ := answer.(groupAnswer); len(a.groups) > 0 {
		return ""
	}
	when := "on this day."
	if v.month {
		when = "in this month."
	}
	return "There were no " + v.kind.String() + " " + when + v.board.hint(" c shows the next kind, + the month.")
}

func (v *groupsView) press(msg tea.KeyPressMsg) bool {
	step := contact.StartOfDay
	if v.month {
		step = contact.StartOfMonth
	}
	switch {
	case v.turns(v.page, msg, step):
	case key.Matches(msg, v.page.Span):
		v.month = !v.month
	case key.Matches(msg, v.page.By):
		v.by++
	default:
		return v.text.Scrolls(msg)
	}
	return true
}

func (v *groupsView) keys(bool) []key.Binding {
	return []key.Binding{style.WithHelp(v.others.Kind, "kind"), v.page.Earlier, v.page.Later, style.WithHelp(v.page.Span, "day, month")}
}

// draw draws the groups in descending order.
func (v *groupsView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(groupAnswer)
	lk := v.board.look()
	most, all := 0, 0
	for _, g := range a.groups {
		most, all = max(most, g.Count), all+g.Count
	}
	head := style.NewLine(w, lk.Glyphs.Ellipsis)
	head.Add(lk.Style(themes.Dim), " "+lk.Count(all)+" by "+groupWord(a.by)+", "+lk.Count(len(a.groups))+" in all")
	if more := v.board.hint("; b groups by something else"); len(a.bys) > 1 && style.Width(more) <= head.Room() {
		head.Add(lk.Style(themes.Dim), more)
	}
	name := min(max(w/3, 14), 40)
	bar := max(w-name-22, 0)
	lines := make([]string, 0, len(a.groups))
	for _, g := range a.groups {
		l := style.NewLine(w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		token, text := themes.Text, g.Name
		if text == "" {
			if token, text = themes.Unknown, "(no "+groupWord(a.by)+")"; g.ID != "" {
				text = g.ID
			}
		}
		l.Add(lk.Style(token), style.Fit(text, name, lk.Glyphs.Ellipsis))
		l.Add(lk.Style(themes.Digits), style.PadLeft(lk.Count(g.Count), 8))
		if all > 0 {
			l.Add(lk.Style(themes.Dim), style.PadLeft(lk.Share(float64(g.Count)/float64(all)), 9))
		}
		if bar > 4 && most > 0 {
			l.Space(themes.Style{}, 2)
			gauge := chart.Stacked{Width: max(g.Count*bar/most, 1), Set: lk.Chart()}
			l.Raw(gauge.Render([]chart.Part{{Value: 1, Style: lk.Theme.SGR(themes.Gauge)}}), gauge.Width)
		}
		lines = append(lines, l.End(themes.Style{}))
	}
	return append([]string{head.End(themes.Style{}), style.Blanks(w)}, v.text.View(lines, x, y+2, w, h-2)...)
}

// groupWord returns the name of a grouping in plain words.
func groupWord(by string) string { return strings.ToLower(strings.ReplaceAll(by, "_", " ")) }

func (v *groupsView) sheet(answer any) sheet {
	a, _ := answer.(groupAnswer)
	day := a.of.date.Format(time.DateOnly)
	if a.of.month {
		day = a.of.date.Format("2006-01")
	}
	s := sheet{
		name: "history-" + fileKind(a.of.kind) + "-by-" + strings.ToLower(a.by) + "-" + day,
		head: []string{"name", "id", "count"}, value: a.groups,
	}
	for _, g := range a.groups {
		s.rows = append(s.rows, []string{g.Name, g.ID, strconv.Itoa(g.Count)})
	}
	return s
}
