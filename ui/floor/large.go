package floor

import "wallboard/model"

// manyAgents is how many records of agents make a floor at which to look for the first time
// takes longer than a step through a recording may.
const manyAgents = 1000

// Large reports whether a picture is of such a floor.
func Large(s *model.Snapshot) bool { return s != nil && s.UserStats.Len() > manyAgents }
