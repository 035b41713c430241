package world

import (
	"fmt"
	"slices"
	"time"
)

// Cause is a cause of an incident in a scenario, which an analysis of the floor should find.
type Cause string

// Causes of scenarios.
const (
	MoreContacts        Cause = "more contacts"
	FewerAgents         Cause = "fewer agents"
	LongerHandling      Cause = "longer handling"
	LongerWrapUp        Cause = "longer after-call work"
	AgentsBusyElsewhere Cause = "agents busy elsewhere"
	NoSkill             Cause = "nobody with the skill"
	Misrouted           Cause = "routing"
	NoContacts          Cause = "no contacts left"
	PlatformFault       Cause = "platform fault" // only the simulator can stage it
)

// ScenarioDelay is the time from the opening to the scenario in [Options.Scenario].
const ScenarioDelay = 20 * time.Second

// Scenario is an incident with known causes that can be played in a world.
type Scenario struct {
	Name        string
	Description string
	Causes      []Cause       // causes of about equal importance
	Duration    time.Duration // time from the beginning to the end of the incident
	play        func(*scenarioRunner) ScenarioLocation
}

// ScenarioLocation is the service or campaign at which the incident of a scenario becomes visible.
type ScenarioLocation struct {
	Service, Channel string // "" if the location is a campaign
	Campaign         int64
}

// Scenarios returns all scenarios.
func Scenarios() []Scenario {
	const minutes = time.Minute
	atBig := func(do incidentFunc) func(*scenarioRunner) ScenarioLocation {
		return scenarioAt((*scenarioRunner).biggestService, channelCall, do)
	}
	atOther := func(do incidentFunc) func(*scenarioRunner) ScenarioLocation {
		return scenarioAt((*scenarioRunner).otherService, channelCall, do)
	}
	return []Scenario{
		{"surge", "five times the calls of the biggest service", []Cause{MoreContacts}, 6 * minutes, atBig((*scenarioRunner).playSurge)},
		{"slow-surge", "the calls of the biggest service grow to four times within half an hour", []Cause{MoreContacts}, 50 * minutes, atBig((*scenarioRunner).playSlowSurge)},
		{"small-surge", "eight times the calls of a small service", []Cause{MoreContacts}, 8 * minutes, atOther(trafficIncident(channelCall, 8))},
		{"burst", "no call gets through for six minutes, then all of them do", []Cause{MoreContacts}, 12 * minutes, atBig((*scenarioRunner).playBurst)},
		{"chat-backlog", "eight times the chats of a service", []Cause{MoreContacts}, 10 * minutes, scenarioAt((*scenarioRunner).mixedChatService, channelChat, trafficIncident(channelChat, 8))},
		{"lunch", "three quarters of a team go to lunch together", []Cause{FewerAgents}, 20 * minutes, atBig(breakIncident(activityLunch, 0.75))},
		{"meeting", "a whole team goes to a meeting", []Cause{FewerAgents}, 12 * minutes, atOther(breakIncident(activityMeeting, 1))},
		{"training", "two thirds of a team are trained", []Cause{FewerAgents}, 30 * minutes, atBig(breakIncident(activityTraining, 0.67))},
		{"shift-end", "most of a team log out together", []Cause{FewerAgents}, 15 * minutes, atBig((*scenarioRunner).playShiftEnd)},
		{"strike", "four of five agents of the floor log out together", []Cause{FewerAgents}, 15 * minutes, atBig((*scenarioRunner).playStrike)},
		{"rolling-breaks", "one agent of a team after the other takes a break of half an hour", []Cause{FewerAgents}, 25 * minutes, atBig((*scenarioRunner).playRollingBreaks)},
		{"unstaffed", "everybody who serves a service logs out", []Cause{FewerAgents}, 8 * minutes, atOther(func(d *scenarioRunner, s *service) { d.scheduleLogout(callAgents(s), 1) })},
		{"slow-decline", "an agent of a team logs out every six minutes, for an hour and a half", []Cause{FewerAgents}, 90 * minutes, atBig((*scenarioRunner).playSlowDecline)},
		{"long-calls", "the calls of the biggest service take four times as long", []Cause{LongerHandling}, 20 * minutes, atBig(longCallIncident(4))},
		{"long-calls-of-one", "the calls of a small service take five times as long", []Cause{LongerHandling}, 25 * minutes, atOther(longCallIncident(5))},
		{"stuck-wrap-up", "the after-call work of a team takes twelve times as long", []Cause{LongerWrapUp}, 15 * minutes, atBig((*scenarioRunner).playStuckWrapUp)},
		{"slow-wrap-up", "the after-call work of everybody takes eight times as long", []Cause{LongerWrapUp}, 20 * minutes, atBig((*scenarioRunner).playSlowWrapUp)},
		{"telephone", "most of a team are on calls of their own", []Cause{AgentsBusyElsewhere}, 10 * minutes, atBig((*scenarioRunner).keepOnTelephone)},
		{"campaign-binds", "most of a team make the calls of a campaign", []Cause{AgentsBusyElsewhere}, 12 * minutes, atBig((*scenarioRunner).keepOnCampaign)},
		{"starved", "a surge on one service binds the agents of another", []Cause{AgentsBusyElsewhere}, 8 * minutes, (*scenarioRunner).crowdOutSharedService},
		{"chats-bind", "chats bind agents who also take calls", []Cause{AgentsBusyElsewhere}, 15 * minutes, scenarioAt((*scenarioRunner).mostlyMixedChatService, channelCall, (*scenarioRunner).keepOnChats)},
		{"no-skill", "nobody with the skill is there all morning", []Cause{NoSkill}, 10 * minutes, atOther((*scenarioRunner).removeSkill)},
		{"routing", "ready agents do not get the calls that wait", []Cause{Misrouted}, 6 * minutes, atBig((*scenarioRunner).misroute)},
		{"dry", "a campaign has no contacts left", []Cause{NoContacts}, 10 * minutes, (*scenarioRunner).playOutOfContacts},
		{"surge-and-lunch", "half of a team goes to lunch while the calls double", []Cause{MoreContacts, FewerAgents}, 15 * minutes, atBig(trafficIncident(channelCall, 2.2).followedBy(breakIncident(activityLunch, 0.5)))},
		{"meeting-and-long-calls", "half of a team goes to a meeting while calls take three times as long", []Cause{FewerAgents, LongerHandling}, 20 * minutes, atBig(longCallIncident(3).followedBy(breakIncident(activityMeeting, 0.5)))},
	}
}

// StartScenario plays the named scenario after a delay. It returns the scenario and the
// location at which it becomes visible. In the scenario "no-skill" the agents log out at once,
// because they must be missing from the beginning. StartScenario returns [ErrInvalid] if there
// is no such scenario.
func (w *World) StartScenario(name string, after time.Duration) (Scenario, ScenarioLocation, error) {
	all := Scenarios()
	i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		return Scenario{}, ScenarioLocation{}, fmt.Errorf("%w: unknown scenario %q", ErrInvalid, name)
	}
	s := all[i]
	d := &scenarioRunner{w: w, incidentRunner: incidentRunner{w: w}, startDelay: after, duration: s.Duration}
	scene := s.play(d)
	w.scheduleAfter(after+s.Duration, func() {
		for _, undo := range d.endActions {
			undo()
		}
	})
	return s, scene, nil
}
