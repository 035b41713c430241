package panes

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/widgets"
)

// peerTable is a table of the agents who share a group or a service with an agent. Its rows cannot
// be selected.
type peerTable struct {
	*RecordTable
	title words.Text
}

// peerTables returns a table of the agents who share a group with an agent and, if its rows differ, a
// table of the agents who share a service. It returns nil if the agent is unknown or has neither.
func peerTables(sc *Scene, username string) []peerTable {
	u := sc.Floor.Shown.Users.Get(username)
	if u == nil {
		return nil
	}
	var out []peerTable
	add := func(title words.Text, codes []string, spec PaneSpec) {
		if len(codes) == 0 {
			return
		}
		t := agentsTable(sc, spec, "", "", table.WithoutSelection())
		t.newRows = nil // not shared, because hardly any other board shows the same rows
		if t.refresh(sc); len(out) == 0 || !slices.Equal(rowKeys(t), rowKeys(out[0].RecordTable)) {
			out = append(out, peerTable{t, title})
		}
	}
	add(words.PaneSameGroups(), u.Skillsets, PaneSpec{Groups: u.Skillsets})
	add(words.PaneSameServices(), u.Services, PaneSpec{Services: u.Services})
	return out
}

// rowKeys returns the keys of the rows of a table in ascending order.
func rowKeys(t *RecordTable) []string {
	out := make([]string, t.Rows.Len())
	for i := range out {
		out[i] = t.Rows.Key(i)
	}
	slices.Sort(out)
	return out
}

// DrawPart draws the table as a part of a page.
func (p peerTable) DrawPart(sc *Scene, x, y, w, h int) []string {
	inner := sc.InnerArea(x, y, w, h)
	return sc.DrawPart(w, h, sc.translate(p.title), p.status(sc), false, p.view(sc, inner.X, inner.Y, inner.W, inner.H))
}

// linesNeeded returns the number of lines that the table needs, including its frame or heading.
func (p peerTable) linesNeeded(sc *Scene) int {
	_, around := sc.frameMargins()
	return max(p.Rows.Len()+1+around, minPeersHeight) // includes a line for the column titles
}

const (
	minPeersHeight   = 7   // minimum height of the table in lines
	minTwoPeersWidth = 176 // minimum width in cells at which two tables are side by side
)

// drawAgent draws the figures of an agent. Below the figures it draws as many parts as fit, in this
// order: the agent's shift or last hour, the peers and their last hours, and a chart of the agent's
// first service.
func (d *Detail) drawAgent(sc *Scene, x, y, w, h int) []string {
	for _, p := range d.peers {
		p.hide() // hidden until they are redrawn
	}
	text := len(d.figureLines(sc, w-2)) + 1 // plus a blank line
	out, hour := []string(nil), d.drawAgentHours(sc, w, h-text)
	if len(hour) > 0 && h-text > len(hour) {
		hour = append(hour, style.Blanks(w))
	}
	left := h - text - len(hour)
	if left >= minPeersHeight && d.loadPeers(sc) {
		out = d.drawPeers(sc, x, y+h-left, w, left)
	}
	if left -= len(out); left >= minChartHeight {
		out = append(out, d.drawServiceChart(sc, x, y+h-left, w, left)...)
	}
	if len(hour)+len(out) == 0 {
		return d.viewFigures(sc, x, y, w, h)
	}
	return slices.Concat(d.viewFigures(sc, x, y, w, text), hour, out)
}

// loadPeers creates the tables of the peers unless they exist, and reports whether there are any. A
// preview on a large floor has no peers, because they would have to be found again for each row
// that the cursor passes.
func (d *Detail) loadPeers(sc *Scene) bool {
	if d.peers == nil && sc.Floor.Shown != nil && !d.isLargePreview(sc) {
		d.peers = peerTables(sc, d.Key)
	}
	return len(d.peers) > 0
}

// isLargePreview reports whether the page is a preview on a floor with many agents. Such a preview
// is drawn with every frame, so it omits parts that take long to draw.
func (d *Detail) isLargePreview(sc *Scene) bool {
	const maxAgents = 200
	return d.partKeys == nil && sc.Floor.Shown.UserStats.Len() > maxAgents
}

// drawPeers draws the tables of the peers in at most h lines. Below the tables it draws the last
// hours of the agents in the first table.
func (d *Detail) drawPeers(sc *Scene, x, y, w, h int) (out []string) {
	if len(d.peers) > 1 && w >= minTwoPeersWidth {
		a, b, half := d.peers[0], d.peers[1], (w-frame.Gutter)/2
		height := min(max(a.linesNeeded(sc), b.linesNeeded(sc)), h)
		index := half + frame.Gutter
		out = style.JoinBlocks(a.DrawPart(sc, x, y, half, height), b.DrawPart(sc, x+index, y, w-index, height), half, w-index, height)
	} else {
		for _, p := range d.peers {
			if left := h - len(out); left >= minPeersHeight {
				out = append(out, p.DrawPart(sc, x, y+len(out), w, min(p.linesNeeded(sc), left))...)
			}
		}
	}
	left := h - len(out)
	if left >= 2*minChartHeight { // leave half of the lines for the chart of the service
		left /= 2
	}
	return append(out, d.lastHours.drawHours(sc, d.peers[0].RecordTable, w, left)...)
}

// drawServiceChart draws a chart of the agent's first service. It returns nil if the agent has no
// service. It also returns nil for a preview on a large floor, because the chart would be drawn
// with every frame.
func (d *Detail) drawServiceChart(sc *Scene, x, y, w, h int) []string {
	if sc.Floor.Shown == nil || d.isLargePreview(sc) {
		return nil
	}
	u := sc.Floor.Shown.Users.Get(d.Key)
	if u == nil || len(u.Services) == 0 {
		return nil
	}
	subject := sc.KeyOf(floorview.Service, u.Services[0])
	subject.Channel = "" // "" means the channel on the screen
	if len(d.chart.Subjects) == 0 || d.chart.Subjects[0] != subject {
		d.chart = widgets.Plot{Subjects: []alert.Key{subject}, SpanIndex: widgets.SpanFor(0)}
	}
	return d.drawChart(sc, sc.translate(words.PaneRecordOverTime(sc.Floor.Names.NameOf(model.NameService, subject.Code))), x, y, w, h)
}
