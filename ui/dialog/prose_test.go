package dialog_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestSingleCellIsNotCut checks that a row with one cell shows all of it, and that the label moves
// to lines of its own if both do not fit.
func TestSingleCellIsNotCut(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		60: "half of the days were between" + strings.Repeat(" ", 18) + "4607 and 5120",
		30: "half of the days were between",
	} {
		p := &dialog.TextBuilder{Look: style.New(style.Options{Mono: true}, render.Options{}), Width: width}
		p.Row(themes.Text, "half of the days were between", "4607 and 5120")
		text := ""
		for _, l := range p.Lines {
			text += ansi.Strip(l) + "\n"
		}
		if !strings.Contains(text, want) || !strings.Contains(text, "4607 and 5120") {
			t.Errorf("%d cells:\n%s", width, text)
		}
	}
}
