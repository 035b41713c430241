package plots

import (
	"cmp"
	"slices"

	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/rowset"
)

// order holds the positions of the agents: in groups, and within these by state and
// name. It remembers the inputs of each position, because figures change all the time,
// and with thousands of agents only those who move should cost anything.
type order struct {
	state  []uint8      // by row: index in states
	people []placement  // by row: the other inputs of its position
	states [][]int32    // the rows in each state, by name: in the order of bars, then other states, then unknown
	rows   []int32      // all of these rows
	groups []agentGroup // groups with agents, by title

	places map[string]int32 // titles -> indexes in all
	all    []agentGroup
}

// placement holds the inputs of an agent's position other than the state.
type placement struct {
	name string
	in   []int32 // indexes in order.all

	user    *model.User // in was derived from this and profile
	profile model.Int
}

// agentGroup is a group of agents drawn together.
type agentGroup struct {
	title string
	rows  []int32
}

// reset clears everything and makes room for n agents.
func (o *order) reset(n int) {
	clear(o.people)
	o.people = slices.Grow(o.people[:0], n)[:n]
	o.state = slices.Grow(o.state[:0], n)[:n]
	o.states = make([][]int32, rowset.OtherStates+2)
	o.places, o.all = make(map[string]int32), o.all[:0]
}

// look records the state and the name of row i, and reports whether they have changed.
func (o *order) look(rows *render.Agents, i int) bool {
	p := &o.people[i]
	state, name := uint8(rowset.StateRank(rows.Record(i).Status)), rows.Name(i) //nolint:gosec // there are few states
	if o.state[i] == state && p.name == name {
		return false
	}
	o.state[i], p.name = state, name
	return true
}

// setGroups records the groups of row i.
func (o *order) setGroups(i int, under []rowset.Place) {
	p := &o.people[i]
	p.in = p.in[:0]
	for _, place := range under {
		title := place.Title
		at, ok := o.places[title]
		if !ok {
			at = int32(len(o.all)) //nolint:gosec // at most the number of agents
			o.places[title] = at
			o.all = append(o.all, agentGroup{title: title})
		}
		p.in = append(p.in, at)
	}
}

// arrange computes all positions. rows are the rows to draw, by name.
func (o *order) arrange(rows []int32, grouped bool) {
	for s := range o.states {
		o.states[s] = o.states[s][:0]
	}
	for _, i := range rows {
		s := o.state[i]
		o.states[s] = append(o.states[s], i)
	}
	o.rows = o.rows[:0]
	for _, s := range o.states {
		o.rows = append(o.rows, s...)
	}
	o.groups = o.groups[:0]
	if !grouped {
		o.groups = append(o.groups, agentGroup{rows: o.rows})
		return
	}
	for at := range o.all {
		o.all[at].rows = o.all[at].rows[:0]
	}
	for _, i := range o.rows {
		for _, at := range o.people[i].in {
			o.all[at].rows = append(o.all[at].rows, i)
		}
	}
	for _, b := range o.all {
		if len(b.rows) > 0 {
			o.groups = append(o.groups, b)
		}
	}
	slices.SortFunc(o.groups, func(a, b agentGroup) int { return cmp.Compare(a.title, b.title) })
}
