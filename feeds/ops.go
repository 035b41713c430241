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

// trait describes an operation beyond its document and its records.
type trait struct {
	follows string           // operation whose records determine the filter; "": none
	by      string           // field of those records to use; "": their name
	key     string           // setting in [rtd] that replaces it
	times   []timeunit.Field // its times whose unit document 2 does not show
	many    bool             // a record summarizes several agents
}

// traits lists the operations that depend on other records.
var traits = map[string]trait{
	opServices:         {follows: opUsers, by: "services", key: "services", times: []timeunit.Field{timeunit.QueueLongest, timeunit.QueueAverage}},
	opAttendants:       {follows: opUsers, by: "services", key: "services"},
	opGroups:           {follows: opUsers, by: "skillsets", key: "groups"},
	opUserStats:        {follows: opUsers, times: []timeunit.Field{timeunit.State, timeunit.Codes}},
	opOperators:        {follows: opUsers},
	opProfiles:         {follows: opUserStats, by: "loggedProfileId", times: ofProfiles, many: true},
	opOperatorProfiles: {follows: opOperators, by: "loggedProfileId", times: ofProfiles, many: true},
}

var ofProfiles = []timeunit.Field{timeunit.State, timeunit.Codes, timeunit.HoldTotal, timeunit.Hold}

// seeksUnits reports whether another full state of an operation would help to
// detect a unit.
func seeksUnits(op string, l *timeunit.Learner) bool {
	return l.Pending(traits[op].times)
}

// timesText says which times of an operation are unknown or not in their pinned
// unit. awaited is set if the full state is being queried.
func timesText(op string, l *timeunit.Learner, awaited bool) string {
	fields := traits[op].times
	if len(fields) == 0 || l == nil {
		return ""
	}
	if l.Rereading(op) && !awaited {
		l.SetRereading(op, false)
	}
	said := l.Describe(fields)
	if !l.Rereading(op) {
		return said
	}
	var read []string // fields whose unit is known again; l.Say reports the others
	for _, f := range fields {
		if !l.Unreadable(f) {
			read = append(read, f.String())
		}
	}
	if said != "" {
		said = "; " + said
	}
	return strings.Join(read, ", ") + ": a unit was found; they are asked for again" + said
}
