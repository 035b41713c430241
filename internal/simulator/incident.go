package simulator

import "wallboard/internal/simulator/world"

// StartIncident starts an incident in the world. stop ends it.
func (s *Server) StartIncident(i world.Incident) (stop func()) {
	var end func()
	_ = s.world.Update(func(w *world.World) error { // the callback returns no error
		end = w.StartIncident(i)
		return nil
	})
	return func() {
		_ = s.world.Update(func(*world.World) error { // the callback returns no error
			end()
			return nil
		})
	}
}

// RenameService changes the code of a service. It returns an error if there is no service with
// the old code, or if the new code is taken.
func (s *Server) RenameService(code, to string) error {
	return s.world.Update(func(w *world.World) error { return w.RenameService(code, to) })
}
