package words

import "wallboard/model"

// agentStateText holds the texts of a state of an agent.
type agentStateText struct {
	word     func() Text // in a cell
	sentence func() Text // within a sentence
	rule     func() Text // in a condition of a rule; nil: the same as sentence
}

// agentStates holds the texts of the states except BUSY, which depends on the channel.
var agentStates = map[model.UserStatus]agentStateText{
	model.Ready:                {StateReady, StateInReady, nil},
	model.Booked:               {StateReserved, StateInReserved, nil},
	model.WNR:                  {StateWrapUp, StateInWrapUp, nil},
	model.NotReady:             {StateNotReady, StateInNotReady, nil},
	model.NotReadyBusy:         {StateBusyNotReady, StateInBusyNotReady, nil},
	model.BusyElsewhere:        {StateBusyElsewhere, StateInBusyElsewhere, StateRuleBusyElsewhere},
	model.BusyDNCallIn:         {StateCallIn, StateInCallIn, StateRuleCallIn},
	model.BusyDNCallOut:        {StateCallOut, StateInCallOut, StateRuleCallOut},
	model.BusyDNCallOutPrivate: {StatePrivateCall, StateInPrivateCall, StateRulePrivateCall},
	"":                         {StateUnknown, StateInUnknown, nil},
}

// AgentState returns the state of an agent on a channel. For a state that document 2 does not list, it
// returns the name of the state.
func AgentState(s model.UserStatus, ch model.Channel) Text {
	if s == model.Busy {
		return BusyWord(ch)
	}
	if t := firstText(agentStates[s].word); !t.IsZero() {
		return t
	}
	return Name(string(s))
}

// AgentStateInSentence returns the state of an agent on a channel for use within a sentence.
func AgentStateInSentence(s model.UserStatus, ch model.Channel) Text {
	if s == model.Busy {
		if BusyWord(ch).Equal(ChannelTalking()) {
			return StateInTalking()
		}
		return StateInHandling()
	}
	if t := firstText(agentStates[s].sentence); !t.IsZero() {
		return t
	}
	return Name(string(s))
}

// ruleState returns a text of a condition: the state of an agent in words, and any other text unchanged.
func ruleState(s model.UserStatus) Text {
	if s == model.Busy {
		return StateInTalking()
	}
	t := agentStates[s]
	if out := firstText(t.rule, t.sentence); s != "" && !out.IsZero() {
		return out
	}
	return Name(string(s))
}

// subscriptionTexts returns the texts about a subscription: its title, and the noun for its records. For an
// operation that is not in the map, the title is the name of the operation and the noun is "figures".
func subscriptionTexts(op model.Op) (title, nouns Text) {
	row, ok := map[model.Op][2]func() Text{
		model.OpVersion: {DetailSubVersion, NounVersion}, model.OpServerHealth: {DetailSubHealth, NounHealth}, model.OpUsers: {DetailSubUsers, NounAgents},
		model.OpServices: {DetailSubServices, NounServices}, model.OpGroups: {DetailSubGroups, NounGroups}, model.OpUserStats: {DetailSubAgents, NounAgents},
		model.OpProfiles: {DetailSubProfiles, NounAgents}, model.OpCampaigns: {DetailSubCampaigns, NounCampaigns}, model.OpAttendants: {DetailSubAttendants, NounAttendants},
		model.OpOperators: {DetailSubOperators, NounOperators}, model.OpOperatorProfiles: {DetailSubOperatorProfiles, NounOperators},
	}[op]
	if !ok {
		return Name(string(op)), NounFigures()
	}
	return row[0](), row[1]()
}

// SubscriptionTitle returns the title of a subscription.
func SubscriptionTitle(op model.Op) Text {
	title, _ := subscriptionTexts(op)
	return title
}

// RecordNouns returns the noun for the records of a subscription, such as "services".
func RecordNouns(op model.Op) Text {
	_, nouns := subscriptionTexts(op)
	return nouns
}

// PlatformMessage returns a message of the platform or the feed, which is the same in all languages. If it
// is hidden from a viewer, the text says so.
func PlatformMessage(message string) Text {
	if message == model.HiddenMessage {
		return DetailHiddenMessage()
	}
	return Name(message)
}

// ListShortfall describes how a list is incomplete, such as "10 of 12".
func ListShortfall(i *model.Incomplete) Text {
	text := Count(i.Got)
	switch {
	case i.Total > i.Got:
		text = DetailIncomplete(i.Got, i.Total)
	case i.More:
		text = DetailIncompleteMore(i.Got)
	case i.Total < 0:
		text = DetailIncompleteUnknown(i.Got)
	}
	if i.Changed {
		return DetailIncompleteChanged(text)
	}
	return text
}
