package feeds

import (
	"strings"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// The operations, as strings.
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

// operationTraits describes an operation beyond its document and its records.
type operationTraits struct {
	follows    string           // operation whose records determine the filter; "": none
	keyField   string           // field of those records that holds the keys; "": their name
	setting    string           // setting in [rtd] that is used instead of those records
	timeFields []timeunit.Field // its times whose unit document 2 does not show
	sumsAgents bool             // a record summarizes several agents
}

// traitsByOperation describes the operations that depend on other records.
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

// needsUnits reports whether another full state of an operation would help to
// detect a unit.
func needsUnits(op string, l *timeunit.Learner) bool {
	return l.NeedsFullState(traitsByOperation[op].timeFields)
}

// describeTimes describes the times of an operation that are unknown or not in their pinned
// unit. awaited is true while the full state is being queried; otherwise describeTimes
// ends the rereading of the operation.
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
	var read []string // fields whose unit is known again; [timeunit.Learner.Describe] reports the others
	for _, f := range fields {
		if !l.IsUnreadable(f) {
			read = append(read, f.String())
		}
	}
	if said != "" {
		said = "; " + said
	}
	return strings.Join(read, ", ") + ": a unit was found; they are asked for again" + said
}
