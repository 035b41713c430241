package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
)

// platforms holds the boards of a viewer with several platforms. It is nil if the viewer has only
// one platform.
type platforms struct {
	boards   []*Model                // in the order of the configuration
	tallies  []model.Tally           // cached figures of the floor, by board
	rotation *kiosk.PlatformRotation // kiosk only; nil on interactive boards
}

// nextPlatformMsg makes the Viewer show the board of the next platform.
type nextPlatformMsg struct{}

// indexOf returns the index of a board, or -1.
func (p *platforms) indexOf(board *Model) int { return slices.Index(p.boards, board) }

// siteRows returns a row for each platform on the page Sites, with the figures of a channel. front
// is the scene of the board on the screen.
func (p *platforms) siteRows(channel model.Channel, front *scene) []pages.PlatformRow {
	if p == nil {
		return nil
	}
	out := make([]pages.PlatformRow, len(p.boards))
	for i, b := range p.boards {
		sc := b.scene
		platform := pages.Platform{
			Name: sc.Title, Look: sc.look, Floor: &sc.floor, Situations: sc.alerts.Alarms().PresentSituations,
			Goal: func() alert.Goal { return sc.Alerts.Goal("") },
		}
		out[i] = platform.Row(&p.tallies[i], channel)
		out[i].Front = sc == front
	}
	return out
}

// otherPlatforms returns the platforms that the viewer can switch to from a board, or nil during a
// replay.
func (sc *scene) otherPlatforms(board *Model) []frame.Platform {
	if sc.floor.Replay {
		return nil
	}
	return sc.platforms.others(board)
}

// others returns the platforms of all boards except the given one, for its header.
func (p *platforms) others(board *Model) []frame.Platform {
	if p == nil {
		return nil
	}
	var out []frame.Platform
	for _, b := range p.boards {
		if b.scene.Title == board.scene.Title {
			continue
		}
		platform := frame.Platform{Name: b.scene.Title, Link: frame.LinkBadge(board.scene.look, &b.scene.floor)}
		platform.OpenSituations.Critical, platform.OpenSituations.Warning = b.scene.alerts.Alarms().PresentSituations.Counts()
		out = append(out, platform)
	}
	return out
}

// commands returns the palette's commands for switching platforms. sc is the scene of the board
// that shows the palette.
func (p *platforms) commands(next *key.Binding, sc *scene) []dialog.Command {
	if p == nil {
		return nil
	}
	var out []dialog.Command
	for i, b := range p.boards {
		c := dialog.Command{Name: "platform " + strings.ToLower(b.scene.Title), Keywords: "site switch", Run: func() tea.Cmd {
			sc.requests.Add(pages.OpenPlatformMsg{Platform: i})
			return nil
		}}
		if b.scene.Title != sc.Title && len(p.boards) == 2 {
			c.Key = next.Help().Key
		}
		out = append(out, c)
	}
	return out
}

// newPlatforms creates a board for each of o.OtherPlatforms. first is the board for o itself. It
// returns nil if there are no other platforms.
func newPlatforms(first *Model, o *Options) *platforms {
	if len(o.OtherPlatforms) == 0 {
		return nil
	}
	p := &platforms{boards: []*Model{first}}
	for _, other := range o.OtherPlatforms {
		other.Context, other.Process.Heartbeat, other.Display.paced, other.OtherPlatforms = o.Context, o.Process.Heartbeat, o.Display.paced, []Options{*o}
		p.boards = append(p.boards, New(other))
	}
	p.tallies = make([]model.Tally, len(p.boards))
	var walls []*kiosk.Kiosk
	var names []string
	for _, b := range p.boards {
		b.scene.platforms = p
		b.hidden = b != first
		if w := b.scene.kiosk; w != nil {
			walls, names = append(walls, w), append(names, b.scene.Title)
		}
	}
	if len(walls) == len(p.boards) {
		p.rotation = kiosk.NewPlatformRotation(walls, names)
	}
	return p
}

// followRotation switches to the platform that the rotation of a kiosk has selected.
func (v *Viewer) followRotation() tea.Cmd {
	p := v.platforms
	if p == nil || p.rotation == nil || p.boards[p.rotation.ShownIndex()] == v.live {
		return nil
	}
	return v.switchTo(pages.OpenPlatformMsg{Platform: p.rotation.ShownIndex()})
}

// switchTo shows the board of a platform. The theme that the viewer has chosen and the current page
// stay the same. A replay ends.
func (v *Viewer) switchTo(to pages.OpenPlatformMsg) tea.Cmd {
	p := v.platforms
	if p == nil || to.Platform < 0 || to.Platform >= len(p.boards) {
		return nil
	}
	var cmds []tea.Cmd
	if v.replay != nil { // the other platform has another recording
		cmds = append(cmds, v.endReplay())
	}
	previous, next := v.live, p.boards[to.Platform]
	previous.filter.End()
	previous.hidden, next.hidden = true, false
	v.forwardedNotice[previous] = previous.notice.ID // the viewer has already seen this notice
	v.live, v.pendingRewind = next, nil
	if look := previous.scene.look; look.NamedTheme && look.Theme.Name != next.scene.look.Theme.Name {
		next.selectTheme(look.Theme.Name)
	}
	switch page, ok := next.pages.Named(previous.pages.NameOf(previous.pages.Current)); {
	case p.rotation != nil: // the rotation has selected the page
	case to.Subject != nil:
		next.openSubject(*to.Subject)
	case to.FirstPage:
		next.pages.Show(0)
	case ok && page != next.pages.Current:
		next.pages.Show(page)
	}
	next.invalidate()
	return tea.Batch(append(cmds, v.sendLive(next, nil))...)
}

// switchToNext shows the board of the next platform, after the last one that of the first.
func (v *Viewer) switchToNext() tea.Cmd {
	if v.platforms == nil {
		return nil
	}
	return v.switchTo(pages.OpenPlatformMsg{Platform: (v.platforms.indexOf(v.live) + 1) % len(v.platforms.boards)})
}
