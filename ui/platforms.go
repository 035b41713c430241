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
	"wallboard/ui/plots"
)

// platforms holds the boards of a viewer with several platforms. It is nil for a viewer with a
// single platform.
type platforms struct {
	boards   []*Model                // in the order of the configuration
	tallies  []model.FloorTally      // cached figures of each floor, in the order of boards
	rotation *kiosk.PlatformRotation // kiosk only; nil on interactive boards
}

// nextPlatformMsg makes the Viewer show the board of the next platform.
type nextPlatformMsg struct{}

// indexOf returns the index of a board, or -1.
func (p *platforms) indexOf(board *Model) int { return slices.Index(p.boards, board) }

// siteRows returns the rows of the page Sites, one for each platform, with the figures of a
// channel. front is the scene of the board on the screen.
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
		out[i].Front, out[i].Charts = sc == front, func() *plots.Source { return sc.paneScene().Charts() }
	}
	return out
}

// otherPlatforms returns the platforms to which the viewer can switch from a board. It returns nil
// during a replay.
func (sc *scene) otherPlatforms(board *Model) []frame.Platform {
	if sc.floor.Replay {
		return nil
	}
	return sc.platforms.others(board)
}

// others returns all platforms except that of the given board. The header of this board shows them.
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
