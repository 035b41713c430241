package model

// AgentRows finds the records of one agent in a table with thousands of agents, also on channels
// that document 2 does not list. It searches the whole table only if the agent differs from the
// last call, if that call found no records, or if records were added or removed.
type AgentRows struct {
	generation  uint64 // generation of the table at the last search
	recordCount int    // number of records in the table at the last search
	username    string
	indexes     []int // indexes of the agent's records in the table
}

// Find returns the records of an agent in t, the table of userStats of a snapshot.
func (a *AgentRows) Find(t *Table[UserStatKey, UserStat], username string) []*UserStat {
	records, name := t.Rows(), TextOf(username)
	isAgent := func(r *UserStat) bool { return r.Username == name || username == "" && r.Key().Username == "" }
	var found []*UserStat
	if a.recordCount == len(records) && a.generation == t.Generation() && a.username == username {
		for _, i := range a.indexes {
			if isAgent(records[i]) { // t may be another table than in the last call
				found = append(found, records[i])
			}
		}
		if len(found) == len(a.indexes) && len(found) > 0 {
			return found
		}
	}
	*a, found = AgentRows{t.Generation(), len(records), username, a.indexes[:0]}, nil
	for i, r := range records {
		if isAgent(r) {
			a.indexes, found = append(a.indexes, i), append(found, r)
		}
	}
	return found
}
