package rtd

import (
	"context"

	"wallboard/internal/simulator/world"
)

// resolver is the root resolver for graphql-go.
type resolver struct{ s *Service }

// Query returns the resolver of queries.
func (r *resolver) Query() *queries { return &queries{r.s} }

// Mutation returns the resolver of mutations.
func (r *resolver) Mutation() *mutations { return &mutations{r.s} }

// Subscription returns the resolver of subscriptions.
func (r *resolver) Subscription() *subscriptions { return &subscriptions{r.s} }

// Arguments of the operations, with their filters.
type (
	usersArgs        struct{ Filter userFilter }
	serviceStatsArgs struct {
		Filter byChannel[serviceChannelFilter]
	}
	groupStatsArgs struct{ Filter byChannel[groupChannelFilter] }
	userStatsArgs  struct {
		Filter byChannel[userStatChannelFilter]
	}
	userProfileStatsArgs struct {
		Filter byChannel[profileStatChannelFilter]
	}
	campaignStatsArgs  struct{ Filter struct{ Campaigns []int32 } }
	attendantStatsArgs struct {
		Filter struct{ Call *attendantCallFilter }
	}
	operatorStatsArgs struct {
		Filter struct{ Call *operatorChannelFilter }
	}
	// operatorProfileStatsArgs holds the arguments of operatorProfileStats, whose filter has only
	// the call channel.
	operatorProfileStatsArgs struct {
		Filter struct{ Call *profileStatChannelFilter }
	}
)

func (a operatorProfileStatsArgs) selection() selection[world.UserProfileStat] {
	return selectProfileStats(byChannel[profileStatChannelFilter]{Call: a.Filter.Call})
}

type versionView struct{ Server *versionPartsView }

type versionPartsView struct{ Major, Minor, Patch *intScalar }

// reportedVersion returns the version of the simulated service: 1.0.2, the version of document
// 2, with upgrades added to the last number.
func reportedVersion(upgrades int64) *versionView {
	major, minor, patch := intScalar(1), intScalar(0), intScalar(2+upgrades)
	return &versionView{&versionPartsView{&major, &minor, &patch}}
}

type healthView struct{ Status *string }

// queries resolves the queries of document 2.
type queries struct{ s *Service }

// subscriptions resolves the subscriptions of document 2.
type subscriptions struct{ s *Service }

// subscribeToTable subscribes to the records of a table that sel selects. It returns the
// channel for graphql-go, or nil if a plan encodes the updates (see encodeUpdates).
func subscribeToTable[R, V any](ctx context.Context, s *Service, t *table[R, V], sel selection[R]) <-chan *[]*V {
	o := &s.opts
	return encodeUpdates(ctx, t.subscribe(ctx, sel, o.Switches.FirstMessage, o.MaxRows, o.GatherTime, s.sockets.wg.Go))
}

// Version resolves the query version.
func (q *queries) Version() *versionView { return reportedVersion(q.s.faults.versionChanges()) }

// Version resolves the subscription version. The subscription sends the version once, or not at all
// with [FirstNone].
func (r *subscriptions) Version(ctx context.Context) <-chan *versionView {
	out := make(chan *versionView)
	r.s.sockets.wg.Go(func() {
		defer close(out)
		if r.s.opts.Switches.FirstMessage == FirstNone || sendOrCancel(ctx, out, reportedVersion(r.s.faults.versionChanges())) {
			<-ctx.Done()
		}
	})
	return encodeUpdates(ctx, out)
}

// ServerHealth resolves the query serverHealth.
func (q *queries) ServerHealth() *healthView {
	status, _ := q.s.faults.health.get()
	return &healthView{&status}
}

// ServerHealth resolves the subscription serverHealth. The subscription sends the status at the
// start, except with [FirstNone], and after each change.
func (r *subscriptions) ServerHealth(ctx context.Context) <-chan *healthView {
	out := make(chan *healthView)
	r.s.sockets.wg.Go(func() {
		defer close(out)
		status, changed := r.s.faults.health.get()
		if r.s.opts.Switches.FirstMessage != FirstNone && !sendOrCancel(ctx, out, &healthView{&status}) {
			return
		}
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
			var next string
			if next, changed = r.s.faults.health.get(); !sendOrCancel(ctx, out, &healthView{&next}) {
				return
			}
		}
	})
	return encodeUpdates(ctx, out)
}

// Users resolves the query users.
func (q *queries) Users(ctx context.Context, args usersArgs) *[]*userView {
	return encodeAnswer(ctx, q.s.tables.users.query(selectUsers(args.Filter)))
}

// Users resolves the subscription users.
func (r *subscriptions) Users(ctx context.Context, args usersArgs) <-chan *[]*userView {
	return subscribeToTable(ctx, r.s, r.s.tables.users, selectUsers(args.Filter))
}

// ServiceStats resolves the query serviceStats.
func (q *queries) ServiceStats(ctx context.Context, args serviceStatsArgs) *[]*serviceView {
	return encodeAnswer(ctx, q.s.addUnknownServices(q.s.tables.services.query(selectServices(args.Filter, q.s.platform.World.ProfileSite)), args.Filter))
}

// ServiceStats resolves the subscription serviceStats.
func (r *subscriptions) ServiceStats(ctx context.Context, args serviceStatsArgs) <-chan *[]*serviceView {
	return subscribeToTable(ctx, r.s, r.s.tables.services, selectServices(args.Filter, r.s.platform.World.ProfileSite))
}

// GroupStats resolves the query groupStats.
func (q *queries) GroupStats(ctx context.Context, args groupStatsArgs) *[]*groupView {
	return encodeAnswer(ctx, q.s.tables.groups.query(selectGroups(args.Filter, q.s.platform.World.ProfileSite)))
}

// GroupStats resolves the subscription groupStats.
func (r *subscriptions) GroupStats(ctx context.Context, args groupStatsArgs) <-chan *[]*groupView {
	return subscribeToTable(ctx, r.s, r.s.tables.groups, selectGroups(args.Filter, r.s.platform.World.ProfileSite))
}

// UserStats resolves the query userStats.
func (q *queries) UserStats(ctx context.Context, args userStatsArgs) *[]*userStatView {
	return encodeAnswer(ctx, q.s.tables.userStats.query(selectUserStats(args.Filter)))
}

// UserStats resolves the subscription userStats.
func (r *subscriptions) UserStats(ctx context.Context, args userStatsArgs) <-chan *[]*userStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.userStats, selectUserStats(args.Filter))
}

// UserProfileStats resolves the query userProfileStats.
func (q *queries) UserProfileStats(ctx context.Context, args userProfileStatsArgs) *[]*profileStatView {
	return encodeAnswer(ctx, q.s.tables.profileStats.query(selectProfileStats(args.Filter)))
}

// UserProfileStats resolves the subscription userProfileStats.
func (r *subscriptions) UserProfileStats(ctx context.Context, args userProfileStatsArgs) <-chan *[]*profileStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.profileStats, selectProfileStats(args.Filter))
}

// PdCampaignStats resolves the query pdCampaignStats.
func (q *queries) PdCampaignStats(ctx context.Context, args campaignStatsArgs) *[]*campaignView {
	return encodeAnswer(ctx, q.s.tables.campaigns.query(selectCampaigns(args.Filter.Campaigns)))
}

// PdCampaignStats resolves the subscription pdCampaignStats.
func (r *subscriptions) PdCampaignStats(ctx context.Context, args campaignStatsArgs) <-chan *[]*campaignView {
	return subscribeToTable(ctx, r.s, r.s.tables.campaigns, selectCampaigns(args.Filter.Campaigns))
}

// ServiceAttendantStats resolves the query serviceAttendantStats.
func (q *queries) ServiceAttendantStats(ctx context.Context, args attendantStatsArgs) *[]*attendantView {
	return encodeAnswer(ctx, q.s.tables.attendants.query(selectAttendants(args.Filter.Call, q.s.platform.World.ProfileSite)))
}

// ServiceAttendantStats resolves the subscription serviceAttendantStats.
func (r *subscriptions) ServiceAttendantStats(ctx context.Context, args attendantStatsArgs) <-chan *[]*attendantView {
	return subscribeToTable(ctx, r.s, r.s.tables.attendants, selectAttendants(args.Filter.Call, r.s.platform.World.ProfileSite))
}

// OperatorStats resolves the query operatorStats.
func (q *queries) OperatorStats(ctx context.Context, args operatorStatsArgs) *[]*operatorView {
	return encodeAnswer(ctx, q.s.tables.operators.query(selectOperators(args.Filter.Call, q.s.tables.servicesOf)))
}

// OperatorStats resolves the subscription operatorStats.
func (r *subscriptions) OperatorStats(ctx context.Context, args operatorStatsArgs) <-chan *[]*operatorView {
	return subscribeToTable(ctx, r.s, r.s.tables.operators, selectOperators(args.Filter.Call, r.s.tables.servicesOf))
}

// OperatorProfileStats resolves the query operatorProfileStats.
func (q *queries) OperatorProfileStats(ctx context.Context, args operatorProfileStatsArgs) *[]*profileStatView {
	return encodeAnswer(ctx, q.s.tables.operatorProfiles.query(args.selection()))
}

// OperatorProfileStats resolves the subscription operatorProfileStats.
func (r *subscriptions) OperatorProfileStats(ctx context.Context, args operatorProfileStatsArgs) <-chan *[]*profileStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.operatorProfiles, args.selection())
}
