package grouped

import (
	"strconv"
	"strings"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Line draws the line of a group of agents: how many they are, in which states, and who of
// them is furthest over a limit. Without states, because all of them are in one, it has the
// rest.
func (g *Group) Line(o *render.Options, on model.Channel, crew render.Crew, states bool, dst *table.Row) {
	l := drawn{o: o, room: dst.Width}
	unfolded, folded := "▾ ", "▸ "
	if o.ASCII {
		unfolded, folded = "- ", "+ "
	}
	sign := unfolded
	if g.Folded {
		sign = folded
	}
	l.add(themes.Dim, sign)
	l.add(themes.Title, g.Title)
	l.add(themes.Dim, "  "+string(o.Format().Count(nil, int64(len(g.Rows)))))
	if !dst.Blank {
		worst := 0
		if crew.Worst != "" {
			worst = o.Width.StringWidth(crew.Worst) + 3
		}
		if states {
			l.states(on, crew.States, worst)
		}
		if worst > 0 && l.room >= worst {
			token := crew.Level.Token()
			if crew.Level == render.Normal {
				token = themes.Dim
			}
			l.add(themes.Text, "   ")
			l.add(token, crew.Worst)
		}
	}
	dst.Text = string(l.text)
}

// drawn is text in styles.
type drawn struct {
	o    *render.Options
	text []byte
	room int // that is left
}

// add appends text, cut where it has no room.
func (l *drawn) add(t themes.Token, text string) {
	ellipsis := "…"
	if l.o.ASCII {
		ellipsis = "~"
	}
	text = l.o.Width.Truncate(text, max(l.room, 0), ellipsis)
	l.room -= l.o.Width.StringWidth(text)
	if st := l.o.Theme.SGR(t); st != "" {
		text = st + text + "\x1b[m"
	}
	l.text = append(l.text, text...)
}

// states appends the states with anybody in them: sign and number, and the word where there
// is room for all of it beside so many cells.
func (l *drawn) states(on model.Channel, counts map[model.UserStatus]int, beside int) {
	type part struct {
		token       themes.Token
		short, word string
	}
	var parts []part
	short, long := 0, 0
	add := func(state render.State, n int) {
		p := part{state.Token, "  " + state.Glyph(l.o.ASCII) + " " + strconv.Itoa(n), " " + strings.ToLower(state.Word)}
		parts = append(parts, p)
		short += l.o.Width.StringWidth(p.short)
		long += l.o.Width.StringWidth(p.short + p.word)
	}
	others := 0
	for st, n := range counts {
		if st != "" && !st.Known() {
			others += n
		}
	}
	for _, st := range render.StateOrder() {
		if n := counts[st]; n > 0 {
			add(render.StateOf(st, on), n)
		}
	}
	if others > 0 {
		add(render.StateOf("other", on), others)
	}
	if n := counts[""]; n > 0 {
		add(render.StateOf("", on), n)
	}
	if short > l.room {
		return
	}
	words := long+beside <= l.room
	for _, p := range parts {
		if l.add(p.token, p.short); words {
			l.add(p.token, p.word)
		}
	}
}
