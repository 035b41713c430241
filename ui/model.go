package ui

import (
	"image/color"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/chrome"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/look"
	"wallboard/ui/palette"
	"wallboard/ui/panes"
	"wallboard/ui/task"
)

// mode is who has the keyboard.
type mode int

const (
	modeBoard   mode = iota // the page
	modePalette             // the command palette
	modeHelp                // the list of all keys
)

// Model is the board. It implements [tea.Model] by pointer: Bubble Tea hands
// it from goroutine to goroutine, never to two at once.
type Model struct {
	scene *scene
	keys  *KeyMap

	width, height int
	themer        themer

	pages   pages
	dialogs *dialog.Stack
	actions *actions.Actions
	control chrome.Control

	mode    mode
	filter  filter
	palette *palette.Palette
	help    help

	notice notice
	ticks  ticks
	around chrome.Lines

	frame   frame
	dirty   bool // the frame no longer is what should be
	failure error
	problem string // why a changed configuration is not used; "": none
}

// New returns a board that has not yet seen any data.
func New(o Options) *Model {
	o = o.withDefaults()
	keys := DefaultKeyMap()
	keys.Retry.SetEnabled(o.Retry != nil)
	m := &Model{scene: newScene(&o), keys: &keys, frame: frame("…")}
	m.themer = themer{scene: m.scene, asking: o.LightTheme.Name != ""}
	m.dialogs = dialog.NewStack(host{m})
	m.actions = actions.New(m.dialogs, &m.scene.floor, &keys.Act)
	m.actions.Use(o.Controller)
	if o.Kiosk != nil {
		m.scene.wall = kiosk.New(m.scene.setup(), &m.scene.floor, turner{&m.pages})
	}
	m.pages.fresh = func(s panes.PageSpec) panes.Page { return newPage(m.scene, m.dialogs, m.keys, s) }
	m.pages.next, m.pages.direct = keys.NextTable, &keys.Page
	m.pages.set(o.Pages)
	m.pages.current, _ = m.pages.named(o.StartPage)
	if sc := m.scene; sc.wall != nil {
		sc.wall.Hang()
	}
	m.control = controlOf(o.Controller)
	m.filter = newFilter()
	m.palette = palette.New()
	m.restyle()
	return m
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	sc := m.scene
	return tea.Batch(nextSecond(sc.Context, sc.floor.Server(sc.Now())), m.scene.wait(), waitReload(sc.Context, sc.Reloads), m.themer.ask())
}

// Update implements [tea.Model]. A panic ends the board in order: see
// [Run].
func (m *Model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	if m.failure != nil {
		return m, tea.Quit
	}
	defer func() {
		if r := recover(); r != nil {
			m.failure = task.PanicError(r)
			next, cmd = m, tea.Quit
		}
	}()
	cmd = m.dispatch(msg)
	m.scene.marks = m.actions.Pending()
	if m.dialogs.Len() > 0 {
		m.filter.end()
	}
	if m.dirty {
		cmd = tea.Batch(cmd, m.pages.tend())
		m.dirty = false
		m.paint()
		if _, ticked := msg.(clockMsg); ticked && m.scene.wall != nil && m.scene.Beat != nil && m.scene.wall.Alive() {
			m.scene.Beat()
		}
		cmd = tea.Batch(cmd, m.ticks.of(m.scene.Context, m.pages.page()))
	}
	return m, cmd
}

// dispatch hands a message to who it is for. Messages that change nothing on
// the screen leave the board clean.
func (m *Model) dispatch(msg tea.Msg) tea.Cmd {
	if m.scene.wall.Deaf(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.touch()
	case tea.KeyPressMsg:
		m.touch()
		return m.press(msg)
	case tea.PasteMsg:
		m.touch()
		return m.typed(msg)
	case tea.MouseClickMsg:
		m.touch()
		return m.click(msg)
	case tea.MouseWheelMsg:
		m.touch()
		return m.wheel(msg)
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		if m.themer.learn(msg) {
			m.restyle()
		}
	default:
		return m.dispatchOwn(msg)
	}
	return nil
}

// dispatchOwn is dispatch for what the board tells itself.
func (m *Model) dispatchOwn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case snapshotMsg:
		return m.take(msg.snapshot)
	case clockMsg:
		return m.second()
	case flashMsg, moveMsg:
		m.ticks.came(msg)
		m.touch()
	case panes.OpenMsg:
		m.open(msg)
	case panes.CauseMsg:
		m.jump(msg.About)
	case sourceFailedMsg:
		return tea.Batch(m.say("No picture of the floor: "+msg.err.Error()),
			task.After(m.scene.Context, retryAfter, retryMsg{}))
	case retryMsg:
		return m.scene.wait()
	case noticeOverMsg:
		if m.notice.over(msg) {
			m.touch()
		}
	case dialog.AnswerMsg:
		m.touch()
		return m.dialogs.Take(msg)
	case actions.DoneMsg:
		m.touch()
		return m.actions.Done(msg)
	case history.Msg:
		cmd := msg.Arrive()
		m.touch()
		return cmd
	case dialog.SayMsg:
		return m.say(msg.Text)
	case reloadMsg:
		return m.reload(msg.reload)
	case task.FailedMsg:
		m.failure = msg.Err
		return tea.Quit
	}
	return nil
}

// touch has the frame drawn anew, by the clock of now.
func (m *Model) touch() {
	m.scene.floor.Ours = m.scene.Now()
	m.dirty = true
}

// Frame implements [paint.Model]. It is asked for after every message, so it only
// returns what Update has drawn.
func (m *Model) Frame() []byte { return m.frame }

// View implements [paint.Model].
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: m.scene.Title}
	if m.scene.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if !m.scene.look.Mono && !m.themer.asking {
		v.BackgroundColor = m.scene.look.Theme.Background()
		v.ForegroundColor = m.scene.look.Theme.Foreground()
	}
	if m.scene.wall.Dark() {
		v.BackgroundColor, v.ForegroundColor = color.Black, nil
	}
	v.Cursor = m.cursor()
	return v
}

// open drills down to something.
func (m *Model) open(msg panes.OpenMsg) {
	m.touch()
	m.filter.end()
	if msg.Channel != "" {
		m.scene.floor.Choose(msg.Channel)
	}
	m.pages.open(m.scene.panes(), msg.Kind, msg.Key)
}

// restyle draws everything in another look.
func (m *Model) restyle() {
	m.touch()
	m.pages.restyle(m.scene.panes())
	m.dialogs.Restyle()
	m.filter.prompt.SetStyles(dialog.PromptStyles(m.scene.look.Theme))
	m.palette.Restyle(m.scene.look.Theme)
}

// minWidth and minHeight are the smallest screen that the board can say
// something true on.
const (
	minWidth  = 40
	minHeight = 12
)

// paint draws the frame.
func (m *Model) paint() {
	if m.width <= 0 || m.height <= 0 {
		return
	}
	m.frame.begin()
	if p := m.bare(); p != nil {
		m.putBare(p)
	} else {
		m.frame.put(m.scene.look, m.lines()...)
	}
	m.frame.end()
}

// lines returns the frame: as many lines as the screen has, none wider.
func (m *Model) lines() []string {
	w, h := m.width, m.height
	sc := m.scene
	if w < minWidth || h < minHeight {
		return tooSmall(w, h)
	}
	if sc.wall.Covers() {
		return sc.wall.Cover(m.moment(), &m.around)
	}
	p, on := m.pages.page(), sc.panes()
	p.Refresh(on)
	now := m.moment()
	out := m.header(now)
	title := len(out)
	out = append(out, "")
	out = append(out, p.View(on, 0, len(out), w, h-len(out)-1)...)
	out[title] = m.around.Title(now, m.pages.place(on))
	out = look.FillLines(out, w, h-1)
	if m.covered() {
		sc.look.Fade(out[title:]) // the header still tells what is going on
	}
	switch m.mode {
	case modeHelp:
		m.help.overlay(sc.look, out, w, helpGroups(m.keys, m.scene.Controller != nil))
	case modePalette:
		m.palette.Overlay(sc.look, out, w)
	case modeBoard:
	}
	m.dialogs.Overlay(out, m.width)
	return append(out, m.footer(now))
}

// covered reports whether something lies over the page.
func (m *Model) covered() bool {
	return m.dialogs.Top() != nil || m.mode == modeHelp || m.mode == modePalette
}

// header returns the lines above the title, which says what the body had no room
// for and so is drawn after it.
func (m *Model) header(now *chrome.Moment) []string {
	if m.scene.wall != nil {
		return m.scene.wall.Header(now, &m.around)
	}
	out := append(make([]string, 0, m.height), m.around.Status(now), m.around.Tabs(now, m.pages.tabs()))
	return append(out, now.Banners()...)
}

// moment is what the lines around the page are drawn from.
func (m *Model) moment() *chrome.Moment {
	sc := m.scene
	now := &chrome.Moment{
		Look: sc.look, Floor: &sc.floor, Alerts: sc.alerts.Latest(), Subs: m.pages.page().Subs(),
		Width: m.width, Height: m.height, Title: sc.Title, Wall: sc.wall != nil,
		Insecure: sc.MarkInsecure, Control: m.control, Problem: sc.wall.Public(m.problem),
		Notice: m.notice.text, Keys: chrome.Keys{Retry: m.keys.Retry, Freeze: m.keys.Freeze, Last: m.keys.Last},
	}
	if sc.Trouble != nil {
		now.Trouble = sc.wall.Public(sc.Trouble())
	}
	return now
}

// controlOf asks what acts on the platform for its state.
func controlOf(c actions.Controller) chrome.Control {
	if c == nil {
		return chrome.Control{}
	}
	text, ok := c.State()
	return chrome.Control{Some: true, OK: ok, Text: text, Insecure: c.Insecure()}
}

// tooSmall says so in words that are not cut, in whatever room there is.
func tooSmall(w, h int) []string {
	size := itoa(w) + "x" + itoa(h)
	for _, text := range [][]string{
		{"Too small", "40x12 at least;", "this is " + size},
		{"Too small", "min 40x12", "now " + size},
		{"Small", "40x12"},
	} {
		fits := true
		for _, l := range text {
			fits = fits && len(l) <= w
		}
		if fits {
			return look.FitLines(text, w, h, "")
		}
	}
	return look.FitLines([]string{"!"}, w, h, "")
}
