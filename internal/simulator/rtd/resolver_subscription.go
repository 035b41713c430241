package rtd

import "context"

// subscriptions resolves the subscriptions of document 2.
type subscriptions struct{ s *Service }

// subscribeToTable subscribes to the records of a table that sel selects. It returns the
// channel for graphql-go, or nil if a plan encodes the updates (see encodeUpdates).
func subscribeToTable[R, V any](ctx context.Context, s *Service, t *table[R, V], sel selection[R]) <-chan *[]*V {
	o := &s.opts
	return encodeUpdates(ctx, t.subscribe(ctx, sel, o.Switches.FirstMessage, o.MaxRows, o.Gather, s.sockets.wg.Go))
}

// Version resolves the subscription version. The subscription sends the version once, or not at all with
// [FirstNone].
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

// ServerHealth resolves the subscription serverHealth. The subscription sends the status at the start, except
// with [FirstNone], and after each change.
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

// Users resolves the subscription users.
func (r *subscriptions) Users(ctx context.Context, args usersArgs) <-chan *[]*userView {
	return subscribeToTable(ctx, r.s, r.s.tables.users, selectUsers(args.Filter))
}

// ServiceStats resolves the subscription serviceStats.
func (r *subscriptions) ServiceStats(ctx context.Context, args serviceStatsArgs) <-chan *[]*serviceView {
	return subscribeToTable(ctx, r.s, r.s.tables.services, selectServices(args.Filter, r.s.platform.World.ProfileSite))
}

// GroupStats resolves the subscription groupStats.
func (r *subscriptions) GroupStats(ctx context.Context, args groupStatsArgs) <-chan *[]*groupView {
	return subscribeToTable(ctx, r.s, r.s.tables.groups, selectGroups(args.Filter, r.s.platform.World.ProfileSite))
}

// UserStats resolves the subscription userStats.
func (r *subscriptions) UserStats(ctx context.Context, args userStatsArgs) <-chan *[]*userStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.userStats, selectUserStats(args.Filter))
}

// UserProfileStats resolves the subscription userProfileStats.
func (r *subscriptions) UserProfileStats(ctx context.Context, args userProfileStatsArgs) <-chan *[]*profileStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.profileStats, selectProfileStats(args.Filter))
}

// PdCampaignStats resolves the subscription pdCampaignStats.
func (r *subscriptions) PdCampaignStats(ctx context.Context, args campaignStatsArgs) <-chan *[]*campaignView {
	return subscribeToTable(ctx, r.s, r.s.tables.campaigns, selectCampaigns(args.Filter.Campaigns))
}

// ServiceAttendantStats resolves the subscription serviceAttendantStats.
func (r *subscriptions) ServiceAttendantStats(ctx context.Context, args attendantStatsArgs) <-chan *[]*attendantView {
	return subscribeToTable(ctx, r.s, r.s.tables.attendants, selectAttendants(args.Filter.Call, r.s.platform.World.ProfileSite))
}

// OperatorStats resolves the subscription operatorStats.
func (r *subscriptions) OperatorStats(ctx context.Context, args operatorStatsArgs) <-chan *[]*operatorView {
	return subscribeToTable(ctx, r.s, r.s.tables.operators, selectOperators(args.Filter.Call, r.s.tables.servicesOf))
}

// OperatorProfileStats resolves the subscription operatorProfileStats.
func (r *subscriptions) OperatorProfileStats(ctx context.Context, args operatorProfileStatsArgs) <-chan *[]*profileStatView {
	return subscribeToTable(ctx, r.s, r.s.tables.operatorProfiles, args.selection())
}
