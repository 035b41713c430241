package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/palette"
	"wallboard/ui/reel"
	"wallboard/ui/rewind"
)

// newReel returns the reel of a board's source, nil where that is no film.
func newReel(o *Options, board host) *reel.Reel {
	film, is := o.Source.(Film)
	if !is {
		return nil
	}
	engine := o.Memory.Engine
	if engine == nil {
		engine = func() (Engine, error) { return defaultEngine(Options{}), nil }
	}
	return reel.New(reel.Options{Film: film, Board: board, Engine: engine, Queue: o.Memory.Queue, Asked: o.Memory.Asked})
}

// ending is the last instant that there is, on the server's clock. A nil reel is of a board
// that shows what is.
func (sc *scene) ending(r *reel.Reel) time.Time {
	if r == nil {
		return sc.floor.Server(sc.Now())
	}
	return r.End(sc.floor.Server)
}

// rewindTyped returns the command of a line like "at 14:05" or "back 40m"; nil: it is none,
// or nothing is recorded. A nil reel asks for the recording.
func rewindTyped(r *reel.Reel, line string, sc *scene) []palette.Command {
	if !sc.remembers() {
		return nil
	}
	now := sc.ending(r)
	at, ok := rewind.Instant(line, now, sc.look.Zone())
	if !ok {
		return nil
	}
	return []palette.Command{{
		Name: "rewind to " + rewind.When(at, now, sc.look), Run: func() tea.Cmd { return goTo(&sc.asked, r, at) },
	}}
}

// rewindCommands are those of the palette. A nil reel asks for the recording.
func rewindCommands(r *reel.Reel, k *RewindKeys, sc *scene) []palette.Command {
	name := "rewind: see what was (at 14:05, back 40m)"
	switch {
	case sc.Memory.Open == nil: // there is none, or nothing else is
		return nil
	case r != nil:
		name = "back to now"
	}
	return []palette.Command{{
		Name: name, Also: "replay past earlier history time", Key: k.Open.Help().Key,
		Run: func() tea.Cmd { sc.asked.For(rewindMsg{}); return nil },
	}}
}
