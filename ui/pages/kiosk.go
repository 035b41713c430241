package pages

import (
	"wallboard/model"
	"wallboard/ui/kiosk"
)

// ForKiosk gives a kiosk access to the pages of its board. It implements [kiosk.Pages].
type ForKiosk struct{ Pages *Set }

var _ kiosk.Pages = ForKiosk{}

// Len implements [kiosk.Pages].
func (t ForKiosk) Len() int { return len(t.Pages.specs) }

// Current implements [kiosk.Pages].
func (t ForKiosk) Current() int { return int(t.Pages.Current) }

// Name implements [kiosk.Pages].
func (t ForKiosk) Name(page int) string { return t.Pages.names[page] }

// FindPage implements [kiosk.Pages].
func (t ForKiosk) FindPage(name string) (int, bool) {
	p, ok := t.Pages.FindPage(name)
	return int(p), ok
}

// IsStandard implements [kiosk.Pages].
func (t ForKiosk) IsStandard(page int, standard string) bool {
	spec := t.Pages.specs[page]
	s, ok := Standard(standard)
	return ok && IsStandard(spec, s) || standard == SitesName && IsSites(spec)
}

// Subs implements [kiosk.Pages].
func (t ForKiosk) Subs(page int) []model.Op { return t.Pages.Page(ID(page)).Subs() }

// ShowTop implements [kiosk.Pages].
func (t ForKiosk) ShowTop(page int) { t.Pages.Current, t.Pages.details[page] = ID(page), nil }
