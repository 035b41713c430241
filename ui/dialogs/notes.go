package dialogs

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/phrases"
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
	Mask func(string) string
}

// masked masks the names in text that the viewer may not see.
func (n *NoteEditor) masked(text string) string {
	if n.Mask == nil {
		return text
	}
	return n.Mask(text)
}

// Active returns the currently active notes that contain words, the oldest first.
func (n *NoteEditor) Active(words string) []model.Note {
	if n.Book == nil {
		return nil
	}
	return statefile.ActiveNotes(n.Book.All(), words, n.Now())
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

const noteKeywords = "message announce write incident information"

// Commands returns the palette commands for writing a note and for ending active notes. It returns
// nil if the board has no notes.
func (n *NoteEditor) Commands(say func(string) tea.Cmd) []dialog.Command {
	if n.Book == nil {
		return nil
	}
	out := []dialog.Command{{Name: "note for the shift (note IVR down until 15:00)", Keywords: noteKeywords, Run: func() tea.Cmd {
		return say("Type the note, for example: note IVR down until 15:00, or: note IVR down for 2h. All boards and the handover show it.")
	}}}
	return append(out, n.endCommands("")...)
}

// endCommands returns a command for each active note whose text contains words. The command ends
// the note. If words is empty, all notes match.
func (n *NoteEditor) endCommands(words string) []dialog.Command {
	var out []dialog.Command
	for _, note := range n.Active(words) {
		out = append(out, dialog.Command{Name: "end the note: " + n.masked(note.Text), Run: func() tea.Cmd { return n.endNote(note) }})
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
	if end, words, _ := strings.Cut(strings.TrimSpace(text), " "); strings.EqualFold(end, "end") {
		return n.endCommands(words)
	}
	now := n.Now()
	words, until, err := statefile.ParseNote(text, now, zone)
	if err != nil {
		return []dialog.Command{{Name: "note: " + err.Error(), Run: func() tea.Cmd { return say("The note is not saved: " + err.Error() + ".") }}}
	}
	note, err := statefile.NewNote(words, n.User, now, until)
	if err != nil {
		return nil
	}
	return []dialog.Command{{Name: "note: " + note.Text + ", until " + phrases.Clock(until, zone), Run: func() tea.Cmd {
		return n.writeNote(note, "All boards show the note until "+phrases.Clock(until, zone)+". To end it: :note end")
	}}}
}

// endNote returns a command that ends a note at the current time.
func (n *NoteEditor) endNote(note model.Note) tea.Cmd {
	note.Until = n.Now()
	return n.writeNote(note, "The note has ended: "+n.masked(note.Text))
}

// writeNote returns a command that writes a note and ends the notes that it replaces. The command
// then shows the message done.
func (n *NoteEditor) writeNote(note model.Note, done string, replaced ...model.Note) tea.Cmd {
	refused := "The note is not saved: "
	if !note.IsMessage() {
		refused = "It is not saved: "
	}
	return dialog.Guard(func() tea.Msg {
		if n.Approve != nil {
			if err := n.Approve(&note); err != nil {
				return dialog.NoticeMsg{Text: refused + err.Error()}
			}
		}
		if err := n.Book.Write(append(replaced, note)...); err != nil {
			return dialog.NoticeMsg{Text: refused + err.Error()}
		}
		return dialog.NoticeMsg{Text: done}
	})
}
