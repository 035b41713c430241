package mosaic

import (
	"cmp"
	"slices"

	"wallboard/model"
	"wallboard/ui/grouped"
	"wallboard/ui/render"
)

// order is where the agents of a map stand: in groups, and in these by state
// and name. It remembers of every agent what their place depends on. Figures change
// all the time, and with thousands of agents only those who move may cost
// anything.
type order struct {
	state  []uint8   // of each row, a place in states
	people []mapped  // of each row, what else its place depends on
	states [][]int32 // the rows in each state, by name: in the order of bars, then other states, then none
	rows   []int32   // all of these
	groups []bunch   // those with anybody in them, by title

	places map[string]int32 // titles -> places in all
	all    []bunch
}

// mapped is what an agent's place depends on beside their state.
type mapped struct {
	name string
	in   []int32 // places in order.all

	user    *model.User // what in was made from
	profile model.Int
}

// bunch is agents who are drawn together.
type bunch struct {
	title string
	rows  []int32
}

// reset forgets everybody and expects n agents.
func (o *order) reset(n int) {
	clear(o.people)
	o.people = slices.Grow(o.people[:0], n)[:n]
	o.state = slices.Grow(o.state[:0], n)[:n]
	o.states = make([][]int32, grouped.OtherStates+2)
	o.places, o.all = make(map[string]int32), o.all[:0]
}

// look takes in the state and the name of row i, and reports whether they are other
// ones.
func (o *order) look(rows *render.Agents, i int) bool {
	p := &o.people[i]
	state, name := uint8(grouped.StateRank(rows.Record(i).Status)), rows.Name(i) //nolint:gosec // there are ten
	if o.state[i] == state && p.name == name {
		return false
	}
	o.state[i], p.name = state, name
	return true
}

// put notes where row i stands.
func (o *order) put(i int, under []grouped.Place) {
	p := &o.people[i]
	p.in = p.in[:0]
	for _, place := range under {
		title := place.Title
		at, ok := o.places[title]
		if !ok {
			at = int32(len(o.all)) //nolint:gosec // there are no more than agents
			o.places[title] = at
			o.all = append(o.all, bunch{title: title})
		}
		p.in = append(p.in, at)
	}
}

// arrange gives everybody their place. rows are those that are shown, by name.
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
		o.groups = append(o.groups, bunch{rows: o.rows})
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
	slices.SortFunc(o.groups, func(a, b bunch) int { return cmp.Compare(a.title, b.title) })
}
