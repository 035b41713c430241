package feeds

import (
	"errors"
	"fmt"
	"strings"

	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
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

// operationTraits describes the data on which the filter of an operation depends, and the times in
// its records.
type operationTraits struct {
	follows    string           // operation whose records determine the filter; "": none
	keyField   string           // field of these records that holds the keys for the filter; "": the name of the user
	setting    string           // setting in [rtd] that can list the keys instead
	timeFields []timeunit.Field // times in the records whose unit document 2 does not show
	sumsAgents bool             // a record summarizes several agents
}

// traitsByOperation holds the traits of the operations whose filters depend on the records of other
// operations.
var traitsByOperation = map[string]operationTraits{
	opServices:         {follows: opUsers, keyField: "services", setting: "services", timeFields: []timeunit.Field{timeunit.QueueLongest, timeunit.QueueAverage}},
	opAttendants:       {follows: opUsers, keyField: "services", setting: "services"},
	opGroups:           {follows: opUsers, keyField: "skillsets", setting: "groups"},
	opUserStats:        {follows: opUsers, timeFields: []timeunit.Field{timeunit.State, timeunit.Codes}},
	opOperators:        {follows: opUsers},
	opProfiles:         {follows: opUserStats, keyField: "loggedProfileId", timeFields: profileTimeFields, sumsAgents: true},
	opOperatorProfiles: {follows: opOperators, keyField: "loggedProfileId", timeFields: profileTimeFields, sumsAgents: true},
}

var profileTimeFields = []timeunit.Field{timeunit.State, timeunit.Codes, timeunit.HoldTotal, timeunit.Hold}

// addSubs creates one subscription per operation, in the order of document 2.
func (f *Feed) addSubs() error {
	s := f.store
	var errs []error
	f.version = addSub(f, &errs, opVersion, records.NewSingle[versionResult])
	f.health = addSub(f, &errs, opServerHealth, records.NewSingle[model.ServerHealth])
	users := addSub(f, &errs, opUsers, tableBuilder(f, &s.Users))
	addSub(f, &errs, opServices, tableBuilder(f, &s.Services))
	addSub(f, &errs, opGroups, tableBuilder(f, &s.Groups))
	stats := addSub(f, &errs, opUserStats, tableBuilder(f, &s.UserStats))
	addSub(f, &errs, opProfiles, tableBuilder(f, &s.Profiles))
	addSub(f, &errs, opCampaigns, tableBuilder(f, &s.Campaigns))
	addSub(f, &errs, opAttendants, tableBuilder(f, &s.Attendants))
	operators := addSub(f, &errs, opOperators, tableBuilder(f, &s.Operators))
	addSub(f, &errs, opOperatorProfiles, tableBuilder(f, &s.OperatorProfiles))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("feeds: %w", err)
	}
	f.pacer.SetInterval(f.opts.AuditInterval)
	users.IsDeletion = func(u *model.User) bool { return u.Mutation == model.Deleted }
	stale := &f.filterBuilder.staleFilters
	users.ChangesFilters, users.Changed = userChangesFilters, func() { stale.users = true }
	stats.ChangesFilters, stats.Changed = profileChangesFilters, func() { stale.profiles = true }
	operators.ChangesFilters, operators.Changed = operatorChangesFilters, func() { stale.operators = true }
	f.filterBuilder = filterBuilder{opts: &f.opts, subs: f.subs, store: s, agents: stats, operators: operators, env: &f.env, discovery: campaignDiscovery{requested: make(chan struct{}, 1)}}
	f.filterBuilder.reset()
	return nil
}

// addSub creates the subscription of the operation op and returns its records. build creates the
// records. If it fails, addSub appends the error to errs.
func addSub[S recordMerger](f *Feed, errs *[]error, op string, build func(string, []merge.Selection) (S, error)) S {
	var data S
	doc, err := queries.Load(op)
	if err == nil {
		data, err = build(doc.Root, doc.Fields)
	}
	if err != nil {
		*errs = append(*errs, err)
		return data
	}
	sub := newSub(doc, data, &f.env, f.learner.dialect, feedCallbacks{
		warn: f.problems.warn, clean: f.clean, logDrift: f.logDrift, onPlatformRestart: f.resubscribeAll,
		versionBeforeLag: func() uint64 { return f.versionHistory.VersionBeforeLag(f.now()) },
	})
	f.pacer.Add(sub.audit)
	sub.handover.firstMessage.facts = &f.firstMessages
	f.subs = append(f.subs, sub)
	return data
}

// tableBuilder returns a function that builds the table of an operation. The table keeps its
// records in live.
func tableBuilder[K comparable, T any, R model.Record[K, T]](f *Feed, live *model.MutableTable[K, T, R]) func(string, []merge.Selection) (*records.Table[K, T, R], error) {
	return func(root string, fields []merge.Selection) (*records.Table[K, T, R], error) {
		t, err := records.NewTable(root, fields, live, model.Op(root).Keys()...)
		if err == nil {
			t.Capacity, t.SumsAgents = f.recordCapacity, traitsByOperation[root].sumsAgents
		}
		return t, err
	}
}

// needsUnits reports whether another full state of the operation op would help to detect the unit
// of one of the times in its records.
func needsUnits(op string, l *timeunit.Learner) bool {
	return l.NeedsFullState(traitsByOperation[op].timeFields)
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
	said := l.Describe(fields)
	if !l.IsRereading(op) {
		return said
	}
	var read []string // fields that can be read again; [timeunit.Learner.Describe] reports the others
	for _, f := range fields {
		if !l.HasNoPlausibleUnit(f) {
			read = append(read, f.String())
		}
	}
	if said != "" {
		said = "; " + said
	}
	return strings.Join(read, ", ") + ": a unit was found; they are asked for again" + said
}
