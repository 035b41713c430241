package simulator

import (
	"strconv"

	"wallboard/internal/simulator/world"
)

// DisplayName is the display name of a service, a group or a campaign. Code is the code of the
// service or group, or the ID of the campaign. Document 2 has no operation that returns display names.
type DisplayName struct {
	Kind string // service, group or campaign
	Code string
	Name string
}

// DisplayNames returns the display names of all services, groups and campaigns.
func (s *Server) DisplayNames() []DisplayName {
	var names []DisplayName
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		services, groups, campaigns := w.Codes()
		for _, c := range services {
			names = append(names, DisplayName{"service", c, w.ServiceName(c)})
		}
		for _, c := range groups {
			names = append(names, DisplayName{"group", c, w.GroupName(c)})
		}
		for _, id := range campaigns {
			names = append(names, DisplayName{"campaign", strconv.FormatInt(id, 10), w.Dialer().CampaignName(id)})
		}
		return nil
	})
	return names
}

// CampaignIDs returns the IDs of all dialer campaigns.
func (s *Server) CampaignIDs() []int64 {
	var ids []int64
	_ = s.world.Read(func(w *world.World) error { // the callback returns no error
		_, _, ids = w.Codes()
		return nil
	})
	return ids
}
