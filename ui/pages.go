package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/chrome"
	"wallboard/ui/floor"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/palette"
	"wallboard/ui/panes"
	"wallboard/ui/sites"
)

// pages are the pages of a board: which there are, which one is shown, and what was
// opened from each of them.
type pages struct {
	specs   []panes.PageSpec  // what they are, in the order of their tabs
	made    []panes.Page      // nil: it was not looked at yet
	opened  [][]*panes.Detail // what was drilled down to from each page
	names   []string
	keys    []string // the key that goes to each page; "": none
	current pageID
	came    origin
	before  model.Channel // that of the board before its viewer turned to others; "": it is the same

	floor  *floor.View                     // whose channel they show
	fresh  func(panes.PageSpec) panes.Page // makes a page
	turn   *panes.Turn                     // goes to another table of what was opened
	direct *key.Binding                    // has the keys of all pages
}

// set has the pages be those of specs. Which one is shown is up to the caller.
func (p *pages) set(specs []panes.PageSpec) {
	p.specs = specs
	p.made = make([]panes.Page, len(specs))
	p.opened = make([][]*panes.Detail, len(specs))
	p.names = namesOf(specs)
	p.keys = keysOf(specs)
	p.direct.SetKeys(slices.DeleteFunc(slices.Clone(p.keys), func(k string) bool { return k == "" })...)
}

// at returns a page, which is made when somebody first looks at it: of hundreds of
// boards most show one.
func (p *pages) at(i pageID) panes.Page {
	if p.made[i] == nil {
		p.made[i] = p.fresh(p.specs[i])
	}
	return p.made[i]
}

// reset makes the pages again, where their columns or signs are others, with the
// viewer in the same places. A history page stays as it is where it shows the same
// history.
func (p *pages) reset(sc *panes.Scene, specs []panes.PageSpec, sameHistory bool) {
	before := *p
	p.set(specs)
	p.came.jumped = false // the pages are others
	for i, spec := range specs {
		was := slices.IndexFunc(before.specs, func(s panes.PageSpec) bool { return s.Name == spec.Name })
		if was < 0 {
			continue
		}
		if sameHistory && isStandard(spec, pageHistory) && isStandard(before.specs[was], pageHistory) {
			p.made[i] = before.made[was]
			continue
		}
		p.follow(sc, &before, i, was)
	}
	p.current, _ = p.named(before.name(before.current)) // the first page, where it is gone
}

// follow has a page begin where the viewer is on another board's.
func (p *pages) follow(sc *panes.Scene, other *pages, i, was int) {
	if other.made[was] != nil {
		p.at(pageID(i)).Carry(sc, other.made[was])
	}
	for _, d := range other.opened[was] {
		fresh := panes.NewDetail(sc, p.turn, d.Kind, d.Key)
		fresh.Carry(sc, d)
		p.opened[i] = append(p.opened[i], fresh)
	}
}

// carry has all pages begin where the viewer is on another board of the same pages. A
// history is not carried: it asks for itself.
func (p *pages) carry(sc *panes.Scene, other *pages) {
	for i := range p.made {
		if !isStandard(p.specs[i], pageHistory) {
			p.follow(sc, other, i, i)
		}
	}
	p.current = other.current
}

// restyle redraws everything in the scene's theme.
func (p *pages) restyle(sc *panes.Scene) {
	for i, one := range p.made {
		if one != nil {
			one.Restyle(sc)
		}
		for _, d := range p.opened[i] {
			d.Restyle(sc)
		}
	}
}

// page returns what is shown: the last thing drilled down to, or the page itself.
func (p *pages) page() panes.Page {
	if d := p.detail(); d != nil {
		return d
	}
	return p.at(p.current)
}

// detail returns the last thing drilled down to, nil if there is none.
func (p *pages) detail() *panes.Detail {
	if s := p.opened[p.current]; len(s) > 0 {
		return s[len(s)-1]
	}
	return nil
}

// name is the name of a page.
func (p *pages) name(of pageID) string { return p.names[of] }

// tabs are the pages as the line of tabs shows them.
func (p *pages) tabs() chrome.Tabs {
	first, _ := p.standard(pageSituations)
	return chrome.Tabs{Names: p.names, Keys: p.keys, Current: int(p.current), First: int(first)}
}

// place is the way from the page to what was opened from it, and the viewer's place
// in the rows of that.
func (p *pages) place(sc *panes.Scene) chrome.Place {
	way := p.at(p.current).Crumb(sc)
	for _, d := range p.opened[p.current] {
		way += " " + sc.Look.Glyphs.Crumb + " " + d.Crumb(sc)
	}
	return chrome.Place{Way: way, At: p.page().Status(sc)}
}

// ofKey returns the page that a key goes to, -1 for none.
func (p *pages) ofKey(pressed string) pageID { return pageID(slices.Index(p.keys, pressed)) }

// named returns the page with a name, whatever its case.
func (p *pages) named(name string) (pageID, bool) {
	at := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return strings.EqualFold(s.Name, name) })
	if was, old := formerly[strings.ToLower(name)]; at < 0 && old {
		return p.standard(was)
	}
	return pageID(max(at, 0)), at >= 0
}

// standard returns the place of a standard page.
func (p *pages) standard(page pageID) (pageID, bool) {
	at := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return isStandard(s, page) })
	return pageID(max(at, 0)), at >= 0
}

// lists is what a viewer calls the page that a standard one has become: by its key,
// or by its name.
func (p *pages) lists(page pageID) string {
	at, _ := p.standard(page)
	if key := p.keys[at]; key != "" {
		return "page " + key
	}
	return "page " + p.names[at]
}

// beside returns the page by places after the present one, round and round.
func (p *pages) beside(by int) pageID {
	n := len(p.specs)
	return pageID((int(p.current) + by + n) % n)
}

// show goes to a page. Going to the page one is on leads back to its top.
func (p *pages) show(page pageID) {
	if page < 0 || int(page) >= len(p.specs) {
		return
	}
	p.leave()
	for i, d := range p.opened[p.current] {
		if p.returns(d) { // what is open in it is of that channel as well
			p.opened[p.current] = p.opened[p.current][:i]
			break
		}
	}
	if page == p.current {
		p.opened[page] = nil
	}
	p.current = page
}

// returns goes back to the channel that the board was on before something was
// opened on another one, and reports whether it was.
func (p *pages) returns(d *panes.Detail) bool {
	if d.From == "" {
		return false
	}
	p.floor.Choose(d.From)
	return true
}

// showStandard goes to a standard page, or to the first where it is not among
// the pages.
func (p *pages) showStandard(page pageID) {
	at, _ := p.standard(page)
	p.show(at)
}

// back closes what was opened last; where nothing was, it goes back to the channel that the
// viewer turned away from.
func (p *pages) back() {
	switch s := p.opened[p.current]; {
	case len(s) > 0:
		p.opened[p.current] = s[:len(s)-1]
		p.returns(s[len(s)-1])
	case p.came.jumped:
		to := p.came.page
		p.leave()
		p.current = to
	case p.before != "":
		p.floor.Choose(p.before)
		p.before = ""
	}
}

// origin is where the viewer was before a row led them to another page.
type origin struct {
	jumped bool
	page   pageID
	on     model.Channel // the channel that the board was on; "": still the same, or the viewer has chosen since
}

// jump leads to a standard page on a channel, "" for the present one. Esc leads back.
func (p *pages) jump(to pageID, on model.Channel) {
	from := origin{jumped: true, page: p.current}
	p.leave()
	at, _ := p.standard(to)
	if on != "" && on != p.floor.Channel {
		from.on = p.floor.Channel
		p.floor.Choose(on)
	}
	p.current, p.opened[at] = at, nil
	if at != from.page || from.on != "" {
		p.came = from
	}
}

// leave goes back to the channel from which a row led to another page.
func (p *pages) leave() {
	if p.came.on != "" {
		p.floor.Choose(p.came.on)
	}
	p.came = origin{}
}

// What a page may have besides, as the history's has: kinds to turn to where others
// have channels, questions that it asks while it is in front, and keys of its own.
type (
	turned interface{ Turn(by int) }
	tended interface{ Tend(front bool) tea.Cmd }
	helped interface{ Help() []key.Binding }
)

var _ interface {
	turned
	tended
	helped
} = (*history.Page)(nil)

// maxDepth bounds how many things can be open in one another.
const maxDepth = 16

// open drills down to something on a channel; "" is the present one.
func (p *pages) open(sc *panes.Scene, kind floor.Kind, code string, on model.Channel) {
	s := p.opened[p.current]
	var from model.Channel
	if on != "" && on != p.floor.Channel {
		from = p.floor.Channel
		p.floor.Choose(on)
	}
	if n := len(s); n > 0 && s[n-1].Kind == kind && s[n-1].Key == code {
		s[n-1].From = cmp.Or(s[n-1].From, from)
		return
	}
	if len(s) == maxDepth {
		s = s[1:]
	}
	d := panes.NewDetail(sc, p.turn, kind, code)
	d.From = from
	p.opened[p.current] = append(s, d)
}

// press obeys the keys that lead from page to page.
func (p *pages) press(k *KeyMap, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case key.Matches(msg, k.Page):
		p.show(p.ofKey(msg.String()))
	case key.Matches(msg, k.Back):
		p.back()
	case key.Matches(msg, k.NextPage):
		p.show(p.beside(1))
	case key.Matches(msg, k.PrevPage):
		p.show(p.beside(-1))
	default:
		return nil, false
	}
	return nil, true
}

// turnChannel goes to another channel that the floor has; of the history, to
// another kind of contact. A page that is about all channels has none to turn, which
// it reports.
func (p *pages) turnChannel(by int) bool {
	if t, ok := p.page().(turned); ok {
		t.Turn(by)
		return true
	}
	spec := p.specs[p.current]
	if p.detail() == nil && (isStandard(spec, pageSituations) || isStandard(spec, pageFeed)) {
		return false
	}
	for _, d := range p.opened[p.current] {
		d.From = "" // the viewer has chosen
	}
	p.came.on = ""
	chs := p.floor.Channels()
	at := slices.Index(chs, p.floor.Channel)
	from := cmp.Or(p.before, p.floor.Channel)
	p.floor.Choose(chs[(at+by+len(chs))%len(chs)])
	if p.before = from; p.floor.Channel == from {
		p.before = ""
	}
	return true
}

// tend has pages ask what they need while they are in front, and call off what they
// wait for when they are not.
func (p *pages) tend() tea.Cmd {
	var cmds []tea.Cmd
	p.at(p.current)
	for i, one := range p.made {
		if t, ok := one.(tended); ok {
			cmds = append(cmds, t.Tend(pageID(i) == p.current && len(p.opened[i]) == 0))
		}
	}
	return tea.Batch(cmds...)
}

// history brings the history's page to the front; nil: there is none.
func (p *pages) history() *history.Page {
	p.showStandard(pageHistory)
	h, _ := p.page().(*history.Page)
	return h
}

// commands go straight to a page.
func (p *pages) commands() []palette.Command {
	out := make([]palette.Command, 0, len(p.specs))
	for i, spec := range p.specs {
		out = append(out, palette.Command{Name: "page " + strings.ToLower(spec.Name), Key: p.keys[i], Run: func() tea.Cmd {
			p.show(pageID(i))
			return nil
		}})
	}
	return out
}

// turner is the pages as a kiosk turns them.
type turner struct{ of *pages }

var _ kiosk.Pages = turner{}

// Len implements [kiosk.Pages].
func (t turner) Len() int { return len(t.of.specs) }

// Current implements [kiosk.Pages].
func (t turner) Current() int { return int(t.of.current) }

// Name implements [kiosk.Pages].
func (t turner) Name(page int) string { return t.of.names[page] }

// Named implements [kiosk.Pages].
func (t turner) Named(name string) (int, bool) {
	p, ok := t.of.named(name)
	return int(p), ok
}

// Is implements [kiosk.Pages].
func (t turner) Is(page int, standard string) bool {
	spec := t.of.specs[page]
	s, ok := standardPage(standard)
	return ok && isStandard(spec, s) || standard == sites.Name && isSites(spec)
}

// Subs implements [kiosk.Pages].
func (t turner) Subs(page int) []model.Op { return t.of.at(pageID(page)).Subs() }

// ShowTop implements [kiosk.Pages].
func (t turner) ShowTop(page int) { t.of.current, t.of.opened[page] = pageID(page), nil }
