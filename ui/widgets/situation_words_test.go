package widgets

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/themes"
)

// TestCut cuts texts after a sentence or a phrase, and otherwise after a word.
func TestCut(t *testing.T) {
	t.Parallel()
	lk := crowd(t).Look
	const sentences = "Nine callers wait. No one available."
	phrases := "nine callers wait " + lk.Glyphs.Dot + " no one available"
	for _, tt := range []struct {
		w                  int
		sentences, phrases string
	}{
		{40, sentences, phrases},
		{30, "Nine callers wait.", "nine callers wait"},
		{14, "Nine callers …", "nine callers …"},
	} {
		if got := CutToSentences(sentences, tt.w, false); got != tt.sentences {
			t.Errorf("%d cells: %q, want %q", tt.w, got, tt.sentences)
		}
		if got := CutToPhrases(phrases, tt.w, lk); got != tt.phrases {
			t.Errorf("%d cells: %q, want %q", tt.w, got, tt.phrases)
		}
	}
	const chat = "Deliveries NL · chat: 2 waiting, no one available"
	if got, want := CutToPhrases(chat, 36, lk), "Deliveries NL · chat: 2 waiting …"; got != want {
		t.Errorf("%q, want %q: without the number a line of the name says nothing", got, want)
	}
}

// TestDetail checks what the details of a situation say about its state, and that every line
// has the requested width.
func TestDetail(t *testing.T) {
	t.Parallel()
	sh := crowd(t, "Billing EN")
	s := &sh.View.Live[0]
	s.Since, s.StaleSince = sh.View.At.Add(-10*time.Minute), sh.View.At.Add(-time.Minute)
	s.Ack = alert.Ack{By: "Anna", Note: "on it", At: sh.View.At}
	s.Alerts = []alert.Alert{{Rule: alert.RuleLongestWait, Since: s.Since, Text: "9 waiting"}}
	if token, _ := SituationStyle(sh.Look, s); token != themes.Dim {
		t.Errorf("a situation that was taken over has the color %v", token)
	}
	const width = 60
	var text strings.Builder
	for _, l := range SituationDetail(sh.Look, s, width) {
		if w := ansi.StringWidth(l); w != width {
			t.Errorf("a line of %d cells: %q", w, l)
		}
		text.WriteString(strings.Join(strings.Fields(ansi.Strip(l)), " ") + " ")
	}
	for _, want := range []string{
		"Billing EN: 9 callers wait", "Since 09:50:00.", "Not verified since 09:59:00", "Taken by Anna at 10:00:00: on it",
		"4 of 7 agents of Billing EN went to MEETING", "long wait since 09:50:00: 9 waiting",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in %s", want, text.String())
		}
	}
	if got := SituationDetail(sh.Look, s, 0); got != nil {
		t.Errorf("without a width: %q", got)
	}
}

func TestEndedLines(t *testing.T) {
	t.Parallel()
	lk := crowd(t).Look
	for past, want := range map[*situation.PastSituation]string{
		nil:              "Resolved.",
		{Vanished: true}: "The platform no longer sends it.",
		{Ack: alert.Ack{By: "Anna", Note: "called the carrier"}}: ": called the carrier",
	} {
		text := ansi.Strip(strings.Join(EndedSituationLines(lk, "Peak 9 callers.", past, 60), "\n"))
		if !strings.Contains(text, want) || !strings.Contains(text, "Peak 9 callers.") {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
