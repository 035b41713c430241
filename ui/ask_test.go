package ui

import (
	"errors"
	"strings"
	"testing"

	"wallboard/internal/report/ask"
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
			for _, text := range shows {
				b.shows(text)
			}
			b.press("esc")
		}
		ask("how is service billing", "Billing", "As of")
		ask("how is billing", "Several records", "service Billing")
		ask("how many are waiting at service billing", "Waiting of")
		ask("how is nobody", "There is no service, group, campaign or agent with that name")
		ask("how is österreich", "Österreich", "There is no service, group, campaign or agent with that name")
		ask("why billing at 10:00", "Nothing is recorded")
		ask("forecast billing at 10:00", "Nothing is recorded")
		ask("who can go?", "Who can go")
		ask("is this a question?", "not understood")
		ask("école?", "École")
	}
}

// TestForecastOfThePast checks that the board does not read the recording before the command of a
// question runs.
func TestForecastOfThePast(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	a, reads := b.answerer(), 0
	floor := a.Floor()
	a.Floor = func() *ask.Responder { return floor }
	floor.OpenRecording = func() (ask.Recording, func(), error) {
		reads++
		return nil, nil, errors.New("no recording")
	}
	const line = "forecast service billing 40m ago"
	q, ok := ask.Parse(line, b.scene.floor.Now(), floor.Zone)
	if cmd := a.OpenAnswer(line, q); !ok || cmd == nil || reads > 0 {
		t.Errorf("the recording was opened %d times in Update", reads)
	}
}

// TestQuestionsAndCommands checks that no command of the palette is hidden below a question.
func TestQuestionsAndCommands(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Services)
	for _, c := range b.commands() {
		if strings.HasPrefix(c.Name, "ask ") || strings.HasPrefix(c.Name, "who can ") { // commands with the same subject as questions
			continue
		}
		for n := range c.Name {
			if offered := b.answerer().ParseCommands(c.Name[:n]); len(offered) > 0 {
				t.Errorf("%q, the beginning of the command %q, is taken for a question: %s", c.Name[:n], c.Name, offered[0].Name)
			}
		}
	}
}
