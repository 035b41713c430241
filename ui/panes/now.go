package panes

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/themes"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// nowPanel says in sentences what needs a person now: where, why, and what would
// help. When nothing does it says that all is well. How many lines it has depends on
// the screen alone, so that nothing jumps.
type nowPanel struct {
	chosen string   // the situation that the viewer went to; "": the first
	rows   []string // of the last view: the situation of each line, "" for none
	x, y   int      // where it was drawn
	w      int
}

// nowRoom is how many of h lines the panel has above other things.
func nowRoom(h int) int {
	switch {
	case h < 16:
		return 1
	case h < 22:
		return 4
	case h < 32:
		return 5
	case h < 40:
		return 7
	}
	return 9
}

// SituationOf returns what is wrong with a record, nil for nothing.
func (sc *Scene) SituationOf(k alert.Key) *situation.Situation {
	v := situations(sc)
	for _, list := range [][]situation.Situation{v.Live, v.Today} {
		if i := slices.IndexFunc(list, func(s situation.Situation) bool { return s.Place.Key == k }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// SituationNamed returns the situation of a view with an ID, nil where there is none.
func SituationNamed(v *situation.View, id string) *situation.Situation {
	if v == nil {
		return nil
	}
	for _, list := range [][]situation.Situation{v.Live, v.Today} {
		if i := slices.IndexFunc(list, func(s situation.Situation) bool { return s.ID == id }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// situations are those that the panel shows: what goes on, and of the day what the
// board has room for.
func situations(sc *Scene) *situation.View {
	if v := sc.Alarms.Situations; v != nil {
		return v
	}
	return &situation.View{}
}

// at is the place of the chosen situation among those that go on: the first, where it
// is over.
func (p *nowPanel) at(sc *Scene) int {
	live := situations(sc).Live
	return max(slices.IndexFunc(live, func(s situation.Situation) bool { return s.ID == p.chosen }), 0)
}

// pointed is the situation that the viewer points at, nil where nothing goes on.
func (p *nowPanel) pointed(sc *Scene) *situation.Situation {
	live := situations(sc).Live
	if len(live) == 0 {
		return nil
	}
	return &live[p.at(sc)]
}

// move goes to another situation. The viewer stays with it, wherever it stands later.
func (p *nowPanel) move(sc *Scene, by int) {
	live := situations(sc).Live
	if len(live) == 0 {
		return
	}
	p.chosen = live[min(max(p.at(sc)+by, 0), len(live)-1)].ID
}

// press obeys the keys of the panel while it has the keyboard.
func (p *nowPanel) press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch name := msg.String(); name {
	case "up", "k":
		p.move(sc, -1)
	case "down", "j":
		p.move(sc, 1)
	case "home":
		p.move(sc, -len(situations(sc).Live))
	case "end":
		p.move(sc, len(situations(sc).Live))
	case "enter":
		if s := p.pointed(sc); s != nil {
			return openPlace(s.Place.Key), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// click goes to what is under the mouse, and opens what is chosen already.
func (p *nowPanel) click(sc *Scene, x, y int) (tea.Cmd, bool) {
	if y < p.y || y >= p.y+len(p.rows) || x < p.x || x >= p.x+p.w {
		return nil, false
	}
	id := p.rows[y-p.y]
	if s := p.pointed(sc); s != nil && s.ID == id {
		return openPlace(s.Place.Key), true
	}
	if id != "" {
		p.chosen = id
	}
	return nil, true
}

// openPlace shows where something is wrong.
func openPlace(k alert.Key) tea.Cmd { return func() tea.Msg { return CauseMsg{k} } }

// view draws the panel in h lines of w cells at a place on the screen.
func (p *nowPanel) view(sc *Scene, x, y, w, h int, focused bool) []string {
	p.x, p.y, p.w, p.rows = x, y, w, p.rows[:0]
	if h <= 0 {
		return nil
	}
	d := nowDrawing{sc: sc, w: w, view: situations(sc), panel: p, focused: focused}
	if h > 2 {
		d.add("", sc.Look.HeadingAt(w, "Now", look.Position{Text: d.note()}, focused))
	}
	d.body(h - len(d.out))
	for len(d.out) < h {
		d.add("", look.Blanks(w))
	}
	return d.out[:h]
}

// nowDrawing is the panel while it is drawn.
type nowDrawing struct {
	sc      *Scene
	w       int
	view    *situation.View
	panel   *nowPanel
	focused bool
	title   int // cells of the widest place
	out     []string
}

func (d *nowDrawing) add(id, line string) {
	d.out = append(d.out, line)
	d.panel.rows = append(d.panel.rows, id)
}

// plain is a text with the characters that the terminal has.
func (d *nowDrawing) plain(text string) string { return Plain(d.sc.Look, text) }

// Plain is a text of a situation with the characters that the terminal has.
func Plain(lk *look.Look, text string) string {
	if !lk.ASCII {
		return text
	}
	return strings.NewReplacer("·", "-", "–", "-", "−", "-", "…", "...").Replace(text)
}

// note says beside the title what is well again and what the day is about, as far as
// no line says it.
func (d *nowDrawing) note() string {
	var parts []string
	if n := len(d.view.Live); n > 0 {
		needs := d.sc.Look.Count(n) + " things need you"
		if n == 1 {
			needs = "1 thing needs you"
		}
		parts = append(parts, needs)
	}
	if n := len(d.view.Today); n > 0 {
		parts = append(parts, "today: "+d.sc.Look.Count(n)+" under target")
	}
	if n := len(d.view.Silenced); n > 0 {
		parts = append(parts, d.sc.Look.Count(n)+" silent")
	}
	return strings.Join(parts, " "+d.sc.Look.Glyphs.Dot+" ")
}

// body draws what goes on, the gravest first, and as much of why and what helps as
// there is room for; then what is well again, and the day.
func (d *nowDrawing) body(room int) {
	live, top := d.view.Live, len(d.out)
	if len(live) == 0 {
		d.quiet(room)
		return
	}
	shown := min(len(live), room)
	if shown < len(live) && room > 1 {
		shown = room - 1
	}
	first := 0 // the viewer's is among those that are shown
	if at := d.panel.at(d.sc); at >= shown {
		first = at - shown + 1
	}
	spare := room - shown
	if shown < len(live) {
		spare = 0
	}
	more := d.expand(live[:shown], spare)
	for i := range shown {
		d.title = max(d.title, look.Width(live[first+i].Place.Title))
	}
	d.title = min(d.title, max(d.w/4, 12))
	for i := range shown {
		s := &live[first+i]
		d.situation(s)
		if i < len(more) {
			d.details(s, more[i])
		}
	}
	if hidden := len(live) - shown; hidden > 0 && room > 1 {
		d.line("", "", themes.Dim, "and "+d.sc.Look.Count(hidden)+" more: "+d.sc.hint("page 7 lists all"))
		return
	}
	d.rest(room - (len(d.out) - top))
}

// expand hands the spare lines out: first why, then what helps, the gravest first.
func (d *nowDrawing) expand(live []situation.Situation, spare int) []int {
	out := make([]int, len(live))
	for round := 1; round <= 2; round++ {
		for i := range live {
			if n := len(d.says(&live[i])); spare > 0 && n >= round {
				out[i], spare = round, spare-1
			}
		}
	}
	return out
}

// said is a line below a situation.
type said struct {
	label string
	parts []string // the most telling first
	sep   string
}

// says is what there is to say of a situation beside its sentence.
func (d *nowDrawing) says(s *situation.Situation) []said {
	var out []said
	if why := whyParts(s); len(why) > 0 {
		out = append(out, said{"why", why, "; "})
	}
	if help := helpParts(d.sc, s); len(help) > 0 {
		out = append(out, said{"what helps", help, " " + d.sc.Look.Glyphs.Dot + " "})
	}
	return out
}

// whyParts are the causes of a situation, the largest first.
func whyParts(s *situation.Situation) []string {
	var out []string
	for i := range s.Causes {
		out = append(out, strings.TrimSuffix(s.Causes[i].Text, "."))
	}
	if len(out) == 0 && s.Unexplained != "" {
		out = append(out, s.Unexplained)
	}
	return out
}

// helpParts are what would help, in phrases.
func helpParts(sc *Scene, s *situation.Situation) []string {
	h := &s.Help
	var out []string
	for i := range h.Needed {
		if t := NeededText(&h.Needed[i]); t != "" && len(out) < 2 {
			out = append(out, t)
		}
	}
	var who []string
	for i := range h.Who {
		who = append(who, HelperText(&h.Who[i]))
	}
	if len(who) > 0 {
		out = append(out, strings.Join(who[:min(len(who), 2)], ", "))
	}
	if h.ByItselfKnown {
		out = append(out, "clears by itself in "+About(h.ByItself))
	}
	for i := range h.Actions {
		if a := &h.Actions[i]; a.Key != "" && sc.Wall == nil {
			out = append(out, a.Key+" "+a.Text)
		}
	}
	return out
}

// NeededText says what so many more agents do.
func NeededText(n *situation.Staffing) string {
	if !n.Known {
		return ""
	}
	agents := " more agents clear it in "
	if n.More == 1 {
		agents = " more agent clears it in "
	}
	return strconv.Itoa(n.More) + agents + About(n.Clear)
}

// HelperText says who could help, and why it may be them.
func HelperText(h *situation.Helper) string {
	text := h.Name
	var why []string
	for _, w := range []string{h.Why, h.Where} {
		if w != "" {
			why = append(why, w)
		}
	}
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	return text
}

// About is a duration as it is foretold: in minutes, or seconds below one.
func About(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(max(d.Round(10*time.Second), 10*time.Second)/time.Second)) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute)/time.Minute)) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour)/time.Hour)) + " h"
}

// situation draws its sentence.
func (d *nowDrawing) situation(s *situation.Situation) {
	lk := d.sc.Look
	token, glyph := Situated(lk, s)
	l := look.NewLine(d.w, lk.Glyphs.Ellipsis)
	mark, under := " ", themes.Style{}
	if d.focused && d.panel.pointed(d.sc) == s {
		mark = lk.Glyphs.Pointer
		under = lk.Style(themes.Selection)
	}
	style := func(t themes.Token) themes.Style {
		if under.Open == "" {
			return lk.Style(t)
		}
		return themes.Style{Open: under.Open + lk.Theme.SGR(t), Close: under.Close}
	}
	l.Add(style(themes.Accent), mark).Add(style(token), glyph+" ")
	end := d.sc.Wall == nil && d.focused && d.panel.pointed(d.sc) == s && d.w >= 100
	keys := ""
	if end {
		keys = "  enter open  w why  A take over "
	}
	since := d.since(s)
	wide := d.w >= 60
	title := look.Cut(d.plain(s.Place.Title), d.title, lk.Glyphs.Ellipsis)
	if wide {
		l.Add(style(token), look.Fit(title, d.title, lk.Glyphs.Ellipsis)).Space(under, 2)
	} else {
		l.Add(style(token), title).Add(style(themes.Text), ": ")
	}
	room := l.Room() - look.Width(keys)
	headline := d.plain(s.Headline)
	if look.Width(headline)+look.Width(since)+3 > room {
		since = ""
	}
	text := Sentences(headline, room-look.Width(since), lk.ASCII)
	t := themes.Text
	if !s.Stale.IsZero() || s.Ack != (alert.Ack{}) {
		t = themes.Dim
	}
	l.Add(style(t), text)
	if rest := l.Room() - look.Width(since) - look.Width(keys); rest >= 0 && since+keys != "" {
		l.Space(under, rest).Add(style(themes.Dim), since).Add(style(themes.Dim), keys)
	}
	d.add(s.ID, l.End(under))
}

// since says when it began, who has taken it over, and how often it was there today.
func (d *nowDrawing) since(s *situation.Situation) string {
	f := d.sc.Look.Format
	text := ""
	switch {
	case !s.Stale.IsZero():
		text = "not verified since " + string(f.Clock(nil, s.Stale))
	case s.Ack != (alert.Ack{}):
		text = "taken by " + s.Ack.By
	case s.Times > 1:
		text = strconv.Itoa(s.Times) + " times today"
	case s.FromStart:
		text = "seen since " + string(f.Clock(nil, s.Since))
	case !s.Since.IsZero():
		text = "since " + string(f.Clock(nil, s.Since))
	}
	return text + " "
}

// Situated is the colour and the mark of a situation.
func Situated(lk *look.Look, s *situation.Situation) (token themes.Token, glyph string) {
	switch {
	case s.Ack != (alert.Ack{}):
		return themes.Dim, render.TakenGlyph(lk.ASCII)
	case s.Level == alert.Critical:
		return themes.Critical, render.Critical.Glyph(lk.ASCII)
	}
	return themes.Warn, render.Warn.Glyph(lk.ASCII)
}

// Sentences cuts a text to the sentences that there is room for; of the first one as
// many words.
func Sentences(text string, w int, ascii bool) string {
	for look.Width(text) > w {
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return render.WholeWords(text, w, ascii)
		}
		text = text[:i+1]
	}
	return text
}

// details draws n of the lines below a situation.
func (d *nowDrawing) details(s *situation.Situation, n int) {
	for _, line := range d.says(s)[:n] {
		d.line(s.ID, line.label, themes.Dim, d.fit(line))
	}
}

// labelled is the room of a label before a text below a situation.
const labelled = 12

// fit joins as many parts as there is room for.
func (d *nowDrawing) fit(s said) string {
	room := d.w - 3 - labelled - 1
	for n := len(s.parts); n > 1; n-- {
		if text := d.plain(strings.Join(s.parts[:n], s.sep)); look.Width(text) <= room {
			return text
		}
	}
	return render.WholeWords(d.plain(s.parts[0]), room, d.sc.Look.ASCII)
}

// line draws a line below a situation, or one that belongs to none.
func (d *nowDrawing) line(id, label string, token themes.Token, text string) {
	lk := d.sc.Look
	l := look.NewLine(d.w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 3)
	if label != "" {
		l.Add(lk.Style(token), look.Fit(label, labelled, lk.Glyphs.Ellipsis))
		token = themes.Text
	}
	l.Add(lk.Style(token), text)
	d.add(id, l.End(themes.Style{}))
}

// quiet says that nothing needs anybody.
func (d *nowDrawing) quiet(room int) {
	lk := d.sc.Look
	token, text := themes.OK, d.view.Quiet
	if len(d.view.Watched)+len(d.view.Silenced) > 0 {
		token = themes.Text // something is raised: it is not green
	}
	if text == "" {
		token, text = themes.Dim, "Nothing is known of the floor yet."
		if d.view.At != (time.Time{}) {
			text = "Nothing needs you, as far as the board knows."
		}
	}
	mark := "✓ "
	if lk.ASCII {
		mark = "+ "
	}
	if token != themes.OK {
		mark = ""
	}
	l := look.NewLine(d.w, lk.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	l.Add(lk.Style(token), mark+Phrases(d.plain(text), d.w-4, lk))
	d.add("", l.End(themes.Style{}))
	d.rest(room - 1)
}

// Phrases cuts a text to the phrases between dots that there is room for.
func Phrases(text string, w int, lk *look.Look) string {
	dot := " " + lk.Glyphs.Dot + " "
	for look.Width(text) > w {
		i := strings.LastIndex(text, dot)
		if i < 0 {
			return render.WholeWords(text, w, lk.ASCII)
		}
		text = text[:i]
	}
	return text
}

// rest draws what is well again, and the figures of the day, in the lines that are
// left.
func (d *nowDrawing) rest(room int) {
	f := d.sc.Look.Format
	dot := " " + d.sc.Look.Glyphs.Dot + " "
	if again := d.view.Recovered; len(again) > 0 && room > 0 {
		var parts []string
		for i := range again {
			r := &again[i]
			parts = append(parts, string(f.Clock(nil, r.Ended))+" "+r.Place.Title+" ("+string(f.Duration(nil, r.Ended.Sub(r.Began)))+")")
		}
		d.line("", "recovered", themes.OK, d.fit(said{"", parts, dot}))
		room--
	}
	for i := range d.view.Today {
		if room <= 0 {
			return
		}
		s := &d.view.Today[i]
		if left := len(d.view.Today) - i; room == 1 && left > 1 {
			var parts []string
			for j := range left {
				parts = append(parts, d.view.Today[i+j].Place.Title)
			}
			d.line("", "today", themes.Dim, d.fit(said{"", parts, dot})+", "+strconv.Itoa(left)+" in all")
			return
		}
		label := "today"
		if i > 0 {
			label = " "
		}
		d.line("", label, themes.Dim, Sentences(d.plain(s.Place.Title+": "+s.Headline), d.w-4-labelled, d.sc.Look.ASCII))
		room--
	}
}

// nowPane is the panel as a pane of a page.
type nowPane struct {
	panel nowPanel
	on    bool // it has the keyboard
}

var _ interface {
	Pane
	titled
	placed
	sourced
	Presser
	updater
	listener
	pointer
	situated
} = (*nowPane)(nil)

// Refresh implements [Pane].
func (*nowPane) Refresh(*Scene) {}

func (*nowPane) title(*Scene) string { return "Now" }

func (n *nowPane) status(sc *Scene) look.Position {
	d := nowDrawing{sc: sc, view: situations(sc), panel: &n.panel}
	return look.Position{Text: d.note()}
}

func (*nowPane) subs() []model.Op { return []model.Op{model.OpServices} }

func (n *nowPane) focus(on bool) { n.on = on }

// Want implements [Pane].
func (*nowPane) Want(*Scene, int) Room {
	return Room{width: 30, least: 1, wanted: 2, steps: []int{1, 2, 3}}
}

// Press implements [Presser].
func (n *nowPane) Press(sc *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	return n.panel.press(sc, msg)
}

// Update obeys the mouse.
func (n *nowPane) Update(sc *Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		cmd, _ := n.panel.click(sc, click.X, click.Y)
		return cmd
	}
	return nil
}

func (*nowPane) pointed() (floor.Kind, string, model.Channel, bool) { return 0, "", "", false }

// situation implements [situated].
func (n *nowPane) situation(sc *Scene) *situation.Situation { return n.panel.pointed(sc) }

// View implements [Pane].
func (n *nowPane) View(sc *Scene, x, y, w, h int) []string {
	n.panel.x, n.panel.y, n.panel.w, n.panel.rows = x, y, w, n.panel.rows[:0]
	d := nowDrawing{sc: sc, w: w, view: situations(sc), panel: &n.panel, focused: n.on && sc.Wall == nil}
	d.body(h)
	for len(d.out) < h {
		d.add("", look.Blanks(w))
	}
	return d.out[:h]
}

// nowKind is the kind of panes that say what needs a person now.
func nowKind() paneKind {
	return paneKind{name: "now", make: func(*Scene, PaneSpec) Pane { return &nowPane{} }}
}
