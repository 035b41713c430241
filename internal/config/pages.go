package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"wallboard/internal/alert"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// Page is a page of the board: a standard page, or rows of panes. If there are any [[page]]
// blocks, they replace the standard pages, in their order; Situations and Feed are added at
// the end if missing.
type Page struct {
	Name    string    `toml:"name"`    // Title of the tab; for a standard page "" is its own name.
	Key     string    `toml:"key"`     // Digit, function key or free letter that opens the page; "": the number of the page.
	Builtin string    `toml:"builtin"` // Standard page: Overview, Services, Groups, Agents, Campaigns, Attendants, Situations, History, Feed, Wall or Breaks.
	Rows    []PageRow `toml:"row"`
}

// PageRow is a row of a page, with panes from left to right.
type PageRow struct {
	Weight int    `toml:"weight"` // Share of the height, 1 to 100; 0: 1.
	Panes  []Pane `toml:"pane"`
}

// Pane is a pane of a page. Each kind accepts only some of the keys.
type Pane struct {
	Kind     string `toml:"kind"`     // services, groups, agents, campaigns, attendants, operators, alerts, feed, now, tiles, cards, map, chart, clock or text.
	Title    string `toml:"title"`    // Heading; "": the default heading of the kind.
	Weight   int    `toml:"weight"`   // Share of the row's width, 1 to 100; 0: 1.
	Priority int    `toml:"priority"` // The highest is dropped first if space is short; 0: 1.

	Channel    string        `toml:"channel"`    // Fixed channel; "": the channel that the viewer selects.
	Site       int           `toml:"site"`       // Show only agents of this site; 0: all.
	Services   []string      `toml:"services"`   // Codes of services to show; for agents: the agents who serve one of them.
	Groups     []string      `toml:"groups"`     // Codes of groups, likewise.
	Campaigns  []int         `toml:"campaigns"`  // IDs of campaigns, likewise.
	Filter     string        `toml:"filter"`     // Show only rows with these words, as with the key /.
	Columns    []string      `toml:"columns"`    // Columns of a table, from left to right; wallboard docs columns lists them; empty: the default columns.
	Sort       string        `toml:"sort"`       // Initial sort column.
	Descending *bool         `toml:"descending"` // Initial sort direction; not set: the default of the column.
	KPIs       []string      `toml:"kpis"`       // Figures, built-in or custom; empty: the most important ones.
	Digits     string        `toml:"digits"`     // Digits of tiles: big or normal; "": as large as fits.
	By         string        `toml:"by"`         // Grouping of agents on a map or in a table: state, group, profile or site.
	Span       string        `toml:"span"`       // Initial time span of a chart: 15m, 1h or shift.
	Target     Limit         `toml:"target"`     // Line across a chart; not set: the target of its figures.
	Zone       string        `toml:"zone"`       // Time zone of a clock, "Europe/Rome"; "": the board's.
	Text       string        `toml:"text"`       // Text of a text pane; a text that does not fit scrolls.
	Speed      time.Duration `toml:"speed"`      // Time per cell of a scrolling text, 250ms to 5s; 0: 250ms.
}

// PaneKind describes a kind of pane to the checks of a configuration.
type PaneKind struct {
	Name           string
	Settings       []string    // keys of [Pane] that the kind accepts
	Columns        []string    // columns of its table; nil: it is not a table
	CustomKPIScope alert.Scope // scope of the custom figures that can be columns; "": none
}

// Limits of pages. No screen has room for more pages or panes.
const (
	maxPages    = 30
	maxPanes    = 24
	maxWeight   = 100
	maxPageName = 24 // maximum length of a name in characters
	maxPaneText = 2000
)

// alwaysAddedPages lists the pages that every board has.
var alwaysAddedPages = []string{"Situations", "Feed"}

// containsPage reports whether pages contains the name of a page, ignoring case.
func containsPage(pages []string, page string) bool {
	return slices.ContainsFunc(pages, func(p string) bool { return textnorm.SameName(p, page) })
}

// pageNames returns the names of the board's pages: the configured pages and those that are always
// added or, without configured pages, the standard pages.
func (c *Config) pageNames(standard []string) []string {
	if len(c.Pages) == 0 {
		return standard
	}
	var names []string
	for i := range c.Pages {
		if name := c.Pages[i].title(); name != "" {
			names = append(names, name)
		}
	}
	for _, page := range alwaysAddedPages {
		if !containsPage(names, page) {
			names = append(names, page)
		}
	}
	return names
}

// PagesByName returns the pages with the given names, in the order of names. If a configured page
// and a standard page have the same name, it returns the configured page. It skips unknown names.
func (c *Config) PagesByName(names, standard []string) (out []Page) {
	all := slices.Clone(c.Pages)
	for _, name := range standard {
		all = append(all, Page{Builtin: name})
	}
	for _, name := range names {
		if index := slices.IndexFunc(all, func(p Page) bool { return textnorm.SameName(p.title(), name) }); index >= 0 {
			out = append(out, all[index])
		}
	}
	return out
}

// title returns the title of the page: its own name or, if it has none, the name of the standard
// page.
func (p *Page) title() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Builtin
}

func (c *Config) checkPages(r *report, o Options, engine *alert.Engine) {
	if len(c.Pages) > maxPages {
		r.add("page", fmt.Sprintf("has %d pages", len(c.Pages)), fmt.Sprintf("allowed: %d at most", maxPages))
	}
	for i := range c.Pages {
		c.checkPage(r, o, i, engine)
	}
}

func (c *Config) checkPage(r *report, o Options, i int, engine *alert.Engine) {
	p, path := &c.Pages[i], elementKey("page", i)
	if r.reportedKeys[path] {
		return // decodeTables has already reported an element that is not a table
	}
	name := joinKey(path, "name")
	switch {
	case p.title() == "":
		r.add(name, "is missing", "every page needs a name, or builtin")
	case utf8.RuneCountInString(p.Name) > maxPageName:
		r.add(name, "is too long for a tab", fmt.Sprintf("write %d characters at most", maxPageName))
	case strings.TrimSpace(p.Name) != p.Name:
		r.add(name, "begins or ends with a blank", "remove it")
	}
	checkPrintable(r, name, p.Name)
	for j := range c.Pages[:i] {
		earlier := &c.Pages[j]
		if textnorm.SameName(earlier.title(), p.title()) && p.title() != "" {
			r.add(name, quoteValue(p.title())+" is the name of another page"+r.lineSuffix(elementKey("page", j), path), "choose another name")
		}
		if p.Key != "" && earlier.Key == p.Key {
			r.add(joinKey(path, "key"), quoteValue(p.Key)+" is the key of another page"+r.lineSuffix(elementKey("page", j), path), "choose another key")
		}
	}
	if p.Key != "" {
		if len(o.PageKeys) > 0 && !slices.Contains(o.PageKeys, p.Key) {
			r.add(joinKey(path, "key"), quoteValue(p.Key)+" cannot open a page: it is not a key, or the board uses it",
				"allowed: "+strings.Join(o.PageKeys, " "))
		}
	}
	switch {
	case p.Builtin != "" && len(p.Rows) > 0:
		r.add(joinKey(path, "builtin"), "cannot be used with rows", "remove builtin or the rows")
	case p.Builtin != "":
		isBuiltin := func(s string) bool { return strings.EqualFold(s, p.Builtin) }
		if !slices.ContainsFunc(o.Pages, isBuiltin) {
			checkOneOf(r, joinKey(path, "builtin"), p.Builtin, o.Pages)
		}
	case len(p.Rows) == 0:
		r.add(path, "shows nothing", "add [[page.row]] and [[page.row.pane]] below it, or set builtin to a standard page")
	}
	p.checkRows(path, func(pane *Pane, at string) { pane.check(r, o, at, c, engine) }, r)
}

func (p *Page) checkRows(path string, check func(*Pane, string), r *report) {
	panes := 0
	for i := range p.Rows {
		row, rowPath := &p.Rows[i], elementKey(joinKey(path, "row"), i)
		checkWeight(r, joinKey(rowPath, "weight"), row.Weight)
		if len(row.Panes) == 0 && !r.hasProblemUnder(rowPath) {
			r.add(rowPath, "is empty", "add [[page.row.pane]] below it, or remove the row")
		}
		for j := range row.Panes {
			if pane := elementKey(joinKey(rowPath, "pane"), j); !r.reportedKeys[pane] {
				check(&row.Panes[j], pane)
			}
		}
		panes += len(row.Panes)
	}
	if panes > maxPanes {
		r.add(path, fmt.Sprintf("has %d panes", panes), fmt.Sprintf("allowed: %d at most; make two pages of it", maxPanes))
	}
}

func checkWeight(r *report, key string, n int) {
	if n < 0 || n > maxWeight {
		r.add(key, fmt.Sprintf("%d is out of range", n), fmt.Sprintf("allowed: 1 to %d", maxWeight))
	}
}

func (p *Pane) check(r *report, o Options, path string, c *Config, engine *alert.Engine) {
	names := make([]string, len(o.Panes))
	for i, k := range o.Panes {
		names[i] = k.Name
	}
	checkOneOf(r, joinKey(path, "kind"), p.Kind, names)
	checkWeight(r, joinKey(path, "weight"), p.Weight)
	checkWeight(r, joinKey(path, "priority"), p.Priority)
	checkPrintable(r, joinKey(path, "title"), p.Title)
	index := slices.IndexFunc(o.Panes, func(k PaneKind) bool { return k.Name == p.Kind })
	if index < 0 {
		return
	}
	kind := o.Panes[index]
	if p.Kind == "text" && strings.TrimSpace(p.Text) == "" {
		r.add(joinKey(path, "text"), "is missing", "set the text to show")
	}
	for _, key := range p.setKeys() {
		if !slices.Contains(kind.Settings, key) {
			r.add(joinKey(path, key), "is not a key of a pane of the kind "+kind.Name,
				"remove it; this kind has "+strings.Join(slices.Concat(commonPaneKeys, kind.Settings), ", "))
		}
	}
	p.checkRecords(r, path)
	p.checkTable(r, path, kind, c)
	p.checkValues(r, path)
	if engine != nil {
		p.checkKPIs(r, path, engine)
	}
}

// commonPaneKeys lists the keys of [Pane] that every kind accepts, besides kind.
var commonPaneKeys = []string{"title", "weight", "priority"}

// setKeys returns the set keys of the pane that only some kinds of panes accept.
func (p *Pane) setKeys() []string {
	var out []string
	unset, set := reflect.ValueOf(Pane{}), reflect.ValueOf(*p)
	for i, key := range keysOf(set.Type()) {
		if key != "kind" && !slices.Contains(commonPaneKeys, key) && !equalValues(set.Field(i), unset.Field(i)) {
			out = append(out, key)
		}
	}
	return out
}

// checkRecords adds the problems of the keys that select records.
func (p *Pane) checkRecords(r *report, path string) {
	if p.Channel != "" {
		known := model.Channels()
		checkOneOf(r, joinKey(path, "channel"), p.Channel, toStrings(known[:]))
	}
	if p.Site < 0 {
		r.add(joinKey(path, "site"), "is negative", "allowed: the number of a site, or 0 for all sites")
	}
	checkCodes(r, joinKey(path, "services"), p.Services)
	checkCodes(r, joinKey(path, "groups"), p.Groups)
	for i, id := range p.Campaigns {
		if id < 1 || slices.Contains(p.Campaigns[:i], id) {
			r.add(elementKey(joinKey(path, "campaigns"), i), fmt.Sprintf("%d is not positive or is listed twice", id),
				"allowed: the id of a campaign, once")
		}
	}
	checkPrintable(r, joinKey(path, "filter"), p.Filter)
}

func (p *Pane) checkTable(r *report, path string, kind PaneKind, c *Config) {
	if kind.Columns == nil {
		return
	}
	allowed := slices.Clone(kind.Columns)
	for _, k := range c.KPIs {
		if kind.CustomKPIScope != "" && (k.Scope == string(kind.CustomKPIScope) || k.Scope == "" && kind.CustomKPIScope == alert.Service) {
			allowed = append(allowed, "kpi."+k.Name)
		}
	}
	for i, column := range p.Columns {
		columnPath := elementKey(joinKey(path, "columns"), i)
		if slices.Contains(p.Columns[:i], column) {
			r.add(columnPath, quoteValue(column)+" is listed twice", "keep one of them")
			continue
		}
		checkOneOf(r, columnPath, column, allowed)
	}
	if p.Sort == "" {
		return
	}
	if len(p.Columns) > 0 && slices.Contains(allowed, p.Sort) && !slices.Contains(p.Columns, p.Sort) {
		r.add(joinKey(path, "sort"), quoteValue(p.Sort)+" is not among the columns", "add it to columns, or sort by one of them")
		return
	}
	checkOneOf(r, joinKey(path, "sort"), p.Sort, allowed)
}

func (p *Pane) checkValues(r *report, path string) {
	checkOptional(r, joinKey(path, "digits"), p.Digits, []string{"big", "normal"})
	checkOptional(r, joinKey(path, "by"), p.By, []string{"state", "group", "profile", "site"})
	checkOptional(r, joinKey(path, "span"), p.Span, []string{"15m", "1h", "shift"})
	if _, err := time.LoadLocation(p.Zone); err != nil {
		r.add(joinKey(path, "zone"), quoteValue(p.Zone)+" is not a time zone of this machine",
			`write it like "Europe/Rome", or leave it out`)
	}
	if p.Speed != 0 {
		checkRange(r, joinKey(path, "speed"), p.Speed, 250*time.Millisecond, 5*time.Second)
	}
	if n := utf8.RuneCountInString(p.Text); n > maxPaneText {
		r.add(joinKey(path, "text"), fmt.Sprintf("has %d characters", n), fmt.Sprintf("allowed: %d at most", maxPaneText))
	}
	checkPrintable(r, joinKey(path, "text"), strings.ReplaceAll(p.Text, "\n", " "))
}

// checkKPIs adds a problem for each figure that the records of the pane do not have, and for a tile
// or chart with more than one list of records.
func (p *Pane) checkKPIs(r *report, path string, engine *alert.Engine) {
	scope := alert.Floor
	for _, list := range []struct {
		key   string
		scope alert.Scope
		n     int
	}{
		{"services", alert.Service, len(p.Services)},
		{"groups", alert.Group, len(p.Groups)},
		{"campaigns", alert.Campaign, len(p.Campaigns)},
	} {
		if list.n == 0 || p.Kind != "tiles" && p.Kind != "chart" {
			continue
		}
		if scope != alert.Floor {
			r.add(joinKey(path, list.key), "cannot be used with another list of records", "make two panes of it")
			return
		}
		scope = list.scope
	}
	var allowed []string
	for _, k := range engine.ChartedKPIs(scope) {
		allowed = append(allowed, k.Name)
	}
	for i, kpi := range p.KPIs {
		kpiPath := elementKey(joinKey(path, "kpis"), i)
		switch {
		case slices.Contains(p.KPIs[:i], kpi):
			r.add(kpiPath, quoteValue(kpi)+" is listed twice", "keep one of them")
		default:
			checkOneOf(r, kpiPath, kpi, allowed)
		}
	}
}
