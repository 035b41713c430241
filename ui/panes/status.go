package panes

import (
	"slices"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// status returns the viewer's position in the rows or the number of rows, with notes about marked
// rows, doubtful figures and critical rows out of view. It refers to the last view of the table.
func (p *RecordTable) status(sc *Scene) style.HeadingStatus {
	index, matching, total, groups := p.position()
	if total == 0 {
		return style.HeadingStatus{}
	}
	s := style.HeadingStatus{Alarm: p.hiddenCriticalNote(sc)}
	switch _, selected := p.Table.Selected(); {
	case p.effectiveFilter() != "":
		position := words.PanePosition(matching, total)
		text := words.PaneFiltered(p.filterName(), position)
		if p.Table.SelectedIsUnmatched() {
			text = words.PaneLeftFilter(text)
		}
		s.Text, s.Brief = sc.translate(text), sc.translate(position)
	case groups > 0:
		position := words.PaneInGroups(total, groups)
		s.Text, s.Brief = sc.translate(words.PaneBy(p.criterion.Name(), position)), sc.translate(position)
	case selected:
		position := words.PanePosition(index, total)
		text := words.PaneRow(position)
		if column := p.Table.HiddenSort(); column != "" {
			text = words.PaneSortedRow(column, text)
		}
		s.Text, s.Brief = sc.translate(text), sc.translate(position)
	case p.wall != nil && len(p.VisibleRows()) < matching:
		first := index
		if index > 1 {
			first += p.Table.FrozenRows()
		}
		s.Text = sc.translate(words.PaneRangePosition(sc.Look.FormatCountRange(first, index+len(p.VisibleRows())-1), matching))
	default:
		s.Text = p.recordCounts.totalText(sc, total)
	}
	s.Text += p.recordCounts.hiddenText(sc)
	dot := " " + sc.Look.Glyphs.Dot + " "
	if n := p.Table.Marks.Len(); n > 0 {
		s.Prepend(sc.translate(words.PaneMarked(n)), dot)
	}
	if mark := p.doubtNote(sc); mark != "" {
		s.Prepend(mark, dot)
	}
	if s.Alarm != "" && p.HasStaleFigures(sc) {
		s.Prepend(s.Alarm, dot) // the note has no color if the alarms are stale
		s.Alarm = ""
	}
	return s
}

// filterName returns a description of the filters in effect.
func (p *RecordTable) filterName() words.Text {
	switch text := p.filterText(); {
	case text == "":
		return words.PaneWithAlert()
	case p.onlyAlerts:
		return words.PaneWithAlertFilter(text)
	default:
		return words.PaneFilter(text)
	}
}

// doubtNote returns a note for the heading if the figures of the rows are stale, incomplete or
// unverified. Otherwise it returns "".
func (p *RecordTable) doubtNote(sc *Scene) string {
	if len(p.subs) == 0 {
		return ""
	}
	d := sc.Floor.DoubtAbout(p.subs...)
	state := model.SubUnverified
	switch {
	case !d.Any():
		return ""
	case d.Stale:
		state = model.SubStale
	}
	if d.Partial {
		return render.PartlyKnownState().Glyph(sc.Look.ASCII) + " " + sc.translate(words.PanePartlyKnown())
	}
	of := render.SubscriptionStateOf(state)
	return of.Glyph(sc.Look.ASCII) + " " + sc.translate(of.Word)
}

// hiddenCriticalNote returns a note about critical rows that are out of view, such as "▲ 2 more
// below". It returns "" if all critical rows are visible.
func (p *RecordTable) hiddenCriticalNote(sc *Scene) string {
	index, matching, _ := p.Table.Position()
	visible := p.VisibleRows()
	if len(visible) == 0 || len(visible) >= matching {
		return ""
	}
	critical := p.criticalKeys(sc)
	n := len(critical)
	if n == 0 {
		return ""
	}
	seen := make(map[string]bool, min(n, len(visible)))
	for _, k := range visible {
		if k, ok := p.recordKey(k); ok && critical[k] {
			seen[k] = true // an agent in several groups counts once
		}
	}
	n -= len(seen)
	if n <= 0 {
		return ""
	}
	first := index - 1
	if k, ok := p.Table.Selected(); ok {
		first -= slices.Index(visible, k)
	}
	hidden := words.PaneOutOfView(n)
	switch {
	case first == 0:
		hidden = words.PaneMoreBelow(n)
	case first+len(visible) == matching:
		hidden = words.PaneMoreAbove(n)
	}
	return render.Critical.Glyph(sc.Look.ASCII) + " " + sc.translate(hidden)
}

// VisibleRows returns the keys of the rows that were visible in the last view, from top to bottom.
func (p *RecordTable) VisibleRows() []string {
	out := make([]string, 0, p.Table.Height())
	for y := range p.Table.Height() {
		if hit := p.Table.HitTest(0, y); hit.Area == table.HitRow {
			out = append(out, hit.Key)
		}
	}
	return out
}

// criticalKeys returns the keys of the critical rows that match the filters.
func (p *RecordTable) criticalKeys(sc *Scene) map[string]bool {
	v := p.renderView(sc)
	return p.critical.Keys(p.Rows, &v, p.effectiveFilter())
}

// pinCriticalRows keeps the critical rows at the top of a table on a wall while the table shows the
// other rows page by page.
func (p *RecordTable) pinCriticalRows(sc *Scene) {
	critical, n := p.criticalKeys(sc), 0
	rows, order := ListedRows(p)
	for _, i := range order {
		if k, ok := p.recordKey(rows.Key(int(i))); !ok || !critical[k] {
			break
		}
		n++
	}
	p.Table.FreezeTopRows(n)
}
