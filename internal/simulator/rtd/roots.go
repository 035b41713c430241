package rtd

// Root holds the two names of an operation: as a query and as a subscription.
type Root struct{ Query, Subscription string }

// Roots returns the names of the operations of document 2 that can be subscribed to.
func (s *Service) Roots() []Root {
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
