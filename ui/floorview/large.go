package floorview

import "wallboard/model"

// maxSmallFloorAgents is the maximum number of agents for which the first evaluation of a snapshot is fast
// enough for a step through a recording.
const maxSmallFloorAgents = 1000

// HasManyAgents reports whether a snapshot has more than maxSmallFloorAgents agents.
func HasManyAgents(s *model.Snapshot) bool {
	return s != nil && s.UserStats.Len() > maxSmallFloorAgents
}
