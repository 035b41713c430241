package render

import (
	"slices"

	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
)

// State describes how a state of a record is drawn: its word, color token and glyph.
type State struct {
	Word  string
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
func (s State) shortWord() string {
	switch s.Word {
	case busyNotReadyWord:
		return "Busy n/r"
	case busyElsewhereWord:
		return "Elsewhere"
	case privateCallWord:
		return "Private"
	case campaignRunningWord:
		return "Runs"
	case campaignEmptyWord:
		return "None"
	}
	return s.Word
}

// Words that shortWord abbreviates.
const (
	busyNotReadyWord    = "Busy, then break"
	busyElsewhereWord   = "Other channel"
	privateCallWord     = "Private call"
	campaignRunningWord = "Running"
)

// StateOf returns the display state of an agent on a channel: its word, color and glyph. The word
// for BUSY is "Talking" on calls and video, and "Handling" on other channels. The word for a state
// that document 2 does not list is its name.
func StateOf(s model.UserStatus, ch model.Channel) State {
	switch s {
	case model.Ready:
		return State{"Ready", themes.StateReady, "○", "o"}
	case model.Busy:
		return State{phrases.BusyWord(ch), themes.StateTalking, "●", "@"}
	case model.Booked:
		return State{"Reserved", themes.StateBooked, "◐", "+"}
	case model.WNR:
		return State{"Wrap-up", themes.StateWrapUp, "◇", "~"}
	case model.NotReady:
		return State{"Not ready", themes.StateNotReady, "×", "x"}
	case model.NotReadyBusy:
		return State{busyNotReadyWord, themes.StateNotReady, "▣", "%"}
	case model.BusyElsewhere:
		return State{busyElsewhereWord, themes.StateTalking, "◉", "&"}
	case model.BusyDNCallIn:
		return State{"Call in", themes.StateDial, "◁", "<"}
	case model.BusyDNCallOut:
		return State{"Call out", themes.StateDial, "▷", ">"}
	case model.BusyDNCallOutPrivate:
		return State{privateCallWord, themes.StateDial, "◈", "^"}
	case "":
		return State{"Unknown", themes.Unknown, "·", "."}
	}
	return State{string(s), themes.StateOther, "?", "?"}
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
