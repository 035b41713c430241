package panes

import (
	"slices"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// connectionPane shows the connection to the platform, its subscriptions and the details of the
// selected subscription. Its figures describe the board's own connection. They are never stale, and
// they change even while the snapshot is frozen.
type connectionPane struct{ *tablePane }

func newConnectionPane(sc *Scene, spec PaneSpec) connectionPane {
	return connectionPane{newTablePane(words.PageFeed(), feedTable(sc, spec), spec)}
}

func feedTable(sc *Scene, spec PaneSpec) *RecordTable {
	return newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "subscriptions", Rows: render.NewFeed(), alwaysLive: true,
		recordCounts: func(s *model.Snapshot) (n, hidden int) { return len(s.Health.Subscriptions), 0 },
		Target:       openTarget(floorview.Subscription),
	}), "", false)
}

// OnlyTable implements [SingleTable]. The pane shows more than the rows of a table.
func (connectionPane) OnlyTable() *RecordTable { return nil }

func (f connectionPane) View(sc *Scene, x, y, w, h int) []string {
	if sc.Floor.Newest == nil {
		return f.view(sc, x, y, w, h)
	}
	v := sc.LiveRenderView() // these figures change even while the snapshot is frozen
	link := render.LinkDetail(sc.Floor.Newest, &v, w-2)
	if sc.Forecaster != nil {
		if text := sc.Forecaster.AccuracyText(sc.Look.Format.Words); text != "" {
			link = slices.Insert(link, min(1, len(link)), sc.Look.Wrap(themes.Dim, text, w-2)...)
		}
	}
	var about []string
	if name, ok := f.Table.Selected(); ok {
		about = render.SubscriptionDetail(sc.Floor.Newest, &v, name, w-2)
	}
	// The table gets its lines first; the other parts share the rest.
	frameLines, _ := sc.frameMargins() // a frame takes as many lines as cells
	total := len(sc.Floor.Newest.Health.Subscriptions) + 1 + frameLines
	rows := min(total, max(h/2, 4))
	link = append(link, style.Blanks(w-2))
	rest := max(h-rows, 0)
	link = link[:min(len(link), max(rest-len(about), rest/2))]
	about = about[:min(len(about), rest-len(link))]
	link = style.FitLines(link, w-2, len(link), sc.Look.Glyphs.Ellipsis)
	about = style.FitLines(about, w-2, len(about), sc.Look.Glyphs.Ellipsis)
	style.Inset(link)
	style.Inset(about)
	out := make([]string, 0, h)
	out = append(out, link...)
	table := min(h-len(out)-len(about), total+1) // with a blank line, so that the details stay near their row
	if frameLines > 0 {
		table = min(table, total)
	}
	out = append(out, drawMain(f.tablePane, sc, x, y+len(out), w, table, f.status)...)
	return style.FillLines(append(out, about...), w, h)
}
