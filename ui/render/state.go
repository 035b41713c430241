package render

import (
	"slices"

	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/themes"
)

// State is how a state is drawn: its word, color token and glyph.
type State struct {
	Word  string
	Token themes.Token

	glyph, ascii string
}

// Glyph returns the glyph of the state, one cell wide.
func (s State) Glyph(ascii bool) string {
	if ascii {
		return s.ascii
	}
	return s.glyph
}

// shortWord returns a short word for the state, or its word if there is no shorter one.
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

// Words that have a short form; see shortWord.
const (
	busyNotReadyWord    = "Busy not ready"
	busyElsewhereWord   = "Busy elsewhere"
	privateCallWord     = "Private call"
	campaignRunningWord = "Running"
)

// StateOf returns how an agent's state on a channel is drawn. The word for BUSY is "Talking" on calls and
// video, "Handling" on other channels. A state that document 2 does not list is drawn unchanged.
func StateOf(s model.UserStatus, ch model.Channel) State {
	switch s {
	case model.Ready:
		return State{"Ready", themes.StateReady, "○", "o"}
	case model.Busy:
		return State{busyWord(ch), themes.StateTalking, "●", "@"}
	case model.Booked:
		return State{"Booked", themes.StateBooked, "◐", "+"}
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

func busyWord(ch model.Channel) string {
	switch ch {
	case model.Chat, model.MailACD, model.LiveHelp, model.OmniDesk,
		model.Custom1, model.Custom2, model.Custom3:
		return "Handling"
	case model.Call, model.Video:
	}
	return "Talking"
}

// StateOrder returns the states in the order of bars and legends, from working to not working.
func StateOrder() [10]model.UserStatus {
	return [...]model.UserStatus{
		model.Busy, model.BusyElsewhere, model.Booked, model.WNR,
		model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate,
		model.Ready, model.NotReadyBusy, model.NotReady,
	}
}

// stateRank returns the index of a state in StateOrder. States that are not listed there come after
// the listed ones, and the unknown state comes last.
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

// shortChannelName returns the name of a channel, shortened for the title of a narrow column.
func shortChannelName(c model.Channel) string {
	switch c {
	case model.Custom1:
		return "Cust 1"
	case model.Custom2:
		return "Cust 2"
	case model.Custom3:
		return "Cust 3"
	case model.LiveHelp:
		return "Live"
	case model.OmniDesk:
		return "Omni"
	case model.Call, model.Video, model.Chat, model.MailACD:
	}
	return phrases.ChannelName(c)
}
