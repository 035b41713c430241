package pages

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// SitesName is the name of the page about all platforms.
const SitesName = "Sites"

// PlatformRow holds the data of a platform that the page Sites shows.
type PlatformRow struct {
	Name       string
	IsFront    bool          // the platform's board is on the screen
	StateText  string        // state of the feed, as a glyph and a word
	StateToken themes.Token  // color of StateText
	DataAge    time.Duration // time since the last data arrived
	HasData    bool          // data of the platform has arrived
	IsLive     bool          // the data are live, or polled as intended
	Now        time.Time     // time on the platform's clock
	Outdated   bool          // the figures are too old to be shown

	Waiting, Ready, Talking, LoggedIn, Received model.Int
	LongestWait, ServiceLevel, Abandoned        model.Figure
	OnTarget                                    bool // the service level meets its target, or has no target

	Situations []situation.Situation // current situations, those not taken over first, and the worst first among equals
	View       *situation.View       // complete view of the situations; nil before the first evaluation
	Scene      func() *panes.Scene   // scene of the platform's floor; nil: no charts and no services

	floor   *model.Floor // sums of the floor; nil without data
	targets *alert.Goal  // targets of the floor; nil without data
}

// SetFigures sets the figures of the platform to those of its floor. If the service level is known,
// it also sets OnTarget by comparing the service level with the target in goal.
func (l *PlatformRow) SetFigures(f *model.Floor, goal alert.Goal) {
	figure := func(name string) model.Figure {
		return kpi.FigureNamed(name).FormFor(model.ScopeFloor).FloorValue(f, goal)
	}
	l.floor, l.targets = f, &goal
	l.Waiting, l.Received = f.Calls.QueuedCalls, f.Calls.ReceivedCalls
	l.Ready, l.Talking, l.LoggedIn = f.CountInStates(model.Ready), f.CountInStates(model.Busy), f.LoggedIn()
	l.LongestWait, l.ServiceLevel, l.Abandoned = figure("longestWait"), figure("serviceLevel"), figure("abandonRate")
	if level, ok := l.ServiceLevel.Get(); ok {
		target, agreed := goal.WithTolerance().ServiceLevel.Get()
		l.OnTarget = !agreed || level >= target
	}
}

// urgency returns a number that is larger for platforms that need action more urgently.
func (l *PlatformRow) urgency() int {
	critical, warning := l.countOpenSituations()
	return critical*1000 + warning
}

// OpenPlatformMsg asks the board to open a platform.
type OpenPlatformMsg struct {
	Platform       int        // index of the platform
	Subject        *alert.Key // record to open; nil: none
	OpensFirstPage bool       // open the first page instead of the page that the viewer left
}

// countOpenSituations returns the numbers of critical situations and of warnings that no viewer has taken
// over.
func (l *PlatformRow) countOpenSituations() (critical, warning int) {
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

// Platform holds the data of a platform's board from which [Platform.Row] makes the row on the page
// Sites.
type Platform struct {
	Name       string
	Look       *style.Look
	Floor      *floorview.View
	Situations *situation.View // present situations; nil before the first evaluation
	Goal       func() alert.Goal
}

// Row returns the row of the platform, with the figures of a channel. tally caches the figures of
// the floor. The fields IsFront and Scene of the row are not set.
func (p *Platform) Row(tally *model.FloorTally, channel model.Channel) PlatformRow {
	view := p.Floor
	link := frame.ConnectionBadge(p.Look, view)
	l := PlatformRow{Name: p.Name, StateText: link.Text, StateToken: textTokenOf(link.Token), Now: view.ToServerTime(view.LocalNow), IsLive: view.Health().Live(), OnTarget: true}
	if !view.LastData.IsZero() {
		l.HasData, l.DataAge = true, max(view.LocalNow.Sub(view.LastData), 0)
	}
	if p.Situations != nil {
		l.View, l.Situations = p.Situations, slices.Clone(p.Situations.Live)
		slices.SortStableFunc(l.Situations, func(a, b situation.Situation) int {
			return cmp.Or(takeOverRank(&a)-takeOverRank(&b), cmp.Compare(b.Level, a.Level))
		})
	}
	if view.Newest == nil {
		return l
	}
	l.Outdated = view.IsBlanked(model.OpServices, model.OpUserStats)
	f := tally.Floor(view.Newest, channel)
	l.SetFigures(&f, p.Goal())
	return l
}

// takeOverRank returns the rank of a situation for sorting: 1 if a viewer has taken the situation
// over, otherwise 0.
func takeOverRank(s *situation.Situation) int {
	if (s.Ack == alert.Ack{}) {
		return 0
	}
	return 1
}

// textTokenOf returns the text token with the same color as the badge token.
func textTokenOf(badge themes.Token) themes.Token {
	switch badge { //nolint:exhaustive // other tokens are no states
	case themes.BadgeOK:
		return themes.OK
	case themes.BadgeWarn:
		return themes.Warn
	case themes.BadgeCritical:
		return themes.Critical
	}
	return themes.Text
}
