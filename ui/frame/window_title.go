package frame

import (
	"cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// WindowTitle returns the title of the terminal's window: the name of the site. While critical
// situations need action, it begins with their number and the name of the first one. mask masks the
// names that the viewer may not see.
func WindowTitle(lk *style.Look, site string, v *situation.View, mask func(string) string) string {
	critical, _ := v.Counts()
	if critical == 0 {
		return site
	}
	first := ""
	if v.Live[0].Level == alert.Critical && v.Live[0].NeedsAction() {
		first = " " + v.Live[0].Place.Title
	}
	title := lk.FormatCount(critical) + first + " – " + cmp.Or(site, "wallboard")
	title = render.Critical.Glyph(lk.ASCII) + " " + mask(model.CleanText(title, model.MaxName))
	return textformat.ToASCII(title, lk.ASCII)
}
