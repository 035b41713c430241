package alert

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// DefaultGoal returns the goal of services that have no goal of their own: a service level of 80 %
// and an abandon rate of 5 %.
func DefaultGoal() Goal {
	return Goal{Formula: model.SLAllAbandons, ServiceLevel: model.FloatOf(0.80), Abandon: model.FloatOf(0.05)}
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

// Minimum numbers of calls for judging a percentage of the day. With fewer calls or misses, the
// percentage is mostly due to chance.
const (
	MinCalls        = 20
	MinExcessMisses = 3 // minimum number of misses beyond what the target allows

	minFloorCalls = 50 // minimum number of calls of a whole floor
)

// IsSignificant reports whether a percentage misses its target by a meaningful amount, as the
// built-in rules define it. calls is the number of calls behind the percentage. off is the distance
// from the target as a share: 0.05 means five percentage points.
func IsSignificant(calls model.Int, off float64) bool {
	n, ok := calls.Get()
	return ok && n >= MinCalls && off*float64(n) >= MinExcessMisses
}

// Names of built-in rules that code refers to.
const (
	RuleLongestWait  = "longest wait"
	RuleStranded     = "stranded"
	RuleUnstaffed    = "unstaffed"
	RuleServiceLevel = "service level"
	RuleBudgetSpent  = "budget spent"
	RuleNotReady     = "not ready"      // about breaks of unknown kind
	RuleBreakTooLong = "break too long" // about breaks of known kind
)

// BuiltIn is an entry of the catalogue of built-in rules: a rule with its variants for several
// scopes.
type BuiltIn struct {
	Name   string
	Title  words.Text         // short label in a table row
	Column Column             // table column that shows the cause of an alert
	States []model.UserStatus // states of agents whose duration the rule limits
	Rules  []Rule             // one rule for each scope; their Name is not set
}

// Column is the column of a table that shows the cause of an alert.
type Column uint8

// Columns that show the cause of an alert.
const (
	ColumnNone         Column = iota
	ColumnQueue               // the number of waiting contacts
	ColumnWait                // the longest wait
	ColumnServiceLevel        // service level
	ColumnAbandon             // abandon rate
	ColumnTime                // time that an agent has been in a state
)

// IsQueue reports whether the column is about waiting contacts.
func (c Column) IsQueue() bool { return c == ColumnQueue || c == ColumnWait }

// catalogue lists the built-in rules, the most urgent first.
var catalogue = slices.Concat(queueRules(), dayRules(), agentRules(), campaignRules(), feedRules())

// DefaultRules returns the built-in rules. Their limits suit queues of calls.
func DefaultRules() []Rule {
	var out []Rule
	for i := range catalogue {
		for _, r := range catalogue[i].Rules {
			r.Name = catalogue[i].Name
			out = append(out, r)
		}
	}
	return out
}

// RuleRank returns the position of a rule in the catalogue of built-in rules. The rank of all custom
// rules is the length of the catalogue.
func RuleRank(rule string) int {
	if i := slices.IndexFunc(catalogue, func(b BuiltIn) bool { return b.Name == rule }); i >= 0 {
		return i
	}
	return len(catalogue)
}

// BuiltInRule returns the catalogue entry of a built-in rule. For a custom rule, the entry contains
// only the name, which is also the title.
func BuiltInRule(rule string) BuiltIn {
	if i := RuleRank(rule); i < len(catalogue) {
		return catalogue[i]
	}
	return BuiltIn{Name: rule, Title: words.Name(rule)}
}

// RuleTitle returns the short label that a table row shows for the alerts of a rule.
func RuleTitle(rule string) words.Text { return BuiltInRule(rule).Title }

// ColumnRules returns the names of the built-in rules whose cause the column c shows.
func ColumnRules(c Column) []string {
	var out []string
	for i := range catalogue {
		if catalogue[i].Column == c {
			out = append(out, catalogue[i].Name)
		}
	}
	return out
}

// queueRules returns the rules about waiting contacts. Rules about contacts that no agent of a service
// will answer or that wait too long can be critical. Rules about the reasons for a queue are warnings.
func queueRules() []BuiltIn {
	live := liveChannels()
	return []BuiltIn{
		{Name: RuleUnstaffed, Title: words.RuleTitleNoAgents(), Column: ColumnQueue, Rules: []Rule{
			{
				Scope: Service, When: "queuedCalls > 0 and loggedUsers == 0", Severity: Critical, Bell: true,
				Text: textformat.RuleText1(words.RuleNoAgents, "queuedCalls"),
			},
			{
				Scope: Group, When: "queuedCalls > 0 and loggedUsers == 0", Severity: Warning,
				Text: textformat.RuleText1(words.RuleNoAgents, "queuedCalls"),
			},
		}},
		{Name: RuleLongestWait, Title: words.RuleTitleLongWait(), Column: ColumnWait, Rules: []Rule{{
			Scope: Service, Channels: live, KPI: "longestWait",
			Thresholds: thresholds(30, 60, 15), Bell: true,
			Text: textformat.RuleText2(words.RuleLongWait, "queuedCalls", "longestWait"),
		}}},
		{Name: "nobody ready for long", Title: words.RuleTitleNoneForLong(), Column: ColumnQueue, Rules: []Rule{{
			// After three minutes without a ready agent, a long wait is assumed if at least three contacts wait and
			// answering them takes half a handling time or more. If the longest wait is unknown, one waiting
			// contact is enough.
			Scope: Service, Channels: live, Severity: Critical, For: 3 * time.Minute, Bell: true,
			When: "loggedUsers > 0 and readyUsers == 0 and" +
				" (queuedCalls > 0 and not known(longestWait) or queuedCalls >= 3 and 2 * queuedCalls >= loggedUsers)",
			Text: textformat.RuleText1(words.RuleNoneForLong, "queuedCalls"),
		}}},
		{Name: "crowded", Title: words.RuleTitleCrowded(), Column: ColumnQueue, Rules: []Rule{{
			// If one contact waits for every two agents who are logged in, the last contact will
			// wait about half a handling time, even if the longest wait is still short.
			Scope: Service, Channels: live, Direction: LowerIsBetter,
			KPI:        "loggedUsers > 0 and readyUsers == 0 and 2 * queuedCalls >= loggedUsers ? queuedCalls : 0",
			Thresholds: thresholds(5, 10, 3), For: 20 * time.Second, Bell: true,
			Text: textformat.RuleText2(words.RuleCrowded, "queuedCalls", "loggedUsers"),
		}}},
		{Name: "nobody ready", Title: words.RuleTitleNoneAvailable(), Column: ColumnQueue, Rules: []Rule{
			{
				// The wait must reach 20 s, because any call can leave a service without a ready
				// agent for a moment.
				Scope: Service, Channels: live, Direction: LowerIsBetter,
				KPI:        "queuedCalls > 0 and loggedUsers > 0 and readyUsers == 0 ? (known(longestWait) ? longestWait : 20) : 0",
				Thresholds: Thresholds{Warning: model.FloatOf(20), Recovery: model.FloatOf(0)},
				Text:       textformat.RuleText2(words.RuleNoneAvailableWait, "queuedCalls", "longestWait"),
			},
			{
				Scope: Group, Channels: live, Severity: Warning, For: 30 * time.Second,
				When: "queuedCalls > 0 and loggedUsers > 0 and readyUsers == 0",
				Text: textformat.RuleText1(words.RuleNoneAvailable, "queuedCalls"),
			},
		}},
		{Name: RuleStranded, Title: words.RuleTitleNotRouted(), Column: ColumnQueue, Rules: []Rule{
			{
				// On a large floor, some contact is always on its way to a ready agent, so that the wait
				// must be longer than that takes.
				Scope: Service, Channels: live, Severity: Warning, For: 20 * time.Second,
				When: "queuedCalls > 0 and readyUsers > 0 and (not known(longestWait) or longestWait >= 5)",
				Text: textformat.RuleText2(words.RuleNotRouted, "queuedCalls", "readyUsers"),
			},
			{
				// The wait in a group is unknown. A few contacts for many ready agents are on their way.
				Scope: Group, Channels: live, Severity: Warning, For: 20 * time.Second,
				When: "readyUsers > 0 and 2 * queuedCalls >= readyUsers",
				Text: textformat.RuleText2(words.RuleNotRoutedSkill, "queuedCalls", "readyUsers"),
			},
		}},
	}
}

// dayRules returns the rules about figures of the day. These rules are never critical, because
// figures of the day can hardly be changed late in the day. A floor far below its target counts as
// a current problem while agents are logged in, because they can still improve the figure.
func dayRules() []BuiltIn {
	abandon := Rule{
		Scope: Service, KPI: "abandonRate",
		Thresholds: Thresholds{Warning: model.FloatOf(0.05), Recovery: model.FloatOf(0.045)},

		MinCalls: MinCalls, MinExcessMisses: MinExcessMisses,
		Text: textformat.RuleText3(words.RuleAbandoned, "value", "hangupCalls", "receivedCalls"),
	}
	ofGroups := abandon
	ofGroups.Scope, ofGroups.Disabled = Group, true // disabled because the calls of a group are also counted by its services
	return []BuiltIn{
		{Name: RuleServiceLevel, Title: words.RuleTitleBelowTarget(), Column: ColumnServiceLevel, Rules: []Rule{{
			Scope: Service, KPI: "serviceLevel", Base: "serviceLevelTarget",
			Thresholds: Thresholds{Warning: model.FloatOf(0), Recovery: model.FloatOf(0.01)},
			Calls:      "answeredCalls + hangupCalls", MinCalls: MinCalls, MinExcessMisses: MinExcessMisses,
			Text: textformat.RuleText2(words.RuleServiceLevel, "value", "serviceLevelTarget"),
		}}},
		{Name: "floor service level", Title: words.RuleTitleFarBelowTarget(), Column: ColumnServiceLevel, Rules: []Rule{{
			Scope: Floor, Channels: liveChannels(), ActionableNow: true, KPI: "serviceLevel", Base: "serviceLevelTarget",
			Thresholds: Thresholds{Warning: model.FloatOf(-0.15), Recovery: model.FloatOf(-0.12)},
			Calls:      "loggedUsers > 0 ? answeredCalls + hangupCalls : 0", MinCalls: minFloorCalls, For: time.Minute,
			Text: textformat.RuleText2(words.RuleServiceLevel, "value", "serviceLevelTarget"),
		}}},
		{Name: RuleBudgetSpent, Title: words.RuleTitleAtRisk(), Column: ColumnServiceLevel, Rules: []Rule{{
			// The minimum numbers are necessary because, early in the day, a single late call can use up
			// the misses that the target allows.
			Scope: Service, Severity: Warning, SuppressedBy: RuleServiceLevel,
			When: "missesLeft == 0 and answeredCalls + hangupCalls >= " + strconv.Itoa(MinCalls) +
				" and (answeredCalls + hangupCalls) * (1 - serviceLevelTarget) >= " + strconv.Itoa(MinExcessMisses),
			Recover: "missesLeft >= 2",
			Text:    textformat.BudgetRuleText(),
		}}},
		{Name: "abandon rate", Title: words.RuleTitleAbandonment(), Column: ColumnAbandon, Rules: []Rule{abandon, ofGroups}},
	}
}

// agentRules returns the rules about agents who are in a state for too long. The messages give the
// duration early, because narrow tables cut off the end.
func agentRules() []BuiltIn {
	inState := func(name string, title words.Text, warning, critical time.Duration, condition string, text *textformat.RuleText, states ...model.UserStatus) BuiltIn {
		quoted := make([]string, len(states))
		for i, s := range states {
			quoted[i] = strconv.Quote(string(s))
		}
		return BuiltIn{Name: name, Title: title, Column: ColumnTime, States: states, Rules: []Rule{{
			Scope: User, Direction: LowerIsBetter, KPI: "status in [" + strings.Join(quoted, ", ") + "]" + condition + " ? timeInState : 0",
			Thresholds: Thresholds{
				Warning: model.FloatOf(warning.Seconds()), Critical: model.FloatOf(critical.Seconds()),
			},
			Text: text,
		}}}
	}
	return []BuiltIn{
		inState("wrap-up", words.RuleTitleWrapUp(), 2*time.Minute, 10*time.Minute, "", textformat.RuleText1(words.RuleWrapUp, "value|duration"), model.WNR),
		inState(RuleNotReady, words.RuleTitleNotReady(), 15*time.Minute, time.Hour, ` and breakKind == ""`, textformat.NotReadyRuleText(),
			model.NotReady),
		{Name: RuleBreakTooLong, Title: words.RuleTitleBreakTooLong(), Column: ColumnTime, Rules: []Rule{{
			// The limit depends on the kind of break: an hour is fine for lunch. Breaks
			// of unknown kind are covered by "not ready".
			Scope: User, Direction: LowerIsBetter,
			KPI: `breakKind != "" ? timeInState : 0`, Base: "breakLimit",
			Thresholds: Thresholds{Warning: model.FloatOf(0)},
			Text:       breaks.RuleText(),
		}}},
		inState("booked", words.RuleTitleBooked(), 30*time.Second, 2*time.Minute, "", textformat.RuleText1(words.RuleBooked, "value|duration"), model.Booked),
		inState("talking", words.RuleTitleTalking(), 20*time.Minute, time.Hour, "", textformat.RuleText1(words.RuleTalking, "value|duration"),
			model.Busy, model.NotReadyBusy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate),
	}
}

func campaignRules() []BuiltIn {
	return []BuiltIn{
		{Name: "no free agent", Title: words.RuleTitleNoFreeAgent(), Rules: []Rule{{
			Scope: Campaign, Severity: Warning, For: 30 * time.Second,
			When: "ringingContacts > 0 and freeResources == 0",
			Text: textformat.RuleText1(words.RuleNoFreeAgent, "ringingContacts"),
		}}},
		{Name: "dry", Title: words.RuleTitleOutOfContacts(), Rules: []Rule{{
			Scope: Campaign, Severity: Warning, For: time.Minute,
			When: "toDoContacts == 0 and totalContacts > 0 and availableResources > 0",
			Text: textformat.RuleText1(words.RuleOutOfContacts, "availableResources"),
		}}},
	}
}

func feedRules() []BuiltIn {
	return []BuiltIn{{Name: "stale", Title: words.RuleTitleStale(), Rules: []Rule{{
		Scope: Feed, When: "stale", Severity: Critical, For: 15 * time.Second, Bell: true,
		Text: textformat.RuleText1(words.RuleStale, "state"),
	}}}}
}

// MergeRules returns the built-in and the custom rules. A custom rule that lists no codes replaces the
// built-in rules of the same name and scope.
func MergeRules(builtIn, custom []Rule) []Rule {
	out := slices.DeleteFunc(slices.Clone(builtIn), func(b Rule) bool {
		return slices.ContainsFunc(custom, func(r Rule) bool {
			return r.Name == b.Name && r.Scope == b.Scope && len(r.Codes) == 0
		})
	})
	return append(out, custom...)
}
