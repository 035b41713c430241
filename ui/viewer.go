package ui

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/sites"
	"wallboard/ui/term"
	"wallboard/ui/viewers"
)

// Viewer shows one of several boards: the live board of each platform, and during a replay
// a further board above it. The other boards keep running, so their alerts still ring.
type Viewer struct {
	live      *Model     // of the selected platform
	platforms *platforms // nil with a single platform

	replay        *Model // nil: no replay
	cancelReplay  context.CancelFunc
	pendingRewind *rewindRequest           // nil: not waiting for a recording
	forwarded     map[*Model]uint64        // last notice of each hidden board that was forwarded
	terminal      map[reflect.Type]tea.Msg // last report of the terminal, by type
}

// rewindMsg starts a replay at an instant, or ends it. The zero time means a minute ago, or
// the first recorded instant.
type rewindMsg struct{ to time.Time }

// boardMsg is a message for one of several boards.
type boardMsg struct {
	of  *Model
	msg tea.Msg
}

// filmEndedMsg reports that the recording cannot be read any further.
type filmEndedMsg struct{ err error }

// NewViewer creates the boards for the options.
func NewViewer(o Options) *Viewer {
	v := &Viewer{live: New(o), forwarded: make(map[*Model]uint64), terminal: make(map[reflect.Type]tea.Msg)}
	v.platforms = newPlatforms(v.live, v.live.scene.Options)
	return v
}

// boards returns the live boards.
func (v *Viewer) boards() []*Model {
	if v.platforms == nil {
		return []*Model{v.live}
	}
	return v.platforms.boards
}

// front returns the board on the screen.
func (v *Viewer) front() *Model {
	if v.replay != nil {
		return v.replay
	}
	return v.live
}

// failed returns the error that ended a board, nil for a normal end.
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
		cmds = append(cmds, v.forBoard(b, b.Init()))
	}
	return tea.Batch(cmds...)
}

// View implements [term.Model].
func (v *Viewer) View() tea.View { return v.front().View() }

// Frame implements [term.Model].
func (v *Viewer) Frame() []byte { return v.front().Frame() }

// Update implements [tea.Model].
func (v *Viewer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if all, is := msg.(term.Messages); is {
		return v, tea.Batch(v.together(all), v.followRequest())
	}
	return v, tea.Batch(v.pass(msg), v.followRequest())
}

// followRequest carries out the request of the board in front: another platform or instant.
func (v *Viewer) followRequest() tea.Cmd {
	front := v.front()
	to := front.request
	front.request = nil
	switch to := to.(type) {
	case sites.GoMsg:
		return v.goTo(to)
	case nextPlatformMsg:
		return v.goNext()
	case rewindMsg:
		if v.replay != nil {
			return v.endReplay()
		}
		return v.rewind(to.to)
	case retryRewindMsg:
		return v.tryAgain(to.rewindRequest)
	}
	return v.followTour()
}

// together forwards messages that arrived together, so that each board draws once.
func (v *Viewer) together(all term.Messages) tea.Cmd {
	came := make(map[*Model]term.Messages)
	for _, msg := range all {
		to := v.live
		switch one := msg.(type) {
		case boardMsg:
			to, msg = one.of, one.msg
		case term.FrameMsg:
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
			cmds = append(cmds, v.send(b, came[b]))
		}
	}
	if len(came[v.replay]) > 0 && v.replay != nil {
		cmds = append(cmds, v.toReplay(came[v.replay]))
	}
	return tea.Batch(cmds...)
}

// pass forwards a message to its board.
func (v *Viewer) pass(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case boardMsg:
		switch {
		case slices.Contains(v.boards(), msg.of):
			return v.send(msg.of, msg.msg)
		case msg.of != v.replay || v.replay == nil:
			return nil // the replay has ended
		}
		if ended, is := msg.msg.(filmEndedMsg); is {
			return tea.Batch(v.endReplay(), v.say("The recording cannot be read on: "+ended.err.Error()))
		}
		return v.toReplay(msg.msg)
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		v.terminal[reflect.TypeOf(msg)] = msg
		var cmds []tea.Cmd
		for _, b := range v.boards() {
			cmds = append(cmds, v.send(b, msg))
		}
		if v.replay != nil {
			cmds = append(cmds, v.toReplay(msg))
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		if v.replay != nil {
			return v.toReplay(msg)
		}
		if cmd, done := v.cancelRewind(msg); done {
			return cmd
		}
	}
	return v.toLive(msg)
}

// toLive forwards a message to the live board of the selected platform.
func (v *Viewer) toLive(msg tea.Msg) tea.Cmd { return v.send(v.live, msg) }

// send forwards a message to a live board, and shows that board's notices on the board in
// front.
func (v *Viewer) send(b *Model, msg tea.Msg) tea.Cmd {
	_, cmd := b.Update(msg)
	cmd = v.forBoard(b, cmd)
	front := v.front()
	if b == front {
		return cmd
	}
	if _, is := msg.(viewers.Msg); is { // the header may show it
		front.touch()
	}
	cmd = tea.Batch(cmd, v.forBoard(front, v.forwardNotice(b)))
	_, drawn := front.Update(nil)
	return tea.Batch(cmd, v.forBoard(front, drawn))
}

// forwardNotice shows the notice of a hidden board on the board in front.
func (v *Viewer) forwardNotice(b *Model) tea.Cmd {
	front, n := v.front(), &b.notice
	if n.id == v.forwarded[b] || n.text == "" {
		return nil
	}
	v.forwarded[b] = n.id
	switch {
	case b == v.live:
		return front.tell(n.token, "Now: "+n.text)
	case n.text == front.notice.text:
		return nil // it concerns all boards
	}
	return front.tell(n.token, b.scene.Title+": "+n.text)
}

// forBoard routes the messages of a command to a board.
func (v *Viewer) forBoard(b *Model, cmd tea.Cmd) tea.Cmd {
	if b == v.live && v.platforms == nil {
		return cmd // messages without an address go to the live board
	}
	return addressed(b, cmd)
}

// toReplay forwards a message to the replay. A panic there ends only the replay.
func (v *Viewer) toReplay(msg tea.Msg) tea.Cmd {
	_, cmd := v.replay.Update(msg)
	if err := v.replay.failure; err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		return tea.Batch(v.endReplay(), v.say("What was cannot be shown: "+why))
	}
	return v.forReplay(cmd)
}

// forReplay routes the messages of a command to the replay.
func (v *Viewer) forReplay(cmd tea.Cmd) tea.Cmd { return addressed(v.replay, cmd) }

// addressed routes the messages of a command to a board. Messages for the terminal are not
// changed.
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

// forTerminal reports whether a message is for the program that shows the board.
func forTerminal(msg tea.Msg) bool { return msg == term.RepaintMsg{} || msg == term.SuspendMsg{} }

// rewind starts a replay as soon as the instant is recorded. The zero time means a minute
// ago, or the first recorded instant.
func (v *Viewer) rewind(to time.Time) tea.Cmd {
	sc := v.live.scene
	if v.replay != nil || sc.Memory.Open == nil {
		return v.say(sc.noRecordingReason())
	}
	film, err := sc.Memory.Open()
	if v.notYet(to, film, err) && (v.pendingRewind == nil || !v.pendingRewind.to.Equal(to) || sc.Now().Before(v.pendingRewind.until)) {
		if err == nil {
			_ = film.Close() // unused
		}
		return v.await(to)
	}
	v.pendingRewind = nil
	if err != nil {
		return v.say("There is nothing to rewind to: " + err.Error())
	}
	if to.IsZero() {
		to = sc.floor.Server(sc.Now()).Add(-time.Minute)
	}
	ctx, cancel := context.WithCancel(sc.Context)
	past := v.newReplay(ctx, film)
	v.replay, v.cancelReplay, v.forwarded[v.live] = past, cancel, v.live.notice.id
	cmds := []tea.Cmd{v.forReplay(past.Init()), v.forReplay(past.reel.Jump(to)), v.forReplay(past.reel.Follow())}
	for _, msg := range v.terminal {
		cmds = append(cmds, v.toReplay(msg))
	}
	past.pages.carry(past.scene.panes(), &v.live.pages)
	past.touch()
	run := dialog.Guard(func() tea.Msg {
		err := film.Play(ctx)
		_ = film.Close() // read-only: closing cannot lose data
		if err != nil {
			return filmEndedMsg{err}
		}
		return nil
	})
	return tea.Batch(append(cmds, v.forReplay(run), v.toReplay(nil))...)
}

// endReplay ends the replay.
func (v *Viewer) endReplay() tea.Cmd {
	v.cancelReplay()
	v.replay, v.cancelReplay = nil, nil
	v.live.touch()
	return v.toLive(nil)
}

// newReplay returns a read-only board that replays the floor of the live one.
func (v *Viewer) newReplay(ctx context.Context, film Recording) *Model {
	sc := v.live.scene
	o := *sc.Options
	o.Source, o.Now, o.Context = film, film.Now, ctx
	o.Controller, o.Retry, o.Reloads, o.PastActions, o.ChangeSignals = nil, nil, nil, nil, ChangeSignals{}
	o.ProblemText, o.Heartbeat, o.Alerts, o.Commands, o.MarkEvent, o.SharedCaches = nil, nil, nil, nil, nil, nil
	o.Company = viewers.Options{}
	if sc.look.NamedTheme {
		o.Theme, o.LightTheme = sc.look.Theme, themes.Theme{}
	}
	past := New(o)
	past.scene.platforms, past.scene.messages = v.platforms, sc.company
	past.reel.ConnectLive(sc.Now, slices.Concat(sc.Alerts.Active(), sc.Alerts.History()))
	past.scene.floor.Choose(sc.floor.Channel)
	return past
}

// say shows a message on the live board at once.
func (v *Viewer) say(text string) tea.Cmd {
	cmd := v.forBoard(v.live, v.live.say(text))
	return tea.Batch(cmd, v.toLive(nil))
}
