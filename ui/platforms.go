package ui

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
)

// platforms holds the live floors of a board with several platforms. A board with a single platform
// has a nil *platforms.
type platforms struct {
	floors   []*floorState           // in the order of the configuration
	tallies  []model.FloorTally      // cached figures of each floor, in the order of floors
	rotation *kiosk.PlatformRotation // kiosk only; nil on interactive boards
}

// nextPlatformMsg makes the board show the next platform.
type nextPlatformMsg struct{}

// siteRows returns the rows of the page Sites, one for each platform, with the figures of a
// channel. front is the scene of the floor on the screen. With a single platform, siteRows returns
// nil.
func (p *platforms) siteRows(channel model.Channel, front *scene) []pages.PlatformRow {
	if p == nil {
		return nil
	}
	out := make([]pages.PlatformRow, len(p.floors))
	for i, f := range p.floors {
		sc := f.scene
		platform := pages.Platform{
			Name: sc.Title, Look: sc.look, Floor: &sc.floor, Situations: sc.alerts.Alarms().PresentSituations,
			Goal: func() alert.Goal { return sc.Alerts.Goal("") },
		}
		out[i] = platform.Row(&p.tallies[i], channel)
		out[i].IsFront, out[i].Scene = sc == front, func() *panes.Scene { return sc.liveScene(channel) }
	}
	return out
}

// liveScene returns a scene with the newest snapshot and the figures of a channel, even while the
// screen is frozen. It has no kiosk, because it is for parts of a page that must not scroll.
func (sc *scene) liveScene(channel model.Channel) *panes.Scene {
	s, floor := sc.paneScene(), sc.floor.OnChannel(channel)
	floor.Shown, floor.FrozenAt = floor.Newest, time.Time{}
	s.Floor, s.Wall = &floor, nil
	s.Alarms.Situations, s.Alarms.ShownAlerts = s.Alarms.PresentSituations, s.Alarms.CurrentAlerts
	return s
}

// otherPlatforms returns the platforms that the viewer can switch to from the floor of the scene.
// It returns nil during a replay.
func (sc *scene) otherPlatforms() []frame.Platform {
	if sc.floor.Replay {
		return nil
	}
	return sc.platforms.otherPlatforms(sc)
}

// otherPlatforms returns all platforms except that of a scene, for the header.
func (p *platforms) otherPlatforms(shown *scene) []frame.Platform {
	if p == nil {
		return nil
	}
	var out []frame.Platform
	for i, f := range p.floors {
		if f.scene.Title == shown.Title {
			continue
		}
		platform := frame.Platform{Name: f.scene.Title, Index: i, ConnectionBadge: frame.ConnectionBadge(shown.look, &f.scene.floor)}
		platform.OpenSituations.Critical, platform.OpenSituations.Warning = f.scene.alerts.Alarms().PresentSituations.Counts()
		out = append(out, platform)
	}
	return out
}

// commands returns the palette commands for switching platforms. sc is the scene of the floor on
// the screen.
func (p *platforms) commands(next *key.Binding, sc *scene) []dialog.Command {
	if p == nil {
		return nil
	}
	var out []dialog.Command
	for i, f := range p.floors {
		c := dialog.Command{Name: sc.translate(words.BoardCommandPlatform(strings.ToLower(f.scene.Title))), Keywords: sc.translate(words.BoardKeywordsPlatform()), Run: func() tea.Cmd {
			sc.requests.Add(pages.OpenPlatformMsg{Platform: i})
			return nil
		}}
		if f.scene.Title != sc.Title && len(p.floors) == 2 {
			c.Key = next.Help().Key
		}
		out = append(out, c)
	}
	return out
}

// newPlatforms returns the platforms of a board: its first floor, and a new floor for each of the
// other platforms in its options. It returns nil if there are no other platforms.
func newPlatforms(first *floorState) *platforms {
	o := first.scene.Options
	if len(o.OtherPlatforms) == 0 {
		return nil
	}
	p := &platforms{floors: []*floorState{first}}
	for _, other := range o.OtherPlatforms {
		other.Context, other.Process.Heartbeat, other.Display.frameDriven, other.OtherPlatforms = o.Context, o.Process.Heartbeat, o.Display.frameDriven, []Options{*o}
		p.floors = append(p.floors, first.board.addFloor(other))
	}
	p.tallies = make([]model.FloorTally, len(p.floors))
	var walls []*kiosk.Kiosk
	var names []string
	for _, f := range p.floors {
		f.scene.platforms = p
		if w := f.scene.kiosk; w != nil {
			walls, names = append(walls, w), append(names, f.scene.Title)
		}
	}
	if len(walls) == len(p.floors) {
		p.rotation = kiosk.NewPlatformRotation(walls, names)
	}
	return p
}

// board returns the board of the platforms.
func (p *platforms) board() *Model { return p.floors[0].board }

// followRotation switches to the platform that the rotation of a kiosk has selected.
func (p *platforms) followRotation() {
	if p != nil && p.rotation != nil && p.floors[p.rotation.ShownIndex()] != p.board().liveFloor {
		p.switchTo(pages.OpenPlatformMsg{Platform: p.rotation.ShownIndex()})
	}
}

// switchTo shows the platform to.Platform and ends the replay. It keeps the page, unless to
// requests another page or subject. It does nothing if there is no such platform.
func (p *platforms) switchTo(to pages.OpenPlatformMsg) {
	if p == nil || to.Platform < 0 || to.Platform >= len(p.floors) {
		return
	}
	m := p.board()
	if m.isReplaying() { // the recording belongs to the previous platform
		m.rewinder.end()
	}
	previous := m.liveFloor
	m.liveFloor, m.rewinder.pending = p.floors[to.Platform], nil
	m.show(m.liveFloor)
	switch page, ok := m.shownFloor.pages.FindPage(previous.pages.NameOf(previous.pages.Current)); {
	case p.rotation != nil: // the rotation has selected the page
	case to.Subject != nil:
		m.shownFloor.openSubject(*to.Subject)
	case to.OpensFirstPage:
		m.shownFloor.pages.Show(0)
	case ok && page != m.shownFloor.pages.Current:
		m.shownFloor.pages.Show(page)
	}
	if p.rotation == nil && to.Subject == nil {
		m.shownFloor.alertHandler.focusAfterEnter(noPage)
	}
}

// switchToNext shows the next platform. After the last platform, it shows the first platform.
func (p *platforms) switchToNext() {
	if p != nil {
		p.switchTo(pages.OpenPlatformMsg{Platform: (slices.Index(p.floors, p.board().liveFloor) + 1) % len(p.floors)})
	}
}
