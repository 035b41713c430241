package ui

import (
	"strings"
	"testing"

	"wallboard/ui/dialog"
	"wallboard/ui/pages"
)

// TestQuestionInPalette asks questions in the palette, on a large and a small screen.
func TestQuestionInPalette(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		b := newBoard(t, size[0], size[1])
		ask := func(line string, shows ...string) {
			t.Helper()
			b.press(":")
			b.words(line)
			b.shows("ask: ")
			b.press("enter")
			b.shows(shows...)
			b.press("esc")
		}
		ask("how is billing", "Billing", "Waiting", "As of")
		ask("how many are waiting at billing", "Waiting of Billing")
		ask("how is nobody", "No service, group, campaign or agent of that name")
		ask("why billing at 10:00", "Nothing is recorded")
		ask("who can go", "Who can go")
		ask("is this a question?", "not understood")
		if got := len(b.commands()); got == 0 {
			t.Error("the board has no commands")
		}
	}
}

// TestQuestionsAndCommands checks that no command of the palette is hidden below a question.
func TestQuestionsAndCommands(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Services)
	var all []dialog.Command
	all = append(all, b.commands()...)
	for _, c := range all {
		for n := range c.Name {
			if offered := b.asker().parseCommands(c.Name[:n]); len(offered) > 0 && !strings.HasPrefix(c.Name, "ask ") {
				t.Errorf("%q, the beginning of the command %q, is taken for a question: %s", c.Name[:n], c.Name, offered[0].Name)
			}
		}
	}
}
