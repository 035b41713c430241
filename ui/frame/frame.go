package frame

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// Frame holds the data for drawing the lines around a page.
type Frame struct {
	Look           *style.Look
	Floor          *floorview.View
	Situations     *situation.View       // current situations; nil before the first evaluation
	OpenSituations SituationCounts       // number of situations that need action in the newest snapshot, even while the screen is frozen
	Platforms      []Platform            // the other platforms to which the viewer can go
	Silences       []alert.ActiveSilence // active silences, sorted by end
	Subscriptions  []model.Op            // subscriptions that deliver the figures of the page

	Width, Height int // size of the screen in cells and lines
	Title         string
	Zone          string // name of the time zone of displayed times; "": the local time zone
	IsWall        bool   // the board is a wall, which has no operator
	Insecure      bool   // the certificate of a server other than that of the feed is not verified
	Control       Control
	ConfigProblem string   // why a changed configuration was rejected; "": none
	Messages      []string // messages from other viewers, newest last
	Notes         []string // notes about the floor, oldest first
	OtherViewers  string   // text about other viewers; "": none
	NotifyProblem string   // problem with notifications or the recording; "": none
	Notice        string   // message for the last line; "": none
	Keys          Keys
}

// SituationCounts holds the numbers of critical situations and of warnings that need action.
type SituationCounts struct{ Critical, Warning int }

// Keys holds the key bindings that banners mention.
type Keys struct{ Reconnect, Freeze, LastKnown key.Binding }

// Control describes the connection to the platform's configuration service, which carries out the
// viewers' actions.
type Control struct {
	Configured bool
	CanAct     bool   // the viewer can act on the platform
	Text       string // state of the connection in words
	Insecure   bool   // the certificate of the service is not verified
}

// Site returns the title of the board, or "Wallboard" if the board has no title.
func (m *Frame) Site() string {
	if m.Title == "" {
		return "Wallboard"
	}
	return m.Title
}
