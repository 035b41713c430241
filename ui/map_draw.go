package ui

import (
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
)

// mapDrawing is a map while it is drawn.
type mapDrawing struct {
	sc         *scene
	part       *mapPart
	x, y, w, h int
	step       int // cells for each agent
	out        []string
}

// draw draws the groups one below the other. For whom there is no room, a number
// stands on the last line.
func (d *mapDrawing) draw() []string {
	left := 0
	for _, g := range d.part.groups {
		left += len(g.rows)
	}
	label := d.part.labelled(d.w)
	room := max((d.w-label-1)/d.step, 1)
	for i, g := range d.part.groups {
		title := g.title
		for rows := g.rows; len(rows) > 0; {
			n := min(room, len(rows))
			if len(d.out) == d.h-1 && left > n {
				what := d.sc.count(left) + " more"
				if n := len(d.part.groups) - i; n > 1 { // some agents are in several
					what = d.sc.count(n) + " more groups"
				}
				d.out = append(d.out, d.more(what))
				return d.out
			}
			if len(d.out) >= d.h {
				return d.out
			}
			d.line(title, label, rows[:n])
			title, rows = "", rows[n:]
			left -= n
		}
	}
	return d.out
}

// more says for what there is no room.
func (d *mapDrawing) more(what string) string {
	l := newLine(d.w, d.sc.glyphs.ellipsis)
	return l.add(d.sc.style(themes.Dim), " "+d.sc.glyphs.ellipsis+" "+what).end(themes.Style{})
}

// line draws one line of a group. Agents in one state share their style.
func (d *mapDrawing) line(title string, label int, rows []int32) {
	sc, m := d.sc, d.part
	l := newLine(d.w, sc.glyphs.ellipsis)
	if label > 0 {
		name := newLine(label, sc.glyphs.ellipsis)
		name.space(themes.Style{}, 1).add(sc.style(themes.Text), cut(title, label-2, sc.glyphs.ellipsis))
		l.raw(name.end(themes.Style{}), label)
	} else {
		l.space(themes.Style{}, 1)
	}
	gap := blanks(d.step - 1)
	var run string
	var look render.State
	flush := func() {
		if run != "" {
			l.add(sc.style(look.Token), run)
			run = ""
		}
	}
	for i, row := range rows {
		r := m.rows.Record(int(row))
		s := render.StateOf(r.Status, r.Channel)
		at := max(label, 1) + i*d.step
		m.spots = append(m.spots, spot{d.x + at, d.y + len(d.out), row})
		if m.cursor != "" && m.rows.Key(int(row)) == m.cursor {
			flush()
			l.add(sc.style(themes.Selection), s.Glyph(sc.ASCII)).add(themes.Style{}, gap)
			continue
		}
		if s != look {
			flush()
			look = s
		}
		run += s.Glyph(sc.ASCII) + gap
	}
	flush()
	d.out = append(d.out, l.end(themes.Style{}))
}

// legend names the states that there are, and how many are in each, in as many
// lines as it takes and there are.
func (m *mapPart) legend(sc *scene, w, h int) []string {
	counts := map[render.State]int{}
	var order []render.State
	seen := map[int32]bool{}
	for _, g := range m.groups {
		for _, i := range g.rows {
			if seen[i] {
				continue // he serves several groups
			}
			seen[i] = true
			r := m.rows.Record(int(i))
			s := render.StateOf(r.Status, r.Channel)
			if counts[s] == 0 {
				order = append(order, s)
			}
			counts[s]++
		}
	}
	order = inStateOrder(order, sc.channel)
	var out []string
	l := newLine(w, sc.glyphs.ellipsis).space(themes.Style{}, 1)
	for _, s := range order {
		text := s.Glyph(sc.ASCII) + " " + s.Word + " " + sc.count(counts[s])
		if textWidth(text) > l.room() && l.used > 1 && len(out)+1 < h {
			out = append(out, l.end(themes.Style{}))
			l = newLine(w, sc.glyphs.ellipsis).space(themes.Style{}, 1)
		}
		if textWidth(text) > l.room() {
			l.add(sc.style(themes.Dim), sc.glyphs.ellipsis)
			break
		}
		l.add(sc.style(s.Token), text).space(themes.Style{}, 2)
	}
	if h <= 0 {
		return nil
	}
	return append(out, l.end(themes.Style{}))
}

// inStateOrder puts states into the order of the bars.
func inStateOrder(list []render.State, ch model.Channel) []render.State {
	var out []render.State
	known := map[render.State]bool{}
	for _, s := range render.StateOrder() {
		look := render.StateOf(s, ch)
		for _, l := range list {
			if l == look && !known[l] {
				known[l] = true
				out = append(out, l)
			}
		}
	}
	for _, l := range list {
		if !known[l] {
			out = append(out, l)
		}
	}
	return out
}
