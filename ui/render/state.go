package render

import (
	"slices"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
)

// State describes how a state of a record is drawn: its word, color token and glyph.
type State struct {
	Word  words.Text
	Token themes.Token

	glyph, ascii string
}

// Glyph returns the glyph of the state, which is one cell wide. If ascii is true, it is an ASCII
// character.
func (s State) Glyph(ascii bool) string {
	if ascii {
		return s.ascii
	}
	return s.glyph
}

// shortWord returns a shorter form of the state's word, or the word itself if there is none.
func (s State) shortWord() words.Text {
	for _, w := range []struct{ word, short func() words.Text }{
		{words.StateBusyNotReady, words.StateShortBusyNotReady},
		{words.StateBusyElsewhere, words.StateShortBusyElsewhere},
		{words.StatePrivateCall, words.StateShortPrivateCall},
		{words.StateCampaignRunning, words.StateShortRunning},
		{words.StateCampaignEmpty, words.StateShortEmpty},
	} {
		if s.Word.Equal(w.word()) {
			return w.short()
		}
	}
	return s.Word
}

// agentStates holds the looks of agents' states.
var agentStates = map[model.UserStatus]State{
	model.Ready:                {Token: themes.StateReady, glyph: "○", ascii: "o"},
	model.Busy:                 {Token: themes.StateTalking, glyph: "●", ascii: "@"},
	model.Booked:               {Token: themes.StateBooked, glyph: "◐", ascii: "+"},
	model.WNR:                  {Token: themes.StateWrapUp, glyph: "◇", ascii: "~"},
	model.NotReady:             {Token: themes.StateNotReady, glyph: "×", ascii: "x"},
	model.NotReadyBusy:         {Token: themes.StateNotReady, glyph: "▣", ascii: "%"},
	model.BusyElsewhere:        {Token: themes.StateTalking, glyph: "◉", ascii: "&"},
	model.BusyDNCallIn:         {Token: themes.StateDial, glyph: "◁", ascii: "<"},
	model.BusyDNCallOut:        {Token: themes.StateDial, glyph: "▷", ascii: ">"},
	model.BusyDNCallOutPrivate: {Token: themes.StateDial, glyph: "◈", ascii: "^"},
	"":                         {Token: themes.Unknown, glyph: "·", ascii: "."},
}

// StateOf returns the display state of an agent on a channel: its word, color and glyph. The word
// for BUSY is "Talking" on calls and video, and "Handling" on other channels. The word for a state
// that the program does not know is its name.
func StateOf(s model.UserStatus, ch model.Channel) State {
	out := lookUpState(agentStates, s)
	out.Word = words.AgentState(s, ch)
	return out
}

// StateOrder returns the states in the order of bars and legends, working states first.
func StateOrder() [10]model.UserStatus {
	return [...]model.UserStatus{
		model.Busy, model.BusyElsewhere, model.Booked, model.WNR,
		model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate,
		model.Ready, model.NotReadyBusy, model.NotReady,
	}
}

// stateRank returns the index of a state in StateOrder. States that are not in StateOrder come
// after those. The unknown state comes last.
func stateRank(s model.UserStatus) int {
	order := StateOrder()
	switch index := slices.Index(order[:], s); {
	case s == "":
		return len(order) + 1
	case index < 0:
		return len(order)
	default:
		return index
	}
}
