package boarddialogs

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// Checklist shows the playbooks of situations, and ticks off their items at a viewer's request.
// Ticks are stored as notes, so all boards of a user share them. If Book is nil, for example during
// a replay, items cannot be ticked off.
type Checklist struct {
	NoteEditor
	Playbooks   []situation.Playbook
	Notes       []model.Note // notes when the dialog was opened, on the server's clock, the oldest first
	ClockOffset time.Duration
}

// ticks returns the ticks that belong to a situation, by the text of the item: those at the time at
// on the server's clock or, if Book is not nil, the current ones.
func (c *Checklist) ticks(s *situation.Situation, at time.Time) map[string]model.Note {
	notes := c.Notes
	if c.Book != nil {
		notes = nil
		for _, n := range c.Book.All() {
			if n.Tick.Item != "" {
				n.By = c.maskText(n.By)
				notes = append(notes, n.Shift(c.ClockOffset))
			}
		}
		at = c.Now().Add(c.ClockOffset)
	}
	return situation.Ticks(notes, s.Place.Key, earliestTick(s), at)
}

// earliestTick returns the time of the earliest tick at a place that can belong to the situation s.
// If the board has not seen the start of the situation, ticks from the hour before also belong to
// it.
func earliestTick(s *situation.Situation) time.Time {
	if s.FromStart {
		return s.Since.Add(-time.Hour)
	}
	return s.Since
}

// playbookOf returns the playbook for a situation, or nil if there is none.
func (c *Checklist) playbookOf(s *situation.Situation) *situation.Playbook {
	if c == nil || s == nil {
		return nil
	}
	return situation.FindPlaybook(c.Playbooks, s.Place.Key, s.Alerts)
}

// itemLine returns a line about an item of a playbook: "[x] Do: Call the team back from lunch Anna
// 14:05".
func itemLine(lk *style.Look, item situation.PlaybookItem, tick *model.Note, w int) string {
	mark, token := "[ ] ", themes.Text
	if tick != nil {
		mark, token = "[x] ", themes.OK
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(token), mark).Add(lk.Style(themes.Dim), item.Section+": ")
	text := widgets.TerminalText(lk, item.Text)
	if tick != nil {
		by := " " + textformat.Clock(tick.At, lk.Zone())
		if tick.By != "" {
			by = " " + widgets.TerminalText(lk, tick.By) + by
		}
		return l.Add(lk.Style(themes.Text), style.Truncate(text, max(l.RemainingWidth()-style.Width(by), 0), lk.Glyphs.Ellipsis)).Add(lk.Style(themes.Dim), by).Finish(themes.Style{})
	}
	return l.Add(lk.Style(themes.Text), text).Finish(themes.Style{})
}

// writePlaybook writes the items of the playbook for a situation, if there is a playbook.
func (p *situationWriter) writePlaybook(c *Checklist, s *situation.Situation) {
	book := c.playbookOf(s)
	if book == nil {
		return
	}
	items, ticks := book.Items(), c.ticks(s, p.scene.Floor.Now())
	p.Heading(p.translate(words.DialogPlaybookDone(countTicked(items, ticks), len(items))))
	for _, item := range items {
		p.Add(itemLine(p.Look, item, tickOf(ticks, item), p.Width))
	}
	if book.EndCondition != "" {
		p.writeSentence(themes.Dim, p.translate(words.DialogResolvedWhen(book.EndCondition)))
	}
}

func tickOf(ticks map[string]model.Note, item situation.PlaybookItem) *model.Note {
	if n, ok := ticks[item.Text]; ok {
		return &n
	}
	return nil
}

func countTicked(items []situation.PlaybookItem, ticks map[string]model.Note) (n int) {
	for _, item := range items {
		if tickOf(ticks, item) != nil {
			n++
		}
	}
	return n
}

// playbookSheet is a dialog that lists the items of a playbook. It draws them again in each frame,
// because other viewers may tick items off.
type playbookSheet struct {
	*dialog.Sheet[*situation.Playbook]
}

// Size implements [dialog.Dialog].
func (p playbookSheet) Size(maxW, maxH int) (w, h int) {
	p.Restyle()
	return p.Sheet.Size(maxW, maxH)
}

// open opens a dialog with the items of the playbook for a situation. The enter key ticks an item
// off, or removes its tick.
func (c *Checklist) open(stack *dialog.Stack, s *situation.Situation) tea.Cmd {
	l := stack.Look().Format.Words
	sheet := &dialog.Sheet[*situation.Playbook]{Dialogs: stack, Name: words.DialogPlaybook(s.Place.Title).In(l), Verb: words.DialogKeyTick().In(l)}
	sheet.Draw = func(lk *style.Look, book *situation.Playbook, w int) (out []dialog.Line) {
		ticks := c.ticks(s, time.Time{})
		for _, item := range book.Items() {
			out = append(out, dialog.Line{Text: itemLine(lk, item, tickOf(ticks, item), w), Open: func() tea.Cmd { return c.toggle(s, item) }})
		}
		if book.EndCondition != "" {
			for _, text := range lk.Wrap(themes.Dim, widgets.TerminalText(lk, words.DialogResolvedWhen(book.EndCondition).In(l)), w) {
				out = append(out, dialog.Line{Text: text})
			}
		}
		return out
	}
	return stack.Open(playbookSheet{sheet.SetValue(c.playbookOf(s))})
}

// toggle returns a command that ticks an item off, or removes its tick.
func (c *Checklist) toggle(s *situation.Situation, item situation.PlaybookItem) tea.Cmd {
	if tick := tickOf(c.ticks(s, time.Time{}), item); tick != nil {
		n := tick.Shift(-c.ClockOffset)
		n.Until = c.Now()
		return c.writeNote(n, c.translate(words.DialogItemNotDone(item.Text)))
	}
	n, err := statefile.NewNote(item.Text, c.User, c.Now(), time.Time{})
	if err != nil {
		return nil // a configuration contains no empty items
	}
	return c.writeNote(situation.NewTick(n, s.Place.Key, item), c.translate(words.DialogItemDone(item.Text)))
}
