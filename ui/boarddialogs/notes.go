package boarddialogs

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// NoteEditor writes and ends notes about the floor at a viewer's request.
type NoteEditor struct {
	Book *statefile.NoteBook // nil: the board has no notes, for example during a replay
	User string              // name of the viewer who writes notes; "": unknown
	// Approve is called before a viewer writes or ends a note, and records it. If Approve returns
	// an error, the note is not written, and the viewer sees the error message. If Approve is nil,
	// every note is allowed.
	Approve func(*model.Note) error
	Now     func() time.Time // the local clock
	// Mask masks the names that the viewer may not see. If Mask is nil, all names are visible.
	Mask  func(string) string
	Words *words.Language // language of the viewer; nil: English
}

// translate returns a text in the language of the viewer.
func (n *NoteEditor) translate(t words.Text) string { return t.In(n.Words) }

// maskText masks the names in text that the viewer may not see.
func (n *NoteEditor) maskText(text string) string {
	if n.Mask == nil {
		return text
	}
	return n.Mask(text)
}

// Active returns the currently active notes that contain text, the oldest first.
func (n *NoteEditor) Active(text string) []model.Note {
	if n.Book == nil {
		return nil
	}
	return statefile.ActiveNotes(n.Book.All(), text, n.Now())
}

// EventTimes returns the times of the actions in the book and of all notes that are messages, on
// the local clock.
func (n *NoteEditor) EventTimes() []time.Time {
	if n.Book == nil {
		return nil
	}
	out := slices.Clone(n.Book.Actions())
	for _, note := range n.Book.All() {
		if note.IsMessage() {
			out = append(out, note.At)
		}
	}
	return out
}

// Commands returns the palette commands for writing a note and for ending active notes. It returns
// nil if the board has no notes.
func (n *NoteEditor) Commands(say func(string) tea.Cmd) []dialog.Command {
	if n.Book == nil {
		return nil
	}
	out := []dialog.Command{{Name: n.translate(words.DialogNoteCommand()), Keywords: n.translate(words.DialogNoteKeywords()), Run: func() tea.Cmd {
		return say(n.translate(words.DialogNoteUsage()))
	}}}
	return append(out, n.endCommands("")...)
}

// endCommands returns a command for each active note that contains text. The command ends the note. If
// text is empty, all notes match.
func (n *NoteEditor) endCommands(text string) []dialog.Command {
	var out []dialog.Command
	for _, note := range n.Active(text) {
		out = append(out, dialog.Command{Name: n.translate(words.DialogNoteEnd(n.maskText(note.Text))), Run: func() tea.Cmd { return n.endNote(note) }})
	}
	return out
}

// ParseCommand returns the commands for a line such as "note IVR down until 15:00" or "note end
// IVR". It returns nil for any other line. zone is the time zone of the time in the line. say shows
// a message in the footer.
func (n *NoteEditor) ParseCommand(line string, zone *time.Location, say func(string) tea.Cmd) []dialog.Command {
	verb, text, _ := strings.Cut(strings.TrimSpace(line), " ")
	if n.Book == nil || !strings.EqualFold(verb, "note") || strings.TrimSpace(text) == "" {
		return nil
	}
	if end, rest, _ := strings.Cut(strings.TrimSpace(text), " "); strings.EqualFold(end, "end") {
		return n.endCommands(rest)
	}
	now := n.Now()
	content, until, err := statefile.ParseNote(text, now, zone)
	if err != nil {
		return []dialog.Command{{Name: n.translate(words.DialogNoteProblem(words.TextOf(err))), Run: func() tea.Cmd { return say(n.translate(words.DialogNoteNotSaved(words.TextOf(err)))) }}}
	}
	note, err := statefile.NewNote(content, n.User, now, until)
	if err != nil {
		return nil
	}
	end := words.ClockOf(until, zone)
	return []dialog.Command{{Name: n.translate(words.DialogNotePreview(note.Text, end)), Run: func() tea.Cmd {
		return n.writeNote(note, n.translate(words.DialogNoteSaved(end)))
	}}}
}

// endNote returns a command that ends a note at the current time.
func (n *NoteEditor) endNote(note model.Note) tea.Cmd {
	note.Until = n.Now()
	return n.writeNote(note, n.translate(words.DialogNoteEnded(n.maskText(note.Text))))
}

// writeNote returns a command that writes a note and ends the notes that it replaces. The command
// then shows the message done.
func (n *NoteEditor) writeNote(note model.Note, done string, replaced ...model.Note) tea.Cmd {
	refused := words.DialogNoteNotSaved
	if !note.IsMessage() {
		refused = words.DialogNotSaved
	}
	return dialog.RecoverPanic(func() tea.Msg {
		if n.Approve != nil {
			if err := n.Approve(&note); err != nil {
				return dialog.NoticeMsg{Text: n.translate(refused(words.TextOf(err)))}
			}
		}
		if err := n.Book.Write(append(replaced, note)...); err != nil {
			return dialog.NoticeMsg{Text: n.translate(refused(words.TextOf(err)))}
		}
		return dialog.NoticeMsg{Text: done}
	})
}
