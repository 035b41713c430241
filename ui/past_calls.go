package ui

import (
	"context"
	"time"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/table"
)

// callQuery is which contacts to look for: those that began in a time, or the
// one with an id.
type callQuery struct {
	given    bool
	kind     past.Kind
	id       string
	from, to time.Time
	most     int
}

// callAnswer is what was found.
type callAnswer struct {
	kind  past.Kind
	calls []past.Call
	short *model.Short // how these are not all there are
}

func (q callQuery) same(o callQuery) bool {
	return q.given == o.given && q.kind == o.kind && q.id == o.id && q.most == o.most && q.from.Equal(o.from) && q.to.Equal(o.to)
}

// words says what was looked for.
func (q callQuery) words(sc *scene) string {
	switch {
	case !q.given:
		return "Search"
	case q.id != "":
		return look.Capital(q.kind.String()) + " " + sc.look.Glyphs.Dot + " with the id " + q.id
	}
	const day = "2 January 15:04"
	return look.Capital(q.kind.String()) + " " + sc.look.Glyphs.Dot + " " + q.from.Format(day) + " to " + q.to.Format(day)
}

func (q callQuery) read(ctx context.Context, r HistoryReader, far func(past.Progress)) (callAnswer, error) {
	a := callAnswer{kind: q.kind}
	if q.id != "" {
		call, err := r.Call(ctx, q.kind, q.id)
		if err != nil {
			return a, err //nolint:wrapcheck // a sentence for people
		}
		a.calls = []past.Call{call}
		return a, nil
	}
	found, err := r.Calls(ctx, past.Query{Kind: q.kind, Range: past.Range{From: q.from, To: q.to}, Limit: q.most}, far)
	a.calls, a.short = found.Items, found.Short
	return a, err //nolint:wrapcheck // a sentence for people
}

func callColumns() []table.Column {
	return []table.Column{
		{ID: "start", Title: "Began", Min: 19, Ideal: 19, Priority: 5, Desc: true},
		{ID: "took", Title: "Took", Min: 7, Ideal: 9, Priority: 4, Align: table.Right, Desc: true},
		{ID: "steps", Title: "Steps", Min: 5, Ideal: 6, Priority: 3, Align: table.Right, Desc: true},
		{ID: "end", Title: "Ended", Min: 8, Ideal: 8, Priority: 1},
		{ID: "id", Title: "Id", Min: 10, Ideal: 24, Weight: 1, Max: 60, Priority: 2},
	}
}

// callRows are the rows of what was found.
func (sc *scene) callRows(a callAnswer) []pastRow {
	unknown := string(sc.look.Format.Unknown(nil))
	rows := make([]pastRow, 0, len(a.calls))
	for _, c := range a.calls {
		start, took, end := pastCell{text: unknown}, pastCell{text: unknown, order: -1}, pastCell{text: unknown}
		if t := c.Start(); !t.IsZero() {
			start = pastCell{sc.at(t).Format("2006-01-02 15:04:05"), t.UnixNano()}
		}
		if t := c.End(); !t.IsZero() {
			end = pastCell{sc.at(t).Format("15:04:05"), t.UnixNano()}
		}
		if d, ok := c.Duration(); ok {
			took = pastCell{sc.look.Duration(d), int64(d)}
		}
		rows = append(rows, pastRow{c.ID, []pastCell{
			start, took, {sc.look.Count(len(c.Steps)), int64(len(c.Steps))}, end, {text: c.ID},
		}})
	}
	return rows
}

// at is a time on the contact center's clock.
func (sc *scene) at(t time.Time) time.Time { return t.In(sc.History.Location()) }

// drawCalls draws what was found, or the steps of the one that is open.
func (p *pastPage) drawCalls(sc *scene, x, y, w, h int) []string {
	a, _ := p.panel().value.(callAnswer)
	if c, ok := a.call(p.open); ok {
		return p.drawSteps(sc, a.kind, c, x, y, w, h)
	}
	return append([]string{sc.foundLine(len(a.calls), a.short, "/ asks for more or for a shorter time", w)}, p.lists[pastCalls].lines(sc, x, y+1, w, max(h-1, 0))...)
}

// foundLine says how many were found, and how to get what is missing.
func (sc *scene) foundLine(n int, s *model.Short, how string, w int) string {
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	if s == nil {
		return l.Add(sc.look.Style(themes.Dim), " "+sc.look.Count(n)+" found").End(themes.Style{})
	}
	return l.Add(sc.look.Style(themes.Warn), " "+s.String()+": "+how).End(themes.Style{})
}

func (a callAnswer) call(id string) (past.Call, bool) {
	for _, c := range a.calls {
		if id != "" && c.ID == id {
			return c, true
		}
	}
	return past.Call{}, false
}

// drawSteps draws a contact as a line of time for each of its steps.
func (p *pastPage) drawSteps(sc *scene, kind past.Kind, c past.Call, x, y, w, h int) []string {
	start, end := c.Start(), c.End()
	if end.IsZero() {
		for _, s := range c.Steps {
			for _, t := range []time.Time{s.Start, s.End} {
				if t.After(end) {
					end = t
				}
			}
		}
	}
	took, ended := "how long it took is not known", ""
	if d, ok := c.Duration(); ok {
		took, ended = "took "+sc.look.Duration(d), " to "+sc.at(end).Format("15:04:05")
	}
	began := "when it began is not known"
	if !start.IsZero() {
		began = sc.at(start).Format("Monday, 2 January 2006, 15:04:05") + ended
	}
	title := look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.Style(themes.Title), " "+model.CleanText(c.ID, model.MaxName))
	title.Add(sc.look.Style(themes.Dim), "  one of the "+kind.String())
	out := append([]string{title.End(themes.Style{})}, inParagraph(sc, themes.Text, began+", "+took, w)...)
	out = append(out, look.Blanks(w))
	const columns = 1 + 4 + 10 + 10 + 10 + 2
	bar := max(w-columns-1, 0)
	head := " step" + look.PadLeft("began", 10) + look.PadLeft("ended", 10) + look.PadLeft("took", 10)
	out = append(out, look.NewLine(w, sc.look.Glyphs.Ellipsis).Add(sc.look.Style(themes.Header), head).End(themes.Style{}))
	lines := make([]string, 0, len(c.Steps))
	for _, s := range c.Steps {
		lines = append(lines, sc.stepLine(s, start, end, bar, w))
	}
	return append(out, p.text.View(lines, x, y+len(out), w, max(h-len(out), 0))...)
}

// stepLine is one step: its figures, and where in the whole it was.
func (sc *scene) stepLine(s past.Step, start, end time.Time, bar, w int) string {
	unknown := string(sc.look.Format.Unknown(nil))
	began, ended, took := unknown, unknown, unknown
	if !s.Start.IsZero() {
		began = sc.at(s.Start).Format("15:04:05")
	}
	if !s.End.IsZero() {
		ended = sc.at(s.End).Format("15:04:05")
	}
	known := !s.Start.IsZero() && !s.End.IsZero() && !s.End.Before(s.Start)
	if known {
		took = sc.look.Duration(s.End.Sub(s.Start))
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	l.Add(sc.look.Style(themes.Accent), look.PadLeft(itoa(s.Number), 5)).Add(sc.look.Style(themes.Text), look.PadLeft(began, 10)+look.PadLeft(ended, 10))
	l.Add(sc.look.Style(themes.Digits), look.PadLeft(took, 10)).Space(themes.Style{}, 2)
	whole := end.Sub(start)
	if !known || whole <= 0 || bar < 8 {
		return l.End(themes.Style{})
	}
	place := func(t time.Time) int { return int(float64(bar) * float64(t.Sub(start)) / float64(whole)) }
	from := min(place(s.Start), bar-1)
	to := max(min(place(s.End), bar), from+1)
	mark := "█"
	if sc.ASCII {
		mark = "#"
	}
	l.Add(sc.look.Style(themes.Faint), look.Rules(sc.look.Glyphs.Dot, from)).Add(sc.look.Style(themes.Gauge), look.Rules(mark, to-from))
	return l.Add(sc.look.Style(themes.Faint), look.Rules(sc.look.Glyphs.Dot, bar-to)).End(themes.Style{})
}
