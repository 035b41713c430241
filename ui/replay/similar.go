package replay

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// similarMoments holds the earlier moments that are similar to the current one.
type similarMoments struct {
	current analysis.Moment
	matches []analysis.SimilarMoment
}

// maxSimilarMoments is the maximum number of similar moments that the dialog lists.
const maxSimilarMoments = 8

// SimilarMomentCommands returns the palette command that finds similar moments. It returns nil if there
// is no recording. subject is the key of the selected record.
func (b *BoardArchive) SimilarMomentCommands(dialogs *dialog.Stack, subject alert.Key) []dialog.Command {
	if !b.hasRecording() {
		return nil
	}
	return []dialog.Command{{
		Name: b.Look.Translate(words.ReplayCommandSimilar()), Keywords: b.Look.Translate(words.ReplayCommandSimilarWords()),
		Run: func() tea.Cmd { return b.openSimilarMoments(dialogs, subject) },
	}}
}

// openSimilarMoments opens a dialog with the recorded moments that are most similar to the current one. It
// compares the figures of the selected service, or of all services of the channel if none is
// selected.
func (b *BoardArchive) openSimilarMoments(dialogs *dialog.Stack, subject alert.Key) tea.Cmd {
	scope, name := analysis.Scope{Channel: b.Floor.Channel}, words.ReplayAllServices()
	if subject.Scope == alert.Service {
		scope.Service = subject.Code
		if name = words.Name(b.Names.NameOf(model.NameService, subject.Code)); subject.Channel != "" {
			scope.Channel = subject.Channel
		}
	}
	open, when, zone := b.recordingOpener(), b.Floor.Now(), b.Look.Zone()
	sheet := &dialog.Sheet[similarMoments]{Dialogs: dialogs}
	*sheet = dialog.Sheet[similarMoments]{
		Dialogs: dialogs, Name: b.Look.Translate(words.ReplaySimilarTitle(name)),
		Read: func(ctx context.Context) (similarMoments, error) {
			return withRecording(open, func(recording Recording) (s similarMoments, err error) {
				s.current, s.matches, err = analysis.FindSimilarMoments(ctx, recording, when, scope, zone, maxSimilarMoments)
				analysis.AddCountermeasures(s.matches, scope, recording.Marks())
				return s, err
			})
		},
		Draw: func(lk *style.Look, s similarMoments, w int) []dialog.Line {
			return s.lines(lk, when, w, func(at time.Time) tea.Cmd {
				dialogs.Close(sheet)
				return b.rewindTo(at)
			})
		},
	}
	return dialogs.Open(sheet)
}

// rewindTo shows an instant of the recording. During a replay it jumps there. On a live board it
// asks the board to start a replay.
func (b *BoardArchive) rewindTo(at time.Time) tea.Cmd {
	if b.Replay != nil {
		return b.Replay.Jump(at)
	}
	b.Requests.Add(RewindMsg{at})
	return nil
}

// lines returns the lines of the dialog. when is the current moment. show rewinds the board to a
// moment.
func (s *similarMoments) lines(lk *style.Look, when time.Time, w int, show func(time.Time) tea.Cmd) []dialog.Line {
	var out []dialog.Line
	say := func(t themes.Token, text words.Text) {
		for _, l := range lk.Wrap(t, lk.Translate(text), w) {
			out = append(out, dialog.Line{Text: l})
		}
	}
	say(themes.Text, words.ReplaySimilarAt(instantText(s.current.At, when, lk.Zone()), s.current.Text()))
	if len(s.matches) == 0 {
		say(themes.Dim, words.ReplaySimilarNone())
		return out
	}
	say(themes.Dim, words.ReplaySimilarAbout())
	out = append(out, dialog.Line{})
	for i := range s.matches {
		m := &s.matches[i]
		open := func() tea.Cmd { return show(m.At) }
		l := style.NewLine(w, lk.Glyphs.Ellipsis)
		l.Add(lk.Style(themes.Accent), FormatInstant(m.At, when, lk)).Space(themes.Style{}, 2).Add(lk.Style(themes.Text), lk.Translate(m.Text()))
		out = append(out, dialog.Line{Text: l.Finish(themes.Style{}), Open: open, Item: i + 1})
		for _, text := range []words.Text{m.Outcome(), m.CountermeasuresText(lk.Zone())} {
			for _, text := range lk.Wrap(themes.Dim, lk.Translate(text), max(w-3, 1)) {
				out = append(out, dialog.Line{Text: style.Blanks(3) + text})
			}
		}
	}
	return out
}
