package themes

import (
	"strings"
	"testing"
)

// A gradient goes from the background to the colour of its token, and every theme
// with colours of its own to mix has one.
func TestRamp(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme := load(t, name)
		fg, bg := theme.Ramp(Sparkline, 8)
		if mixes := theme.Background() != nil; mixes != (len(fg) == 9) || len(bg) != len(fg) {
			t.Errorf("%s has %d and %d shades", name, len(fg), len(bg))
			continue
		}
		if fg == nil {
			continue
		}
		if fg[8] != theme.SGR(Sparkline) {
			t.Errorf("%s: the edge is %q, want the token's %q", name, fg[8], theme.SGR(Sparkline))
		}
		for i := range fg {
			if strings.Replace(bg[i], "[48", "[38", 1) != fg[i] {
				t.Errorf("%s: shade %d is %q in front and %q behind", name, i, fg[i], bg[i])
			}
		}
	}
}

// Text on the terminal's own background has none of its own; the theme still knows
// which one it is made for.
func TestBare(t *testing.T) {
	t.Parallel()
	theme := load(t, "dark")
	bare := theme.Bare()
	if strings.Contains(bare.SGR(Text), "48;") || bare.Background() == nil {
		t.Errorf("ordinary text is %q on %v", bare.SGR(Text), bare.Background())
	}
	if !strings.Contains(theme.SGR(Text), "48;") {
		t.Error("the theme itself has changed")
	}
	if !theme.Coloured() || load(t, "monochrome").Coloured() {
		t.Error("monochrome is the theme without colours")
	}
}

// TestTextIsReadOnATint has the contrast of what stands in a panel in which something is
// wrong.
func TestTextIsReadOnATint(t *testing.T) {
	t.Parallel()
	const least = 4.5
	for _, name := range Names() {
		th := load(t, name)
		for _, under := range []Token{GaugeWarn, GaugeCritical} {
			ground, hue := th.Background(), th.spec(under).fg
			if th.Tint(under) == "" {
				continue
			}
			for _, tok := range []Token{Text, Dim, Title, Warn, Critical, Digits, Unknown, under} {
				if fg := th.spec(tok).fg; fg != nil {
					if c := contrast(fg, tint(ground, hue)); c < least {
						t.Errorf("%s: %v on the tint of %v has a contrast of %.2f", name, tok, under, c)
					}
				}
			}
		}
	}
}
