package chrome

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/look"
)

// Tabs are the pages as the line of tabs shows them.
type Tabs struct {
	Names   []string
	Keys    []string // the key that goes to each page; "": none
	Current int      // the page that is shown
	First   int      // the page whose name has room before those of the others
}

// Tab is where a page's name stands on the line of tabs.
type Tab struct {
	Page  int
	X, To int

	text string
}

// Lay lays the pages' names out in w cells: the present one's, and those of the others,
// cut to as many letters each as there is room for, or those for which there is room,
// and the keys of the rest; and of these the nearest, where even they are too many. Where
// hardly one of the others would be named, it is the nearest, with short names.
func (t Tabs) Lay(lk *look.Look, w int) []Tab {
	from, to := 0, len(t.Names)
	out := t.lay(lk, from, to)
	for out[len(out)-1].To > w && len(out) > 1 {
		if t.Current-from >= to-1-t.Current {
			from++
		} else {
			to--
		}
		out = t.lay(lk, from, to)
	}
	room := w - out[len(out)-1].To
	cut := t.cut(out, room)
	if cut == (cuts{}) && t.need(out, cut) > room { // digits alone say nothing
		if few := t.nearest(lk, from, to, w); few != nil {
			out, cut = few, shortest
			room = w - out[len(out)-1].To
		}
	}
	name := func(one *Tab) {
		if name := cut.of(t, one.Page) + " "; one.Page != t.Current && look.Width(name) <= room {
			one.text += name
			room -= look.Width(name)
		}
	}
	for i := range out {
		if out[i].Page == t.First {
			name(&out[i])
		}
	}
	x := 0
	for i := range out {
		one := &out[i]
		if one.Page != t.First {
			name(one)
		}
		one.X, one.To = x, x+look.Width(one.text)
		x = one.To
	}
	return out
}

// cuts are to how many letters names are cut: that of the first page, and the others;
// 0 leaves them whole.
type cuts struct{ first, others int }

// shortest cuts names as short as they can be.
var shortest = cuts{4, 3}

// cut is how the names of the pages are cut so that all of them have room. Where nothing
// helps they stay whole.
func (t Tabs) cut(tabs []Tab, room int) cuts {
	for _, c := range []cuts{{0, 0}, {0, 4}, {0, 3}, shortest} {
		if t.need(tabs, c) <= room {
			return c
		}
	}
	return cuts{}
}

// need is how many cells the names of the other pages take.
func (t Tabs) need(tabs []Tab, c cuts) int {
	need := 0
	for _, one := range tabs {
		if one.Page != t.Current {
			need += look.Width(c.of(t, one.Page)) + 1
		}
	}
	return need
}

// nearest are the tabs of the present page and of those beside it, as many as have room
// with short names; nil where those are fewer than three.
func (t Tabs) nearest(lk *look.Look, from, to, w int) []Tab {
	for to-from >= 3 {
		out := t.lay(lk, from, to)
		if out[len(out)-1].To+t.need(out, shortest) <= w {
			return out
		}
		if t.Current-from >= to-1-t.Current {
			from++
		} else {
			to--
		}
	}
	return nil
}

// of is the name of a page. One of four letters is as short as it can be.
func (c cuts) of(t Tabs, page int) string {
	const least = 4
	name, letters := t.Names[page], c.others
	if page == t.First {
		letters = c.first
	}
	if runes := []rune(name); letters > 0 && len(runes) > max(letters, least) {
		return strings.TrimSpace(string(runes[:letters]))
	}
	return name
}

// lay lays the tabs from one place to before another, with the present page's name
// only.
func (t Tabs) lay(lk *look.Look, from, to int) []Tab {
	out := make([]Tab, 0, to-from)
	x := 0
	for p := from; p < to; p++ {
		text := " " + t.key(lk, p) + " "
		if p == t.Current {
			text += t.Names[p] + " "
		}
		w := look.Width(text)
		out = append(out, Tab{Page: p, text: text, X: x, To: x + w})
		x += w
	}
	return out
}

// key is the key of a page as its tab says it.
func (t Tabs) key(lk *look.Look, page int) string {
	if k := t.Keys[page]; k != "" {
		return k
	}
	return lk.Glyphs.Dot
}

func (t Tabs) draw(m *Moment) string {
	lk := m.Look
	l := look.NewLine(m.Width, lk.Glyphs.Ellipsis)
	for _, one := range t.Lay(lk, m.Width) {
		switch {
		case one.Page != t.Current:
			l.Add(lk.Style(themes.Dim), one.text)
		case lk.Mono:
			l.Add(lk.Style(themes.Selection), "["+strings.TrimSpace(one.text)+"]")
		default:
			l.Add(lk.Style(themes.Selection), one.text)
		}
	}
	return l.End(themes.Style{})
}
