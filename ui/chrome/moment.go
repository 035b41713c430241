package chrome

import (
	"charm.land/bubbles/v2/key"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// Moment is what the lines around a page are drawn from.
type Moment struct {
	Look       *look.Look
	Floor      *floor.View
	Alerts     *render.Alerts  // what is wrong now, frozen picture or not; nil: nothing was judged yet
	Situations *situation.View // what is wrong now; nil before the first look
	Needs      Needs           // how much needs a person now, frozen picture or not
	Platforms  []Platform      // that the viewer can go to
	Silences   []alert.Quiet   // that are in force, the first to end first
	Subs       []model.Op      // whose figures the page shows

	Width, Height int // of the screen
	Title         string
	Zone          string // what the time zone is called that times are told in, where that is not the machine's
	Wall          bool   // nobody operates the board
	Insecure      bool   // a certificate is not verified, whatever the feed says
	Control       Control
	Problem       string   // why a changed configuration is not used; "": none
	Said          []string // what others say, the newest last
	Others        string   // who else looks; "": nobody
	Trouble       string   // who cannot be told about alerts; "": nobody
	Notice        string   // what there is to say in the last line; "": nothing
	Keys          Keys
}

// Needs is how many situations go on that nobody has taken over.
type Needs struct{ Critical, Warning int }

// Keys are those that banners name.
type Keys struct{ Retry, Freeze, Last key.Binding }

// Control is the state of the service that acts on the platform.
type Control struct {
	Some     bool   // there is one
	OK       bool   // it can act
	Text     string // its state in words
	Insecure bool   // its certificate is not verified
}

// Site is the name of the site.
func (m *Moment) Site() string {
	if m.Title == "" {
		return "Wallboard"
	}
	return m.Title
}
