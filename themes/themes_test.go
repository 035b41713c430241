package themes

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func load(t *testing.T, name string) Theme {
	t.Helper()
	theme, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

func TestEmbeddedThemes(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"dark", "light", "terminal-16"}, Names()); diff != "" {
		t.Errorf("Names() (-want +got):\n%s", diff)
	}
	for _, name := range Names() {
		// Load fails if a single token is not set.
		if got := load(t, name).Name; got != name {
			t.Errorf("%s.toml calls itself %q", name, got)
		}
	}
	if !load(t, "dark").Dark || load(t, "light").Dark {
		t.Error("Dark does not say what the theme is made for")
	}
	if _, err := Load("no-such"); err == nil || !strings.Contains(err.Error(), "terminal-16") {
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

// decoration is what nobody needs to read.
func decoration(tok Token) bool {
	return slices.Contains([]Token{Faint, Border, BorderFocus, GaugeEmpty}, tok)
}

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"dark", "light"} {
		theme := load(t, name)
		for _, tok := range Tokens() {
			s, least := theme.spec(tok), 4.5
			if decoration(tok) {
				least = 3
			}
			if s.faint {
				t.Errorf("%s: %s is faint, which makes its contrast unknown", name, tok)
			}
			fg := s.fg
			if fg == nil {
				fg = theme.Foreground()
			}
			under := map[string]color.Color{"its background": s.bg}
			if s.bg == nil {
				under = map[string]color.Color{
					"the background": theme.Background(),
					"a selection":    theme.spec(Selection).bg,
					"a blurred one":  theme.spec(SelectionBlurred).bg,
					"a flash":        theme.spec(Flash).bg,
				}
			}
			for what, bg := range under {
				if decoration(tok) && what != "the background" {
					continue
				}
				if got := contrast(fg, bg); got < least {
					t.Errorf("%s: %s has a contrast of %.2f on %s, want %.1f", name, tok, got, what, least)
				}
			}
		}
	}
}

// contrast is the contrast ratio of WCAG 2.2.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestTerminal16HasOnlyItsOwnColors(t *testing.T) {
	t.Parallel()
	theme := load(t, "terminal-16")
	if theme.Background() != nil || theme.Foreground() != nil {
		t.Error("ordinary text has not the terminal's own colours")
	}
	for _, tok := range Tokens() {
		s := theme.spec(tok)
		for _, c := range []color.Color{s.fg, s.bg} {
			if _, ok := c.(ansi.BasicColor); c != nil && !ok {
				t.Errorf("%s uses %v, which is none of the sixteen", tok, c)
			}
		}
	}
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	groups := map[string][]Token{
		"states": {
			StateReady, StateTalking, StateHold, StateBooked,
			StateWrapUp, StateNotReady, StateDial, StateOther,
		},
		"judgements": {OK, Warn, Critical, Unknown, Stale, Pending},
		"selection":  {Selection, SelectionBlurred, Flash, Text},
		"series":     {Series1, Series2, Series3, Series4, Series5, Series6},
		"gauges":     {Gauge, GaugeWarn, GaugeCritical, GaugeEmpty},
		"badges":     {Badge, BadgeOK, BadgeWarn, BadgeCritical},
	}
	for _, name := range Names() {
		theme := load(t, name)
		for group, toks := range groups {
			seen := map[string]Token{}
			for _, tok := range toks {
				if other, ok := seen[theme.SGR(tok)]; ok {
					t.Errorf("%s: the %s %s and %s look the same", name, group, other, tok)
				}
				seen[theme.SGR(tok)] = tok
			}
		}
	}
}

// Without colours, what is selected or needs action must still stand out.
func TestMonochrome(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme := load(t, name)
		for _, tok := range []Token{Selection, SelectionBlurred, Flash, Critical, Stale, ButtonActive} {
			if s := theme.spec(tok); !s.bold && !s.reverse && !s.underline {
				t.Errorf("%s: %s is nothing but colour", name, tok)
			}
		}
	}
}

func TestStyle(t *testing.T) {
	t.Parallel()
	theme, err := Parse([]byte(`extends = "terminal-16"
[tokens]
ok = { fg = "#0a0b0c", bg = "2", bold = true }
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
	if got := theme.Style(OK).LG(); got.Render("x") != want.Render("x") {
		t.Errorf("Lip Gloss renders %q, want %q", got.Render("x"), want.Render("x"))
	}
	if got := (Theme{}).Style(OK).LG().Render("x"); got != "x" {
		t.Errorf("the zero theme renders %q", got)
	}
}

// No style may reset what is on: it is laid over others.
func TestStylesOnlySwitchOn(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme := load(t, name)
		for _, tok := range Tokens() {
			open := theme.SGR(tok)
			if strings.HasPrefix(open, "\x1b[m") || strings.HasPrefix(open, "\x1b[0") {
				t.Errorf("%s: %s starts with a reset: %q", name, tok, open)
			}
			if (open == "") != (theme.Style(tok).Close == "") {
				t.Errorf("%s: %s opens with %q and closes with %q", name, tok, open, theme.Style(tok).Close)
			}
		}
	}
}

func TestExtends(t *testing.T) {
	t.Parallel()
	theme, err := Parse([]byte(`name = "mine"
extends = "dark"
[palette]
green = "#00ff00"
[tokens]
warn = { fg = "green", reverse = true }
`))
	if err != nil {
		t.Fatal(err)
	}
	if theme.Name != "mine" || !theme.Dark {
		t.Errorf("name %q, dark %v; want the own name and the base's darkness", theme.Name, theme.Dark)
	}
	if got, want := theme.SGR(StateReady), "\x1b[38;2;0;255;0m"; got != want {
		t.Errorf("a token of the base has %q, want the new colour %q", got, want)
	}
	if got, want := theme.SGR(Warn), "\x1b[38;2;0;255;0;7m"; got != want {
		t.Errorf("warn = %q, want %q: a token is replaced whole", got, want)
	}
	if got, want := theme.SGR(Dim), load(t, "dark").SGR(Dim); got != want {
		t.Errorf("dim = %q, want the base's %q", got, want)
	}
}

func TestParseReportsEverything(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		palette string
		want    []string
	}{
		"not TOML":       {`name = `, []string{"decode palette"}},
		"unknown key":    {"extends = \"dark\"\ncolour = 1", []string{"colour: unknown key"}},
		"unknown field":  {"extends = \"dark\"\n[tokens]\nok = { italic = true }", []string{"tokens.ok.italic: unknown key"}},
		"unknown tokens": {"extends = \"dark\"\n[tokens]\nokay = {}\nwarm = {}", []string{"tokens.okay", "tokens.warm"}},
		"unknown base":   {`extends = "drak"`, []string{"drak", "terminal-16"}},
		"colours": {
			"extends = \"dark\"\n[palette]\nblue = \"bleu\"\n[tokens]\nok = { fg = \"#12\", bg = \"256\" }",
			[]string{"tokens.ok.fg", "tokens.ok.bg", `"bleu" is no colour`},
		},
		"missing tokens": {"[tokens]\nok = {}", []string{"tokens.warn: not set", "tokens.text: not set"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse([]byte(tt.palette))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not say %q:\n%v", want, err)
				}
			}
		})
	}
}

func TestParseNeverPanics(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"ok", "text", "nope"}).Draw(t, "token")
		data := fmt.Sprintf("extends = %q\n[palette]\na = %q\n[tokens]\n%s = { fg = %q }\n",
			rapid.SampledFrom([]string{"dark", "", "../dark", "mine"}).Draw(t, "base"),
			rapid.String().Draw(t, "colour"), name, rapid.String().Draw(t, "fg"))
		theme, err := Parse([]byte(data))
		if err == nil && theme.styles == nil {
			t.Fatal("neither theme nor error")
		}
	})
}

func TestBase(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme := load(t, name)
		base := theme.Base()
		if got, want := base != "", theme.Background() != nil; got != want {
			t.Errorf("%s: Base() is %q, its background %v", name, base, theme.Background())
		}
		if base != "" && theme.Foreground() == nil {
			t.Errorf("%s paints a background under the terminal's own text", name)
		}
	}
	if (Theme{}).Base() != "" {
		t.Error("the zero Theme paints")
	}
	_, err := Parse([]byte("extends = \"light\"\n[tokens]\ntext = { bg = \"background\" }\n"))
	if err == nil || !strings.Contains(err.Error(), "tokens.text") {
		t.Errorf("a background without a foreground: error %v", err)
	}
}
