package panes

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// situationsPane lists current situations, situations of the day, ended situations, and active alerts
// that belong to no situation, with the details of the selected row. Like the page Feed, it shows the
// newest snapshot even while the snapshot is frozen.
type situationsPane struct {
	*tablePane
	rows   *render.Situations
	chart  *widgets.Plot    // chart of the record to which the selected row belongs
	detail *situationDetail // details of the record to which the selected row belongs
}

// situationDetail shows the details of a situation's record below the list. Detail is nil until
// there is such a record.
type situationDetail struct{ *Detail }

func newSituationsPane(sc *Scene, spec PaneSpec) situationsPane {
	rows := render.NewSituations()
	t := newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "situations", Rows: rows, alwaysLive: true,
		recordCounts: func(*model.Snapshot) (n, hidden int) { return rows.Len(), 0 },
		absentReason: noAlertsText,
		Target: func(id string) (floorview.RecordKind, string, bool) {
			if t := rows.RowByID(id); t != nil {
				return floorview.SubjectOf(t.Key)
			}
			return 0, "", false
		},
		OpenRow: func(id string) {
			if t := rows.RowByID(id); t != nil {
				sc.Requests.Add(OpenSubjectMsg{t.Key})
			}
		},
	}), "state", true)
	return situationsPane{newTablePane(words.PageSituations(), t, spec), rows, &widgets.Plot{}, &situationDetail{}}
}

// restyle implements [restyler].
func (p situationsPane) restyle(sc *Scene) {
	p.tablePane.restyle(sc)
	if p.detail.Detail != nil {
		p.detail.Restyle(sc)
	}
}

// status implements [statusProvider]. It returns the number of situations or, if there are none, the
// viewer's position in the list. While the snapshot is frozen, the status begins with "not frozen".
func (p situationsPane) status(sc *Scene) style.HeadingStatus {
	s := p.tablePane.status(sc)
	if note := sc.presentPanelData().HeadingNote(); note != "" {
		s.Text = note
	}
	if !sc.Floor.FrozenAt.IsZero() {
		if s.Text != "" {
			s.Text = " " + sc.Look.Glyphs.Dot + " " + s.Text
		}
		s.Text = sc.translate(words.PaneNotFrozen()) + s.Text
	}
	return s
}

// presentPanelData returns the data of a panel that lists the situations of the newest snapshot,
// even while the snapshot is frozen.
func (sc *Scene) presentPanelData() widgets.SituationPanelData {
	return sc.panelData(sc.Alarms.PresentSituations)
}

// OnlyTable implements [SingleTable]. The pane shows more than the rows of a table.
func (situationsPane) OnlyTable() *RecordTable { return nil }

// selectedRow returns the selected row of the list, or nil if no row is selected.
func (p situationsPane) selectedRow() *render.SituationRow {
	id, _ := p.Table.Selected()
	return p.rows.RowByID(id)
}

// chartSubject implements [chartChooser]. It returns the record to which the selected row belongs.
// The bool result is false if no row is selected.
func (p situationsPane) chartSubject(*Scene) (alert.Key, bool) {
	if t := p.selectedRow(); t != nil {
		return t.Key, true
	}
	return alert.Key{}, false
}

// View implements [Pane]. It draws the list, the details of the selected row, and a chart of the
// record to which the row belongs.
func (p situationsPane) View(sc *Scene, x, y, w, h int) []string {
	frameLines, _ := sc.frameMargins() // a frame takes as many lines as cells
	if t := p.selectedRow(); t != nil && w >= minPageWidth {
		const brief, sentence, leastBeside = 104, 130, 50 // row widths that fit most short and most long sentences; minimum width of the details
		right := max(min(w*2/5, w-brief-frame.Gutter), w-sentence-frame.Gutter, leastBeside)
		left := w - right - frame.Gutter
		list := h
		if used := p.rows.Len() + 1 + max(frameLines, 1); h-used >= minPartsLines && p.detail.setRecord(sc, t.Key) { // the list also needs lines for the titles, and for the frame or a blank line
			list = used
		}
		out := drawMain(p.tablePane, sc, x, y, left, list, p.status)
		if list < h {
			out = append(out, p.detail.View(sc, x, y+list, left, h-list)...)
		}
		return style.JoinBlocks(out, p.drawBeside(sc, t, x+left+frame.Gutter, y, right, h), left, right, h)
	}
	const leastRows = 6
	var about []string
	if t := p.selectedRow(); t != nil && h > leastRows+2 {
		about = p.detailLines(sc, t, w-2)
		if available := h - min(p.rows.Len()+1+frameLines, max(h/2, leastRows)) - 1; len(about) > available {
			about = about[:max(available, 0)]
		}
		about = append([]string{style.Blanks(w - 2)}, about...)
		style.Inset(about)
	}
	rows := h - len(about)
	if about == nil || p.rows.Len()+1+frameLines+minChartHeight > rows {
		return append(drawMain(p.tablePane, sc, x, y, w, rows, p.status), about...)
	}
	chartLines := rows - p.rows.Len() - 1 - frameLines
	trend := append([]string{style.Blanks(w)}, p.drawRecordChart(sc, p.selectedRow().Key, x, y+h-chartLines+1, w, chartLines-1)...)
	return slices.Concat(drawMain(p.tablePane, sc, x, y, w, rows-chartLines, p.status), about, trend)
}

// setRecord makes the details show the record with the key k. It returns false if there are no
// details about k.
func (p *situationDetail) setRecord(sc *Scene, k alert.Key) bool {
	kind, key, ok := floorview.SubjectOf(k)
	if !ok || kind == floorview.Subscription {
		p.Detail = nil
		return false
	}
	if p.Detail == nil || p.Kind != kind || p.Key != key {
		p.Detail = NewDetail(sc, nil, kind, key, table.WithoutSelection())
	}
	p.Refresh(sc)
	return true
}

// View draws the agents of the record, their last hours, and the figures of the record.
func (p *situationDetail) View(sc *Scene, x, y, w, h int) []string {
	if p.agents == nil {
		return p.Detail.View(sc, x, y, w, h)
	}
	rows := min(p.agentLines(sc)+1, h)
	if h-rows < minHoursHeight {
		rows = h
	}
	out := p.drawAgents(sc, x, y, w, rows)
	out = append(out, p.lastHours.drawHours(sc, p.agents, w, h-rows)...)
	if rest := h - len(out); rest >= minHoursHeight {
		out = append(out, p.viewFigures(sc, x, y+len(out), w, rest)...)
	}
	return out
}

// drawBeside draws the area beside the list: the details of the row t above a chart of its record.
func (p situationsPane) drawBeside(sc *Scene, t *render.SituationRow, x, y, w, h int) []string {
	about := p.detailLines(sc, t, w-1)
	out := style.FitLines(about, w, min(len(about), h), sc.Look.Glyphs.Ellipsis)
	if rest := h - len(out) - 1; rest >= minChartHeight {
		out = append(out, style.Blanks(w))
		out = append(out, p.drawRecordChart(sc, t.Key, x, y+len(out), w, rest)...)
	}
	return out
}

func (p situationsPane) drawRecordChart(sc *Scene, k alert.Key, x, y, w, h int) []string {
	if !slices.Equal(p.chart.Subjects, []alert.Key{k}) {
		*p.chart = widgets.Plot{Subjects: []alert.Key{k}, SpanIndex: widgets.SpanFor(0)}
	}
	inner := sc.InnerArea(x, y, w, h)
	return sc.DrawPart(w, h, sc.translate(words.PaneOverTime()), style.HeadingStatus{}, false, p.chart.View(sc.Charts(), inner.X, inner.Y, inner.W, inner.H))
}

// detailLines returns the lines about the situation or the alert in the row t, w cells wide.
func (p situationsPane) detailLines(sc *Scene, t *render.SituationRow, w int) []string {
	if s := t.Situation(sc.Alarms.PresentSituations); s != nil {
		return widgets.SituationDetail(sc.Look, s, w)
	}
	v := sc.LiveRenderView()
	if e := sc.Alarms.CurrentAlerts.Entry(t.ID); e != nil {
		return render.AlertDetail(e, &v, w)
	}
	return widgets.EndedSituationLines(sc.Look, t.Sentence, t.Past(), w)
}

// SelectedSituation returns the selected row of the list of situations. row is nil if no row is
// selected. ok is false if the list of situations does not have the keyboard focus.
func (m *PanePage) SelectedSituation() (row *render.SituationRow, ok bool) {
	if c := m.FocusedSlot(); c != nil {
		if p, isSituations := c.Pane.(situationsPane); isSituations {
			return p.selectedRow(), true
		}
	}
	return nil, false
}
