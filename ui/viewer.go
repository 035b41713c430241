package ui

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/company"
	"wallboard/ui/paint"
	"wallboard/ui/sites"
	"wallboard/ui/task"
)

// Viewer is a board and, while its viewer looks at what was, another one over it that
// shows the recording. The first goes on meanwhile: its alarms still ring. So do the boards
// of other platforms, one of which is shown.
type Viewer struct {
	live      *Model     // of the platform that is shown
	platforms *platforms // nil: there is one

	past     *Model // nil: what is, is shown
	pastEnds context.CancelFunc
	wanted   *wanted                  // nil: nobody waits for a recording
	told     map[*Model]uint64        // the newest notice of each board that is not shown that was passed on
	terminal map[reflect.Type]tea.Msg // what the terminal has said of itself last
}

// rewindMsg rewinds the board to an instant, the zero time being a minute ago or the first
// that is recorded, or brings it back to now.
type rewindMsg struct{ to time.Time }

// boardMsg is for one board of several.
type boardMsg struct {
	of  *Model
	msg tea.Msg
}

// filmEndedMsg tells that a recording cannot be read on.
type filmEndedMsg struct{ err error }

// NewViewer returns what shows a board and, when its viewer asks for it, what was.
func NewViewer(o Options) *Viewer {
	v := &Viewer{live: New(o), told: make(map[*Model]uint64), terminal: make(map[reflect.Type]tea.Msg)}
	v.platforms = newPlatforms(v.live, v.live.scene.Options)
	return v
}

// boards are those that show what is.
func (v *Viewer) boards() []*Model {
	if v.platforms == nil {
		return []*Model{v.live}
	}
	return v.platforms.boards
}

// front is the board that is shown.
func (v *Viewer) front() *Model {
	if v.past != nil {
		return v.past
	}
	return v.live
}

// failed is why the board has ended; nil: it was ended.
func (v *Viewer) failed() error {
	for _, b := range v.boards() {
		if b.failure != nil {
			return b.failure
		}
	}
	return nil
}

// Init implements [tea.Model].
func (v *Viewer) Init() tea.Cmd {
	var cmds []tea.Cmd
	for _, b := range v.boards() {
		cmds = append(cmds, v.of(b, b.Init()))
	}
	return tea.Batch(cmds...)
}

// View implements [paint.Model].
func (v *Viewer) View() tea.View { return v.front().View() }

// Frame implements [paint.Model].
func (v *Viewer) Frame() []byte { return v.front().Frame() }

// Update implements [tea.Model].
func (v *Viewer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if all, is := msg.(paint.Together); is {
		return v, tea.Batch(v.together(all), v.turn())
	}
	return v, tea.Batch(v.pass(msg), v.turn())
}

// turn goes where the board in front has asked to be.
func (v *Viewer) turn() tea.Cmd {
	front := v.front()
	to := front.turn
	front.turn = nil
	switch to := to.(type) {
	case sites.Go:
		return v.goTo(to)
	case nextPlatformMsg:
		return v.goNext()
	case rewindMsg:
		if v.past != nil {
			return v.back()
		}
		return v.rewind(to.to)
	case wantedMsg:
		return v.tryAgain(to.wanted)
	}
	return v.follow()
}

// together passes on what came at once, so that each board draws once.
func (v *Viewer) together(all paint.Together) tea.Cmd {
	came := make(map[*Model]paint.Together)
	for _, msg := range all {
		to := v.live
		switch one := msg.(type) {
		case boardMsg:
			to, msg = one.of, one.msg
		case paint.Due:
			for _, b := range v.boards() {
				came[b] = append(came[b], msg)
			}
			continue
		}
		came[to] = append(came[to], msg)
	}
	var cmds []tea.Cmd
	for _, b := range v.boards() {
		if len(came[b]) > 0 {
			cmds = append(cmds, v.to(b, came[b]))
		}
	}
	if len(came[v.past]) > 0 && v.past != nil {
		cmds = append(cmds, v.toPast(came[v.past]))
	}
	return tea.Batch(cmds...)
}

// pass gives a message to the board that it is for.
func (v *Viewer) pass(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case boardMsg:
		switch {
		case slices.Contains(v.boards(), msg.of):
			return v.to(msg.of, msg.msg)
		case msg.of != v.past || v.past == nil:
			return nil // it is over
		}
		if ended, is := msg.msg.(filmEndedMsg); is {
			return tea.Batch(v.back(), v.say("The recording cannot be read on: "+ended.err.Error()))
		}
		return v.toPast(msg.msg)
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		v.terminal[reflect.TypeOf(msg)] = msg
		var cmds []tea.Cmd
		for _, b := range v.boards() {
			cmds = append(cmds, v.to(b, msg))
		}
		if v.past != nil {
			cmds = append(cmds, v.toPast(msg))
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		if v.past != nil {
			return v.toPast(msg)
		}
		if cmd, done := v.stays(msg); done {
			return cmd
		}
	}
	return v.toLive(msg)
}

// toLive passes a message on to the board of the platform that is shown.
func (v *Viewer) toLive(msg tea.Msg) tea.Cmd { return v.to(v.live, msg) }

// to passes a message on to a board that shows what is, and what that has to say of it to
// who is looking at another one.
func (v *Viewer) to(b *Model, msg tea.Msg) tea.Cmd {
	_, cmd := b.Update(msg)
	cmd = v.of(b, cmd)
	front := v.front()
	if b == front {
		return cmd
	}
	if _, is := msg.(company.Msg); is { // its header may tell of it
		front.touch()
	}
	cmd = tea.Batch(cmd, v.of(front, v.passOn(b)))
	_, drawn := front.Update(nil)
	return tea.Batch(cmd, v.of(front, drawn))
}

// passOn has the board in front say what one that is not shown has to say.
func (v *Viewer) passOn(b *Model) tea.Cmd {
	front, n := v.front(), &b.notice
	if n.id == v.told[b] || n.text == "" {
		return nil
	}
	v.told[b] = n.id
	switch {
	case b == v.live:
		return front.tell(n.token, "Now: "+n.text)
	case n.text == front.notice.text:
		return nil // it is about all of them
	}
	return front.tell(n.token, b.scene.Title+": "+n.text)
}

// of has what comes of a command go to a board.
func (v *Viewer) of(b *Model, cmd tea.Cmd) tea.Cmd {
	if b == v.live && v.platforms == nil {
		return cmd // what is for nobody else goes there
	}
	return addressed(b, cmd)
}

// toPast passes a message on. What breaks there ends no more than the look back.
func (v *Viewer) toPast(msg tea.Msg) tea.Cmd {
	_, cmd := v.past.Update(msg)
	if err := v.past.failure; err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		return tea.Batch(v.back(), v.say("What was cannot be shown: "+why))
	}
	return v.inPast(cmd)
}

// inPast has what comes of a command go to the board that shows what was now.
func (v *Viewer) inPast(cmd tea.Cmd) tea.Cmd { return addressed(v.past, cmd) }

// addressed has what comes of a command go to a board. What is for the terminal goes
// there.
func addressed(to *Model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if all, is := msg.(tea.BatchMsg); is {
			for i, one := range all {
				all[i] = addressed(to, one)
			}
			return all
		}
		if msg == nil || strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/bubbletea") || forTerminal(msg) {
			return msg
		}
		return boardMsg{to, msg}
	}
}

// forTerminal reports whether a message is for what shows the board.
func forTerminal(msg tea.Msg) bool { return msg == paint.Repaint{} || msg == paint.Suspend{} }

// rewind shows what was at an instant, as soon as that is recorded; the zero time is a minute
// ago, or the first instant that is recorded.
func (v *Viewer) rewind(to time.Time) tea.Cmd {
	sc := v.live.scene
	if v.past != nil || sc.Memory.Open == nil {
		return v.say(sc.unrecorded())
	}
	film, err := sc.Memory.Open()
	if v.notYet(to, film, err) && (v.wanted == nil || !v.wanted.to.Equal(to) || sc.Now().Before(v.wanted.until)) {
		if err == nil {
			_ = film.Close() // nobody has looked at it
		}
		return v.await(to)
	}
	v.wanted = nil
	if err != nil {
		return v.say("There is nothing to rewind to: " + err.Error())
	}
	if to.IsZero() {
		to = sc.floor.Server(sc.Now()).Add(-time.Minute)
	}
	ctx, cancel := context.WithCancel(sc.Context)
	past := v.board(ctx, film)
	v.past, v.pastEnds, v.told[v.live] = past, cancel, v.live.notice.id
	cmds := []tea.Cmd{v.inPast(past.Init()), v.inPast(past.reel.Leap(to)), v.inPast(past.reel.Follow())}
	for _, msg := range v.terminal {
		cmds = append(cmds, v.toPast(msg))
	}
	past.pages.carry(past.scene.panes(), &v.live.pages)
	past.touch()
	run := task.Guard(func() tea.Msg {
		err := film.Run(ctx)
		_ = film.Close() // it was only read from
		if err != nil {
			return filmEndedMsg{err}
		}
		return nil
	})
	return tea.Batch(append(cmds, v.inPast(run), v.toPast(nil))...)
}

// back shows what is.
func (v *Viewer) back() tea.Cmd {
	v.pastEnds()
	v.past, v.pastEnds = nil, nil
	v.live.touch()
	return v.toLive(nil)
}

// board is a board like the live one that shows a recording of its floor, on which
// nothing can be done.
func (v *Viewer) board(ctx context.Context, film Film) *Model {
	sc := v.live.scene
	o := *sc.Options
	o.Source, o.Now, o.Context = film, film.Now, ctx
	o.Controller, o.Retry, o.Reloads, o.Deeds, o.Signals = nil, nil, nil, nil, Signals{}
	o.Trouble, o.Beat, o.Alerts, o.Commands, o.Marked, o.Alike = nil, nil, nil, nil, nil, nil
	o.Company = company.Options{}
	if sc.look.Chosen {
		o.Theme, o.LightTheme = sc.look.Theme, themes.Theme{}
	}
	past := New(o)
	past.scene.platforms, past.scene.heard = v.platforms, sc.company
	past.reel.Beside(sc.Now, slices.Concat(sc.Alerts.Active(), sc.Alerts.History()))
	past.scene.floor.Choose(sc.floor.Channel)
	return past
}

// say shows a message on the live board at once.
func (v *Viewer) say(text string) tea.Cmd {
	cmd := v.of(v.live, v.live.say(text))
	return tea.Batch(cmd, v.toLive(nil))
}
