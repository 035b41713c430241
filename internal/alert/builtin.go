package alert

import (
	"slices"
	"strconv"
	"time"

	"wallboard/model"
)

// DefaultGoal returns the goal of services without one of their own: service level 80
// %, abandon rate 5 %.
func DefaultGoal() Goal {
	return Goal{Formula: model.SLAllAbandons, ServiceLevel: model.FloatOf(0.80), Abandon: model.FloatOf(0.05)}
}

// DefaultRules returns the built-in rules. Their limits suit queues of calls.
func DefaultRules() []Rule {
	return slices.Concat(queueRules(), dayRules(), agentRules(), campaignRules(), feedRules())
}

// liveChannels returns the channels on which customers wait for an answer at once. Mail
// and OmniDesk contacts normally wait for hours.
func liveChannels() []model.Channel {
	return []model.Channel{
		model.Call, model.Custom1, model.Custom2, model.Custom3, model.Video, model.Chat, model.LiveHelp,
	}
}

func thresholds(warning, critical, recovery float64) Thresholds {
	return Thresholds{
		Warning: model.FloatOf(warning), Critical: model.FloatOf(critical), Recovery: model.FloatOf(recovery),
	}
}

// Minimum volume for judging a percentage of the day: number of calls, and number of misses beyond
// what the target allows. With fewer, chance dominates.
const (
	MinCalls = 20
	MinOver  = 3
)

// Significant reports whether a percentage of calls misses its target by a meaningful amount, as
// the built-in rules define it; off is the difference to the target.
func Significant(calls model.Int, off float64) bool {
	n, ok := calls.Get()
	return ok && n >= MinCalls && off*float64(n) >= MinOver
}

// Built-in rules that make a queue critical if its longest wait is unknown or still
// short.
const (
	NobodyReadyLong = "nobody ready for long"
	Crowded         = "crowded"
)

// StillMet is in the text of an alert about a target that the next miss ends. Without it, the
// target is missed already.
const StillMet = "one late call away from missing the target"

// queueRules returns the rules about waiting contacts. Contacts that no agent will answer, or that
// wait too long, are critical. Rules about the reasons are warnings.
func queueRules() []Rule {
	live := liveChannels()
	return []Rule{
		{
			Name: "unstaffed", Scope: Service, When: "queuedCalls > 0 and loggedUsers == 0", Severity: Critical, Bell: true,
			Message: "{title}: {queuedCalls} waiting, nobody logged in",
		},
		{
			Name: "unstaffed", Scope: Group, When: "queuedCalls > 0 and loggedUsers == 0", Severity: Warning,
			Message: "{title}: {queuedCalls} waiting, nobody logged in",
		},
		{
			// A brief moment without a ready agent is normal with every call.
			Name: "nobody ready", Scope: Service, Channels: live, Direction: Lower,
			KPI:        "queuedCalls > 0 and loggedUsers > 0 and readyUsers == 0 ? (known(longestWait) ? longestWait : 20) : 0",
			Thresholds: Thresholds{Warning: model.FloatOf(20), Recovery: model.FloatOf(0)},
			Message:    "{title}: nobody ready, {queuedCalls} waiting, longest wait {longestWait}",
		},
		{
			Name: "nobody ready", Scope: Group, Channels: live, Severity: Warning, For: 30 * time.Second,
			When:    "queuedCalls > 0 and loggedUsers > 0 and readyUsers == 0",
			Message: "{title}: nobody ready, {queuedCalls} waiting",
		},
		{
			// If waiting times are unknown, the time without a ready agent is used.
			Name: NobodyReadyLong, Scope: Service, Channels: live, Severity: Critical, For: 3 * time.Minute, Bell: true,
			When:    "queuedCalls > 0 and loggedUsers > 0 and readyUsers == 0 and not known(longestWait)",
			Message: "{title}: no agent ready for minutes, {queuedCalls} waiting",
		},
		{
			// With as many contacts as agents, the last one waits for a whole handling
			// time, however short the longest wait is now.
			Name: Crowded, Scope: Service, Channels: live, Direction: Lower,
			KPI:        "loggedUsers > 0 and readyUsers == 0 and queuedCalls >= loggedUsers ? queuedCalls : 0",
			Thresholds: thresholds(5, 10, 3), For: 20 * time.Second, Bell: true,
			Message: "{title}: {queuedCalls} waiting, {loggedUsers} agents logged in",
		},
		{
			Name: "longest wait", Scope: Service, Channels: live, KPI: "longestWait",
			Thresholds: thresholds(30, 60, 15), Bell: true,
			Message: "{title}: {queuedCalls} waiting, longest wait {longestWait}",
		},
		{
			Name: "stranded", Scope: Service, Channels: live, Severity: Warning, For: 20 * time.Second,
			When:    "queuedCalls > 0 and readyUsers > 0",
			Message: "{title}: {queuedCalls} waiting although {readyUsers} ready; check the routing",
		},
		{
			Name: "stranded", Scope: Group, Channels: live, Severity: Warning, For: 20 * time.Second,
			When:    "queuedCalls > 0 and readyUsers > 0",
			Message: "{title}: {queuedCalls} waiting although {readyUsers} with the skill are ready; check the routing",
		},
	}
}

// dayRules returns the rules about figures of the day. They are never critical, because
// these figures can hardly be changed any more.
func dayRules() []Rule {
	abandon := func(s Scope) Rule {
		return Rule{
			Name: "abandon rate", Scope: s, KPI: "abandonRate",
			Thresholds: Thresholds{Warning: model.FloatOf(0.05), Recovery: model.FloatOf(0.045)},

			MinCalls: MinCalls, MinOver: MinOver,
			Message: "{title}: {value} gave up ({hangupCalls} of {receivedCalls})",
		}
	}
	ofGroups := abandon(Group)
	ofGroups.Disabled = true // the group counts the same callers again
	return []Rule{
		{
			Name: "service level", Scope: Service, KPI: "serviceLevel", Base: "serviceLevelTarget",
			Thresholds: Thresholds{Warning: model.FloatOf(0), Recovery: model.FloatOf(0.01)},
			Calls:      "answeredCalls + hangupCalls", MinCalls: MinCalls, MinOver: MinOver,
			Message: "{title}: service level {value}, target {serviceLevelTarget}",
		},
		{
			// Early in the day a single miss uses up the budget. This rule applies
			// until "service level" has enough calls.
			Name: "budget spent", Scope: Service, Severity: Warning, GivesWay: "service level",
			When: "missesLeft == 0 and answeredCalls + hangupCalls >= " + strconv.Itoa(MinCalls) +
				" and (answeredCalls + hangupCalls) * (1 - serviceLevelTarget) >= " + strconv.Itoa(MinOver),
			Recover: "missesLeft >= 2",
			Message: `{title}: {toRecover > 0 ? "service level" : "` + StillMet + `, service level"} {serviceLevel}, target {serviceLevelTarget}`,
		},
		abandon(Service),
		ofGroups,
	}
}

// Built-in rules about agents who are not ready: NotReady for breaks of unknown kind,
// BreakTooLong for the others.
const (
	NotReady     = "not ready"
	BreakTooLong = "break too long"
)

// agentRules returns the rules about states that last too long. Their texts name the
// duration early because narrow tables cut the end.
func agentRules() []Rule {
	inState := func(name, states string, warning, critical time.Duration, message string) Rule {
		return Rule{
			Name: name, Scope: User, Direction: Lower, KPI: "status in " + states + " ? timeInState : 0",
			Thresholds: Thresholds{
				Warning: model.FloatOf(warning.Seconds()), Critical: model.FloatOf(critical.Seconds()),
			},
			Message: "{title}: " + message,
		}
	}
	return []Rule{
		inState("wrap-up", `["WNR"]`, 2*time.Minute, 10*time.Minute, "wrap-up for {value|duration}"),
		inState(NotReady, `["NOT_READY"] and breakKind == ""`, 15*time.Minute, time.Hour, "not ready for {value|duration}, {activityCode}"),
		{
			// The limit depends on the kind of break: an hour is fine for lunch. Breaks
			// of unknown kind are covered by "not ready".
			Name: BreakTooLong, Scope: User, Direction: Lower,
			KPI: `breakKind != "" ? timeInState : 0`, Base: "breakLimit",
			Thresholds: Thresholds{Warning: model.FloatOf(0)},
			Message:    "{title}: {activityCode} for {timeInState}, {breakLimit} allowed: {breakKind}, {breakSource}",
		},
		inState("booked", `["BOOKED"]`, 30*time.Second, 2*time.Minute, "booked for {value|duration}, no contact"),
		inState("talking", `["BUSY", "NOT_READY_BUSY", "BUSY_dn_call_in", "BUSY_dn_call_out", "BUSY_dn_call_out_private"]`,
			20*time.Minute, time.Hour, "talking for {value|duration}"),
	}
}

func campaignRules() []Rule {
	return []Rule{
		{
			Name: "no free agent", Scope: Campaign, Severity: Warning, For: 30 * time.Second,
			When:    "ringingContacts > 0 and freeResources == 0",
			Message: "{title}: {ringingContacts} ringing, no agent free",
		},
		{
			Name: "dry", Scope: Campaign, Severity: Warning, For: time.Minute,
			When:    "toDoContacts == 0 and totalContacts > 0 and availableResources > 0",
			Message: `{title}: no contacts left to call; {availableResources} {availableResources == 1 ? "agent is" : "agents are"} still assigned to it`,
		},
	}
}

func feedRules() []Rule {
	return []Rule{{
		Name: "stale", Scope: Feed, When: "stale", Severity: Critical, For: 15 * time.Second, Bell: true,
		Message: "{title}: the figures are not the present ones ({state})",
	}}
}

// Merge combines built-in and custom rules. A custom rule for a whole scope replaces
// the built-in rule of the same name; one that lists codes is added.
func Merge(builtIn, own []Rule) []Rule {
	out := slices.DeleteFunc(slices.Clone(builtIn), func(b Rule) bool {
		return slices.ContainsFunc(own, func(r Rule) bool {
			return r.Name == b.Name && r.Scope == b.Scope && len(r.Codes) == 0
		})
	})
	return append(out, own...)
}
