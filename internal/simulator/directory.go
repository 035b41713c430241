package simulator

import (
	"strconv"

	"wallboard/internal/simulator/world"
)

// Name is the display name of a code. No operation of document 2 returns it.
type Name struct {
	Kind string // service, group or campaign
	Code string
	Name string
}

// Names returns the names of all services, groups and campaigns.
func (s *Server) Names() []Name {
	var names []Name
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		services, groups, campaigns := w.Codes()
		for _, c := range services {
			names = append(names, Name{"service", c, w.ServiceName(c)})
		}
		for _, c := range groups {
			names = append(names, Name{"group", c, w.GroupName(c)})
		}
		for _, id := range campaigns {
			names = append(names, Name{"campaign", strconv.FormatInt(id, 10), w.Dialer().Name(id)})
		}
		return nil
	})
	return names
}

// Campaigns returns the ids of all dialer campaigns.
func (s *Server) Campaigns() []int64 {
	var ids []int64
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		_, _, ids = w.Codes()
		return nil
	})
	return ids
}
