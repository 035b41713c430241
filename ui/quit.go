package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
)

// quitTopic is the topic of the question that the board asks before it quits.
const quitTopic = "quit"

// askQuit returns a command that quits the program. If an action is running or there is unsent
// input on any floor of the board, askQuit asks for confirmation instead.
func (m *Model) askQuit() tea.Cmd {
	if len(m.unfinishedWork()) == 0 {
		return tea.Quit
	}
	tell := m.shownFloor.scene.translate
	return m.shownFloor.dialogs.OpenQuestionDialog(dialog.Question{
		Topic: quitTopic, Name: tell(words.BoardQuit()), Text: tell(words.BoardQuitQuestion()),
		LiveLines: m.unfinishedWork, YesLabel: tell(words.BoardQuit()), NoLabel: tell(words.BoardQuitStay()), OnYes: func(bool) tea.Cmd { return tea.Quit },
	})
}

// unfinishedWork returns the names of the running actions and the titles of the dialogs with unsent
// input, those of the floor on the screen first.
func (m *Model) unfinishedWork() []string {
	var shown, hidden []string
	for _, f := range m.floors() {
		work := f.actions.RunningNames()
		for _, title := range f.dialogs.UnsentTitles() {
			work = append(work, f.scene.translate(words.BoardNotSent(words.Name(title))))
		}
		if f.isShown() {
			shown = work
			continue
		}
		for _, what := range work {
			hidden = append(hidden, f.withPlatformPrefix(what))
		}
	}
	return append(shown, hidden...)
}
