package ui

import (
	"slices"
	"strings"

	"wallboard/model"
	"wallboard/ui/look"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// standing is where in something the viewer is, and what he does not see.
type standing struct {
	alarm string // critical rows out of view
	text  string
	brief string // text where there is no room for it; "": it is cut
}

// width is how many cells it takes, with the blanks around each part.
func (s standing) width() int {
	n := 0
	for _, part := range []string{s.alarm, s.text} {
		if part != "" {
			n += look.Width(part) + 2
		}
	}
	return n
}

// before puts something before the text.
func (s *standing) before(what, between string) {
	if s.text == "" {
		s.text = what
		return
	}
	s.text = what + between + s.text
	if s.brief != "" {
		s.brief = what + between + s.brief
	}
}

// status says where in the rows the viewer is, what the filter leaves of them,
// and which way the critical ones are that he does not see. It is of the last
// view.
func (p *recordTable) status(sc *scene) standing {
	at, matching, all := p.table.Position()
	if all == 0 {
		return standing{}
	}
	s := standing{alarm: p.unseen(sc)}
	switch _, selected := p.table.Selected(); {
	case p.wanted() != "":
		s.text = "filter \"" + p.wanted() + "\": " + sc.look.Count(matching) + " of " + sc.look.Count(all)
		if p.table.Stray() {
			s.text = "this one left the " + s.text
		}
		s.brief = sc.look.Count(matching) + " of " + sc.look.Count(all)
	case selected:
		s.brief = sc.look.Count(at) + " of " + sc.look.Count(all)
		s.text = "row " + s.brief
	case p.wall != nil && len(p.visible()) < matching:
		s.text = sc.look.Span(at, at+len(p.visible())-1) + " of " + sc.look.Count(matching)
	default:
		s.text = sc.look.Count(all) + " in all"
	}
	dot := " " + sc.look.Glyphs.Dot + " "
	if mark := p.doubtMark(sc); mark != "" {
		s.before(mark, dot)
	}
	if s.alarm != "" && p.stale(sc) {
		s.before(s.alarm, dot) // old alarms have no colour
		s.alarm = ""
	}
	return s
}

// doubtMark says beside the rows what they are worth, "" when they are the
// platform's.
func (p *recordTable) doubtMark(sc *scene) string {
	if len(p.subs) == 0 {
		return ""
	}
	d := sc.floor.DoubtAbout(p.subs...)
	state := model.SubUnverified
	switch {
	case !d.Any():
		return ""
	case d.Stale:
		state = model.SubStale
	}
	if d.Part {
		return render.PartlyKnown().Glyph(sc.ASCII) + " partly known"
	}
	of := render.SubStateOf(state)
	return of.Glyph(sc.ASCII) + " " + strings.ToLower(of.Word)
}

// redRows are the keys of the critical rows, and what they were found by. With
// thousands of agents they are looked for once a second only.
type redRows struct {
	keys   map[string]bool
	second int64
	rows   int
	filter string
	scope  render.Scope
	look   *render.Options
}

// unseen counts the critical rows out of view: "▲ 2 more below".
func (p *recordTable) unseen(sc *scene) string {
	at, matching, _ := p.table.Position()
	visible := p.visible()
	if len(visible) == 0 || len(visible) >= matching {
		return ""
	}
	red := p.redKeys(sc)
	n := len(red)
	for _, k := range visible {
		if red[k] {
			n--
		}
	}
	if n <= 0 {
		return ""
	}
	first := at - 1
	if k, ok := p.table.Selected(); ok {
		first -= slices.Index(visible, k)
	}
	where := "out of view"
	switch {
	case first == 0:
		where = "more below"
	case first+len(visible) == matching:
		where = "more above"
	}
	return render.Critical.Glyph(sc.ASCII) + " " + sc.look.Count(n) + " " + where
}

// visible returns the keys of the rows on the screen, from top to bottom.
func (p *recordTable) visible() []string {
	out := make([]string, 0, p.table.Height())
	for y := range p.table.Height() {
		if hit := p.table.HitTest(0, y); hit.Area == table.OnRow {
			out = append(out, hit.Key)
		}
	}
	return out
}

func (p *recordTable) redKeys(sc *scene) map[string]bool {
	r := &p.red
	v := p.look(sc)
	second, rows, filter := v.Now.Unix(), p.rows.Len(), p.wanted()
	if r.second == second && r.rows == rows && r.filter == filter && r.scope == v.Scope && r.look == v.Options {
		return r.keys
	}
	*r = redRows{make(map[string]bool), second, rows, filter, v.Scope, v.Options}
	critical := render.Critical.Glyph(sc.ASCII)
	var row table.Row
	for i := range rows {
		row = table.Row{}
		p.rows.Row(i, &row)
		if row.Marker == critical && (filter == "" || p.rows.Matches(i, filter)) {
			r.keys[p.rows.Key(i)] = true
		}
	}
	return r.keys
}
