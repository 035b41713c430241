package rowset

import (
	"fmt"
	"strconv"
	"strings"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// States holds the number of agents in each state of a group, and of all groups. Each
// state that occurs in any group has its column in all lines.
type States struct {
	Of    map[model.UserStatus]int
	Among map[model.UserStatus]int
	On    model.Channel
}

// Salt identifies the set of states that have a column.
func (s *States) Salt() (salt uint64) {
	for st, n := range s.Among {
		if n > 0 {
			salt |= 1 << StateRank(st)
		}
	}
	return salt
}

// leastWorst is the least room for naming an agent over a limit.
const leastWorst = 16

// Line draws the line of a group of agents: their number, their states, and the agent
// longest over a limit. states may be nil if all agents are in one state.
func (g *Group) Line(o *render.Options, crew render.AgentSummary, states *States, dst *table.Row) {
	l := drawn{o: o, room: dst.Width}
	unfolded, folded := "▾ ", "▸ "
	if o.ASCII {
		unfolded, folded = "- ", "+ "
	}
	sign := unfolded
	if g.Folded {
		sign = folded
	}
	count := string(o.Format().Count(nil, int64(len(g.Rows))))
	most := string(o.Format().Count(nil, int64(g.Most)))
	l.add(themes.Dim, sign)
	l.add(themes.Title, g.Title)
	l.blank(o.Width.StringWidth(g.Longest) - o.Width.StringWidth(g.Title) + 2 + len(most) - len(count))
	l.add(themes.Dim, count)
	if !dst.Blank {
		if states != nil {
			l.states(states, len(strconv.Itoa(g.Most)))
		}
		if crew.Worst != "" && l.room >= min(o.Width.StringWidth(crew.Worst)+3, leastWorst) {
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

// drawn is styled text.
type drawn struct {
	o    *render.Options
	text []byte
	room int // remaining cells
}

// add appends text, cut to the room.
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

// blank appends up to n blanks.
func (l *drawn) blank(n int) {
	n = max(min(n, l.room), 0)
	l.room -= n
	l.text = append(l.text, strings.Repeat(" ", n)...)
}

// part is a state in the line of a group.
type part struct {
	token      themes.Token
	sign, word string
	n          int
}

// parts returns the states that occur in any group.
func (s *States) parts(ascii bool) (out []part) {
	add := func(st model.UserStatus, n int) {
		of := render.StateOf(st, s.On)
		out = append(out, part{of.Token, of.Glyph(ascii), strings.ToLower(of.Word), n})
	}
	others, among := 0, 0
	for st, n := range s.Among {
		if st != "" && !st.Known() {
			others, among = others+s.Of[st], among+n
		}
	}
	for _, st := range render.StateOrder() {
		if s.Among[st] > 0 {
			add(st, s.Of[st])
		}
	}
	if among > 0 {
		add("other", others)
	}
	if s.Among[""] > 0 {
		add("", s.Of[""])
	}
	return out
}

// states appends the glyph and the number of each state, padded to a number of digits,
// and the words if all of them fit. Each state has its column even if no agent of this
// group is in it, unless the columns do not fit.
func (l *drawn) states(s *States, digits int) {
	parts := s.parts(l.o.ASCII)
	short, long := 0, 0
	for _, p := range parts {
		short += 4 + digits
		long += 4 + digits + 1 + l.o.Width.StringWidth(p.word)
	}
	words := long+leastWorst <= l.room
	apart := short <= l.room
	for _, p := range parts {
		text := "  " + p.sign + " " + strconv.Itoa(p.n)
		if apart {
			text = fmt.Sprintf("  %s %*d", p.sign, digits, p.n)
		}
		if words {
			text += " " + p.word
		}
		switch {
		case p.n > 0:
			l.add(p.token, text)
		case apart:
			l.blank(l.o.Width.StringWidth(text))
		}
	}
}
