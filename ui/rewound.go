package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/keymap"
	"wallboard/ui/replay"
)

// newReplay returns the replay of a board's source, nil if the source is live.
func newReplay(o *Options, board host) *replay.Replay {
	recording, ok := o.Source.(Recording)
	if !ok {
		return nil
	}
	engine := o.Memory.Engine
	if engine == nil {
		engine = func() (Engine, error) { return defaultEngine(Options{}), nil }
	}
	return replay.New(replay.Options{Recording: recording, Board: board, Engine: engine, Queue: o.Memory.Queue, StartAt: o.Memory.StartAt})
}

// lastInstant returns the last available instant on the server's clock. r is nil on a live
// board.
func (sc *scene) lastInstant(r *replay.Replay) time.Time {
	if r == nil {
		return sc.floor.Server(sc.Now())
	}
	return r.End(sc.floor.Server)
}

// parseRewind returns the command for a line such as "14:05", "at 14:05" or "back 40m". It
// returns nil if the line is no such command. If there is no such time or nothing is recorded,
// the command says so. r is nil on a live board.
func parseRewind(r *replay.Replay, line string, sc *scene, say func(string) tea.Cmd) []dialog.Command {
	now := sc.lastInstant(r)
	at, ok := replay.ParseInstant(line, now, sc.look.Zone())
	refusal := ""
	switch typed, isTime := replay.MeansTimeOfDay(line); {
	case !ok && isTime:
		refusal = "There is no such time: " + typed + ". Write it like 14:05."
	case !ok:
		return nil
	case !sc.hasRecording():
		refusal = sc.noRecordingReason()
	}
	if refusal != "" {
		return []dialog.Command{{Name: refusal, Run: func() tea.Cmd { return say(refusal) }}}
	}
	return []dialog.Command{{
		Name: "rewind to " + replay.FormatInstant(at, now, sc.look), Run: func() tea.Cmd { return rewindTo(&sc.requests, r, at) },
	}}
}

// rewindCommands returns the palette's commands for starting or ending the replay. r is nil
// on a live board.
func rewindCommands(r *replay.Replay, k *keymap.Rewind, sc *scene) []dialog.Command {
	name := "rewind: see what was (14:05, back 40m)"
	switch {
	case sc.Memory.Open == nil: // no recording, or the source is a recording itself
		return nil
	case r != nil:
		name = "back to now"
	}
	return []dialog.Command{{
		Name: name, Keywords: "replay past earlier history time", Key: k.Open.Help().Key,
		Run: func() tea.Cmd { sc.requests.Add(rewindMsg{}); return nil },
	}}
}
