package simulator

import "wallboard/simulator/world"

// Strike lets an incident happen on the floor, until the function that it
// returns is called.
func (s *Server) Strike(i world.Incident) (over func()) {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	end := s.world.Strike(i)
	return func() {
		s.worldMu.Lock()
		defer s.worldMu.Unlock()
		end()
	}
}
