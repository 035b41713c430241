package feeds

import (
	"strings"

	"wallboard/feeds/timeunit"
	"wallboard/model"
)

// The names of the operations of document 2, as strings.
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
	keyField   string           // field of these records that holds the keys for the filter; "": their name
	setting    string           // setting in [rtd] that can list the keys instead
	timeFields []timeunit.Field // times in the records whose unit document 2 does not show
	sumsAgents bool             // a record summarizes several agents
}

// traitsByOperation describes the operations whose filters depend on the records of other
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

// needsUnits reports whether another full state of the operation op would help to detect the unit
// of one of its times.
func needsUnits(op string, l *timeunit.Learner) bool {
	return l.NeedsFullState(traitsByOperation[op].timeFields)
}

// describeTimes describes, for display, the times in the records of an operation whose unit is
// unknown, presumed, or not the configured one. It returns "" if there are none. awaited is true
// while a full state is expected; a description of a new unit then says that the records are read
// again.
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
		if !l.IsUnreadable(f) {
			read = append(read, f.String())
		}
	}
	if said != "" {
		said = "; " + said
	}
	return strings.Join(read, ", ") + ": a unit was found; they are asked for again" + said
}
