package replay

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// Comparison holds the snapshot that the board's tables are compared with, if there is one.
type Comparison struct {
	reference *floorview.Reference // nil: no comparison
	requestID uint64               // number of the last request; results of earlier requests are ignored
}

// comparisonMsg carries the snapshot that the tables are compared with.
type comparisonMsg struct {
	comparison  *Comparison
	requestID   uint64
	reference   *floorview.Reference
	reason      words.Text // why there is no snapshot; zero: there is one
	look        *style.Look
	showMessage func(string) tea.Cmd
}

// defaultDistance is the age of the compared snapshot if the viewer gives no time.
const defaultDistance = 15 * time.Minute

// Toggle starts a comparison with the snapshot from defaultDistance ago, or ends the current
// comparison.
func (c *Comparison) Toggle(b *BoardArchive, say func(string) tea.Cmd) tea.Cmd {
	if c.reference != nil {
		c.reference, c.requestID = nil, c.requestID+1
		return nil
	}
	return c.startFrom(b.Floor.ToServerTime(b.Now()).Add(-defaultDistance), b, say)
}

// ParseCompare returns the command for a line such as "compare 14:05", "compare yesterday 14:05",
// "compare 40m" or "compare back 40m". It returns nil for any other line, or if there is no
// recording.
func (c *Comparison) ParseCompare(line string, b *BoardArchive, say func(string) tea.Cmd) []dialog.Command {
	rest, isCompare := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), "compare ")
	if !isCompare || !b.hasRecording() {
		return nil
	}
	rest = strings.TrimPrefix(strings.TrimSpace(rest), "with ")
	for _, instant := range []string{rest, "at " + rest, "back " + rest} {
		if at, ok := ParseInstant(instant, b.lastInstant(), b.Look.Zone()); ok {
			return []dialog.Command{{
				Name: b.Look.Translate(words.ReplayCommandCompareWith(instantText(at, b.lastInstant(), b.Look.Zone()))),
				Run:  func() tea.Cmd { return c.startFrom(at, b, say) },
			}}
		}
	}
	return nil
}

// Commands returns the palette command that starts or ends a comparison. It returns nil if there is
// no recording.
func (c *Comparison) Commands(k *Keys, b *BoardArchive, say func(string) tea.Cmd) []dialog.Command {
	if !b.hasRecording() {
		return nil
	}
	name := words.ReplayCommandCompare()
	if c.reference != nil {
		name = words.ReplayCommandEndCompare()
	}
	return []dialog.Command{{
		Name: b.Look.Translate(name), Keywords: b.Look.Translate(words.ReplayCommandCompareWords()), Key: k.Compare.Help().Key,
		Run: func() tea.Cmd { return c.Toggle(b, say) },
	}}
}

// startFrom returns a command that reads the snapshot at the instant at. The comparison starts when the
// snapshot arrives.
func (c *Comparison) startFrom(at time.Time, b *BoardArchive, say func(string) tea.Cmd) tea.Cmd {
	c.requestID++
	requestID, open, lk := c.requestID, b.recordingOpener(), b.Look
	other := floorview.Reference{Time: at, IsLater: at.After(b.Floor.Now()), NamesDiffer: b.Pseudonymous}
	return dialog.RecoverPanic(func() tea.Msg {
		msg := comparisonMsg{comparison: c, requestID: requestID, look: lk, showMessage: say}
		found, err := withRecording(open, func(recording Recording) (s *model.Snapshot, _ error) {
			s, msg.reason = snapshotAt(recording, at, lk.Zone())
			return s, nil
		})
		switch {
		case err != nil:
			msg.reason = words.ReplayNothingToCompare(words.TextOf(err))
		case msg.reason.IsZero():
			other.Snapshot = found
			msg.reference = &other
		}
		return msg
	})
}

// snapshotAt returns the snapshot at the instant at. If there is none, reason is a message for the
// viewer that says why.
func snapshotAt(recording Recording, at time.Time, zone *time.Location) (s *model.Snapshot, reason words.Text) {
	nothing := words.ReplayNothingAt(at.In(zone).Format(time.TimeOnly))
	if recording.IsEmptyAt(at) {
		from, to := recording.Span()
		dated := func(t time.Time) words.Text {
			return words.DateClock(words.Date(t.In(zone)), words.ClockOf(t, zone))
		}
		return nil, words.JoinSentences(nothing, words.ReplaySpan(dated(from), dated(to)))
	}
	for found, err := range recording.SampledSnapshots(at, at, time.Second) {
		if err != nil {
			return nil, words.ReplayUnreadable(words.TextOf(err))
		}
		s = found
	}
	if s == nil {
		return nil, nothing
	}
	return s, words.Text{}
}

// Apply implements [history.Msg]. It starts the comparison, or tells the viewer why this is
// impossible. It ignores results of earlier requests.
func (msg comparisonMsg) Apply() tea.Cmd {
	c := msg.comparison
	switch {
	case msg.requestID != c.requestID:
		return nil
	case !msg.reason.IsZero():
		return msg.showMessage(msg.look.Translate(msg.reason))
	}
	c.reference = msg.reference
	if c.reference.NamesDiffer {
		return msg.showMessage(msg.look.Translate(words.ReplayNamesDiffer()))
	}
	return nil
}

// ReferenceFor returns the snapshot that the tables are compared with, or nil if there is no
// comparison. shown is the instant on the screen. The result says whether the snapshot is later
// than shown.
func (c *Comparison) ReferenceFor(shown time.Time) *floorview.Reference {
	if c.reference != nil && c.reference.IsLater != c.reference.Time.After(shown) { // the replay has passed the time of the compared snapshot
		turned := *c.reference
		turned.IsLater = !turned.IsLater
		c.reference = &turned
	}
	return c.reference
}

// HeaderLine returns the header line about the comparison. It returns nil if there is no
// comparison.
func (c *Comparison) HeaderLine(k *Keys, b *BoardArchive, width int) []string {
	if c.reference == nil {
		return nil
	}
	lk, now := b.Look, b.Floor.Now()
	distance := now.Sub(c.reference.Time)
	apart, first, second := words.ReplayBefore(distance), c.reference.Time, now
	if distance < 0 {
		apart, first, second = words.ReplayAfter(-distance), second, first
	}
	arrow := " → "
	if lk.ASCII {
		arrow = " > "
	}
	bar := lk.Style(themes.BadgeReplay)
	l := style.NewLine(width, lk.Glyphs.Ellipsis)
	l.Add(bar, " "+lk.Translate(words.ReplayComparedWith(instantText(c.reference.Time, now, lk.Zone())))+" ").Space(lk.Style(themes.StatusBar), 1)
	zone := lk.Zone()
	keys := []style.KeyHint{{Key: k.Compare.Help().Key, Description: lk.Translate(words.ReplayExitCompare())}}
	if text := lk.Translate(apart); style.Width(text)+10 <= l.RemainingWidth() { // shown only if there is room for a key hint after it
		l.Add(lk.BarTextStyle(themes.Text), text)
	}
	text := "  " + lk.Translate(words.ReplayCellsDiffer(first.In(zone).Format(time.TimeOnly)+arrow+second.In(zone).Format(time.TimeOnly)))
	if style.Width(text)+12 <= l.RemainingWidth() {
		l.Add(lk.BarTextStyle(themes.Accent), text)
	}
	return []string{lk.AddBarHints(l.Space(lk.Style(themes.StatusBar), 1), keys...).Finish(lk.Style(themes.StatusBar))}
}
