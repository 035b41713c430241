package fixedpages

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
)

// SitesName is the name of the page about all platforms.
const SitesName = "Sites"

// PlatformRow holds the data of one platform.
type PlatformRow struct {
	Name       string
	Front      bool          // its board is on the screen
	StateText  string        // state of its feed, as a glyph and a word
	StateToken themes.Token  // token of StateText
	DataAge    time.Duration // time since data last arrived
	HasData    bool          // data have arrived
	Now        time.Time     // on the platform's clock
	Outdated   bool          // its figures are too old to be shown

	Waiting, Ready, LoggedIn  model.Int
	LongestWait, ServiceLevel model.Figure
	OnTarget                  bool // the service level meets its target, or has none

	Situations []situation.Situation // current situations, the worst first
}

// SetFigures sets the figures of the platform from its floor. It sets OnTarget by the service level
// target in goal, and leaves it unchanged if the service level is unknown.
func (l *PlatformRow) SetFigures(f *model.Floor, goal alert.Goal) {
	figure := func(name string) model.Figure { return kpi.Named(name).FormFor(model.ScopeFloor).OfFloor(f, goal) }
	l.Waiting, l.Ready, l.LoggedIn = f.Calls.QueuedCalls, f.CountInStates(model.Ready), f.Logged()
	l.LongestWait, l.ServiceLevel = figure("longestWait"), figure("serviceLevel")
	if level, ok := l.ServiceLevel.Get(); ok {
		target, agreed := goal.Judged().ServiceLevel.Get()
		l.OnTarget = !agreed || level >= target
	}
}

// OpenPlatformMsg asks the board to open a platform.
type OpenPlatformMsg struct {
	Platform  int        // index of the platform
	Subject   *alert.Key // record to open; nil: none
	FirstPage bool       // open the first page, otherwise the page that the viewer left
}

// countNeeds returns the numbers of critical situations and of warnings that no viewer has taken
// over.
func (l *PlatformRow) countNeeds() (critical, warning int) {
	for i := range l.Situations {
		switch s := &l.Situations[i]; {
		case s.Ack != alert.Ack{}:
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}
