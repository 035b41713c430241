package dialog

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// Command is an entry of the palette.
type Command struct {
	Name     string
	Run      func() tea.Cmd
	Keywords string // further words by which a user finds the command
	Group    string // title of the command's group; shown beside the command while a filter is typed
	Key      string // key with the same effect; "": none
	// AffectsOthers is true if the command changes something for other people. While a filter is typed, such
	// a command is listed only if words of its name match the filter. It is listed after the other
	// commands, unless the user has typed its verb.
	AffectsOthers bool
	// Preview shows the effect of Run while the command is selected. It returns a function that
	// undoes that effect. If Preview is nil, there is no preview.
	Preview func() (undo func())
}

// Palette is the command palette: an input line and the list of the commands that match the input.
type Palette struct {
	input         textinput.Model
	commands      []Command
	parseLine     func(line string) []Command // returns commands for a typed line; may be nil
	fixedCount    int                         // the first fixedCount elements of commands do not come from parseLine
	matches       []int                       // indexes into commands, the best matches first
	wordMatches   int                         // number of matches by words or from parseLine; the matches after them contain only the typed letters
	selected      int                         // index into matches; -1: none, because a match by letters is not preselected
	recentMatches int                         // number of recently run commands at the start of matches; 0 while a filter is typed
	recent        []string                    // names of recently run commands, the newest first
	firstLine     int                         // index of the first visible line
	preview       commandPreview
	words         *words.Language // language of the last drawing; nil: English

	x, y int // position of the box
}

// NewPalette returns a closed palette.
func NewPalette() *Palette { return &Palette{input: NewPrompt()} }

// Restyle makes the palette draw the input line in the theme t.
func (p *Palette) Restyle(t themes.Theme) { p.input.SetStyles(PromptStyles(t)) }

// Maximum number of visible commands, width of the palette in cells, and number of lines above the
// commands.
const (
	paletteRows      = 12
	paletteWidth     = 70
	paletteHeadLines = 3
)

// Open opens the palette with the given commands. While the user types, the palette adds the
// commands that parseLine returns for the typed line. parseLine may be nil.
func (p *Palette) Open(commands []Command, parseLine func(line string) []Command) tea.Cmd {
	p.commands, p.fixedCount, p.parseLine = commands, len(commands), parseLine
	p.input.Reset()
	p.updateMatches()
	return p.input.Focus()
}

// PaletteResult is the result of a key or a click in the palette. Closed reports whether the
// palette has closed. The caller must call Run unless it is nil.
type PaletteResult struct {
	Closed bool
	Run    func() tea.Cmd
}

// String implements fuzzy.Source. It returns the name of the command with index i in lower case and
// without accents.
func (p *Palette) String(i int) string { return textnorm.Fold(p.commands[i].Name) }

// Len implements fuzzy.Source. It returns the number of commands that do not come from parseLine.
func (p *Palette) Len() int { return p.fixedCount }

// rank returns how well a command matches the words of a query, from 0 for the best match to 4 for
// no match:
//
// 0: each word of the query is a word of the command's name. 1: each word begins a word of the
// name. 2: each word begins a word of the name or a keyword. 3: the query is a single word that
// consists of initials of the name.
func (c *Command) rank(query []string) int {
	name := splitWords(c.Name)
	begins := func(list []string) func(string) bool {
		return func(w string) bool {
			return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(s, w) })
		}
	}
	switch {
	case allMatch(query, func(w string) bool { return slices.Contains(name, w) }):
		return 0
	case allMatch(query, begins(name)):
		return 1
	case allMatch(query, begins(append(name, splitWords(c.Keywords)...))):
		return 2
	case len(query) == 1 && utf8.RuneCountInString(query[0]) > 1 && strings.Contains(initials(name), query[0]):
		return 3
	}
	return 4
}

// namesVerb reports whether a query contains the verb of a command's name, for example "stop" in
// "stop Spring", or "hang" in "Rossi Anna: hang up a call".
func (c *Command) namesVerb(query []string) bool {
	_, text, found := strings.Cut(c.Name, ": ")
	if !found {
		text = c.Name
	}
	name := splitWords(text)
	return len(name) > 0 && slices.Contains(query, name[0])
}

// initials returns the first letters of words as one string.
func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		b.WriteRune(r)
	}
	return b.String()
}

// splitWords returns the words of s in lower case and without accents.
func splitWords(s string) []string {
	return strings.FieldsFunc(textnorm.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func allMatch(list []string, matches func(string) bool) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !matches(s) })
}

// updateMatches determines the commands that match the input. The commands of parseLine come first,
// followed by matches of words and matches of scattered letters. Among equally good matches,
// recently run commands come first.
func (p *Palette) updateMatches() {
	p.matches, p.selected, p.firstLine = p.matches[:0], 0, 0
	defer func() {
		if p.wordMatches == 0 {
			p.selected = -1
		}
	}()
	word := strings.TrimSpace(p.input.Value())
	if p.commands = p.commands[:min(p.fixedCount, len(p.commands))]; word == "" {
		p.listAll()
		return
	}
	if p.parseLine != nil {
		p.commands = append(p.commands, p.parseLine(p.input.Value())...)
	}
	for i := p.fixedCount; i < len(p.commands); i++ {
		p.matches = append(p.matches, i)
	}
	found := p.findWords(splitWords(word))
	p.wordMatches = len(p.matches)
	for _, match := range fuzzy.FindFrom(textnorm.Fold(word), p) {
		if !found[match.Index] && !p.commands[match.Index].AffectsOthers {
			p.matches = append(p.matches, match.Index)
		}
	}
}

// findWords appends the commands that match the words of a query to p.matches, the best ones first,
// and returns the set of their indexes. It skips the commands of parseLine, which are already in
// p.matches.
func (p *Palette) findWords(query []string) (found map[int]bool) {
	const byName, behind = 2, 4 // a rank below byName is a match by the name alone
	var ranked [behind + 1][]int
	found = make(map[int]bool)
	for i := range p.commands[:p.fixedCount] {
		c := &p.commands[i]
		r := c.rank(query)
		switch {
		case r >= behind || len(query) == 0 || c.AffectsOthers && r >= byName:
			continue
		case c.AffectsOthers && !c.namesVerb(query):
			r = behind
		}
		ranked[r] = append(ranked[r], i)
		found[i] = true
	}
	for _, same := range ranked {
		slices.SortStableFunc(same, func(a, b int) int {
			return cmp.Or(compareBools(p.commands[a].AffectsOthers, p.commands[b].AffectsOthers), cmp.Compare(p.recencyOf(a), p.recencyOf(b)))
		})
		p.matches = append(p.matches, same...)
	}
	return found
}

// compareBools compares two values for sorting; false sorts before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// recencyOf returns the index of a command in the list of recently run commands, or the length of
// the list if the command is not in it.
func (p *Palette) recencyOf(command int) int {
	if index := slices.Index(p.recent, p.commands[command].Name); index >= 0 {
		return index
	}
	return len(p.recent)
}

// listAll lists all commands, beginning with the recently run commands.
func (p *Palette) listAll() {
	listed := make(map[int]bool)
	for _, name := range p.recent {
		if i := slices.IndexFunc(p.commands, func(c Command) bool { return c.Name == name }); i >= 0 {
			p.matches = append(p.matches, i)
			listed[i] = true
		}
	}
	p.recentMatches = len(p.matches)
	for i := range p.commands {
		if !listed[i] {
			p.matches = append(p.matches, i)
		}
	}
	p.wordMatches = len(p.matches)
}

// maxRecent is the maximum number of recently run commands that the palette lists first.
const maxRecent = 5

// addRecent adds the command with the given name to the recently run commands.
func (p *Palette) addRecent(name string) {
	p.recent = slices.DeleteFunc(p.recent, func(s string) bool { return s == name })
	p.recent = slices.Insert(p.recent, 0, name)
	p.recent = p.recent[:min(len(p.recent), maxRecent)]
}

func (p *Palette) moveSelection(delta int) {
	p.selected = max(min(p.selected+delta, len(p.matches)-1), 0)
	p.updatePreview()
}

// HandleInput handles keys and pastes. The result says whether the palette was closed and which
// command to run.
func (p *Palette) HandleInput(msg tea.Msg) (tea.Cmd, PaletteResult) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			return nil, p.Close()
		case "enter":
			return nil, p.runSelected()
		case "up", "ctrl+p":
			p.moveSelection(-1)
			return nil, PaletteResult{}
		case "down", "ctrl+n":
			p.moveSelection(1)
			return nil, PaletteResult{}
		case "pgup":
			p.moveSelection(1 - paletteRows)
			return nil, PaletteResult{}
		case "pgdown":
			p.moveSelection(paletteRows - 1)
			return nil, PaletteResult{}
		case "tab":
			if p.selected >= 0 && p.selected < len(p.matches) {
				p.input.SetValue(p.commands[p.matches[p.selected]].Name)
				p.input.CursorEnd()
				p.updateMatches()
			}
			return nil, PaletteResult{}
		}
	}
	previous := p.input.Value()
	cmd := UpdateCleanInput(&p.input, msg)
	if p.input.Value() != previous {
		p.updateMatches()
		p.updatePreview()
	}
	return cmd, PaletteResult{}
}

// Close closes the palette and undoes the preview of the selected command.
func (p *Palette) Close() PaletteResult {
	p.preview.end()
	p.input.Blur()
	p.commands, p.matches, p.fixedCount = nil, nil, 0
	return PaletteResult{Closed: true}
}

// runSelected closes the palette and returns a result with the function of the selected command. If
// no command is selected, the palette stays open.
func (p *Palette) runSelected() PaletteResult {
	if p.selected < 0 || p.selected >= len(p.matches) {
		return PaletteResult{}
	}
	c := p.commands[p.matches[p.selected]]
	if !c.AffectsOthers { // after opening the palette, enter runs the last command; this must not repeat an action
		p.addRecent(c.Name)
	}
	done := p.Close()
	done.Run = c.Run
	return done
}

// Click handles a mouse click. A click on a command runs the command. A click outside the list or
// with another button closes the palette.
func (p *Palette) Click(msg tea.MouseClickMsg) PaletteResult {
	row, lines := msg.Y-p.y-paletteHeadLines, p.lines()
	if msg.Button != tea.MouseLeft || row < 0 || row >= paletteRows || p.firstLine+row >= len(lines) ||
		msg.X < p.x || msg.X >= p.x+paletteWidth {
		return p.Close()
	}
	line := lines[p.firstLine+row]
	if line.title != "" {
		return PaletteResult{}
	}
	p.selected = line.match
	return p.runSelected()
}

// Wheel moves the selection up or down by one command.
func (p *Palette) Wheel(msg tea.MouseWheelMsg) {
	switch msg.Button { //nolint:exhaustive // other buttons have no wheel
	case tea.MouseWheelUp:
		p.moveSelection(-1)
	case tea.MouseWheelDown:
		p.moveSelection(1)
	}
}

// Overlay draws the palette over the lines of a screen that is frame cells wide.
func (p *Palette) Overlay(lk *style.Look, lines []string, frame int) {
	p.words = lk.Format.Words
	w := min(paletteWidth, frame-4)
	rows := min(paletteRows, len(lines)-paletteHeadLines-3)
	list := p.lines()
	index := slices.IndexFunc(list, func(l paletteLine) bool { return l.title == "" && l.match == p.selected })
	above := index
	if index > 0 && list[index-1].title != "" {
		above-- // also show the title above the first command of a group
	}
	p.firstLine = max(min(p.firstLine, above), index-rows+1, 0)
	p.input.SetWidth(w - 3)
	content := []string{
		style.Fit(lk.Style(themes.Key).Render(":")+" "+p.input.View(), w, ""),
		lk.Style(themes.Border).Render(strings.Repeat(lk.Glyphs.Rule, max(w, 0))),
	}
	for i := range max(rows, 0) {
		content = append(content, p.drawRow(lk, list, p.firstLine+i, w))
	}
	count := words.DialogPosition(lk.FormatCount(len(p.matches)), len(p.commands)).In(lk.Format.Words)
	content = append(content, lk.Style(themes.Dim).Render(style.Truncate(count, w, lk.Glyphs.Ellipsis)))
	p.x, p.y = lk.Box(lines, frame, words.DialogCommands().In(lk.Format.Words), content)
}

// paletteLine is a line of the list: the title of a group or, if title is "", the command
// matches[match].
type paletteLine struct {
	title string
	match int
}

// hasInput reports whether the input is not empty.
func (p *Palette) hasInput() bool { return strings.TrimSpace(p.input.Value()) != "" }

// lines returns the lines of the list, one for each match. While nothing is typed, there is also a
// line for the title of each group.
func (p *Palette) lines() []paletteLine {
	titled := !p.hasInput()
	out := make([]paletteLine, 0, len(p.matches))
	last := ""
	for i := range p.matches {
		if title := p.groupTitle(i); titled && title != last {
			out = append(out, paletteLine{title: title})
			last = title
		}
		out = append(out, paletteLine{match: i})
	}
	return out
}

// groupTitle returns the title of the group to which matches[i] belongs.
func (p *Palette) groupTitle(i int) string {
	if i < p.recentMatches {
		return words.DialogRecent().In(p.words)
	}
	return p.commands[p.matches[i]].Group
}

func (p *Palette) drawRow(lk *style.Look, list []paletteLine, index, w int) string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	i := len(p.matches)
	if index < len(list) {
		if title := list[index].title; title != "" {
			return l.Add(lk.Style(themes.Title), " "+title).Finish(themes.Style{})
		}
		i = list[index].match
	}
	switch {
	case index == 0 && len(p.matches) == 0:
		return l.Add(lk.Style(themes.Dim), "  "+words.DialogNoCommand(p.input.Value()).In(lk.Format.Words)).Finish(themes.Style{})
	case i >= len(p.matches):
		return l.Finish(themes.Style{})
	}
	c, pointer, key, end := p.commands[p.matches[i]], "  ", lk.Style(themes.Key), themes.Style{}
	text, groupStyle := lk.Style(themes.Text), lk.Style(themes.Dim)
	switch {
	case i == p.selected:
		pointer = lk.Glyphs.Pointer + " "
		text, key, end = lk.Style(themes.Selection), lk.Style(themes.Selection), lk.Style(themes.Selection)
		groupStyle = text
	case i >= p.wordMatches: // the command contains only the typed letters
		text = lk.Style(themes.Dim)
	}
	available := w - style.Width(c.Key) - 1
	group := ""
	if p.hasInput() && style.Width(pointer+c.Name)+style.Width(c.Group)+2 <= available { // the group is drawn only if the name leaves room for it
		group = c.Group
	}
	available -= style.Width(group)
	l.Add(text, style.Fit(pointer+c.Name, available, lk.Glyphs.Ellipsis)).Add(groupStyle, group).Add(text, " ").Add(key, c.Key)
	return l.Finish(end)
}

// Cursor returns the terminal's cursor in the input line, on a screen of w cells and h lines. It
// returns nil if the input line has no cursor.
func (p *Palette) Cursor(w, h int) *tea.Cursor {
	c := p.input.Cursor()
	if c == nil {
		return nil
	}
	c.X, c.Y = min(p.x+4+c.X, w-1), min(p.y+1, h-1)
	return c
}
