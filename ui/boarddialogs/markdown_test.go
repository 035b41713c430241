package boarddialogs

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestHandoverOnANarrowScreen checks that figures are never cut and that columns that
// do not fit are listed.
func TestHandoverOnANarrowScreen(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme}, render.Options{})
	table := "|  | received | answered | AHT |  |\n|---|---:|---:|---:|---:|\n| **All \\| calls** | 13772 | 13527 | 1:05:46 | typical |\n" +
		"| 日本語の名前がとても長いです | 12332 | 12295 | – | – |"
	for w, want := range map[int][]string{
		60: {"All | calls", "13772", "1:05:46", "typical"},
		36: {"All | calls", "13772", "13527", "Enlarge the window to see"},
		24: {"All | calls", "13772", "see answered, AHT."},
		10: {"All | cal…", "received,", "AHT."},
	} {
		text := ""
		for _, l := range markdownLines(lk, table, w) {
			if n := style.Width(l.Text); n > w {
				t.Errorf("in %d cells a line of %d: %q", w, n, ansi.Strip(l.Text))
			}
			text += ansi.Strip(l.Text) + "\n"
		}
		for _, s := range want {
			if !strings.Contains(text, s) {
				t.Errorf("in %d cells no %q in\n%s", w, s, text)
			}
		}
	}
}

// TestTableWithText checks that the text in the last column of a table is complete at every width:
// beside the other columns if there is room, otherwise below them.
func TestTableWithText(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme}, render.Options{})
	table := "| ▲ critical | when | what happened |\n|---|---:|---|\n| ▲ **Sales** | 10:00–10:20 | 7 of 8 agents logged out from 09:38 to 10:23. |\n| △ **Claims** | 11:00–11:20 | – |"
	for w, want := range map[int]string{
		90: "▲ critical         when  what happened\n▲ Sales     10:00–10:20  7 of 8 agents logged out from 09:38 to 10:23.\n△ Claims    11:00–11:20  –\n",
		52: "▲ critical         when  what happened\n▲ Sales     10:00–10:20  7 of 8 agents logged out\n                         from 09:38 to 10:23.\n△ Claims    11:00–11:20  –\n",
		30: "▲ critical         when\n▲ Sales     10:00–10:20\n  7 of 8 agents logged out\n  from 09:38 to 10:23.\n△ Claims    11:00–11:20\n  –\n",
	} {
		text := ""
		for _, l := range markdownLines(lk, table, w) {
			text += strings.TrimRight(ansi.Strip(l.Text), " ") + "\n"
		}
		if text != want {
			t.Errorf("in %d cells:\n%s\nwant\n%s", w, text, want)
		}
	}
}
