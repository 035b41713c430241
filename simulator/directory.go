package simulator

import (
	"slices"
	"strconv"
)

// Name is what people call a code of the simulated platform. Document 2 has no
// operation that tells it.
type Name struct {
	Kind string // service, group or campaign
	Code string
	Name string
}

// Names returns the names of all services, groups and campaigns.
func (s *Server) Names() []Name {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	services, groups, campaigns := s.world.Codes()
	var names []Name
	for _, c := range services {
		names = append(names, Name{"service", c, s.world.ServiceName(c)})
	}
	for _, c := range groups {
		names = append(names, Name{"group", c, s.world.GroupName(c)})
	}
	for _, id := range campaigns {
		names = append(names, Name{"campaign", strconv.FormatInt(id, 10), s.world.CampaignName(id)})
	}
	return names
}

// Campaigns returns the ids of all dialer campaigns.
func (s *Server) Campaigns() []int64 {
	s.worldMu.Lock()
	defer s.worldMu.Unlock()
	_, _, campaigns := s.world.Codes()
	return slices.Clone(campaigns)
}

// Root is the name of an operation as a query and as a subscription.
type Root struct{ Query, Subscription string }

// Roots returns the operations of document 2 that have a subscription.
func (s *Server) Roots() []Root {
	queries := []string{
		"version", "serverHealth", "users", "serviceStats", "groupStats", "userStats", "userProfileStats",
		"pdCampaignStats", "serviceAttendantStats", "operatorStats", "operatorProfileStats",
	}
	roots := make([]Root, len(queries))
	for i, q := range queries {
		roots[i] = Root{q, q}
		if s.opts.Switches.RenamedRoots {
			roots[i].Subscription = renamedRoot(q)
		}
	}
	return roots
}
