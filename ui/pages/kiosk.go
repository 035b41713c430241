package pages

import (
	"wallboard/model"
	"wallboard/ui/kiosk"
)

// KioskPages gives a kiosk access to the pages of its board. It implements [kiosk.Pages].
type KioskPages struct{ Pages *Set }

var _ kiosk.Pages = KioskPages{}

// Len implements [kiosk.Pages].
func (t KioskPages) Len() int { return len(t.Pages.specs) }

// Current implements [kiosk.Pages].
func (t KioskPages) Current() int { return int(t.Pages.Current) }

// Name implements [kiosk.Pages].
func (t KioskPages) Name(page int) string { return t.Pages.names[page] }

// Title implements [kiosk.Pages].
func (t KioskPages) Title(page int) string { return t.Pages.title(ID(page)) }

// FindPage implements [kiosk.Pages].
func (t KioskPages) FindPage(name string) (int, bool) {
	p, ok := t.Pages.FindPage(name)
	return int(p), ok
}

// IsStandard implements [kiosk.Pages].
func (t KioskPages) IsStandard(page int, standard string) bool {
	spec := t.Pages.specs[page]
	s, ok := FindStandard(standard)
	return ok && IsStandard(spec, s) || standard == SitesName && IsSites(spec)
}

// Subscriptions implements [kiosk.Pages].
func (t KioskPages) Subscriptions(page int) []model.Op { return t.Pages.Page(ID(page)).Subscriptions() }

// ShowTop implements [kiosk.Pages].
func (t KioskPages) ShowTop(page int) { t.Pages.Current, t.Pages.details[page] = ID(page), nil }
