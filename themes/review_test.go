package themes

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

// TestEmbeddedThemesAreEasyToSee checks that Review finds no problem in any embedded theme.
func TestEmbeddedThemesAreEasyToSee(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		for _, remark := range load(t, name).CheckReadability() {
			t.Errorf("%s: %s", name, remark)
		}
	}
}

// TestHighContrast checks the contrast of 7 that WCAG 2.2 requires in criterion 1.4.6.
func TestHighContrast(t *testing.T) {
	t.Parallel()
	for _, remark := range load(t, "high-contrast").lowContrastProblems(7) {
		t.Error(remark)
	}
}

// TestColourBlindNeedsNoAttributes checks that in the theme for color-blind viewers, states and
// judgements differ by color alone.
func TestColourBlindNeedsNoAttributes(t *testing.T) {
	t.Parallel()
	theme := load(t, "colour-blind")
	for _, toks := range [][]Token{tokenFamilies()[0].tokens, {OK, Warn, Critical}} {
		for i, a := range toks {
			for _, b := range toks[:i] {
				for _, v := range visions() {
					if d := v.difference(theme.spec(a).fg, theme.spec(b).fg); d < minTextDifference {
						t.Errorf("%s and %s differ by %.1f with %s", a, b, d, v.name)
					}
				}
			}
		}
	}
}

// TestMonochromeStatesDiffer checks that the monochrome theme shows all states with different attributes.
func TestMonochromeStatesDiffer(t *testing.T) {
	t.Parallel()
	theme := load(t, "monochrome")
	seen := map[spec]Token{}
	for _, tok := range tokenFamilies()[0].tokens {
		if other, ok := seen[theme.spec(tok)]; ok {
			t.Errorf("%s and %s look the same", other, tok)
		}
		seen[theme.spec(tok)] = tok
	}
}

func TestRedIsForTroubleOnly(t *testing.T) {
	t.Parallel()
	trouble := []Token{Critical, GaugeCritical, BadgeCritical}
	eye := visions()[0]
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		red := theme.spec(Critical).fg
		if red == nil {
			continue // monochrome theme
		}
		for _, tok := range Tokens() {
			for _, c := range []color.Color{theme.spec(tok).fg, theme.spec(tok).bg} {
				if c != nil && !slices.Contains(trouble, tok) && eye.difference(c, red) < minTextDifference {
					t.Errorf("%s: %s is as red as trouble", name, tok)
				}
			}
		}
	}
}

// TestThePastIsNoTrouble checks that the badge for the past does not look like one for a warning or a
// critical problem.
func TestThePastIsNoTrouble(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		past := theme.spec(BadgeReplay)
		for _, tok := range []Token{BadgeWarn, BadgeCritical} {
			s := theme.spec(tok)
			if past == s {
				t.Errorf("%s: it is as %s", name, tok)
			}
			if s.bg == nil {
				continue
			}
			for _, bg := range []func(color.Color) color.Color{func(c color.Color) color.Color { return c }, func(c color.Color) color.Color { return ansi.Convert256(c) }} {
				if d := visions()[0].difference(bg(past.bg), bg(s.bg)); d < 2*minTextDifference {
					t.Errorf("%s: it differs by %.1f from %s", name, d, tok)
				}
			}
		}
	}
}

// TestNotReadyIsNoWarning checks that agents who are not ready, which is normal, do not have the color of
// a warning, with any color vision.
func TestNotReadyIsNoWarning(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		if theme.Background() == nil {
			not, ready, out := theme.spec(StateNotReady), theme.spec(StateReady), theme.spec(StateDial)
			if not.fg != nil && (not.fg == theme.spec(GaugeWarn).fg || ready.fg == out.fg) {
				t.Errorf("%s: not ready is %v, ready %v, call out %v", name, not, ready, out)
			}
			continue // the terminal chooses the colors
		}
		if few := ansi.Convert256(theme.spec(StateNotReady).fg); few == ansi.Convert256(theme.spec(GaugeWarn).fg) ||
			visions()[0].difference(few, ansi.Convert256(theme.spec(Critical).fg)) < minTextDifference || few == ansi.IndexedColor(52) {
			t.Errorf("%s: of 256 colours it is %v", name, few)
		}
		for _, v := range visions() {
			if d := v.difference(theme.spec(StateNotReady).fg, theme.spec(GaugeWarn).fg); d < minTextDifference {
				t.Errorf("%s: they differ by %.1f with %s", name, d, v.name)
			}
		}
	}
}

// TestFlashIsNoWarning checks that the background of changed values differs from the colors of warnings
// and critical problems, and is no warmer than the theme's background.
func TestFlashIsNoWarning(t *testing.T) {
	t.Parallel()
	warmth := func(c color.Color) float64 {
		rgb, _ := colorful.MakeColor(c)
		_, _, b := rgb.OkLab()
		return b
	}
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		flash, ground := theme.spec(Flash).bg, theme.Background()
		if ground == nil {
			if flash != nil {
				t.Errorf("%s: %v may look like a warning, the colours being the terminal's", name, flash)
			}
			continue
		}
		trouble := []color.Color{theme.spec(GaugeWarn).fg, theme.tintColor(GaugeWarn, DepthTrueColor), theme.tintColor(GaugeCritical, DepthTrueColor)}
		for _, tok := range []Token{Warn, Critical} {
			if bg := theme.spec(tok).bg; bg != nil {
				trouble = append(trouble, bg)
			}
		}
		for _, bad := range trouble {
			for _, v := range visions() {
				if d := v.difference(flash, bad); d < minAreaDifference {
					t.Errorf("%s: flash differs by %.1f from %v with %s", name, d, bad, v.name)
				}
			}
		}
		const neutral = 0.005
		for _, c := range []color.Color{flash, ansi.Convert256(flash)} {
			if warmth(c) > warmth(ground)+neutral {
				t.Errorf("%s: flash is as warm as %v", name, c)
			}
		}
	}
}

// TestReadableIn256Colors checks that text stays readable, and critical problems red, on a terminal with
// 256 colors, which shows the nearest of these.
func TestReadableIn256Colors(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		if theme.Background() == nil {
			continue
		}
		fewer := *theme.specs
		for i, s := range fewer {
			for _, c := range []*color.Color{&s.fg, &s.bg} {
				if *c != nil {
					*c = ansi.Convert256(*c)
				}
			}
			fewer[i] = s
		}
		red := theme.spec(Critical).fg
		theme.specs = &fewer
		for _, remark := range theme.lowContrastProblems(minTextContrast) {
			// The 256 colors contain one dark brown; all darker ones are red, olive or grey.
			brown := theme.spec(StateNotReady).fg == ansi.IndexedColor(94) && strings.HasPrefix(remark, "stateNotReady")
			if !brown || contrast(theme.spec(StateNotReady).fg, theme.spec(Selection).bg) < 4 {
				t.Errorf("%s in 256 colours: %s", name, remark)
			}
		}
		if d := visions()[0].difference(red, theme.spec(Critical).fg); d > 15 {
			t.Errorf("%s in 256 colours: critical turns into %v", name, theme.spec(Critical).fg)
		}
	}
}

// TestVision compares results with published values.
func TestVision(t *testing.T) {
	t.Parallel()
	rgb := lipgloss.Color
	normal, protan, deutan := visions()[0], visions()[1], visions()[2]
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s is %.3f, want %.3f", what, got, want)
		}
	}
	near("contrast of black on white", contrast(rgb("#000"), rgb("#fff")), 21, 0.001)
	near("contrast of #767676 on white", contrast(rgb("#767676"), rgb("#fff")), 4.54, 0.005)
	near("difference of black and white", normal.difference(rgb("#000"), rgb("#fff")), 100, 0.01)
	for _, v := range []vision{protan, deutan} {
		if got := v.perceive(rgb("#808080")).Hex(); got != "#808080" {
			t.Errorf("%s turns grey into %s", v.name, got)
		}
	}
	red, green := rgb("#c04040"), rgb("#5c7a28")
	if full, blind := normal.difference(red, green), deutan.difference(red, green); full < 40 || blind > 15 {
		t.Errorf("red and green differ by %.0f, and by %.0f with deuteranopia", full, blind)
	}
}

func TestReviewFinds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ tokens, want string }{
		"faint text":       {`dim = { fg = "#555555" }`, "dim is hard to read on the background: its contrast is 2.5"},
		"on a selection":   {`selection = { bg = "#7080a0", bold = true }`, "stateReady is hard to read on selection"},
		"own background":   {`badgeOK = { fg = "#ffffff", bg = "#ffff00" }`, "badgeOK is hard to read on its own background"},
		"dimmed":           {`dim = { faint = true }`, "dim is faint"},
		"equal":            {`stateReady = { fg = "blue" }` + "\n" + `stateBooked = { fg = "blue" }`, "stateReady and stateBooked look alike to everybody"},
		"red beside green": {`stateReady = { fg = "#e08080" }` + "\n" + `stateBooked = { fg = "#a8a060" }`, "stateReady and stateBooked look alike with"},
		"only colour":      {`critical = { fg = "#ff7a85" }`, "critical is nothing but colour"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			theme, err := Parse([]byte("extends = \"dark\"\n[tokens]\n" + tt.tokens + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(theme.CheckReadability(), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}
