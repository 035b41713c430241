package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
)

// RewindMsg asks the board to start a replay at an instant, or to end the current replay. The zero
// time means a minute ago, or the first recorded instant.
type RewindMsg struct{ To time.Time }

// lastInstant returns the last available instant on the server's clock.
func (b *BoardArchive) lastInstant() time.Time {
	if b.Replay == nil {
		return b.Floor.ToServerTime(b.Now())
	}
	return b.Replay.LastInstant(b.Floor.ToServerTime)
}

// ParseRewind returns the command for a line such as "14:05", "at 14:05" or "back 40m", nil for any
// other line. If there is no such time or nothing is recorded, the command tells the viewer.
func (b *BoardArchive) ParseRewind(line string, say func(string) tea.Cmd) []dialog.Command {
	now := b.lastInstant()
	at, ok := ParseInstant(line, now, b.Look.Zone())
	refusal := ""
	switch typed, isTime := MeansTimeOfDay(line); {
	case !ok && isTime:
		refusal = "There is no such time: " + typed + ". Write it like 14:05."
	case !ok:
		return nil
	case !b.hasRecording():
		refusal = b.NoRecordingReason()
	}
	if refusal != "" {
		return []dialog.Command{{Name: refusal, Run: func() tea.Cmd { return say(refusal) }}}
	}
	return []dialog.Command{{
		Name: "rewind to " + FormatInstant(at, now, b.Look), Run: func() tea.Cmd { return b.rewindTo(at) },
	}}
}

// RewindCommands returns the palette's command for starting or ending the replay, nil if the floor
// is not recorded.
func (b *BoardArchive) RewindCommands(k *Keys) []dialog.Command {
	name := "rewind: see what was (14:05, back 40m)"
	switch {
	case b.Open == nil: // no recording, or the source is a recording itself
		return nil
	case b.Replay != nil:
		name = "back to now"
	}
	return []dialog.Command{{
		Name: name, Keywords: "replay past earlier history time", Key: k.Open.Help().Key,
		Run: func() tea.Cmd { b.Requests.Add(RewindMsg{}); return nil },
	}}
}
