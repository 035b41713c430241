package rtd

import "wallboard/internal/simulator/world"

// tables holds a table for each kind of record. Each step of the world updates all tables.
type tables struct {
	services         *table[world.ServiceStat, serviceView]
	groups           *table[world.GroupStat, groupView]
	users            *table[world.User, userView]
	userStats        *table[world.UserStat, userStatView]
	profileStats     *table[world.UserProfileStat, profileStatView]
	campaigns        *table[world.CampaignStat, campaignView]
	attendants       *table[world.AttendantStat, attendantView]
	operators        *table[world.OperatorStat, operatorView]
	operatorProfiles *table[world.UserProfileStat, profileStatView]

	all   []anyTable // in the order of document 2
	pacer *fullStateLimiter
}

// anyTable is a table with records of any kind.
type anyTable interface {
	rootName() string
	applyStep(c *world.Changes)
	detachSubscriptions()
	compile(p planInputs) (encoderOperation, error)
}

// newTables returns the tables of a service, with the records of s. p limits the rate at which
// the tables collect full states.
func newTables(o *Options, p *fullStateLimiter, s *world.State) *tables {
	t := &tables{pacer: p}
	t.users = addTable(t, o, "users", s.Users, (*world.User).Key, newUserView, func(c *world.Changes) []world.Change[world.User] { return c.Users })
	t.services = addTable(t, o, "serviceStats", s.Services, (*world.ServiceStat).Key, newServiceView, func(c *world.Changes) []world.Change[world.ServiceStat] { return c.Services })
	t.groups = addTable(t, o, "groupStats", s.Groups, (*world.GroupStat).Key, newGroupView, func(c *world.Changes) []world.Change[world.GroupStat] { return c.Groups })
	t.userStats = addTable(t, o, "userStats", s.UserStats, (*world.UserStat).Key, newUserStatView, func(c *world.Changes) []world.Change[world.UserStat] { return c.UserStats })
	t.profileStats = addTable(t, o, "userProfileStats", s.UserProfileStats, (*world.UserProfileStat).Key, newProfileStatView, func(c *world.Changes) []world.Change[world.UserProfileStat] { return c.UserProfileStats })
	t.campaigns = addTable(t, o, "pdCampaignStats", s.Campaigns, (*world.CampaignStat).Key, newCampaignView, func(c *world.Changes) []world.Change[world.CampaignStat] { return c.Campaigns })
	t.attendants = addTable(t, o, "serviceAttendantStats", s.Attendants, (*world.AttendantStat).Key, newAttendantView, func(c *world.Changes) []world.Change[world.AttendantStat] { return c.Attendants })
	t.operators = addTable(t, o, "operatorStats", s.Operators, (*world.OperatorStat).Key, newOperatorView, func(c *world.Changes) []world.Change[world.OperatorStat] { return c.Operators })
	t.operatorProfiles = addTable(t, o, "operatorProfileStats", s.OperatorProfileStats, (*world.UserProfileStat).Key, newProfileStatView, func(c *world.Changes) []world.Change[world.UserProfileStat] { return c.OperatorProfileStats })
	t.users.removedView = newRemovedUserView
	return t
}

// addTable adds the table of an operation to t.
func addTable[R, V any](
	t *tables, o *Options, root string, records []*R, keyOf func(*R) world.Key, newView func(*viewBuilder, *R, *R) V, changes func(*world.Changes) []world.Change[R],
) *table[R, V] {
	out := newTable(o, t.pacer, keyOf, newView, records)
	out.root, out.changes = root, changes
	t.all = append(t.all, out)
	return out
}

// detachSubscriptions removes the current subscriptions from all tables.
func (t *tables) detachSubscriptions() {
	for _, one := range t.all {
		one.detachSubscriptions()
	}
}

// apply applies the changes of a step of the world to all tables.
func (t *tables) apply(c *world.Changes) {
	for _, one := range t.all {
		one.applyStep(c)
	}
}

// servicesOf returns the codes of the services that a user serves, or nil if the user is not
// logged in.
func (t *tables) servicesOf(username string) []string {
	t.users.mu.Lock()
	defer t.users.mu.Unlock()
	if u := t.users.rows[world.UserKey(username)]; u != nil {
		return u.Services
	}
	return nil
}

// OperationNames holds the names of an operation as a query and as a subscription.
type OperationNames struct{ Query, Subscription string }

// Roots returns the names of the operations of document 2 that can be subscribed to.
func (s *Service) Roots() []OperationNames {
	queries := []string{"version", "serverHealth"}
	for _, t := range s.tables.all {
		queries = append(queries, t.rootName())
	}
	roots := make([]OperationNames, len(queries))
	for i, q := range queries {
		roots[i] = OperationNames{q, q}
		if s.opts.Switches.RenamedRoots {
			roots[i].Subscription = renamedRoot(q)
		}
	}
	return roots
}
