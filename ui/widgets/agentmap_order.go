package widgets

import (
	"cmp"
	"slices"

	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
)

// agentOrder holds the order of the agents: by group, then state, then name. It remembers the
// values that determine each agent's position. Figures change all the time, so an update with
// thousands of agents should sort only if a position has changed.
type agentOrder struct {
	stateIndexes []uint8      // by row: index in states of the agent's state
	placements   []placement  // by row: the other values that determine the agent's position
	states       [][]int32    // rows of the agents in each state, sorted by name; the states are in the order of bars, then others, then unknown
	rows         []int32      // rows of all agents that are drawn
	groups       []agentGroup // groups with agents, sorted by title

	groupIndexes map[string]int32 // index in allGroups of each group, by title
	allGroups    []agentGroup     // all groups, even those without agents
}

// placement holds the values that determine an agent's position, apart from the state.
type placement struct {
	name   string
	groups []int32 // indexes in [agentOrder.allGroups], computed from the user and the profile

	user    *model.User
	profile model.Int
}

type agentGroup struct {
	title string
	rows  []int32
}

// reset clears the order and makes room for n agents.
func (o *agentOrder) reset(n int) {
	clear(o.placements)
	o.placements = slices.Grow(o.placements[:0], n)[:n]
	o.stateIndexes = slices.Grow(o.stateIndexes[:0], n)[:n]
	o.states = make([][]int32, floorview.OtherStateRank+2)
	o.groupIndexes, o.allGroups = make(map[string]int32), o.allGroups[:0]
}

// recordState stores the state and the name of the agent in row i. It reports whether they have
// changed.
func (o *agentOrder) recordState(rows *render.Agents, i int) bool {
	p := &o.placements[i]
	state, name := uint8(floorview.StateRank(rows.Record(i).Status)), rows.Name(i) //nolint:gosec // there are few states
	if o.stateIndexes[i] == state && p.name == name {
		return false
	}
	o.stateIndexes[i], p.name = state, name
	return true
}

// setGroups stores the groups to which the agent in row i belongs.
func (o *agentOrder) setGroups(i int, places []floorview.GroupKey) {
	p := &o.placements[i]
	p.groups = p.groups[:0]
	for _, place := range places {
		title := place.Title
		index, ok := o.groupIndexes[title]
		if !ok {
			index = int32(len(o.allGroups)) //nolint:gosec // at most the number of agents
			o.groupIndexes[title] = index
			o.allGroups = append(o.allGroups, agentGroup{title: title})
		}
		p.groups = append(p.groups, index)
	}
}

// computeOrder computes the positions of all agents. rows are the rows to draw, sorted by name. grouped
// reports whether the agents are drawn in groups.
func (o *agentOrder) computeOrder(rows []int32, grouped bool) {
	for s := range o.states {
		o.states[s] = o.states[s][:0]
	}
	for _, i := range rows {
		s := o.stateIndexes[i]
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
	for index := range o.allGroups {
		o.allGroups[index].rows = o.allGroups[index].rows[:0]
	}
	for _, i := range o.rows {
		for _, index := range o.placements[i].groups {
			o.allGroups[index].rows = append(o.allGroups[index].rows, i)
		}
	}
	for _, b := range o.allGroups {
		if len(b.rows) > 0 {
			o.groups = append(o.groups, b)
		}
	}
	slices.SortFunc(o.groups, func(a, b agentGroup) int { return cmp.Compare(a.title, b.title) })
}
