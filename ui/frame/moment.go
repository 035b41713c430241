package frame

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Frame holds everything that the lines around a page are drawn from.
type Frame struct {
	Look       *style.Look
	Floor      *snapshot.View
	Situations *situation.View       // current situations; nil before the first evaluation
	Needs      Needs                 // number of current situations that need action, even while the snapshot is frozen
	Platforms  []Platform            // other platforms that the viewer can go to
	Silences   []alert.ActiveSilence // active silences, by their end
	Subs       []model.Op            // subscriptions of the page's figures

	Width, Height int // size of the screen
	Title         string
	Zone          string // name of the time zone of displayed times, unless it is the local one
	Wall          bool   // the board has no operator
	Insecure      bool   // a certificate is not verified, in addition to that of the feed
	Control       Control
	ConfigProblem string   // why a changed configuration was rejected; "": none
	Messages      []string // messages of other viewers, the newest last
	Notes         []string // notes about the floor, oldest first
	OtherViewers  string   // text about the other viewers; "": none
	NotifyProblem string   // recipients that alerts cannot be sent to; "": none
	Notice        string   // text for the last line; "": none
	Keys          Keys
}

// Needs counts the live situations that no viewer has taken over.
type Needs struct{ Critical, Warning int }

// Keys holds the keys that banners mention.
type Keys struct{ Retry, Freeze, LastKnown key.Binding }

// Control is the state of the service that acts on the platform.
type Control struct {
	Configured bool   // there is such a service
	OK         bool   // it can act
	Text       string // its state in words
	Insecure   bool   // its certificate is not verified
}

// Site returns the name of the site.
func (m *Frame) Site() string {
	if m.Title == "" {
		return "Wallboard"
	}
	return m.Title
}
