package rtd

import "context"

// renamedResolver is the root resolver with the subscription names of
// [Switches.RenamedRoots].
type renamedResolver struct{ resolver }

// Subscription returns the resolver of renamed subscriptions.
func (r *renamedResolver) Subscription() *renamedSubscriptions {
	return &renamedSubscriptions{subscriptions{r.s}}
}

// renamedSubscriptions resolves subscriptions under their alternative names.
type renamedSubscriptions struct{ subscriptions subscriptions }

// OnVersionChanged resolves the subscription onVersionChanged.
func (r *renamedSubscriptions) OnVersionChanged(ctx context.Context) <-chan *versionView {
	return r.subscriptions.Version(ctx)
}

// OnServerHealthChanged resolves the subscription onServerHealthChanged.
func (r *renamedSubscriptions) OnServerHealthChanged(ctx context.Context) <-chan *healthView {
	return r.subscriptions.ServerHealth(ctx)
}

// OnUsersChanged resolves the subscription onUsersChanged.
func (r *renamedSubscriptions) OnUsersChanged(ctx context.Context, args usersArgs) <-chan *[]*userView {
	return r.subscriptions.Users(ctx, args)
}

// OnServiceStatsChanged resolves the subscription onServiceStatsChanged.
func (r *renamedSubscriptions) OnServiceStatsChanged(ctx context.Context, args serviceStatsArgs) <-chan *[]*serviceView {
	return r.subscriptions.ServiceStats(ctx, args)
}

// OnGroupStatsChanged resolves the subscription onGroupStatsChanged.
func (r *renamedSubscriptions) OnGroupStatsChanged(ctx context.Context, args groupStatsArgs) <-chan *[]*groupView {
	return r.subscriptions.GroupStats(ctx, args)
}

// OnUserStatsChanged resolves the subscription onUserStatsChanged.
func (r *renamedSubscriptions) OnUserStatsChanged(ctx context.Context, args userStatsArgs) <-chan *[]*userStatView {
	return r.subscriptions.UserStats(ctx, args)
}

// OnUserProfileStatsChanged resolves the subscription onUserProfileStatsChanged.
func (r *renamedSubscriptions) OnUserProfileStatsChanged(ctx context.Context, args userProfileStatsArgs) <-chan *[]*profileStatView {
	return r.subscriptions.UserProfileStats(ctx, args)
}

// OnPdCampaignStatsChanged resolves the subscription onPdCampaignStatsChanged.
func (r *renamedSubscriptions) OnPdCampaignStatsChanged(ctx context.Context, args campaignStatsArgs) <-chan *[]*campaignView {
	return r.subscriptions.PdCampaignStats(ctx, args)
}

// OnServiceAttendantStatsChanged resolves the subscription onServiceAttendantStatsChanged.
func (r *renamedSubscriptions) OnServiceAttendantStatsChanged(ctx context.Context, args attendantStatsArgs) <-chan *[]*attendantView {
	return r.subscriptions.ServiceAttendantStats(ctx, args)
}

// OnOperatorStatsChanged resolves the subscription onOperatorStatsChanged.
func (r *renamedSubscriptions) OnOperatorStatsChanged(ctx context.Context, args operatorStatsArgs) <-chan *[]*operatorView {
	return r.subscriptions.OperatorStats(ctx, args)
}

// OnOperatorProfileStatsChanged resolves the subscription onOperatorProfileStatsChanged.
func (r *renamedSubscriptions) OnOperatorProfileStatsChanged(ctx context.Context, args operatorProfileStatsArgs) <-chan *[]*profileStatView {
	return r.subscriptions.OperatorProfileStats(ctx, args)
}
