package ui

import (
	"wallboard/ui/alerts"
	"wallboard/ui/replay"
)

// newReplay returns the replay for a board whose source is a recording, or nil if the source is
// live.
func newReplay(o *Options, board host) *replay.Replay {
	recording, ok := o.Source.(replay.Recording)
	if !ok {
		return nil
	}
	engine := o.Archive.Engine
	if engine == nil {
		engine = func() (alerts.Engine, error) { return defaultEngine(Options{}), nil }
	}
	return replay.New(replay.Options{Recording: recording, Board: board, Engine: engine, Queue: o.Archive.Queue, StartAt: o.Archive.StartAt})
}
