package feeds

import (
	"strings"

	"wallboard/feeds/times"
	"wallboard/model"
)

// The operations, as this package calls them.
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

// trait is what the feed has to know of an operation beside its document and its
// records.
type trait struct {
	follows string        // the operation whose records say what to ask for; "" where nobody does
	by      string        // the field of those that does, "" where that is what they are called
	key     string        // of [rtd] in the configuration that says it instead
	times   []times.Field // that it tells, in a unit that document 2 does not show
	many    bool          // one of its records sums up several agents
}

// traits are those of the operations that follow somebody.
var traits = map[string]trait{
	opServices:         {follows: opUsers, by: "services", key: "services", times: []times.Field{times.QueueLongest, times.QueueAverage}},
	opAttendants:       {follows: opUsers, by: "services", key: "services"},
	opGroups:           {follows: opUsers, by: "skillsets", key: "groups"},
	opUserStats:        {follows: opUsers, times: []times.Field{times.State, times.Codes}},
	opOperators:        {follows: opUsers},
	opProfiles:         {follows: opUserStats, by: "loggedProfileId", times: ofProfiles, many: true},
	opOperatorProfiles: {follows: opOperators, by: "loggedProfileId", times: ofProfiles, many: true},
}

var ofProfiles = []times.Field{times.State, times.Codes, times.HoldTotal, times.Hold}

// seeksUnits reports whether another full state of an operation would help to find
// a unit.
func seeksUnits(op string, l *times.Learner) bool {
	return l.Pending(traits[op].times)
}

// timesText says which times of an operation are not known, or not in the unit that
// they are pinned to. awaited is whether its full state is asked for.
func timesText(op string, l *times.Learner, awaited bool) string {
	fields := traits[op].times
	if len(fields) == 0 || l == nil {
		return ""
	}
	if l.Rereads(op) && !awaited {
		l.Reread(op, false)
	}
	said := l.Say(fields)
	if !l.Rereads(op) {
		return said
	}
	var read []string // of the others it is said that their unit is not known
	for _, f := range fields {
		if !l.Waits(f) {
			read = append(read, f.String())
		}
	}
	if said != "" {
		said = "; " + said
	}
	return strings.Join(read, ", ") + ": a unit was found; they are asked for again" + said
}
