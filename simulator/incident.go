package simulator

import "wallboard/simulator/world"

// Strike lets an incident happen on the floor, until the function that it
// returns is called.
func (s *Server) Strike(i world.Incident) (over func()) {
	var end func()
	_ = s.world.Act(func(w *world.World) error { // it cannot fail
		end = w.Strike(i)
		return nil
	})
	return func() {
		_ = s.world.Act(func(*world.World) error { // it cannot fail
			end()
			return nil
		})
	}
}

// RenameService gives a service another code.
func (s *Server) RenameService(code, to string) error {
	return s.world.Act(func(w *world.World) error { return w.RenameService(code, to) }) //nolint:wrapcheck // it names the code
}
