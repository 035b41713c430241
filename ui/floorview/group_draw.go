package floorview

import (
	"fmt"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// StateCounts holds the number of agents in each state, for one group and for all groups together. A
// state that occurs in any group has a column in the lines of all groups, so that the columns are
// aligned.
type StateCounts struct {
	Group   map[model.UserStatus]int
	All     map[model.UserStatus]int
	Channel model.Channel
}

// RankSet returns a bit set of the ranks of all states that have a column.
func (s *StateCounts) RankSet() (salt uint64) {
	for st, n := range s.All {
		if n > 0 {
			salt |= 1 << StateRank(st)
		}
	}
	return salt
}

// minWorstWidth is the minimum width in cells of the text about the agent with the most urgent alert.
const minWorstWidth = 16

// DrawLine draws the line of a group of agents into dst: the title of the group, the number of agents,
// their states, and the agent with the most urgent alert, whom crew describes. A nil states means that
// all agents of each group are in the same state.
func (g *RowGroup) DrawLine(o *render.Options, crew render.AgentSummary, states *StateCounts, dst *table.Row) {
	l := lineBuilder{options: o, remaining: dst.Width}
	unfolded, folded := "▾ ", "▸ "
	if o.ASCII {
		unfolded, folded = "- ", "+ "
	}
	sign := unfolded
	if g.Folded {
		sign = folded
	}
	count := string(o.Format().Count(nil, int64(len(g.Rows))))
	most := string(o.Format().Count(nil, int64(g.MaxRows)))
	l.add(themes.Dim, sign)
	l.add(themes.Title, g.Title)
	l.addBlanks(table.TextWidth(o.WidthMethod, g.LongestTitle) - table.TextWidth(o.WidthMethod, g.Title) + 2 + len(most) - len(count))
	l.add(themes.Dim, count)
	if !dst.Blank {
		if states != nil {
			l.addStates(states, len(strconv.Itoa(g.MaxRows)))
		}
		if crew.WorstAgent != "" && l.remaining >= min(table.TextWidth(o.WidthMethod, crew.WorstAgent)+3, minWorstWidth) {
			token := crew.Level.Token()
			if crew.Level == render.Normal {
				token = themes.Dim
			}
			l.add(themes.Text, "   ")
			l.add(token, crew.WorstAgent)
		}
	}
	dst.Text = string(l.text)
}

// lineBuilder builds a line of styled text that has a maximum width.
type lineBuilder struct {
	options   *render.Options
	text      []byte
	remaining int // number of free cells
}

// add appends text in the style of the token t, cut to the free cells.
func (l *lineBuilder) add(t themes.Token, text string) {
	ellipsis := "…"
	if l.options.ASCII {
		ellipsis = "~"
	}
	text = l.options.WidthMethod.Truncate(text, max(l.remaining, 0), ellipsis)
	l.remaining -= table.TextWidth(l.options.WidthMethod, text)
	if st := l.options.Theme.OpenSequence(t); st != "" {
		text = st + text + "\x1b[m"
	}
	l.text = append(l.text, text...)
}

// addBlanks appends n spaces, or as many as fit.
func (l *lineBuilder) addBlanks(n int) {
	n = max(min(n, l.remaining), 0)
	l.remaining -= n
	l.text = append(l.text, strings.Repeat(" ", n)...)
}

type stateColumn struct {
	token      themes.Token
	sign, word string
	count      int
}

// columns returns a column for each state that occurs in any group, with the number of agents
// in s.Group. States that the documentation of the platform does not list share one column.
func (s *StateCounts) columns(ascii bool, l *words.Language) (out []stateColumn) {
	add := func(st model.UserStatus, n int) {
		state := render.StateOf(st, s.Channel)
		out = append(out, stateColumn{state.Token, state.Glyph(ascii), words.AgentStateInSentence(st, s.Channel).In(l), n})
	}
	inGroup, onFloor := 0, 0
	for st, n := range s.All {
		if st != "" && !st.Known() {
			inGroup, onFloor = inGroup+s.Group[st], onFloor+n
		}
	}
	for _, st := range render.StateOrder() {
		if s.All[st] > 0 {
			add(st, s.Group[st])
		}
	}
	if onFloor > 0 {
		add("other", inGroup)
	}
	if s.All[""] > 0 {
		add("", s.Group[""])
	}
	return out
}

// addStates appends the glyph of each state and the number of its agents, padded to the given
// number of digits. The names of the states follow if all of them fit. The column of a state
// without agents in this group is blank. If there is not enough room, such columns are omitted.
func (l *lineBuilder) addStates(s *StateCounts, digits int) {
	parts := s.columns(l.options.ASCII, l.options.Words)
	short, long := 0, 0
	for _, p := range parts {
		short += 4 + digits
		long += 4 + digits + 1 + table.TextWidth(l.options.WidthMethod, p.word)
	}
	words := long+minWorstWidth <= l.remaining
	aligned := short <= l.remaining
	for _, p := range parts {
		text := "  " + p.sign + " " + strconv.Itoa(p.count)
		if aligned {
			text = fmt.Sprintf("  %s %*d", p.sign, digits, p.count)
		}
		if words {
			text += " " + p.word
		}
		switch {
		case p.count > 0:
			l.add(p.token, text)
		case aligned:
			l.addBlanks(table.TextWidth(l.options.WidthMethod, text))
		}
	}
}
