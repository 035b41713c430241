package ui

import (
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// command is one line of the palette.
type command struct {
	name string
	run  func() tea.Cmd
	also string // other words that it is found by
}

// palette is the list of everything that can be done by name.
type palette struct {
	input    textinput.Model
	commands []command
	matches  []int // indices into commands, the best first
	at       int   // the chosen match
	first    int   // the first visible match

	x, y int // where the box is
}

func newPalette() palette { return palette{input: dialog.NewPrompt()} }

// paletteRows is how many commands are visible at once, paletteWidth how wide
// they are.
const (
	paletteRows  = 12
	paletteWidth = 56
)

func (m *Model) openPalette() tea.Cmd {
	m.mode = modePalette
	p := &m.palette
	p.commands = m.commands()
	p.input.Reset()
	p.find()
	return p.input.Focus()
}

// commands returns everything there is now; agents and services come and go.
func (m *Model) commands() []command {
	var out []command
	add := func(name string, run func() tea.Cmd) { out = append(out, command{name: name, run: run}) }
	do := func(f func()) func() tea.Cmd {
		return func() tea.Cmd { f(); return nil }
	}
	for p, spec := range m.tabsOf {
		add("page "+strings.ToLower(spec.Name), do(func() { m.show(pageID(p)) }))
	}
	for _, ch := range m.scene.floor.Channels() {
		add("channel "+strings.ToLower(render.ChannelName(ch)), do(func() {
			m.scene.floor.Choose(ch)
		}))
	}
	if pane := m.page().focused(); pane != nil {
		for _, c := range pane.rows.Columns() {
			if !c.NoSort {
				add("sort by "+strings.ToLower(c.Title), do(func() { pane.sortBy(c.ID, c.Desc) }))
			}
		}
		add("sort reverse", do(func() { pane.sortReverse() }))
		add("filter", func() tea.Cmd { return m.openFilter(pane) })
	}
	if len(m.alertsHere()) > 0 {
		add("why is it red", m.askWhy)
		add("take over an alert", m.askAcknowledge)
	}
	add("chart of the last hours", m.openPlot)
	add("hand the shift over", m.openHandover)
	if m.scene.History != nil {
		add("what is usual by now", m.openUsual)
		out = append(out, m.pastCommands()...)
	}
	freeze := "freeze"
	if !m.scene.floor.Frozen.IsZero() {
		freeze = "thaw"
	}
	add(freeze, m.freeze)
	for _, name := range m.scene.themeNames() {
		add("theme "+name, func() tea.Cmd { return m.useTheme(name) })
	}
	if m.scene.Retry != nil {
		add("try to connect now", m.retry)
	}
	if m.scene.Controller != nil {
		for _, c := range m.actions.Commands(m.subject()) {
			out = append(out, command{name: c.Name, run: c.Run, also: c.Also})
		}
	}
	add("help", do(m.openHelp))
	add("quit", m.askQuit)
	return append(out, m.goCommands()...)
}

// goCommands returns a command for everything that can be opened by its name.
func (m *Model) goCommands() []command {
	s := m.scene.floor.Shown
	if s == nil {
		return nil
	}
	names := m.scene.Names
	found := map[string]openMsg{}
	note := func(word string, k floor.Kind, id, name string) {
		label := word + " " + name
		if name != id {
			label += " (" + id + ")"
		}
		found[label] = openMsg{kind: k, key: id}
	}
	for r := range s.Services.All() {
		note("service", floor.Service, r.Key().Code, names.Of(model.NameService, r.Key().Code))
	}
	for r := range s.Groups.All() {
		note("group", floor.Group, r.Key().Code, names.Of(model.NameGroup, r.Key().Code))
	}
	for r := range s.Users.All() {
		note("agent", floor.Agent, r.Key(), names.Of(model.NameUser, floor.FullName(r, r.Key())))
	}
	for r := range s.Campaigns.All() {
		id := itoa(int(r.Key()))
		note("campaign", floor.Campaign, id, names.Of(model.NameCampaign, id))
	}
	out := make([]command, 0, len(found))
	for label, msg := range found {
		out = append(out, command{name: label, run: func() tea.Cmd { m.open(msg); return nil }, also: "open show search find"})
	}
	slices.SortFunc(out, func(a, b command) int { return strings.Compare(a.name, b.name) })
	return out
}

// String and Len make the palette a fuzzy.Source.
func (p *palette) String(i int) string { return p.commands[i].name }

// Len returns how many commands there are.
func (p *palette) Len() int { return len(p.commands) }

// rank is how well a command matches words: 0 when all are words of its name, 1
// when they begin some, 2 when they begin those or others that it is found by,
// and 3 when they do not.
func (c *command) rank(wanted []string) int {
	name := words(c.name)
	begins := func(list []string) func(string) bool {
		return func(w string) bool {
			return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, w) })
		}
	}
	switch {
	case every(wanted, func(w string) bool { return slices.Contains(name, w) }):
		return 0
	case every(wanted, begins(name)):
		return 1
	case every(wanted, begins(append(name, words(c.also)...))):
		return 2
	}
	return 3
}

// words returns the words of a text in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func every(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// find lists what matches the input, the best first: whole words before letters
// scattered over the name.
func (p *palette) find() {
	p.matches, p.at, p.first = p.matches[:0], 0, 0
	word := strings.TrimSpace(p.input.Value())
	if word == "" {
		for i := range p.commands {
			p.matches = append(p.matches, i)
		}
		return
	}
	wanted := words(word)
	var ranked [3][]int
	found := make(map[int]bool)
	for i := range p.commands {
		if r := p.commands[i].rank(wanted); r < len(ranked) && len(wanted) > 0 {
			ranked[r] = append(ranked[r], i)
			found[i] = true
		}
	}
	p.matches = append(p.matches, slices.Concat(ranked[:]...)...)
	for _, match := range fuzzy.FindFrom(word, p) {
		if !found[match.Index] {
			p.matches = append(p.matches, match.Index)
		}
	}
}

func (p *palette) move(by int) {
	p.at = max(min(p.at+by, len(p.matches)-1), 0)
}

func (m *Model) typePalette(msg tea.Msg) tea.Cmd {
	p := &m.palette
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			m.closePalette()
			return nil
		case "enter":
			return m.runPalette()
		case "up", "ctrl+p":
			p.move(-1)
			return nil
		case "down", "ctrl+n":
			p.move(1)
			return nil
		case "pgup":
			p.move(1 - paletteRows)
			return nil
		case "pgdown":
			p.move(paletteRows - 1)
			return nil
		case "tab":
			if len(p.matches) > 0 {
				p.input.SetValue(p.commands[p.matches[p.at]].name)
				p.input.CursorEnd()
				p.find()
			}
			return nil
		}
	}
	before := p.input.Value()
	cmd := dialog.TypeClean(&p.input, msg)
	if p.input.Value() != before {
		p.find()
	}
	return cmd
}

func (m *Model) closePalette() {
	m.mode = modeBoard
	m.palette.input.Blur()
	m.palette.commands, m.palette.matches = nil, nil
}

// runPalette does what is chosen.
func (m *Model) runPalette() tea.Cmd {
	p := &m.palette
	if p.at >= len(p.matches) {
		return nil
	}
	c := p.commands[p.matches[p.at]]
	m.closePalette()
	return c.run()
}

func (m *Model) clickPalette(msg tea.MouseClickMsg) tea.Cmd {
	p := &m.palette
	row := msg.Y - p.y - paletteHead
	if msg.Button != tea.MouseLeft || row < 0 || row >= paletteRows || p.first+row >= len(p.matches) ||
		msg.X < p.x || msg.X >= p.x+paletteWidth {
		m.closePalette()
		return nil
	}
	p.at = p.first + row
	return m.runPalette()
}

// paletteHead is how many lines of the box are above the first command.
const paletteHead = 3

// overlayPalette lays the palette over the frame.
func (m *Model) overlayPalette(lines []string) {
	sc, p := m.scene, &m.palette
	w := min(paletteWidth, m.width-4)
	rows := min(paletteRows, len(lines)-paletteHead-3)
	p.first = max(min(p.first, p.at), p.at-rows+1)
	p.input.SetWidth(w - 3)
	content := []string{
		look.Fit(sc.look.Style(themes.Key).Render(":")+" "+p.input.View(), w, ""),
		sc.look.Style(themes.Border).Render(rules(sc.look.Glyphs.Rule, w)),
	}
	for i := range max(rows, 0) {
		content = append(content, m.paletteRow(p.first+i, w))
	}
	count := sc.look.Count(len(p.matches)) + " of " + sc.look.Count(len(p.commands))
	content = append(content, sc.look.Style(themes.Dim).Render(look.Cut(count, w, sc.look.Glyphs.Ellipsis)))
	p.x, p.y = m.scene.look.Box(lines, m.width, "Commands", content)
}

func (m *Model) paletteRow(i, w int) string {
	sc, p := m.scene, &m.palette
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	switch {
	case i == 0 && len(p.matches) == 0:
		l.Add(sc.look.Style(themes.Dim), "  nothing is called \""+p.input.Value()+"\"")
	case i >= len(p.matches):
	case i == p.at:
		st := sc.look.Style(themes.Selection)
		return l.Add(st, sc.look.Glyphs.Pointer+" "+p.commands[p.matches[i]].name).End(st)
	default:
		l.Add(sc.look.Style(themes.Text), "  "+p.commands[p.matches[i]].name)
	}
	return l.End(themes.Style{})
}

func (m *Model) paletteCursor() *tea.Cursor {
	c := m.palette.input.Cursor()
	if c == nil {
		return nil
	}
	c.X, c.Y = min(m.palette.x+4+c.X, m.width-1), min(m.palette.y+1, m.height-1)
	return c
}
