package alert

// goals are what records are measured by.
type goals struct {
	all Goal             // of the floor, and of services without one of their own
	own map[string]*Goal // of services, by code
}

func newGoals(all Goal, own map[string]Goal) goals {
	g := goals{all: all, own: make(map[string]*Goal, len(own))}
	for code, goal := range own {
		g.own[code] = &goal
	}
	return g
}

// of returns what a record is measured by.
func (g *goals) of(k Key) *Goal {
	if own := g.own[k.Code]; k.Scope == Service && own != nil {
		return own
	}
	return &g.all
}
