package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
)

// RewindMsg asks the board to start a replay at the instant To, or to end the current replay. If To
// is zero, the replay starts a minute ago, or at the first recorded instant if that is later.
type RewindMsg struct{ To time.Time }

// lastInstant returns the latest instant that can be shown, on the server's clock.
func (b *BoardArchive) lastInstant() time.Time {
	if b.Replay == nil {
		return b.Floor.ToServerTime(b.Now())
	}
	return b.Replay.LastInstant(b.Floor.ToServerTime)
}

// ParseRewind returns the command for a line such as "14:05", "at 14:05" or "back 40m". It returns
// nil for any other line. If there is no such time or no recording, the command shows the reason.
func (b *BoardArchive) ParseRewind(line string, say func(string) tea.Cmd) []dialog.Command {
	now := b.lastInstant()
	at, ok := ParseInstant(line, now, b.Look.Zone())
	var refusal words.Text
	switch typed, isTime := IsTimeOfDay(line); {
	case !ok && isTime:
		refusal = words.ReplayNoSuchTime(typed)
	case !ok:
		return nil
	case !b.hasRecording():
		refusal = b.NoRecordingReason()
	}
	if !refusal.IsZero() {
		text := b.Look.Translate(refusal)
		return []dialog.Command{{Name: text, Run: func() tea.Cmd { return say(text) }}}
	}
	return []dialog.Command{{
		Name: b.Look.Translate(words.ReplayCommandRewindTo(instantText(at, now, b.Look.Zone()))), Run: func() tea.Cmd { return b.rewindTo(at) },
	}}
}

// RewindCommands returns the palette command that starts or ends the replay. It returns nil if the
// floor is not recorded.
func (b *BoardArchive) RewindCommands(k *Keys) []dialog.Command {
	name := words.ReplayCommandRewind()
	switch {
	case b.Open == nil: // there is no recording, or the source of the board is a recording
		return nil
	case b.Replay != nil:
		name = words.ReplayBackToNow()
	}
	return []dialog.Command{{
		Name: b.Look.Translate(name), Keywords: b.Look.Translate(words.ReplayCommandRewindWords()), Key: k.Open.Help().Key,
		Run: func() tea.Cmd { b.Requests.Add(RewindMsg{}); return nil },
	}}
}
