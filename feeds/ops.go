package feeds

import (
	"errors"
	"fmt"
	"strings"

	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// Names of the operations of document 2, as strings.
const (
	opVersion          = string(model.OpVersion)
	opServerHealth     = string(model.OpServerHealth)
	opUsers            = string(model.OpUsers)
	opServices         = string(model.OpServices)
	opGroups           = string(model.OpGroups)
	opUserStats        = string(model.OpUserStats)
	opProfiles         = string(model.OpProfiles)
	opCampaigns        = string(model.OpCampaigns)
	opAttendants       = string(model.OpAttendants)
	opOperators        = string(model.OpOperators)
	opOperatorProfiles = string(model.OpOperatorProfiles)
)

// operationTraits describes the request of an operation, and the times in its records.
type operationTraits struct {
	filterSource string // operation whose records determine the filter; "": none
	keyField     string // field of these records that holds the keys for the filter; "": the name of the user
	setting      string // setting in [rtd] that can list the keys instead
	// request returns what is requested. Only requests of operations that follow the users may use names. If
	// request is nil, the request is made elsewhere.
	request    func(b *filterBuilder, names userNames) graphql.Request
	timeFields []timeunit.Field // times in the records whose unit document 2 does not show
	sumsAgents bool             // a record summarizes several agents
}

// userNames holds the names of the users by channel.
type userNames map[model.Channel][]string

// traitsByOperation holds the traits of all operations except that of the campaigns, which are
// searched for.
var traitsByOperation = map[string]operationTraits{
	opVersion:      {request: unfilteredRequest},
	opServerHealth: {request: unfilteredRequest},
	opUsers: {request: func(b *filterBuilder, _ userNames) graphql.Request {
		return b.opts.Restriction.UsersRequest(b.opts.UserSite)
	}},
	opServices: {filterSource: opUsers, keyField: "services", setting: "services", timeFields: []timeunit.Field{timeunit.FieldQueueLongest, timeunit.FieldQueueAverage}, request: func(b *filterBuilder, _ userNames) graphql.Request {
		return b.opts.Restriction.CodesRequest("services", b.services.list(), b.opts.UserSite)
	}},
	opAttendants: {filterSource: opUsers, keyField: "services", setting: "services", request: func(b *filterBuilder, _ userNames) graphql.Request {
		return b.opts.Restriction.AttendantsRequest(b.services.list(), b.opts.UserSite)
	}},
	opGroups: {filterSource: opUsers, keyField: "skillsets", setting: "groups", request: func(b *filterBuilder, _ userNames) graphql.Request {
		return b.opts.Restriction.CodesRequest("groups", b.groups.list(), b.opts.UserSite)
	}},
	opUserStats: {filterSource: opUsers, timeFields: []timeunit.Field{timeunit.FieldState, timeunit.FieldCodes}, request: func(b *filterBuilder, names userNames) graphql.Request {
		return b.opts.Restriction.UserStatsRequest(names)
	}},
	opOperators: {filterSource: opUsers, request: func(b *filterBuilder, _ userNames) graphql.Request {
		return b.opts.Restriction.OperatorsRequest(b.store.Users.Rows(), b.opts.UserSite)
	}},
	opProfiles: {filterSource: opUserStats, keyField: "loggedProfileId", timeFields: profileTimeFields, sumsAgents: true, request: func(b *filterBuilder, _ userNames) graphql.Request {
		return profilesRequest(b, b.store.UserStats.Rows(), func(r *model.UserStat) (model.Channel, int64) { return r.Channel, r.LoggedProfileID.Or(0) })
	}},
	opOperatorProfiles: {filterSource: opOperators, keyField: "loggedProfileId", timeFields: profileTimeFields, sumsAgents: true, request: func(b *filterBuilder, _ userNames) graphql.Request {
		return profilesRequest(b, b.store.Operators.Rows(), func(r *model.Operator) (model.Channel, int64) { return model.Call, r.LoggedProfileID.Or(0) }) // the filter has no other channel
	}},
}

var profileTimeFields = []timeunit.Field{timeunit.FieldState, timeunit.FieldCodes, timeunit.FieldHoldTotal, timeunit.FieldHold}

// unfilteredRequest requests an operation without a filter.
func unfilteredRequest(*filterBuilder, userNames) graphql.Request {
	return graphql.Request{IsWanted: true}
}

// profilesRequest requests the profiles of users. profileOf returns the channel and the ID of a profile,
// which is 0 if it is unknown.
func profilesRequest[T any](b *filterBuilder, users []*T, profileOf func(*T) (model.Channel, int64)) graphql.Request {
	ids := make(map[model.Channel][]int64)
	for _, r := range users {
		if ch, id := profileOf(r); id != 0 {
			ids[ch] = append(ids[ch], id)
		}
	}
	return b.opts.Restriction.ProfilesRequest(sortedUnique(ids))
}

// addSubscriptions creates one subscription per operation, in the order of document 2.
func (f *Feed) addSubscriptions() error {
	s := f.store
	var errs []error
	f.version = addSubscription(f, &errs, opVersion, records.NewSingleRecord[versionResult])
	f.health = addSubscription(f, &errs, opServerHealth, records.NewSingleRecord[model.ServerHealth])
	for _, t := range records.Tables(s) {
		o := records.TableOptions{Capacity: f.recordCapacity, SumsAgents: traitsByOperation[string(t.Op)].sumsAgents}
		addSubscription(f, &errs, string(t.Op), func(root string, fields []merge.Selection) (recordMerger, error) {
			table, err := t.OpenTable(root, fields, o)
			if err != nil {
				return nil, err
			}
			return table.(recordMerger), nil
		})
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("feeds: %w", err)
	}
	users := f.subs.byOperation(opUsers).merger.(*records.Table[string, model.User, *model.User])
	stats := f.subs.byOperation(opUserStats).merger.(*records.Table[model.UserStatKey, model.UserStat, *model.UserStat])
	operators := f.subs.byOperation(opOperators).merger.(*records.Table[model.UserStatKey, model.Operator, *model.Operator])
	f.auditScheduler.SetInterval(f.opts.AuditInterval)
	users.IsDeletion = func(u *model.User) bool { return u.Mutation == model.Deleted }
	stale := &f.filterBuilder.staleFilters
	users.ChangesFilters, users.OnChange = userChangesFilters, func() { stale.users = true }
	stats.ChangesFilters, stats.OnChange = profileChangesFilters, func() { stale.profiles = true }
	operators.ChangesFilters, operators.OnChange = operatorChangesFilters, func() { stale.operators = true }
	f.filterBuilder = filterBuilder{opts: &f.opts, subs: f.subs, store: s, agents: stats, operators: operators, env: &f.env, discovery: campaignDiscovery{requested: make(chan struct{}, 1)}}
	f.filterBuilder.reset()
	return nil
}

// addSubscription creates the subscription of the operation op and returns its records. build creates the
// records. If it fails, addSubscription appends the error to errs.
func addSubscription[S recordMerger](f *Feed, errs *[]error, op string, build func(string, []merge.Selection) (S, error)) S {
	var data S
	doc, err := graphql.LoadDocument(op)
	if err == nil {
		data, err = build(doc.Root, doc.Fields)
	}
	if err != nil {
		*errs = append(*errs, err)
		return data
	}
	sub := newSubscription(doc, data, &f.env, f.learner.dialect, feedCallbacks{
		warn: f.problems.warn, clean: f.clean, logRepairedDifference: f.logRepairedDifference, onPlatformRestart: f.resubscribeAll,
		versionBeforeLag: func() uint64 { return f.versionHistory.VersionBeforeLag(f.now()) },
	})
	f.auditScheduler.Add(sub.audit)
	sub.handover.firstMessage.facts = &f.firstMessages
	f.subs = append(f.subs, sub)
	return data
}

// describeTimes returns a description of those times in the records of op whose unit is unknown,
// presumed, or not the configured one. It returns "" if there are none. awaited is true while a
// full state is expected. The description of a new unit then says that the records are read again.
func describeTimes(op string, l *timeunit.Learner, awaited bool) string {
	fields := traitsByOperation[op].timeFields
	if len(fields) == 0 || l == nil {
		return ""
	}
	if l.IsRereading(op) && !awaited {
		l.SetRereading(op, false)
	}
	text := l.Describe(fields)
	if !l.IsRereading(op) {
		return text
	}
	var read []string // fields that can be read again; [timeunit.Learner.Describe] reports the others
	for _, f := range fields {
		if !l.HasNoPlausibleUnit(f) {
			read = append(read, f.String())
		}
	}
	if text != "" {
		text = "; " + text
	}
	return strings.Join(read, ", ") + ": a unit was found; they are requested again" + text
}
