package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/fixedpages"
	"wallboard/ui/frame"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
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

// appendSites returns specs with the page Sites, which shows all platforms, appended.
func appendSites(specs []panes.PageSpec) []panes.PageSpec {
	page := panes.PageSpec{Name: fixedpages.SitesName, Builtin: fixedpages.SitesName, Key: "f2"}
	for _, s := range specs {
		if strings.EqualFold(s.Name, page.Name) {
			page.Name = "All platforms"
		}
		if s.Key == page.Key {
			page.Key = ""
		}
	}
	return append(slices.Clone(specs), page)
}

// isSites reports whether a spec is that of the page Sites.
func isSites(s panes.PageSpec) bool { return s.Builtin == fixedpages.SitesName }

// onSites reports whether the current page is Sites, which does not belong to a single platform.
func (p *pages) onSites() bool { return isSites(p.specs[p.current]) && p.topDetail() == nil }

// indexOf returns the index of a board, or -1.
func (p *platforms) indexOf(board *Model) int { return slices.Index(p.boards, board) }

// siteRows returns a row for each platform on the page Sites, with the figures of a channel. front
// is the scene of the board on the screen.
func (p *platforms) siteRows(channel model.Channel, front *scene) []fixedpages.PlatformRow {
	if p == nil {
		return nil
	}
	out := make([]fixedpages.PlatformRow, len(p.boards))
	for i, b := range p.boards {
		out[i] = platformRow(b, &p.tallies[i], channel)
		out[i].Front = b.scene == front
	}
	return out
}

// platformRow returns the row of a platform on the page Sites.
func platformRow(b *Model, tally *model.Tally, channel model.Channel) fixedpages.PlatformRow {
	sc := b.scene
	view := &sc.floor
	link := frame.LinkBadge(sc.look, view)
	l := fixedpages.PlatformRow{Name: sc.Title, StateText: link.Text, StateToken: textToken(link.Token), Now: view.ToServerTime(view.LocalNow), OnTarget: true}
	if !view.LastData.IsZero() {
		l.HasData, l.DataAge = true, max(view.LocalNow.Sub(view.LastData), 0)
	}
	if present := sc.alerts.Alarms().PresentSituations; present != nil {
		l.Situations = slices.Clone(present.Live)
		slices.SortStableFunc(l.Situations, func(a, b situation.Situation) int {
			return cmp.Or(takenOverRank(&a)-takenOverRank(&b), cmp.Compare(b.Level, a.Level))
		})
	}
	if view.Newest == nil {
		return l
	}
	l.Outdated = view.IsBlanked(model.OpServices, model.OpUserStats)
	f := tally.Floor(view.Newest, channel)
	l.SetFigures(&f, sc.Alerts.Goal(""))
	return l
}

// takenOverRank returns 1 for a situation that is taken over and 0 for another one, for sorting.
func takenOverRank(s *situation.Situation) int {
	if (s.Ack == alert.Ack{}) {
		return 0
	}
	return 1
}

// textToken returns the token for text in the color of a badge.
func textToken(badge themes.Token) themes.Token {
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
			sc.requests.Add(fixedpages.OpenPlatformMsg{Platform: i})
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
		other.Context, other.Heartbeat, other.paced, other.OtherPlatforms = o.Context, o.Heartbeat, o.paced, []Options{*o}
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
	return v.switchTo(fixedpages.OpenPlatformMsg{Platform: p.rotation.ShownIndex()})
}

// switchTo shows the board of a platform. The theme that the viewer has chosen and the current page
// stay the same. A replay ends.
func (v *Viewer) switchTo(to fixedpages.OpenPlatformMsg) tea.Cmd {
	p := v.platforms
	if p == nil || to.Platform < 0 || to.Platform >= len(p.boards) {
		return nil
	}
	var cmds []tea.Cmd
	if v.replay != nil { // the other platform has another recording
		cmds = append(cmds, v.endReplay())
	}
	previous, next := v.live, p.boards[to.Platform]
	previous.filter.end()
	previous.hidden, next.hidden = true, false
	v.forwardedNotice[previous] = previous.notice.ID // the viewer has already seen this notice
	v.live, v.pendingRewind = next, nil
	if look := previous.scene.look; look.NamedTheme && look.Theme.Name != next.scene.look.Theme.Name {
		next.themer.selectTheme(look.Theme.Name)
		next.restyle()
	}
	switch page, ok := next.pages.pageNamed(previous.pages.pageName(previous.pages.current)); {
	case p.rotation != nil: // the rotation has selected the page
	case to.Subject != nil:
		next.openSubject(*to.Subject)
	case to.FirstPage:
		next.pages.showPage(0)
	case ok && page != next.pages.current:
		next.pages.showPage(page)
	}
	next.invalidate()
	return tea.Batch(append(cmds, v.sendLive(next, nil))...)
}

// switchToNext shows the board of the next platform, after the last one that of the first.
func (v *Viewer) switchToNext() tea.Cmd {
	if v.platforms == nil {
		return nil
	}
	return v.switchTo(fixedpages.OpenPlatformMsg{Platform: (v.platforms.indexOf(v.live) + 1) % len(v.platforms.boards)})
}
