package ui

import (
	"context"
	"reflect"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/company"
	"wallboard/ui/paint"
	"wallboard/ui/task"
)

// Viewer is a board and, while its viewer looks at what was, another one over it that
// shows the recording. The first goes on meanwhile: its alarms still ring.
type Viewer struct {
	live *Model

	past     *Model // nil: what is, is shown
	pastEnds context.CancelFunc
	told     uint64                   // the newest notice of the live board that was passed on
	terminal map[reflect.Type]tea.Msg // what the terminal has said of itself last
}

// rewindMsg rewinds the board to an instant, the zero time being a minute ago, or
// brings it back to now.
type rewindMsg struct{ to time.Time }

// pastMsg is for the board that shows what was.
type pastMsg struct {
	of  *Model
	msg tea.Msg
}

// filmEndedMsg tells that a recording cannot be read on.
type filmEndedMsg struct{ err error }

// NewViewer returns what shows a board and, when its viewer asks for it, what was.
func NewViewer(o Options) *Viewer {
	return &Viewer{live: New(o), terminal: make(map[reflect.Type]tea.Msg)}
}

// front is the board that is shown.
func (v *Viewer) front() *Model {
	if v.past != nil {
		return v.past
	}
	return v.live
}

// failed is why the board has ended; nil: it was ended.
func (v *Viewer) failed() error { return v.live.failure }

// Init implements [tea.Model].
func (v *Viewer) Init() tea.Cmd { return v.live.Init() }

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
	switch {
	case to == nil:
		return nil
	case v.past != nil:
		return v.back()
	}
	return v.rewind(to.to)
}

// together passes on what came at once, so that each board draws once.
func (v *Viewer) together(all paint.Together) tea.Cmd {
	var live, past paint.Together
	for _, msg := range all {
		if p, is := msg.(pastMsg); is {
			if p.of == v.past {
				past = append(past, p.msg)
			}
			continue
		}
		live = append(live, msg)
	}
	var cmds []tea.Cmd
	if len(live) > 0 {
		cmds = append(cmds, v.toLive(live))
	}
	if len(past) > 0 && v.past != nil {
		cmds = append(cmds, v.toPast(past))
	}
	return tea.Batch(cmds...)
}

// pass gives a message to the board that it is for.
func (v *Viewer) pass(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pastMsg:
		if msg.of != v.past || v.past == nil {
			return nil // it is over
		}
		if ended, is := msg.msg.(filmEndedMsg); is {
			return tea.Batch(v.back(), v.say("The recording cannot be read on: "+ended.err.Error()))
		}
		return v.toPast(msg.msg)
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		v.terminal[reflect.TypeOf(msg)] = msg
		if v.past != nil {
			return tea.Batch(v.toLive(msg), v.toPast(msg))
		}
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		if v.past != nil {
			return v.toPast(msg)
		}
	}
	return v.toLive(msg)
}

// toLive passes a message on, and what the board has to say of it to who is looking at
// what was.
func (v *Viewer) toLive(msg tea.Msg) tea.Cmd {
	_, cmd := v.live.Update(msg)
	if n := &v.live.notice; v.past != nil && n.id != v.told && n.text != "" {
		v.told = n.id
		cmd = tea.Batch(cmd, v.inPast(v.past.say("Now: "+n.text)))
		_, drawn := v.past.Update(nil)
		cmd = tea.Batch(cmd, v.inPast(drawn))
	}
	return cmd
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
		if msg == nil || strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/bubbletea") {
			return msg
		}
		return pastMsg{to, msg}
	}
}

// rewind shows what was at an instant; the zero time is a minute ago.
func (v *Viewer) rewind(to time.Time) tea.Cmd {
	sc := v.live.scene
	if v.past != nil || sc.Memory.Open == nil {
		return v.say("Nothing is recorded: [record] of the configuration switches it on.")
	}
	film, err := sc.Memory.Open()
	if err != nil {
		return v.say("There is nothing to rewind to: " + err.Error())
	}
	ctx, cancel := context.WithCancel(sc.Context)
	past := v.board(ctx, film)
	v.past, v.pastEnds, v.told = past, cancel, v.live.notice.id
	if to.IsZero() {
		to = sc.floor.Server(sc.Now()).Add(-time.Minute)
	}
	cmds := []tea.Cmd{v.inPast(past.Init()), v.inPast(past.reel.leap(to))}
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
	o.Controller, o.Keep, o.Retry, o.Reloads, o.Deeds, o.Signals = nil, nil, nil, nil, nil, Signals{}
	o.Trouble, o.Beat, o.Alerts, o.Commands, o.Marked = nil, nil, nil, nil, nil
	o.Company = company.Options{}
	if sc.look.Chosen {
		o.Theme, o.LightTheme = sc.look.Theme, themes.Theme{}
	}
	past := New(o)
	past.reel.live = sc.Now
	past.reel.watch(sc.Alerts)
	past.scene.floor.Choose(sc.floor.Channel)
	return past
}

// say shows a message on the live board at once.
func (v *Viewer) say(text string) tea.Cmd {
	cmd := v.live.say(text)
	return tea.Batch(cmd, v.toLive(nil))
}
