package panes

import (
	"slices"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/areas"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/plots"
	"wallboard/ui/table"
)

// peers are those who share something with an agent. Nothing is selected in their table: it
// is for looking, and for the mouse.
type peers struct {
	*RecordTable
	title string
}

// peersOf are those who serve a group that an agent serves, and those who serve a service,
// where these are others.
func peersOf(sc *Scene, username string) []peers {
	u := sc.Floor.Shown.Users.Get(username)
	if u == nil {
		return nil
	}
	var out []peers
	add := func(title string, codes []string, spec PaneSpec) {
		if len(codes) == 0 {
			return
		}
		t := agentsTable(sc, spec, "", "", table.WithoutSelection())
		t.again = nil // what it shows is hardly anybody else's
		if t.refresh(sc); len(out) == 0 || !slices.Equal(rowKeys(t), rowKeys(out[0].RecordTable)) {
			out = append(out, peers{t, title})
		}
	}
	add("In the same groups", u.Skillsets, PaneSpec{Groups: u.Skillsets})
	add("In the same services", u.Services, PaneSpec{Services: u.Services})
	return out
}

// rowKeys are what the rows of a table are about, in no order that is seen.
func rowKeys(t *RecordTable) []string {
	out := make([]string, t.Rows.Len())
	for i := range out {
		out[i] = t.Rows.Key(i)
	}
	slices.Sort(out)
	return out
}

// view draws them as a part of a page.
func (p peers) view(sc *Scene, x, y, w, h int) []string {
	in := sc.within(x, y, w, h)
	return sc.part(w, h, p.title, p.status(sc), false, p.RecordTable.view(sc, in.X, in.Y, in.W, in.H))
}

// needs is how many lines they take as a part of a page.
func (p peers) needs(sc *Scene) int {
	_, around := sc.around()
	return max(p.Rows.Len()+1+around, leastPeers) // with their titles
}

const (
	leastPeers = 7   // the least height of their table
	twoPeers   = 176 // cells in which two of them stand beside each other
)

// worker draws the figures of an agent. Below them stand, where they leave room for it, what
// the agent did in the shift so far or the last hour, their peers and what these did, and how
// the figures of a service that they serve have been.
func (d *Detail) worker(sc *Scene, x, y, w, h int) []string {
	for _, p := range d.peers {
		p.hide() // until it is drawn
	}
	text := len(d.lines(sc, w-2)) + 1 // and a blank
	out, hour := []string(nil), d.worked(sc, w, h-text)
	if len(hour) > 0 && h-text > len(hour) {
		hour = append(hour, look.Blanks(w))
	}
	left := h - text - len(hour)
	if left >= leastPeers && d.meetPeers(sc) {
		out = d.among(sc, x, y+h-left, w, left)
	}
	if left -= len(out); left >= leastChart {
		out = append(out, d.served(sc, x, y+h-left, w, left)...)
	}
	if len(hour)+len(out) == 0 {
		return d.viewText(sc, x, y, w, h)
	}
	return slices.Concat(d.viewText(sc, x, y, w, text), hour, out)
}

// meetPeers has the peers be there, and reports whether any are known. A preview of a large
// floor does without: they would have to be found for each row that the cursor comes by.
func (d *Detail) meetPeers(sc *Scene) bool {
	if d.peers == nil && sc.Floor.Shown != nil && !d.brief(sc) {
		d.peers = peersOf(sc, d.Key)
	}
	return len(d.peers) > 0
}

// brief reports whether it is a preview, which is drawn with every frame, on a floor of so many
// agents that it has to do with less.
func (d *Detail) brief(sc *Scene) bool {
	const many = 200
	return d.turn == nil && sc.Floor.Shown.UserStats.Len() > many
}

// among draws the peers, and what the first of them did in the last hour, in at most h lines.
func (d *Detail) among(sc *Scene, x, y, w, h int) (out []string) {
	if len(d.peers) > 1 && w >= twoPeers {
		a, b, half := d.peers[0], d.peers[1], (w-areas.Gutter)/2
		high := min(max(a.needs(sc), b.needs(sc)), h)
		at := half + areas.Gutter
		out = look.Beside(a.view(sc, x, y, half, high), b.view(sc, x+at, y, w-at, high), half, w-at, high)
	} else {
		for _, p := range d.peers {
			if left := h - len(out); left >= leastPeers {
				out = append(out, p.view(sc, x, y+len(out), w, min(p.needs(sc), left))...)
			}
		}
	}
	left := h - len(out)
	if left >= 2*leastChart { // the chart of the service has the other half
		left /= 2
	}
	return append(out, d.hours.view(sc, d.peers[0].RecordTable, w, left)...)
}

// served draws how the figures of the first service that an agent serves have been. A preview
// of a large floor does without: it is drawn anew with every frame.
func (d *Detail) served(sc *Scene, x, y, w, h int) []string {
	if sc.Floor.Shown == nil || d.brief(sc) {
		return nil
	}
	u := sc.Floor.Shown.Users.Get(d.Key)
	if u == nil || len(u.Services) == 0 {
		return nil
	}
	about := sc.KeyOf(floor.Service, u.Services[0])
	about.Channel = "" // the one on the screen
	if len(d.chart.About) == 0 || d.chart.About[0] != about {
		d.chart = plots.Plot{About: []alert.Key{about}, Span: plots.SpanFor(0)}
	}
	return d.plotted(sc, sc.Floor.Names.Of(model.NameService, about.Code)+" over time", x, y, w, h)
}
