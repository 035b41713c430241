package pages

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/history"
	"wallboard/ui/panes"
)

// Setup holds the arguments of [New].
type Setup struct {
	Specs  []panes.PageSpec                // specs of the pages in the order of the tabs; at least one
	Floor  *floorview.View                 // determines the channel that all pages show
	Create func(panes.PageSpec) panes.Page // creates a page from its spec
	Keys   *KeyMap                         // the Set stores the keys of all pages in Keys.Page
}

// Set holds the pages of a board, the current page, and for each page the stack of detail pages
// that were opened from it. A page is created when it is first used.
type Set struct {
	Current    ID // the current page, possibly hidden by detail pages
	SortChoice SortChoice

	specs           []panes.PageSpec  // specs of the pages in the order of the tabs
	created         []panes.Page      // pages in the order of specs; nil until first used
	details         [][]*panes.Detail // stack of detail pages of each page, in the order of specs
	names           []string
	keys            []string      // key of each page; "": none
	titles          pageTitles    // names of the pages for the viewer
	jumpOrigin      jumpOrigin    // the viewer's place before the last jump; the key Back returns there
	previousChannel model.Channel // channel before the viewer changed it; "": unchanged
	lastFilters     lastFilters

	floor    *floorview.View                 // contains the channel of all pages
	create   func(panes.PageSpec) panes.Page // creates a page from its spec
	paneKeys *frame.PaneKeys                 // keys that focus the next pane of a detail page
	pageKeys *key.Binding                    // binding that contains the keys of all pages
}

// New returns the pages of a board. The first page is the current page.
func New(s Setup) *Set {
	p := &Set{floor: s.Floor, create: s.Create, paneKeys: &s.Keys.Pane, pageKeys: &s.Keys.Page}
	p.setSpecs(s.Specs)
	return p
}

// pageTitles holds the names of pages in a language.
type pageTitles struct {
	isTranslated bool
	language     *words.Language
	names        []string          // in the order of the tabs
	standardKeys map[string]string // keys of pages, by the title of a page or pane
}

// currentTitles returns the names of the pages in the current language of the viewer.
func (p *Set) currentTitles() *pageTitles {
	t, l := &p.titles, p.floor.Words
	if t.isTranslated && t.language == l {
		return t
	}
	*t = pageTitles{true, l, make([]string, len(p.specs)), make(map[string]string)}
	for i, spec := range p.specs {
		t.names[i] = titleOf(spec).In(l)
	}
	keyOf := func(page ID) string {
		if index, ok := p.StandardIndex(page); ok {
			return p.keys[index]
		}
		return ""
	}
	for page := range StandardCount {
		t.standardKeys[page.Title().In(l)] = keyOf(page)
	}
	if index := slices.IndexFunc(p.specs, IsSites); index >= 0 {
		t.standardKeys[words.PageSites().In(l)] = p.keys[index]
	}
	t.standardKeys[words.PaneNow().In(l)], t.standardKeys[words.PaneStates().In(l)] = keyOf(Situations), keyOf(Agents)
	return t
}

// title returns the name of a page for the viewer.
func (p *Set) title(page ID) string { return p.currentTitles().names[page] }

// setSpecs replaces all pages with pages for specs. The caller must then select the current page.
func (p *Set) setSpecs(specs []panes.PageSpec) {
	p.specs = specs
	p.created = make([]panes.Page, len(specs))
	p.details = make([][]*panes.Detail, len(specs))
	p.names = namesOf(specs)
	p.keys = keysOf(specs)
	p.titles = pageTitles{}
	p.pageKeys.SetKeys(slices.DeleteFunc(slices.Clone(p.keys), func(k string) bool { return k == "" })...)
}

// Page returns the page with the index i. The page is created when it is first used, because most
// of the hundreds of boards on a server show only one page.
func (p *Set) Page(i ID) panes.Page {
	if p.created[i] == nil {
		p.created[i] = p.create(p.specs[i])
		p.lastFilters.restore(p.created[i], p.specs[i].Name)
	}
	return p.created[i]
}

// lastFilters holds the filters of the viewer's last session that have not been set yet.
type lastFilters struct {
	pending  map[string]map[string]string // by page and pane
	restored func(page string)            // called with the name of each page that gets filters
}

// restore sets the filters of a new page. It does so only once, because a page that is created
// again keeps the viewer's current filters.
func (l *lastFilters) restore(page panes.Page, name string) {
	if restorable, ok := page.(*panes.PanePage); ok && len(l.pending[name]) > 0 {
		restorable.SetFilters(l.pending[name])
		delete(l.pending, name)
		l.restored(name)
	}
}

// RestoreFilters makes the pages start with the given filters of an earlier session, by page and
// pane. It calls restored with the name of each page that gets filters. Existing pages are created
// again.
func (p *Set) RestoreFilters(filters map[string]map[string]string, restored func(page string)) {
	p.lastFilters = lastFilters{maps.Clone(filters), restored}
	p.created = make([]panes.Page, len(p.specs))
}

// Filters returns the filters of the tables on all pages, by page name and table name. For a page
// that has not been created, it returns the filters in last, which are those of the last session.
func (p *Set) Filters(last map[string]map[string]string) map[string]map[string]string {
	out := make(map[string]map[string]string)
	for i, spec := range p.specs {
		filters := last[spec.Name]
		if page, ok := p.created[i].(*panes.PanePage); ok {
			filters = page.Filters()
		}
		if len(filters) > 0 {
			out[spec.Name] = filters
		}
	}
	return out
}

// Recreate creates the pages again after the configuration has changed. It restores the viewer's
// place on each page. If sameHistory is true, it keeps the existing page History with its data.
func (p *Set) Recreate(sc *panes.Scene, specs []panes.PageSpec, sameHistory bool) {
	previous := *p
	p.setSpecs(specs)
	p.jumpOrigin.isSet = false // the indexes of pages have changed
	for i, spec := range specs {
		previousIndex := slices.IndexFunc(previous.specs, func(s panes.PageSpec) bool { return s.Name == spec.Name })
		if previousIndex < 0 {
			continue
		}
		if sameHistory && IsStandard(spec, History) && IsStandard(previous.specs[previousIndex], History) {
			p.created[i] = previous.created[previousIndex]
			continue
		}
		p.restorePageState(sc, &previous, i, previousIndex)
	}
	p.Current, _ = p.FindPage(previous.NameOf(previous.Current)) // the first page, if the current page was removed
}

// restorePageState restores the viewer's place on page i. The place is that on the page with index
// previousIndex of other, which holds the pages before a change or the pages of another board.
func (p *Set) restorePageState(sc *panes.Scene, other *Set, i, previousIndex int) {
	if other.created[previousIndex] != nil {
		p.Page(ID(i)).CopyStateFrom(sc, other.created[previousIndex])
	}
	for _, d := range other.details[previousIndex] {
		newDetail := panes.NewDetail(sc, p.paneKeys, d.Kind, d.Key)
		newDetail.CopyStateFrom(sc, d)
		p.details[i] = append(p.details[i], newDetail)
	}
}

// RestorePageStates copies the viewer's place on each page from another board with the same pages. It
// skips the page History, which reads its own data.
func (p *Set) RestorePageStates(sc *panes.Scene, other *Set) {
	for i := range p.created {
		if !IsStandard(p.specs[i], History) {
			p.restorePageState(sc, other, i, i)
		}
	}
	p.Current = other.Current
}

// Restyle sets the theme of all pages to that of the scene.
func (p *Set) Restyle(sc *panes.Scene) {
	for i, page := range p.created {
		if page != nil {
			page.Restyle(sc)
		}
		for _, d := range p.details[i] {
			d.Restyle(sc)
		}
	}
}

// CurrentPage returns the topmost detail page, or the current page if no detail page is open.
func (p *Set) CurrentPage() panes.Page {
	if d := p.TopDetail(); d != nil {
		return d
	}
	return p.Page(p.Current)
}

// TopDetail returns the topmost detail page, or nil if no detail page is open.
func (p *Set) TopDetail() *panes.Detail {
	if s := p.details[p.Current]; len(s) > 0 {
		return s[len(s)-1]
	}
	return nil
}

// Selection returns the record or the rows that keys apply to.
func (p *Set) Selection() Selection { return Selection{p.CurrentPage(), p.TopDetail()} }

// KeepSelection keeps the row selected that was selected when the viewer last saw the table, even
// if another row has moved to its position since.
func (p *Set) KeepSelection() {
	if t := p.CurrentPage().Focused(); t != nil {
		if _, chosen := t.Table.ChosenKey(); !chosen {
			t.Table.ChooseVisibleRow(p.floor.LocalNow)
			t.HeldRow, _ = t.Table.ChosenKey()
		}
	}
}

// OnSites reports whether the current page is Sites, which does not belong to a single platform.
func (p *Set) OnSites() bool { return IsSites(p.specs[p.Current]) && p.TopDetail() == nil }

// NameOf returns the name of a page, as in the configuration.
func (p *Set) NameOf(page ID) string { return p.names[page] }

// Tabs returns the data for drawing the line of tabs.
func (p *Set) Tabs() frame.Tabs {
	first, _ := p.StandardIndex(Situations)
	shown := len(p.names)
	if AreStandard(p.specs) && p.Current != Breaks && shown == int(StandardCount) {
		shown = int(Breaks) // the line of tabs has no room for Breaks on most screens
	}
	return frame.Tabs{Names: p.currentTitles().names[:shown], Keys: p.keys[:shown], Current: int(p.Current), PriorityPage: int(first)}
}

// BreadcrumbPath returns the path from the current page to its topmost detail page, and the viewer's
// position in the rows.
func (p *Set) BreadcrumbPath(sc *panes.Scene) frame.BreadcrumbPath {
	path := p.Page(p.Current).Breadcrumb(sc)
	for _, d := range p.details[p.Current] {
		path += " " + sc.Look.Glyphs.Crumb + " " + d.Breadcrumb(sc)
	}
	key := ""
	if sc.Wall == nil {
		key = p.keys[p.Current]
	}
	return frame.BreadcrumbPath{Key: key, Path: path, Status: p.CurrentPage().Status(sc), IsOnlyPane: p.CurrentPage().FocusableCount() <= 1}
}

// FindPage returns the page with the given current or former name, regardless of case. The bool
// result is false if there is no such page.
func (p *Set) FindPage(name string) (ID, bool) {
	index := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return textnorm.SameName(s.Name, name) })
	if previous, old := oldNames[strings.ToLower(name)]; index < 0 && old {
		return p.StandardIndex(previous)
	}
	return ID(max(index, 0)), index >= 0
}

// StandardIndex returns the index of a standard page. If the board does not have this page, it
// returns 0 and false.
func (p *Set) StandardIndex(page ID) (ID, bool) {
	index := slices.IndexFunc(p.specs, func(s panes.PageSpec) bool { return IsStandard(s, page) })
	return ID(max(index, 0)), index >= 0
}

// NameForViewer returns how a text for the viewer refers to a standard page: "page 7" if the page
// has the key 7, or "page Situations" if it has no key.
func (p *Set) NameForViewer(page ID) string {
	index, _ := p.StandardIndex(page)
	text := words.PageByName(titleOf(p.specs[index]))
	if key := p.keys[index]; key != "" {
		text = words.PageByKey(key)
	}
	return text.In(p.floor.Words)
}

// neighbor returns the page that is delta tabs to the right of the current page. The last page is
// followed by the first.
func (p *Set) neighbor(delta int) ID {
	n := len(p.specs)
	return ID((int(p.Current) + delta + n) % n)
}

// Show selects a page and undoes changes of the channel by a jump or a detail page. If the page is
// already selected, Show closes its detail pages.
func (p *Set) Show(page ID) {
	if page < 0 || int(page) >= len(p.specs) {
		return
	}
	p.undoJump()
	for i, d := range p.details[p.Current] {
		if p.restoreChannel(d) { // the detail pages above it have the same channel
			p.details[p.Current] = p.details[p.Current][:i]
			break
		}
	}
	if page == p.Current {
		p.details[page] = nil
	}
	p.Current = page
}

// restoreChannel restores the previous channel if opening the detail page d changed the channel.
// Otherwise it returns false.
func (p *Set) restoreChannel(d *panes.Detail) bool {
	if d.ReturnChannel == "" {
		return false
	}
	p.floor.SetChannel(d.ReturnChannel)
	return true
}

// back closes the topmost detail page. If no detail page is open, it undoes the last jump. If there
// was no jump, it restores the channel before the viewer changed it.
func (p *Set) back() {
	switch s := p.details[p.Current]; {
	case len(s) > 0:
		p.details[p.Current] = s[:len(s)-1]
		p.restoreChannel(s[len(s)-1])
	case p.jumpOrigin.isSet:
		page := p.jumpOrigin.page
		p.undoJump()
		p.Current = page
	case p.previousChannel != "":
		p.floor.SetChannel(p.previousChannel)
		p.previousChannel = ""
	}
}

// jumpOrigin is the viewer's place before a jump to another page.
type jumpOrigin struct {
	isSet   bool
	page    ID
	channel model.Channel // channel to restore; "": the jump did not change it, or the viewer has changed it since
}

// JumpTo opens a standard page on a channel. The empty channel means the current channel. The key
// Back returns to the page and the channel before the jump.
func (p *Set) JumpTo(page ID, channel model.Channel) {
	previous := jumpOrigin{isSet: true, page: p.Current}
	p.undoJump()
	index, _ := p.StandardIndex(page)
	if channel != "" && channel != p.floor.Channel {
		previous.channel = p.floor.Channel
		p.floor.SetChannel(channel)
	}
	p.Current, p.details[index] = index, nil
	if index != previous.page || previous.channel != "" {
		p.jumpOrigin = previous
	}
}

// undoJump restores the channel that was current before the last jump, and forgets the jump. The caller
// must select the page.
func (p *Set) undoJump() {
	if p.jumpOrigin.channel != "" {
		p.floor.SetChannel(p.jumpOrigin.channel)
	}
	p.jumpOrigin = jumpOrigin{}
}

// Optional interfaces of pages. A kindSelector shows kinds of contact instead of channels. A
// dataRequester requests data while the page is in front. A keyHelper has its own keys, which the
// footer shows.
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

// maxOpenDetails is the maximum number of open detail pages on a page. Opening one more closes the
// oldest.
const maxOpenDetails = 16

// OpenDetail opens the detail page of a record on a channel. The empty channel means the current
// channel.
func (p *Set) OpenDetail(sc *panes.Scene, kind floorview.RecordKind, code string, channel model.Channel) {
	s := p.details[p.Current]
	var previous model.Channel
	if channel != "" && channel != p.floor.Channel {
		previous = p.floor.Channel
		p.floor.SetChannel(channel)
	}
	if n := len(s); n > 0 && s[n-1].Kind == kind && s[n-1].Key == code {
		s[n-1].ReturnChannel = cmp.Or(s[n-1].ReturnChannel, previous)
		return
	}
	if len(s) == maxOpenDetails {
		s = s[1:]
	}
	d := panes.NewDetail(sc, p.paneKeys, kind, code)
	d.ReturnChannel = previous
	p.details[p.Current] = append(s, d)
}

// Press handles the keys that select another page or go back. The bool result is false for all
// other keys.
func (p *Set) Press(k *KeyMap, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case key.Matches(msg, k.Page):
		p.Show(ID(slices.Index(p.keys, msg.String())))
	case key.Matches(msg, k.Back):
		p.back()
	case key.Matches(msg, k.NextPage):
		p.Show(p.neighbor(1))
	case key.Matches(msg, k.PrevPage):
		p.Show(p.neighbor(-1))
	default:
		return nil, false
	}
	return nil, true
}

// SelectNextChannel selects the next channel of the floor, or the previous channel if delta is -1.
// On the page History, it selects the next or previous kind of contact instead. It returns false on
// pages that show all channels.
func (p *Set) SelectNextChannel(delta int) bool {
	if t, ok := p.CurrentPage().(kindSelector); ok {
		t.SelectKind(delta)
		return true
	}
	spec := p.specs[p.Current]
	if p.TopDetail() == nil && (IsStandard(spec, Situations) || IsStandard(spec, Feed)) {
		return false
	}
	for _, d := range p.details[p.Current] {
		d.ReturnChannel = "" // closing the detail page must not undo the viewer's choice
	}
	p.jumpOrigin.channel = ""
	channels := p.floor.Channels()
	index := slices.Index(channels, p.floor.Channel)
	previous := cmp.Or(p.previousChannel, p.floor.Channel)
	p.floor.SetChannel(channels[(index+delta+len(channels))%len(channels)])
	if p.previousChannel = previous; p.floor.Channel == previous {
		p.previousChannel = ""
	}
	return true
}

// UpdateRequests returns a command that requests the data of the page in front. It also cancels the
// requests of all other pages.
func (p *Set) UpdateRequests() tea.Cmd {
	var cmds []tea.Cmd
	p.Page(p.Current)
	for i, page := range p.created {
		if t, ok := page.(dataRequester); ok {
			cmds = append(cmds, t.UpdateRequests(ID(i) == p.Current && len(p.details[i]) == 0))
		}
	}
	return tea.Batch(cmds...)
}

// ShowHistory shows the page History and returns it. If the board does not have this page, it shows
// the first page and returns nil.
func (p *Set) ShowHistory() *history.Page {
	index, _ := p.StandardIndex(History)
	p.Show(index)
	h, _ := p.CurrentPage().(*history.Page)
	return h
}
