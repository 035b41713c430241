package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/fixedpages"
	"wallboard/ui/frame"
	"wallboard/ui/history"
	"wallboard/ui/keymap"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
)

// pages holds the pages of a board and the current page. For each page it also holds the detail
// pages that were opened from it, the last one on top.
type pages struct {
	specs           []panes.PageSpec  // in the order of the tabs
	created         []panes.Page      // by page; nil until first used
	details         [][]*panes.Detail // by page: its stack of detail pages
	names           []string
	keys            []string          // key of each page; "": none
	standardKeys    map[string]string // keys of the standard pages, by name
	current         pageID
	jumpedFrom      jumpOrigin // place to which Back returns after a jump
	sortChoice      sortChoice
	previousChannel model.Channel // channel before the viewer changed it; "": unchanged

	floor    *snapshot.View                  // contains the channel of all pages
	create   func(panes.PageSpec) panes.Page // creates the page of a spec
	paneKeys *panes.PaneKeys                 // keys for the next pane of a detail page
	pageKeys *key.Binding                    // binding that contains the keys of all pages
}

// setSpecs replaces all pages by those of the specs. The caller must then select the current page.
func (p *pages) setSpecs(specs []panes.PageSpec) {
	p.specs = specs
	p.created = make([]panes.Page, len(specs))
	p.details = make([][]*panes.Detail, len(specs))
	p.names = pageNamesOf(specs)
	p.keys = pageKeysOf(specs)
	p.standardKeys = make(map[string]string)
	for page := range numPages {
		if index, ok := p.standardIndex(page); ok {
			p.standardKeys[page.String()] = p.keys[index]
		}
	}
	p.standardKeys[panes.NowTitle], p.standardKeys[panes.StatesTitle] = p.standardKeys[pageSituations.String()], p.standardKeys[pageAgents.String()]
	p.pageKeys.SetKeys(slices.DeleteFunc(slices.Clone(p.keys), func(k string) bool { return k == "" })...)
}

// pageAt returns the page with an index. It creates the page on first use, because most of the
// hundreds of boards on a server show only one page.
func (p *pages) pageAt(i pageID) panes.Page {
	if p.created[i] == nil {
		p.created[i] = p.create(p.specs[i])
	}
	return p.created[i]
}

// recreate creates the pages again after a change of the configuration, and restores the viewer's
// place in each page. If sameHistory is true, it keeps the existing page History with its data.
func (p *pages) recreate(sc *panes.Scene, specs []panes.PageSpec, sameHistory bool) {
	previous := *p
	p.setSpecs(specs)
	p.jumpedFrom.isSet = false // indexes have changed
	for i, spec := range specs {
		previousIndex := slices.IndexFunc(previous.specs, func(s panes.PageSpec) bool { return s.Name == spec.Name })
		if previousIndex < 0 {
			continue
		}
		if sameHistory && isStandard(spec, pageHistory) && isStandard(previous.specs[previousIndex], pageHistory) {
			p.created[i] = previous.created[previousIndex]
			continue
		}
		p.restorePlace(sc, &previous, i, previousIndex)
	}
	p.current, _ = p.pageNamed(previous.pageName(previous.current)) // the first page if the current one was removed
}

// restorePlace restores the viewer's place in page i. The place is that in page previousIndex of
// other, which holds the pages before a change or those of another board.
func (p *pages) restorePlace(sc *panes.Scene, other *pages, i, previousIndex int) {
	if other.created[previousIndex] != nil {
		p.pageAt(pageID(i)).Carry(sc, other.created[previousIndex])
	}
	for _, d := range other.details[previousIndex] {
		newDetail := panes.NewDetail(sc, p.paneKeys, d.Kind, d.Key)
		newDetail.Carry(sc, d)
		p.details[i] = append(p.details[i], newDetail)
	}
}

// restorePlaces restores the viewer's place in all pages from a board with the same pages. The page
// History is left out, because it loads its own data.
func (p *pages) restorePlaces(sc *panes.Scene, other *pages) {
	for i := range p.created {
		if !isStandard(p.specs[i], pageHistory) {
			p.restorePlace(sc, other, i, i)
		}
	}
	p.current = other.current
}

// restyle applies the scene's theme to all pages.
func (p *pages) restyle(sc *panes.Scene) {
	for i, page := range p.created {
		if page != nil {
			page.Restyle(sc)
		}
		for _, d := range p.details[i] {
			d.Restyle(sc)
		}
	}
}

// currentPage returns the top detail page, or the current page if none is open.
func (p *pages) currentPage() panes.Page {
	if d := p.topDetail(); d != nil {
		return d
	}
	return p.pageAt(p.current)
}

// topDetail returns the top detail page, or nil if none is open.
func (p *pages) topDetail() *panes.Detail {
	if s := p.details[p.current]; len(s) > 0 {
		return s[len(s)-1]
	}
	return nil
}

// pageName returns the name of a page.
func (p *pages) pageName(page pageID) string { return p.names[page] }

// tabs returns the data for the line of tabs.
func (p *pages) tabs() frame.Tabs {
	first, _ := p.standardIndex(pageSituations)
	shown := len(p.names)
	if areStandard(p.specs) && p.current != pageBreaks && shown == int(numPages) {
		shown = int(pageBreaks) // on most screens, the line of tabs has no room for Breaks
	}
	return frame.Tabs{Names: p.names[:shown], Keys: p.keys[:shown], Current: int(p.current), PriorityPage: int(first)}
}

// viewerPlace returns the path from the current page to its top detail page, and the viewer's
// position in the rows.
func (p *pages) viewerPlace(sc *panes.Scene) frame.Place {
	path := p.pageAt(p.current).Crumb(sc)
	for _, d := range p.details[p.current] {
		path += " " + sc.Look.Glyphs.Crumb + " " + d.Crumb(sc)
	}
	return frame.Place{Path: path, Position: p.currentPage().Status(sc), IsOnlyPane: p.currentPage().Tables() <= 1}
}

// pageWithKey returns the page with the pressed key, or -1 if there is none.
func (p *pages) pageWithKey(pressed string) pageID { return pageID(slices.Index(p.keys, pressed)) }

// pageNamed returns the page with a current or former name, ignoring case. The bool result is false
// if there is none.
func (p *pages) pageNamed(name string) (pageID, bool) {
	index := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return textnorm.SameName(s.Name, name) })
	if previous, old := oldPageNames[strings.ToLower(name)]; index < 0 && old {
		return p.standardIndex(previous)
	}
	return pageID(max(index, 0)), index >= 0
}

// standardIndex returns the index of a standard page. The bool result is false, and the index 0, if
// the board does not have the page.
func (p *pages) standardIndex(page pageID) (pageID, bool) {
	index := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return isStandard(s, page) })
	return pageID(max(index, 0)), index >= 0
}

// nameForViewer returns the name of a standard page for texts. It is "page 7" for a page with the
// key 7, and "page Situations" for a page without a key.
func (p *pages) nameForViewer(page pageID) string {
	index, _ := p.standardIndex(page)
	if key := p.keys[index]; key != "" {
		return "page " + key
	}
	return "page " + p.names[index]
}

// neighbor returns the page that is delta tabs to the right of the current one. The first page
// follows the last one.
func (p *pages) neighbor(delta int) pageID {
	n := len(p.specs)
	return pageID((int(p.current) + delta + n) % n)
}

// showPage selects a page. If the page is selected already, showPage closes the detail pages on top
// of it.
func (p *pages) showPage(page pageID) {
	if page < 0 || int(page) >= len(p.specs) {
		return
	}
	p.undoJump()
	for i, d := range p.details[p.current] {
		if p.restoreChannel(d) { // details above it have the same channel
			p.details[p.current] = p.details[p.current][:i]
			break
		}
	}
	if page == p.current {
		p.details[page] = nil
	}
	p.current = page
}

// restoreChannel restores the channel from before d was opened, if opening d changed the channel.
// It reports whether the channel was restored.
func (p *pages) restoreChannel(d *panes.Detail) bool {
	if d.ReturnChannel == "" {
		return false
	}
	p.floor.SetChannel(d.ReturnChannel)
	return true
}

// showStandard selects a standard page, or the first page if the board does not have the standard
// page.
func (p *pages) showStandard(page pageID) {
	index, _ := p.standardIndex(page)
	p.showPage(index)
}

// back closes the top detail page. If none is open, it undoes the last jump. If there was no jump,
// it restores the channel from before the viewer changed it.
func (p *pages) back() {
	switch s := p.details[p.current]; {
	case len(s) > 0:
		p.details[p.current] = s[:len(s)-1]
		p.restoreChannel(s[len(s)-1])
	case p.jumpedFrom.isSet:
		page := p.jumpedFrom.page
		p.undoJump()
		p.current = page
	case p.previousChannel != "":
		p.floor.SetChannel(p.previousChannel)
		p.previousChannel = ""
	}
}

// jumpOrigin is the viewer's place before a jump to another page.
type jumpOrigin struct {
	isSet   bool
	page    pageID
	channel model.Channel // channel to restore; "": the jump did not change it, or the viewer has changed it since
}

// jumpTo opens a standard page on a channel. A channel of "" means the current one. [pages.back]
// returns to the page and channel before the jump.
func (p *pages) jumpTo(page pageID, channel model.Channel) {
	previous := jumpOrigin{isSet: true, page: p.current}
	p.undoJump()
	index, _ := p.standardIndex(page)
	if channel != "" && channel != p.floor.Channel {
		previous.channel = p.floor.Channel
		p.floor.SetChannel(channel)
	}
	p.current, p.details[index] = index, nil
	if index != previous.page || previous.channel != "" {
		p.jumpedFrom = previous
	}
}

// undoJump restores the channel from before the last jump and forgets the jump. The caller selects
// the page.
func (p *pages) undoJump() {
	if p.jumpedFrom.channel != "" {
		p.floor.SetChannel(p.jumpedFrom.channel)
	}
	p.jumpedFrom = jumpOrigin{}
}

// Optional interfaces of pages. A kindSelector has kinds of contact instead of channels. A
// dataRequester requests data while the page is in front. A keyHelper has keys of its own for the
// footer.
type (
	kindSelector  interface{ SelectKind(delta int) }
	dataRequester interface{ UpdateRequests(front bool) tea.Cmd }
	keyHelper     interface{ Help() []key.Binding }
)

var _ interface {
	kindSelector
	dataRequester
	keyHelper
} = (*history.Page)(nil)

// maxDepth is the maximum number of detail pages on top of each other. Beyond it, the oldest one is
// closed.
const maxDepth = 16

// openDetail opens the detail page of a record on a channel. A channel of "" means the current one.
func (p *pages) openDetail(sc *panes.Scene, kind snapshot.RecordKind, code string, channel model.Channel) {
	s := p.details[p.current]
	var previous model.Channel
	if channel != "" && channel != p.floor.Channel {
		previous = p.floor.Channel
		p.floor.SetChannel(channel)
	}
	if n := len(s); n > 0 && s[n-1].Kind == kind && s[n-1].Key == code {
		s[n-1].ReturnChannel = cmp.Or(s[n-1].ReturnChannel, previous)
		return
	}
	if len(s) == maxDepth {
		s = s[1:]
	}
	d := panes.NewDetail(sc, p.paneKeys, kind, code)
	d.ReturnChannel = previous
	p.details[p.current] = append(s, d)
}

// press handles the keys that select another page or go back. The bool result is false for other
// keys.
func (p *pages) press(k *keymap.Map, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case key.Matches(msg, k.Page):
		p.showPage(p.pageWithKey(msg.String()))
	case key.Matches(msg, k.Back):
		p.back()
	case key.Matches(msg, k.NextPage):
		p.showPage(p.neighbor(1))
	case key.Matches(msg, k.PrevPage):
		p.showPage(p.neighbor(-1))
	default:
		return nil, false
	}
	return nil, true
}

// turnChannel switches to the next channel of the floor, or to the previous one if delta is -1. On
// the page History it switches the kind of contact instead. It returns false on pages that show all
// channels.
func (p *pages) turnChannel(delta int) bool {
	if t, ok := p.currentPage().(kindSelector); ok {
		t.SelectKind(delta)
		return true
	}
	spec := p.specs[p.current]
	if p.topDetail() == nil && (isStandard(spec, pageSituations) || isStandard(spec, pageFeed)) {
		return false
	}
	for _, d := range p.details[p.current] {
		d.ReturnChannel = "" // the viewer's choice stays
	}
	p.jumpedFrom.channel = ""
	channels := p.floor.Channels()
	index := slices.Index(channels, p.floor.Channel)
	previous := cmp.Or(p.previousChannel, p.floor.Channel)
	p.floor.SetChannel(channels[(index+delta+len(channels))%len(channels)])
	if p.previousChannel = previous; p.floor.Channel == previous {
		p.previousChannel = ""
	}
	return true
}

// updateRequests returns the command with which the page in front requests its data. It also
// cancels the requests of all other pages.
func (p *pages) updateRequests() tea.Cmd {
	var cmds []tea.Cmd
	p.pageAt(p.current)
	for i, page := range p.created {
		if t, ok := page.(dataRequester); ok {
			cmds = append(cmds, t.UpdateRequests(pageID(i) == p.current && len(p.details[i]) == 0))
		}
	}
	return tea.Batch(cmds...)
}

// showHistory brings the page History to the front and returns it. It returns nil if the board does
// not have this page.
func (p *pages) showHistory() *history.Page {
	p.showStandard(pageHistory)
	h, _ := p.currentPage().(*history.Page)
	return h
}

// commands returns the palette's commands for opening pages.
func (p *pages) commands() []dialog.Command {
	out := make([]dialog.Command, 0, len(p.specs))
	for i, spec := range p.specs {
		out = append(out, dialog.Command{Name: "page " + strings.ToLower(spec.Name), Keywords: pageKeywords(spec), Key: p.keys[i], Run: func() tea.Cmd {
			p.showPage(pageID(i))
			return nil
		}})
	}
	return out
}

// pageKeywords returns the keywords by which the palette finds a standard page.
func pageKeywords(spec panes.PageSpec) string {
	page, ok := standardPage(spec.Builtin)
	if !ok {
		return ""
	}
	return map[pageID]string{
		pageOverview:   "start home summary forecast target",
		pageServices:   "queues target sl sla waiting callers abandoned lines",
		pageGroups:     "skills teams",
		pageAgents:     "training people staff who wrap-up",
		pageCampaigns:  "dialer outbound",
		pageAttendants: "operators switchboard",
		pageSituations: "alerts trouble problems today note target",
		pageHistory:    "yesterday report past statistics",
		pageFeed:       "connection health",
		pageWall:       "screen tv big forecast",
		pageBreaks:     "break lunch pause absent over allowed late",
	}[page]
}

// kioskPages implements [kiosk.Pages].
type kioskPages struct{ pages *pages }

var _ kiosk.Pages = kioskPages{}

// Len implements [kiosk.Pages].
func (t kioskPages) Len() int { return len(t.pages.specs) }

// Current implements [kiosk.Pages].
func (t kioskPages) Current() int { return int(t.pages.current) }

// Name implements [kiosk.Pages].
func (t kioskPages) Name(page int) string { return t.pages.names[page] }

// Named implements [kiosk.Pages].
func (t kioskPages) Named(name string) (int, bool) {
	p, ok := t.pages.pageNamed(name)
	return int(p), ok
}

// IsStandard implements [kiosk.Pages].
func (t kioskPages) IsStandard(page int, standard string) bool {
	spec := t.pages.specs[page]
	s, ok := standardPage(standard)
	return ok && isStandard(spec, s) || standard == fixedpages.SitesName && isSites(spec)
}

// Subs implements [kiosk.Pages].
func (t kioskPages) Subs(page int) []model.Op { return t.pages.pageAt(pageID(page)).Subs() }

// ShowTop implements [kiosk.Pages].
func (t kioskPages) ShowTop(page int) { t.pages.current, t.pages.details[page] = pageID(page), nil }
