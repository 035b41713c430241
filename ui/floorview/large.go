package floorview

import "wallboard/model"

// manyAgents is the maximum number of agents for which the first evaluation of a snapshot is fast
// enough for a step through a recording.
const manyAgents = 1000

// IsLarge reports whether a snapshot has more than manyAgents agents.
func IsLarge(s *model.Snapshot) bool { return s != nil && s.UserStats.Len() > manyAgents }
