package style

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
)

// TestPreview checks that a preview shows every token on the theme's own background.
func TestPreview(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, ascii := range []bool{false, true} {
			text := ThemePreview(theme, PreviewWidth, ascii)
			plain := ansi.Strip(text)
			for _, tok := range themes.Tokens() {
				if !strings.Contains(plain, " "+tok.String()+" ") || !strings.Contains(text, theme.OpenSequence(tok)) {
					t.Errorf("%s does not show %s", name, tok)
				}
			}
			for line := range strings.Lines(strings.TrimSuffix(text, "\n")) {
				if w := ansi.StringWidth(line); w != PreviewWidth {
					t.Errorf("%s: a line of %d cells: %q", name, w, ansi.Strip(line))
				}
				if !strings.HasPrefix(line, theme.BaseSequence()) {
					t.Errorf("%s: a line on the terminal's background: %q", name, line)
				}
			}
			if ascii && strings.ContainsFunc(plain, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s is not drawn with ASCII:\n%s", name, plain)
			}
		}
	}
}
