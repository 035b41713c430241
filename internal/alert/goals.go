package alert

// goals holds the targets of all records.
type goals struct {
	fallback   Goal             // targets of the floor and of services without targets of their own
	perService map[string]*Goal // targets of services, by service code
}

func newGoals(fallback Goal, perService map[string]Goal) goals {
	g := goals{fallback: fallback, perService: make(map[string]*Goal, len(perService))}
	for code, goal := range perService {
		g.perService[code] = &goal
	}
	return g
}

// goalOf returns the targets of a record. Only services can have targets of their own.
func (g *goals) goalOf(k Key) *Goal {
	if own := g.perService[k.Code]; k.Scope == Service && own != nil {
		return own
	}
	return &g.fallback
}
