package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/look"
)

// A banner is what must not be overlooked. It stands between the tabs and the
// page, on as many lines as it needs, but no more than these: the feed's page has
// every reason in full.
const (
	bannerLines      = 3
	bannerLinesSmall = 2 // on a screen below bannerRoom
	bannerRoom       = 26
)

// banners returns the lines of all banners.
func (m *Model) banners(w int) []string {
	sc := m.scene
	h := sc.floor.Health()
	dot := " " + sc.look.Glyphs.Dot + " "
	var out []string
	if m.problem != "" {
		out = append(out, m.banner(w, themes.BadgeWarn, sc.look.Glyphs.Broken+" "+sc.public(m.problem))...)
	}
	if sc.Trouble != nil {
		if text := sc.Trouble(); text != "" {
			out = append(out, m.banner(w, themes.BadgeWarn, sc.look.Glyphs.Broken+" "+sc.public(text))...)
		}
	}
	if h.Server.Unwell() && sc.floor.LinkUp() {
		out = append(out, m.banner(w, themes.BadgeCritical, sc.look.Glyphs.Broken+" The platform says that it is not well: "+
			h.Server.Status.String())...)
	}
	if h.Notice != "" && sc.floor.LinkUp() {
		out = append(out, m.banner(w, themes.BadgeCritical, sc.look.Glyphs.Broken+" "+h.Notice)...)
	}
	switch d := m.pageDoubt(); {
	case d.Stale:
		out = append(out, m.banner(w, themes.BadgeCritical, sc.floor.StaleWord(sc.look, d)+dot+m.remedy()+m.blankHint()+d.Words(sc.look))...)
	case d.Part:
		out = append(out, m.banner(w, themes.BadgeWarn, "PARTLY KNOWN"+dot+d.Words(sc.look))...)
	case d.Any():
		out = append(out, m.banner(w, themes.BadgeWarn, "UNVERIFIED"+dot+d.Words(sc.look))...)
	}
	if !sc.floor.Frozen.IsZero() {
		out = append(out, m.banner(w, themes.BadgeWarn, "FROZEN "+sc.floor.Age(sc.look, sc.floor.Frozen)+dot+
			"the picture stands still, data go on; "+m.keys.Freeze.Help().Key+" thaws it")...)
	}
	return out
}

// blankHint says where the figures have gone, and how they are seen again.
func (m *Model) blankHint() string {
	if m.scene.wall != nil || !m.scene.floor.Blanked(m.pages.page().Subs()...) {
		return ""
	}
	return m.keys.Last.Help().Key + " shows the last figures " + m.scene.look.Glyphs.Dot + " "
}

// banner wraps a text into lines of w cells.
func (m *Model) banner(w int, token themes.Token, text string) []string {
	sc := m.scene
	st := sc.look.Style(token)
	most := bannerLines
	if m.height < bannerRoom {
		most = bannerLinesSmall
	}
	lines := strings.Split(ansi.Wrap(oneLine(text), w-2, ""), "\n")
	if len(lines) > most {
		lines[most-1] = strings.Join(lines[most-1:], " ") // cut below, where it is seen
		lines = lines[:most]
	}
	for i, t := range lines {
		l := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(st, 1)
		lines[i] = l.Add(st, look.Cut(t, w-2, sc.look.Glyphs.Ellipsis)).End(st)
	}
	return lines
}

// remedy says when the connection is tried next, and which key does so now. It
// comes before the reason: the feed's page has that in full, but not the key.
func (m *Model) remedy() string {
	sc := m.scene
	l := &sc.floor.Health().Link
	if l.State != model.LinkBackoff && l.State != model.LinkRefused {
		return ""
	}
	var parts []string
	if next := sc.floor.NextTry(sc.look, l); next != "" {
		parts = append(parts, next)
	}
	if k := m.keys.Retry; k.Enabled() {
		parts = append(parts, k.Help().Key+" tries now")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " " + sc.look.Glyphs.Dot + " "
}
