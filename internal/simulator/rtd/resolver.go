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
	// operatorProfileStatsArgs holds the arguments of operatorProfileStats, whose filter has only the
	// call channel.
	operatorProfileStatsArgs struct {
		Filter struct{ Call *profileStatChannelFilter }
	}
)

func (a operatorProfileStatsArgs) selection() selection[world.UserProfileStat] {
	return selectProfileStats(byChannel[profileStatChannelFilter]{Call: a.Filter.Call})
}

type versionView struct{ Server *versionPartsView }

type versionPartsView struct{ Major, Minor, Patch *number }

// reportedVersion returns the version of the simulated service: 1.0.2, the version of document
// 2, with upgrades added to the last number.
func reportedVersion(upgrades int64) *versionView {
	major, minor, patch := number(1), number(0), number(2+upgrades)
	return &versionView{&versionPartsView{&major, &minor, &patch}}
}

type healthView struct{ Status *string }

// queries resolves the queries of document 2.
type queries struct{ s *Service }

// Version resolves the query version.
func (q *queries) Version() *versionView { return reportedVersion(q.s.faults.versionChanges()) }

// ServerHealth resolves the query serverHealth.
func (q *queries) ServerHealth() *healthView {
	status, _ := q.s.faults.health.get()
	return &healthView{&status}
}

// Users resolves the query users.
func (q *queries) Users(ctx context.Context, args usersArgs) *[]*userView {
	return encodeAnswer(ctx, q.s.tables.users.query(selectUsers(args.Filter)))
}

// ServiceStats resolves the query serviceStats.
func (q *queries) ServiceStats(ctx context.Context, args serviceStatsArgs) *[]*serviceView {
	return encodeAnswer(ctx, q.s.addUnknownServices(q.s.tables.services.query(selectServices(args.Filter, q.s.platform.World.ProfileSite)), args.Filter))
}

// GroupStats resolves the query groupStats.
func (q *queries) GroupStats(ctx context.Context, args groupStatsArgs) *[]*groupView {
	return encodeAnswer(ctx, q.s.tables.groups.query(selectGroups(args.Filter, q.s.platform.World.ProfileSite)))
}

// UserStats resolves the query userStats.
func (q *queries) UserStats(ctx context.Context, args userStatsArgs) *[]*userStatView {
	return encodeAnswer(ctx, q.s.tables.userStats.query(selectUserStats(args.Filter)))
}

// UserProfileStats resolves the query userProfileStats.
func (q *queries) UserProfileStats(ctx context.Context, args userProfileStatsArgs) *[]*profileStatView {
	return encodeAnswer(ctx, q.s.tables.profileStats.query(selectProfileStats(args.Filter)))
}

// PdCampaignStats resolves the query pdCampaignStats.
func (q *queries) PdCampaignStats(ctx context.Context, args campaignStatsArgs) *[]*campaignView {
	return encodeAnswer(ctx, q.s.tables.campaigns.query(selectCampaigns(args.Filter.Campaigns)))
}

// ServiceAttendantStats resolves the query serviceAttendantStats.
func (q *queries) ServiceAttendantStats(ctx context.Context, args attendantStatsArgs) *[]*attendantView {
	return encodeAnswer(ctx, q.s.tables.attendants.query(selectAttendants(args.Filter.Call, q.s.platform.World.ProfileSite)))
}

// OperatorStats resolves the query operatorStats.
func (q *queries) OperatorStats(ctx context.Context, args operatorStatsArgs) *[]*operatorView {
	return encodeAnswer(ctx, q.s.tables.operators.query(selectOperators(args.Filter.Call, q.s.tables.servicesOf)))
}

// OperatorProfileStats resolves the query operatorProfileStats.
func (q *queries) OperatorProfileStats(ctx context.Context, args operatorProfileStatsArgs) *[]*profileStatView {
	return encodeAnswer(ctx, q.s.tables.operatorProfiles.query(args.selection()))
}
