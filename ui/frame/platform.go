package frame

import (
	"strconv"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// Platform is another platform that the viewer can switch to.
type Platform struct {
	Name            string
	Index           int   // index of the platform, which a click on its badge opens
	ConnectionBadge Badge // state of the feed of the platform
	OpenSituations  SituationCounts
}

// badge returns a badge with the name of the platform and its problems, or a check mark. A platform
// without problems has the badge with the lowest rank, so that it is dropped first.
func (p *Platform) badge(lk *style.Look) Badge {
	text, level := lk.AttentionCountsText(p.OpenSituations.Critical, p.OpenSituations.Warning)
	b := Badge{Token: themes.StatusBar, Text: p.Name, dropRank: 12, clickAction: ClickPlatform + strconv.Itoa(p.Index)}
	if p.ConnectionBadge.Token != themes.BadgeOK {
		b.Token, b.dropRank = p.ConnectionBadge.Token, 45
		b.Text += " " + p.ConnectionBadge.Text
	}
	if text != "" {
		b.Text += " " + text
		if b.dropRank = 45; b.Token == themes.StatusBar {
			b.Token = themes.BadgeWarn
		}
		if level == render.Critical {
			b.Token, b.dropRank = themes.BadgeCritical, 50
		}
	}
	if b.Token == themes.StatusBar {
		b.Text += " " + lk.Glyphs.Check
	}
	return b
}
