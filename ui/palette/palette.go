// Package palette is the list of everything that can be done by name: what is typed
// narrows it down, enter runs what is chosen.
package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"wallboard/internal/typed"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
)

// Command is one line of the palette.
type Command struct {
	Name  string
	Run   func() tea.Cmd
	Also  string // other words that it is found by
	Group string // the title that it stands under, or that stands beside it once something is typed
	Key   string // that does the same without the palette; "" is none
	// Try shows what Run would lead to while the viewer is at the command, and returns
	// what takes that back; nil: there is nothing to be seen before.
	Try func() (undo func())
}

// Palette is the list of commands, and where the viewer is in it.
type Palette struct {
	input    textinput.Model
	commands []Command
	typed    func(line string) []Command // commands that a line is as it stands
	fixed    int                         // how many commands are no typed ones
	matches  []int                       // indices into commands, the best first
	strict   int                         // how many of these begin with what is typed; the rest have its letters somewhere
	at       int                         // the chosen match; -1 is none: what is only similar is never chosen for the viewer
	fresh    int                         // how many of the matches were run lately, while nothing is typed
	recent   []string                    // what was run last, the newest first
	first    int                         // the first visible match
	tried    trial

	x, y int // where the box is
}

// New returns a palette that is not open.
func New() *Palette { return &Palette{input: dialog.NewPrompt()} }

// Restyle draws it in another theme.
func (p *Palette) Restyle(t themes.Theme) { p.input.SetStyles(dialog.PromptStyles(t)) }

// How many commands are visible at once, how wide they are, and how many lines of
// the box are above the first.
const (
	visible = 12
	width   = 70
	head    = 3
)

// Open offers commands, and those that typed says a line is, with what it says
// besides a name; nil: it is none.
func (p *Palette) Open(commands []Command, typed func(line string) []Command) tea.Cmd {
	p.commands, p.fixed, p.typed = commands, len(commands), typed
	p.input.Reset()
	p.find()
	return p.input.Focus()
}

// Choice is what became of the palette: it stays open, or it has closed and Run,
// unless that is nil, is to be called.
type Choice struct {
	Closed bool
	Run    func() tea.Cmd
}

// String and Len make it a fuzzy.Source.
func (p *Palette) String(i int) string { return typed.Fold(p.commands[i].Name) }

// Len returns how many commands there are.
func (p *Palette) Len() int { return p.fixed }

// rank is how well a command matches words: 0 when all are words of its name, 1
// when they begin some, 2 when they begin those or others that it is found by,
// 3 when the word is the first letters of words of its name, and 4 when none of that
// is so.
func (c *Command) rank(wanted []string) int {
	name := words(c.Name)
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
	case every(wanted, begins(append(name, words(c.Also)...))):
		return 2
	case len(wanted) == 1 && utf8.RuneCountInString(wanted[0]) > 1 && strings.Contains(initials(name), wanted[0]):
		return 3
	}
	return 4
}

// initials are the first letters of words.
func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(r)
	}
	return b.String()
}

// words returns the words of a text in lower case.
func words(s string) []string {
	return strings.FieldsFunc(typed.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func every(list []string, is func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !is(s) })
}

// find lists what matches the input, the best first: whole words before letters
// scattered over the name, and of what matches as well what was run lately.
func (p *Palette) find() {
	p.matches, p.at, p.first = p.matches[:0], 0, 0
	defer func() {
		if p.strict == 0 {
			p.at = -1
		}
	}()
	word := strings.TrimSpace(p.input.Value())
	if p.commands = p.commands[:min(p.fixed, len(p.commands))]; word == "" {
		p.all()
		return
	}
	if p.typed != nil {
		p.commands = append(p.commands, p.typed(p.input.Value())...)
	}
	for i := p.fixed; i < len(p.commands); i++ {
		p.matches = append(p.matches, i)
	}
	wanted := words(word)
	var ranked [4][]int
	found := make(map[int]bool)
	for i := range p.commands[:p.fixed] {
		if r := p.commands[i].rank(wanted); r < len(ranked) && len(wanted) > 0 {
			ranked[r] = append(ranked[r], i)
			found[i] = true
		}
	}
	for _, same := range ranked {
		slices.SortStableFunc(same, func(a, b int) int { return cmp.Compare(p.ago(a), p.ago(b)) })
		p.matches = append(p.matches, same...)
	}
	p.strict = len(p.matches)
	for _, match := range fuzzy.FindFrom(typed.Fold(word), p) {
		if !found[match.Index] {
			p.matches = append(p.matches, match.Index)
		}
	}
}

// ago is how many commands were run since a command was, of those that are remembered.
func (p *Palette) ago(command int) int {
	if at := slices.Index(p.recent, p.commands[command].Name); at >= 0 {
		return at
	}
	return len(p.recent)
}

// all lists every command, what was run last first.
func (p *Palette) all() {
	listed := make(map[int]bool)
	for _, name := range p.recent {
		if i := slices.IndexFunc(p.commands, func(c Command) bool { return c.Name == name }); i >= 0 {
			p.matches = append(p.matches, i)
			listed[i] = true
		}
	}
	p.fresh = len(p.matches)
	for i := range p.commands {
		if !listed[i] {
			p.matches = append(p.matches, i)
		}
	}
	p.strict = len(p.matches)
}

// remembered is how many commands are listed first because they were run last.
const remembered = 5

// remember notes that a command was run.
func (p *Palette) remember(name string) {
	p.recent = slices.DeleteFunc(p.recent, func(s string) bool { return s == name })
	p.recent = slices.Insert(p.recent, 0, name)
	p.recent = p.recent[:min(len(p.recent), remembered)]
}

func (p *Palette) move(by int) {
	p.at = max(min(p.at+by, len(p.matches)-1), 0)
	p.try()
}

// Type obeys what is typed or pasted.
func (p *Palette) Type(msg tea.Msg) (tea.Cmd, Choice) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			return nil, p.close()
		case "enter":
			return nil, p.run()
		case "up", "ctrl+p":
			p.move(-1)
			return nil, Choice{}
		case "down", "ctrl+n":
			p.move(1)
			return nil, Choice{}
		case "pgup":
			p.move(1 - visible)
			return nil, Choice{}
		case "pgdown":
			p.move(visible - 1)
			return nil, Choice{}
		case "tab":
			if p.at >= 0 && p.at < len(p.matches) {
				p.input.SetValue(p.commands[p.matches[p.at]].Name)
				p.input.CursorEnd()
				p.find()
			}
			return nil, Choice{}
		}
	}
	before := p.input.Value()
	cmd := dialog.TypeClean(&p.input, msg)
	if p.input.Value() != before {
		p.find()
		p.try()
	}
	return cmd, Choice{}
}

func (p *Palette) close() Choice {
	p.tried.end()
	p.input.Blur()
	p.commands, p.matches, p.fixed = nil, nil, 0
	return Choice{Closed: true}
}

// run chooses what the viewer is at.
func (p *Palette) run() Choice {
	if p.at < 0 || p.at >= len(p.matches) {
		return Choice{}
	}
	c := p.commands[p.matches[p.at]]
	p.remember(c.Name)
	done := p.close()
	done.Run = c.Run
	return done
}

// Click runs what is clicked on; a click beside it closes the palette.
func (p *Palette) Click(msg tea.MouseClickMsg) Choice {
	row, lines := msg.Y-p.y-head, p.lines()
	if msg.Button != tea.MouseLeft || row < 0 || row >= visible || p.first+row >= len(lines) ||
		msg.X < p.x || msg.X >= p.x+width {
		return p.close()
	}
	at := lines[p.first+row]
	if at.title != "" {
		return Choice{}
	}
	p.at = at.match
	return p.run()
}

// Wheel goes up or down in the list.
func (p *Palette) Wheel(msg tea.MouseWheelMsg) {
	switch msg.Button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		p.move(-1)
	case tea.MouseWheelDown:
		p.move(1)
	}
}

// Overlay lays the palette over a frame of a width.
func (p *Palette) Overlay(lk *look.Look, lines []string, frame int) {
	w := min(width, frame-4)
	rows := min(visible, len(lines)-head-3)
	list := p.lines()
	at := slices.IndexFunc(list, func(l line) bool { return l.title == "" && l.match == p.at })
	above := at
	if at > 0 && list[at-1].title != "" {
		above-- // the title is seen with what stands first under it
	}
	p.first = max(min(p.first, above), at-rows+1, 0)
	p.input.SetWidth(w - 3)
	content := []string{
		look.Fit(lk.Style(themes.Key).Render(":")+" "+p.input.View(), w, ""),
		lk.Style(themes.Border).Render(strings.Repeat(lk.Glyphs.Rule, max(w, 0))),
	}
	for i := range max(rows, 0) {
		content = append(content, p.row(lk, list, p.first+i, w))
	}
	count := lk.Count(len(p.matches)) + " of " + lk.Count(len(p.commands))
	content = append(content, lk.Style(themes.Dim).Render(look.Cut(count, w, lk.Glyphs.Ellipsis)))
	p.x, p.y = lk.Box(lines, frame, "Commands", content)
}

// line is a line of the list: a title, or the match of a number.
type line struct {
	title string
	match int
}

// isTyped reports whether something is.
func (p *Palette) isTyped() bool { return strings.TrimSpace(p.input.Value()) != "" }

// lines are the matches, under the titles of their groups while nothing is typed.
func (p *Palette) lines() []line {
	titled := !p.isTyped()
	out := make([]line, 0, len(p.matches))
	last := ""
	for i := range p.matches {
		if title := p.titleOf(i); titled && title != last {
			out = append(out, line{title: title})
			last = title
		}
		out = append(out, line{match: i})
	}
	return out
}

// titleOf is the title that a match stands under.
func (p *Palette) titleOf(i int) string {
	if i < p.fresh {
		return "Recent"
	}
	return p.commands[p.matches[i]].Group
}

func (p *Palette) row(lk *look.Look, list []line, at, w int) string {
	l := look.NewLine(w, lk.Glyphs.Ellipsis)
	i := len(p.matches)
	if at < len(list) {
		if title := list[at].title; title != "" {
			return l.Add(lk.Style(themes.Title), " "+title).End(themes.Style{})
		}
		i = list[at].match
	}
	switch {
	case at == 0 && len(p.matches) == 0:
		return l.Add(lk.Style(themes.Dim), "  nothing is called \""+p.input.Value()+"\"").End(themes.Style{})
	case i >= len(p.matches):
		return l.End(themes.Style{})
	}
	c, pointer, key, end := p.commands[p.matches[i]], "  ", lk.Style(themes.Key), themes.Style{}
	text, beside := lk.Style(themes.Text), lk.Style(themes.Dim)
	switch {
	case i == p.at:
		pointer = lk.Glyphs.Pointer + " "
		text, key, end = lk.Style(themes.Selection), lk.Style(themes.Selection), lk.Style(themes.Selection)
		beside = text
	case i >= p.strict: // similar at most
		text = lk.Style(themes.Dim)
	}
	room := w - look.Width(c.Key) - 1
	group := ""
	if p.isTyped() && look.Width(pointer+c.Name)+look.Width(c.Group)+2 <= room { // the name comes first
		group = c.Group
	}
	room -= look.Width(group)
	l.Add(text, look.Fit(pointer+c.Name, room, lk.Glyphs.Ellipsis)).Add(beside, group).Add(text, " ").Add(key, c.Key)
	return l.End(end)
}

// Cursor returns the terminal's cursor on a screen of a size, nil where nobody
// types.
func (p *Palette) Cursor(w, h int) *tea.Cursor {
	c := p.input.Cursor()
	if c == nil {
		return nil
	}
	c.X, c.Y = min(p.x+4+c.X, w-1), min(p.y+1, h-1)
	return c
}
