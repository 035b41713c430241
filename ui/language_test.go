package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/internal/words/catalogue"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
)

// speak makes the board tell its texts in a language.
func (b *board) speak(l *words.Language) {
	b.t.Helper()
	o := b.scene.look.Options
	o.Words = l
	b.setLook(o)
	b.pass(time.Second)
}

// toldElsewhere returns labels that also stand in texts of packages that are not converted.
func toldElsewhere() []string {
	return []string{"Service level", "service level", "Logged in", "take over", "take over an alert", "why, and what helps", "missing target"}
}

// TestNothingIsInEnglish draws boards in another language and looks for labels of the catalogue that are
// still in English. Single words are not checked, because they may also be names. It writes the screens
// to the folder PSEUDO_DIR, if this environment variable is set.
func TestNothingIsInEnglish(t *testing.T) {
	t.Parallel()
	var labels []string
	for _, s := range catalogue.English() {
		if !slices.Contains([]string{"keys.txt", "kiosk.txt", "leave.txt", "now.txt", "page.txt", "pane.txt", "site.txt", "view.txt"}, s.File) {
			continue
		}
		for i := range s.Messages {
			m := &s.Messages[i]
			if len(m.Params) == 0 && strings.Contains(m.Text, " ") && !strings.HasPrefix(m.Key, "page.keywords") && !slices.Contains(toldElsewhere(), m.Text) {
				labels = append(labels, m.Text)
			}
		}
	}
	check := func(b *board, what string) {
		t.Helper()
		text := b.text()
		if dir := os.Getenv("PSEUDO_DIR"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(what, "/", "-")+".txt"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, label := range labels {
			if strings.Contains(text, label) {
				t.Errorf("%s: %q is in English", what, label)
			}
		}
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		name := func(screen string) string { return fmt.Sprintf("%dx%d/%s", size[0], size[1], screen) }
		b := newBoard(t, size[0], size[1])
		b.speak(words.PseudoLanguage())
		for p := range pages.StandardCount {
			b.press(pageKey(p))
			check(b, name(p.String()))
		}
		for screen, keys := range map[string][]string{"agents by group": {"4", "b"}, "no match": {"2", "/", "x", "y", "z"}, "alerts only": {"4", "!"}, "service": {"2", "enter"}, "agent": {"4", "enter"}, "help": {"?"}, "palette": {":"}, "sort": {"2", "s"}} {
			b := newBoard(t, size[0], size[1])
			b.speak(words.PseudoLanguage())
			b.press(keys...)
			check(b, name(screen))
		}
		for _, page := range []string{"Wall", "Overview", "Services", "Groups", "Agents", "Campaigns", "Breaks"} {
			wall := newBoard(t, size[0], size[1], func(o *Options) { o.Kiosk = &kiosk.Options{Pages: []string{page}} })
			wall.speak(words.PseudoLanguage())
			check(wall, name("wall "+page))
		}
		waiting := newBoardOn(t, nil, size[0], size[1], func(o *Options) { o.Kiosk = &kiosk.Options{} })
		waiting.speak(words.PseudoLanguage())
		check(waiting, name("wall without data"))
	}
}
