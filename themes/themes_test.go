package themes

import (
	"image/color"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T, name string) Theme {
	t.Helper()
	theme, err := LoadEmbedded(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// TestEmbeddedThemes checks the names, backgrounds and descriptions of the embedded themes. A theme
// without one of the tokens cannot be loaded.
func TestEmbeddedThemes(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"colour-blind": "dark", "dark": "dark", "high-contrast": "dark", "light": "light",
		"monochrome": "terminal", "terminal-16": "terminal",
	}
	got := map[string]string{}
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		got[theme.Name] = theme.BackgroundKind()
		if theme.Description == "" || theme.File != "" {
			t.Errorf("%s: description %q, file %q", name, theme.Description, theme.File)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("themes and their grounds (-want +got):\n%s", diff)
	}
	if _, err := LoadEmbedded("no-such"); err == nil || !strings.Contains(err.Error(), "terminal-16") {
		t.Errorf("error %v does not list the themes", err)
	}
}

func TestTokenNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tok := range Tokens() {
		name := tok.String()
		if name == "" || seen[name] {
			t.Errorf("token %d has the name %q, which is empty or taken", tok, name)
		}
		seen[name] = true
	}
}

func TestTerminalsColors(t *testing.T) {
	t.Parallel()
	for name, allowed := range map[string]func(color.Color) bool{
		"terminal-16": func(c color.Color) bool { _, ok := c.(ansi.BasicColor); return ok },
		"monochrome":  func(color.Color) bool { return false },
	} {
		theme := load(t, name)
		if theme.Background() != nil || theme.Foreground() != nil {
			t.Errorf("%s: ordinary text has not the terminal's own colours", name)
		}
		for _, tok := range Tokens() {
			s := theme.spec(tok)
			for _, c := range []color.Color{s.fg, s.bg} {
				if c != nil && !allowed(c) {
					t.Errorf("%s: %s uses %v", name, tok, c)
				}
			}
		}
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	theme, err := Parse([]byte(`extends = "terminal-16"
[tokens]
ok = { fg = "#0a0b0c", bg = 2, bold = true }
text = {}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := theme.Style(OK).Render("x"), "\x1b[38;2;10;11;12;42;1mx\x1b[m"; got != want {
		t.Errorf("Render = %q, want %q", got, want)
	}
	if got := theme.Style(Text).Render("x"); got != "x" {
		t.Errorf("a token without a style renders %q", got)
	}
	want := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#0a0b0c")).Background(lipgloss.Color("2"))
	if got := theme.Style(OK).Lipgloss(); got.Render("x") != want.Render("x") {
		t.Errorf("Lip Gloss renders %q, want %q", got.Render("x"), want.Render("x"))
	}
	if got := (Theme{}).Style(OK).Lipgloss().Render("x"); got != "x" {
		t.Errorf("the zero theme renders %q", got)
	}
}

// TestStylesOnlySwitchOn checks that no style resets attributes, because styles are applied over others.
func TestStylesOnlySwitchOn(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		for _, tok := range Tokens() {
			open := theme.OpenSequence(tok)
			if strings.HasPrefix(open, "\x1b[m") || strings.HasPrefix(open, "\x1b[0") {
				t.Errorf("%s: %s starts with a reset: %q", name, tok, open)
			}
			if (open == "") != (theme.Style(tok).Close == "") {
				t.Errorf("%s: %s opens with %q and closes with %q", name, tok, open, theme.Style(tok).Close)
			}
		}
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		base := theme.BaseSequence()
		if got, want := base != "", theme.Background() != nil; got != want {
			t.Errorf("%s: Base() is %q, its background %v", name, base, theme.Background())
		}
		if base != "" && theme.Foreground() == nil {
			t.Errorf("%s paints a background under the terminal's own text", name)
		}
	}
	if (Theme{}).BaseSequence() != "" {
		t.Error("the zero Theme paints")
	}
}
