package rtd

import (
	"wallboard/internal/simulator/world"
)

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
}

func newTables(style deltaStyle, s *world.State) *tables {
	t := &tables{
		services:         newTable(style, (*world.ServiceStat).Key, newServiceView, s.Services),
		groups:           newTable(style, (*world.GroupStat).Key, newGroupView, s.Groups),
		users:            newTable(style, (*world.User).Key, newUserView, s.Users),
		userStats:        newTable(style, (*world.UserStat).Key, newUserStatView, s.UserStats),
		profileStats:     newTable(style, (*world.UserProfileStat).Key, newProfileStatView, s.UserProfileStats),
		campaigns:        newTable(style, (*world.CampaignStat).Key, newCampaignView, s.Campaigns),
		attendants:       newTable(style, (*world.AttendantStat).Key, newAttendantView, s.Attendants),
		operators:        newTable(style, (*world.OperatorStat).Key, newOperatorView, s.Operators),
		operatorProfiles: newTable(style, (*world.UserProfileStat).Key, newProfileStatView, s.OperatorProfileStats),
	}
	t.users.removedView = newRemovedUserView
	return t
}

// setPacer sets the limit on how fast all tables collect full states.
func (t *tables) setPacer(p *pacer) {
	t.services.pacer, t.groups.pacer, t.users.pacer = p, p, p
	t.userStats.pacer, t.profileStats.pacer, t.campaigns.pacer = p, p, p
	t.attendants.pacer, t.operators.pacer, t.operatorProfiles.pacer = p, p, p
}

// useReplicas makes replicas answer the queries of all tables, unless [Options.ReplicaLag] is
// 0.
func (t *tables) useReplicas(o *Options) {
	t.services.replica = newReplica[world.ServiceStat](o)
	t.groups.replica = newReplica[world.GroupStat](o)
	t.users.replica = newReplica[world.User](o)
	t.userStats.replica = newReplica[world.UserStat](o)
	t.profileStats.replica = newReplica[world.UserProfileStat](o)
	t.campaigns.replica = newReplica[world.CampaignStat](o)
	t.attendants.replica = newReplica[world.AttendantStat](o)
	t.operators.replica = newReplica[world.OperatorStat](o)
	t.operatorProfiles.replica = newReplica[world.UserProfileStat](o)
}

// silence removes the current subscriptions from all tables.
func (t *tables) silence() {
	t.services.silence()
	t.groups.silence()
	t.users.silence()
	t.userStats.silence()
	t.profileStats.silence()
	t.campaigns.silence()
	t.attendants.silence()
	t.operators.silence()
	t.operatorProfiles.silence()
}

// apply applies the changes of a step of the world to all tables.
func (t *tables) apply(c *world.Changes) {
	t.services.apply(c.Services)
	t.groups.apply(c.Groups)
	t.users.apply(c.Users)
	t.userStats.apply(c.UserStats)
	t.profileStats.apply(c.UserProfileStats)
	t.campaigns.apply(c.Campaigns)
	t.attendants.apply(c.Attendants)
	t.operators.apply(c.Operators)
	t.operatorProfiles.apply(c.OperatorProfileStats)
}

// servicesOf returns the codes of the services that a user serves. It returns nil if the user
// is not logged in.
func (t *tables) servicesOf(username string) []string {
	t.users.mu.Lock()
	defer t.users.mu.Unlock()
	if u := t.users.rows[world.UserKey(username)]; u != nil {
		return u.Services
	}
	return nil
}
