package ui

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/presence"
	"wallboard/ui/replay"
	"wallboard/ui/term"
)

// Viewer shows one of several boards: the live board of one of the platforms or, during a replay, a
// board that replays a recording. The hidden boards keep running, so that their alerts still ring
// the bell.
type Viewer struct {
	live      *Model     // board of the selected platform
	platforms *platforms // nil with a single platform
	keeper    *viewKeeper

	replay          *Model // nil: no replay
	cancelReplay    context.CancelFunc
	pendingRewind   *rewindRequest           // request that waits for a recording; nil: none
	forwardedNotice map[*Model]uint64        // ID of each board's last notice that another board has shown
	terminalReports map[reflect.Type]tea.Msg // last message of each type that describes the terminal
}

// boardMsg addresses a message to one of the boards of a Viewer.
type boardMsg struct {
	board *Model
	msg   tea.Msg
}

// recordingEndedMsg reports an error because of which the recording cannot be read any further.
type recordingEndedMsg struct{ err error }

// NewViewer returns a viewer with a live board for o, and one for each of o.OtherPlatforms.
func NewViewer(o Options) *Viewer {
	v := &Viewer{live: New(o), forwardedNotice: make(map[*Model]uint64), terminalReports: make(map[reflect.Type]tea.Msg)}
	v.keeper = v.keepView()
	v.platforms = newPlatforms(v.live, v.live.scene.Options)
	return v
}

// boards returns the live boards of all platforms.
func (v *Viewer) boards() []*Model {
	if v.platforms == nil {
		return []*Model{v.live}
	}
	return v.platforms.boards
}

// frontBoard returns the board on the screen: the replay if there is one, otherwise the live board
// of the selected platform.
func (v *Viewer) frontBoard() *Model {
	if v.replay != nil {
		return v.replay
	}
	return v.live
}

// failure returns the error that ended a live board, or nil if no live board has failed.
func (v *Viewer) failure() error {
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
func (v *Viewer) View() tea.View { return v.frontBoard().View() }

// Frame implements [term.Model].
func (v *Viewer) Frame() []byte { return v.frontBoard().Frame() }

// Update implements [tea.Model].
func (v *Viewer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if messages, ok := msg.(term.Messages); ok {
		return v, tea.Batch(v.forwardAll(messages), v.followRequest(), v.forBoard(v.live, v.keeper.saveDue()))
	}
	return v, tea.Batch(v.forward(msg), v.followRequest(), v.forBoard(v.live, v.keeper.saveDue()))
}

// followRequest shows the platform or the instant that the board in front has requested. If there
// is no request, it shows the platform that the rotation of a kiosk has selected.
func (v *Viewer) followRequest() tea.Cmd {
	front := v.frontBoard()
	request := front.viewerRequest
	front.viewerRequest = nil
	switch to := request.(type) {
	case pages.OpenPlatformMsg:
		return v.switchTo(to)
	case nextPlatformMsg:
		return v.switchToNext()
	case replay.RewindMsg:
		if v.replay != nil {
			return v.endReplay()
		}
		return v.rewind(to.To)
	case retryRewindMsg:
		return v.retryRewind(to.rewindRequest)
	}
	return v.followRotation()
}

// forwardAll forwards messages that arrived together. Each board gets all its messages in one call,
// so that it draws only once.
func (v *Viewer) forwardAll(messages term.Messages) tea.Cmd {
	batches := make(map[*Model]term.Messages)
	for _, msg := range messages {
		board := v.live
		switch one := msg.(type) {
		case boardMsg:
			board, msg = one.board, one.msg
		case term.FrameMsg:
			for _, b := range v.boards() {
				batches[b] = append(batches[b], msg)
			}
			continue
		}
		batches[board] = append(batches[board], msg)
	}
	var cmds []tea.Cmd
	for _, b := range v.boards() {
		if len(batches[b]) > 0 {
			cmds = append(cmds, v.sendLive(b, batches[b]))
		}
	}
	if len(batches[v.replay]) > 0 && v.replay != nil {
		cmds = append(cmds, v.toReplay(batches[v.replay]))
	}
	return tea.Batch(cmds...)
}

// forward forwards a message to the board to which it is addressed. A message that describes the
// terminal goes to all boards.
func (v *Viewer) forward(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case boardMsg:
		switch {
		case slices.Contains(v.boards(), msg.board):
			return v.sendLive(msg.board, msg.msg)
		case msg.board != v.replay || v.replay == nil:
			return nil // the replay has ended
		}
		if ended, ok := msg.msg.(recordingEndedMsg); ok {
			return tea.Batch(v.endReplay(), v.say("The recording cannot be read on: "+ended.err.Error()))
		}
		return v.toReplay(msg.msg)
	case tea.EnvMsg, tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		v.terminalReports[reflect.TypeOf(msg)] = msg
		var cmds []tea.Cmd
		for _, b := range v.boards() {
			cmds = append(cmds, v.sendLive(b, msg))
		}
		if v.replay != nil {
			cmds = append(cmds, v.toReplay(msg))
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		if v.replay != nil {
			return v.toReplay(msg)
		}
		if cmd, handled := v.cancelRewind(msg); handled {
			return cmd
		}
	}
	return v.toLive(msg)
}

// toLive forwards a message to the live board of the selected platform.
func (v *Viewer) toLive(msg tea.Msg) tea.Cmd { return v.sendLive(v.live, msg) }

// sendLive forwards a message to the live board b. If b is hidden, a new notice of b appears on the
// board in front.
func (v *Viewer) sendLive(b *Model, msg tea.Msg) tea.Cmd {
	_, cmd := b.Update(msg)
	cmd = v.forBoard(b, cmd)
	front := v.frontBoard()
	if b == front {
		return cmd
	}
	if _, ok := msg.(presence.Msg); ok { // the header of the board in front may show messages of other viewers
		front.invalidate()
	}
	cmd = tea.Batch(cmd, v.forBoard(front, v.forwardNotice(b)))
	_, drawn := front.Update(nil)
	return tea.Batch(cmd, v.forBoard(front, drawn))
}

// forwardNotice shows the notice of the hidden board b on the board in front, unless it was
// forwarded before.
func (v *Viewer) forwardNotice(b *Model) tea.Cmd {
	front, n := v.frontBoard(), &b.notice
	if n.ID == v.forwardedNotice[b] || n.Text == "" {
		return nil
	}
	v.forwardedNotice[b] = n.ID
	switch {
	case b == v.live:
		return front.sayColored(n.Token, "Now: "+n.Text)
	case n.Text == front.notice.Text:
		return nil // all boards show the same notice
	}
	return front.sayColored(n.Token, b.scene.Title+": "+n.Text)
}

// forBoard returns a command that runs cmd and addresses its messages to the live board b.
func (v *Viewer) forBoard(b *Model, cmd tea.Cmd) tea.Cmd {
	if b == v.live && v.platforms == nil {
		return cmd // messages without an address go to the live board
	}
	return addressTo(b, cmd)
}

// toReplay forwards a message to the replay. If the replay panics, only the replay ends.
func (v *Viewer) toReplay(msg tea.Msg) tea.Cmd {
	_, cmd := v.replay.Update(msg)
	if err := v.replay.failure; err != nil {
		return tea.Batch(v.endReplay(), v.sayReplayFailed(err))
	}
	return v.forReplay(cmd)
}

// sayReplayFailed says why there is no replay, without the stack of a panic.
func (v *Viewer) sayReplayFailed(err error) tea.Cmd {
	reason, _, _ := strings.Cut(err.Error(), "\n")
	return v.say("What was cannot be shown: " + reason)
}

// forReplay returns a command that runs cmd and addresses its messages to the replay.
func (v *Viewer) forReplay(cmd tea.Cmd) tea.Cmd { return addressTo(v.replay, cmd) }

// addressTo returns a command that runs cmd and addresses its messages to a board. It does not
// address messages for the terminal.
func addressTo(board *Model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if all, ok := msg.(tea.BatchMsg); ok {
			for i, one := range all {
				all[i] = addressTo(board, one)
			}
			return all
		}
		if msg == nil || strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), "charm.land/bubbletea") || isForTerminal(msg) {
			return msg
		}
		return boardMsg{board, msg}
	}
}

// isForTerminal reports whether a message is for the program that writes to the terminal, not for a
// board.
func isForTerminal(msg tea.Msg) bool { return msg == term.RepaintMsg{} || msg == term.SuspendMsg{} }

// rewind starts a replay at the instant to, as soon as this instant has been recorded. The zero
// time means a minute ago, or the first recorded instant if that is later.
func (v *Viewer) rewind(to time.Time) tea.Cmd {
	sc := v.live.scene
	if v.replay != nil || sc.Archive.Open == nil {
		return v.say(sc.archive(v.live.replay).NoRecordingReason())
	}
	recording, err := sc.Archive.Open()
	if v.isPending(to, recording, err) && (v.pendingRewind == nil || !v.pendingRewind.to.Equal(to) || sc.Now().Before(v.pendingRewind.deadline)) {
		if err == nil {
			_ = recording.Close() // opened only to see what is recorded
		}
		return v.awaitRecording(to)
	}
	v.pendingRewind = nil
	if err != nil {
		return v.say("There is nothing to rewind to: " + err.Error())
	}
	if to.IsZero() {
		to = sc.floor.ToServerTime(sc.Now()).Add(-time.Minute)
	}
	ctx, cancel := context.WithCancel(sc.Context)
	past := v.newReplay(ctx, recording)
	if past.failure != nil {
		cancel()
		_ = recording.Close() // read-only: closing cannot lose data
		return v.sayReplayFailed(past.failure)
	}
	v.replay, v.cancelReplay, v.forwardedNotice[v.live] = past, cancel, v.live.notice.ID
	cmds := []tea.Cmd{v.forReplay(past.Init()), v.forReplay(past.replay.Jump(to)), v.forReplay(past.replay.CheckGrowth())}
	for _, msg := range v.terminalReports {
		cmds = append(cmds, v.toReplay(msg))
	}
	past.pages.RestorePlaces(past.scene.paneScene(), v.live.pages)
	past.invalidate()
	run := dialog.Guard(func() tea.Msg {
		err := recording.Play(ctx)
		_ = recording.Close() // read-only: closing cannot lose data
		if err != nil {
			return recordingEndedMsg{err}
		}
		return nil
	})
	return tea.Batch(append(cmds, v.forReplay(run), v.toReplay(nil))...)
}

// endReplay ends the replay and shows the live board again.
func (v *Viewer) endReplay() tea.Cmd {
	v.cancelReplay()
	v.replay, v.cancelReplay = nil, nil
	v.live.invalidate()
	return v.toLive(nil)
}

// newReplay returns a read-only board that replays a recording. The board has the settings of the
// live board.
func (v *Viewer) newReplay(ctx context.Context, recording replay.Recording) *Model {
	sc := v.live.scene
	o := *sc.Options
	o.Archive.Shown, o.Context = recording, ctx
	o.Alerts = nil
	o.Actions = Actions{User: o.Actions.User, Recorder: o.Actions.Recorder, Save: o.Actions.Save, Sender: o.Actions.Sender}
	o.Process = Process{MarkInsecure: o.Process.MarkInsecure}
	o.Display.Flash, o.Display.Refresh, o.Display.paced = false, 0, false
	o.Alarm = AlarmSignals{}
	o.OtherViewers = presence.Options{}
	if sc.look.NamedTheme {
		o.Display.Theme, o.Display.LightTheme = sc.look.Theme, themes.Theme{}
	}
	past := New(o)
	past.scene.platforms, past.scene.viewerMessages = v.platforms, sc.otherViewers
	ended := sc.Alerts.History()
	incidents := sc.alerts.Alarms().PresentSituations.Incidents(ended)
	if sc.Archive.Pseudonymous {
		for i := range incidents {
			incidents[i].Incident = situation.WithoutPeople(incidents[i].Incident)
		}
	}
	past.replay.ConnectLive(sc.Now, slices.Concat(sc.Alerts.Active(), ended), incidents)
	past.scene.floor.SetChannel(sc.floor.Channel)
	return past
}

// say shows a message on the live board.
func (v *Viewer) say(text string) tea.Cmd {
	cmd := v.forBoard(v.live, v.live.say(text))
	return tea.Batch(cmd, v.toLive(nil))
}

// newPlatforms creates the boards for o.OtherPlatforms and returns them together with first, the
// board for o itself. It returns nil if there are no other platforms.
func newPlatforms(first *Model, o *Options) *platforms {
	if len(o.OtherPlatforms) == 0 {
		return nil
	}
	p := &platforms{boards: []*Model{first}}
	for _, other := range o.OtherPlatforms {
		other.Context, other.Process.Heartbeat, other.Display.paced, other.OtherPlatforms = o.Context, o.Process.Heartbeat, o.Display.paced, []Options{*o}
		p.boards = append(p.boards, New(other))
	}
	p.tallies = make([]model.FloorTally, len(p.boards))
	var walls []*kiosk.Kiosk
	var names []string
	for _, b := range p.boards {
		b.scene.platforms = p
		b.hidden = b != first
		if w := b.scene.kiosk; w != nil {
			walls, names = append(walls, w), append(names, b.scene.Title)
		}
	}
	if len(walls) == len(p.boards) {
		p.rotation = kiosk.NewPlatformRotation(walls, names)
	}
	return p
}

// followRotation switches to the platform that the rotation of a kiosk has selected.
func (v *Viewer) followRotation() tea.Cmd {
	p := v.platforms
	if p == nil || p.rotation == nil || p.boards[p.rotation.ShownIndex()] == v.live {
		return nil
	}
	return v.switchTo(pages.OpenPlatformMsg{Platform: p.rotation.ShownIndex()})
}

// switchTo shows the board of the platform to.Platform and ends the replay. It keeps the theme that
// the viewer has chosen. It also keeps the page, unless the message requests another page or
// subject.
func (v *Viewer) switchTo(to pages.OpenPlatformMsg) tea.Cmd {
	p := v.platforms
	if p == nil || to.Platform < 0 || to.Platform >= len(p.boards) {
		return nil
	}
	var cmds []tea.Cmd
	if v.replay != nil { // the recording belongs to the previous platform
		cmds = append(cmds, v.endReplay())
	}
	previous, next := v.live, p.boards[to.Platform]
	previous.filter.End()
	previous.hidden, next.hidden = true, false
	v.forwardedNotice[previous] = previous.notice.ID // the viewer has already seen this notice
	v.live, v.pendingRewind = next, nil
	if look := previous.scene.look; look.NamedTheme && look.Theme.Name != next.scene.look.Theme.Name {
		next.setLook(next.themer.Select(look.Theme.Name, next.scene.look.Options))
	}
	switch page, ok := next.pages.Named(previous.pages.NameOf(previous.pages.Current)); {
	case p.rotation != nil: // the rotation has selected the page
	case to.Subject != nil:
		next.openSubject(*to.Subject)
	case to.FirstPage:
		next.pages.Show(0)
	case ok && page != next.pages.Current:
		next.pages.Show(page)
	}
	next.invalidate()
	return tea.Batch(append(cmds, v.sendLive(next, nil))...)
}

// switchToNext shows the board of the next platform. After the last platform, it shows the first
// platform.
func (v *Viewer) switchToNext() tea.Cmd {
	if v.platforms == nil {
		return nil
	}
	return v.switchTo(pages.OpenPlatformMsg{Platform: (v.platforms.indexOf(v.live) + 1) % len(v.platforms.boards)})
}
