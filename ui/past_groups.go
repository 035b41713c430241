package ui

import (
	"context"
	"strings"

	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// groupAnswer is who had how many contacts.
type groupAnswer struct {
	by     string   // what they are grouped by, as the platform calls it
	bys    []string // what else they can be grouped by
	groups []past.Group
}

// readGroups reads who had how many contacts.
func readGroups(ctx context.Context, r HistoryReader, q pastQuestion) (groupAnswer, error) {
	var a groupAnswer
	var err error
	if a.bys, err = r.GroupBys(ctx, q.kind); err != nil {
		return a, err //nolint:wrapcheck // a sentence for people
	}
	if len(a.bys) > 0 {
		a.by = a.bys[q.by%len(a.bys)]
	}
	span := past.Range{From: q.date, To: past.StartOfDay(q.date, 1)}
	if q.month {
		span.To = past.StartOfMonth(q.date, 1)
	}
	a.groups, err = r.Groups(ctx, past.GroupQuery{Kind: q.kind, By: a.by, Range: span})
	return a, err //nolint:wrapcheck // a sentence for people
}

// drawGroups draws who had how many contacts, the most first.
func (p *pastPage) drawGroups(sc *scene, x, y, w, h int) []string {
	a, _ := p.panel().value.(groupAnswer)
	most, all := 0, 0
	for _, g := range a.groups {
		most, all = max(most, g.Count), all+g.Count
	}
	head := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	head.Add(sc.look.Style(themes.Dim), " "+sc.look.Count(all)+" by "+groupWord(a.by)+", "+sc.look.Count(len(a.groups))+" in all")
	if more := sc.hint("; b groups by something else"); len(a.bys) > 1 && look.Width(more) <= head.Room() {
		head.Add(sc.look.Style(themes.Dim), more)
	}
	name := min(max(w/3, 14), 40)
	bar := max(w-name-22, 0)
	lines := make([]string, 0, len(a.groups))
	for _, g := range a.groups {
		l := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
		token, text := themes.Text, g.Name
		if text == "" {
			if token, text = themes.Unknown, "none known"; g.ID != "" {
				text = g.ID
			}
		}
		l.Add(sc.look.Style(token), look.Fit(text, name, sc.look.Glyphs.Ellipsis))
		l.Add(sc.look.Style(themes.Digits), look.PadLeft(sc.look.Count(g.Count), 8))
		if all > 0 {
			l.Add(sc.look.Style(themes.Dim), look.PadLeft(sc.look.Share(float64(g.Count)/float64(all)), 9))
		}
		if bar > 4 && most > 0 {
			l.Space(themes.Style{}, 2)
			gauge := chart.Stacked{Width: max(g.Count*bar/most, 1), Set: sc.look.Chart()}
			l.Raw(gauge.Render([]chart.Part{{Value: 1, Style: sc.look.Theme.SGR(themes.Gauge)}}), gauge.Width)
		}
		lines = append(lines, l.End(themes.Style{}))
	}
	return append([]string{head.End(themes.Style{}), look.Blanks(w)}, p.text.View(lines, x, y+2, w, h-2)...)
}

// groupWord is what the platform groups by as people say it.
func groupWord(by string) string { return strings.ToLower(strings.ReplaceAll(by, "_", " ")) }
