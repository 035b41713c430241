package frame

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Frame holds the data that the lines around a page are drawn from.
type Frame struct {
	Look           *style.Look
	Floor          *snapshot.View
	Situations     *situation.View       // current situations; nil before the first evaluation
	OpenSituations SituationCounts       // situations of the newest snapshot that need action, even while the screen is frozen
	Platforms      []Platform            // other platforms that the viewer can go to
	Silences       []alert.ActiveSilence // active silences, the earliest end first
	Subs           []model.Op            // subscriptions of the page's figures

	Width, Height int // size of the screen
	Title         string
	Zone          string // name of the time zone of displayed times; "": the local one
	Wall          bool   // the board is a wall screen, which has no operator
	Insecure      bool   // the certificate of a server other than the feed's is not verified
	Control       Control
	ConfigProblem string   // why a changed configuration was rejected; "": none
	Messages      []string // messages from other viewers, the newest last
	Notes         []string // notes about the floor, oldest first
	OtherViewers  string   // text about the other viewers; "": none
	NotifyProblem string   // recipients that alerts cannot be sent to; "": none
	Notice        string   // text for the last line; "": none
	Keys          Keys
}

// SituationCounts counts the current situations that need action: critical ones and warnings.
type SituationCounts struct{ Critical, Warning int }

// Keys holds the keys that banners mention, in the sentence that says what the key does.
type Keys struct{ Reconnect, Freeze, LastKnown key.Binding }

// Control is the state of the connection to the platform's configuration service, which carries out
// the viewers' actions.
type Control struct {
	Configured bool
	CanAct     bool   // actions are possible
	Text       string // state in words
	Insecure   bool   // the service's certificate is not verified
}

// Site returns the title of the board, "Wallboard" if it has none.
func (m *Frame) Site() string {
	if m.Title == "" {
		return "Wallboard"
	}
	return m.Title
}
