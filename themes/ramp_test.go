package themes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

// TestRamp checks that a gradient goes from the background to the color of its token, and that every
// theme with its own background color has one.
func TestRamp(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		fg, bg := theme.Gradient(Sparkline, DepthTrueColor)
		if mixes := theme.Background() != nil; mixes != (len(fg) == 9) || len(bg) != len(fg) {
			t.Errorf("%s has %d and %d shades", name, len(fg), len(bg))
			continue
		}
		if few, _ := theme.Gradient(Sparkline, DepthSixteen); few != nil {
			t.Errorf("%s: a terminal that has no colours to mix has a gradient", name)
		}
		if fg == nil {
			continue
		}
		if fg[8] != theme.OpenSequence(Sparkline) {
			t.Errorf("%s: the edge is %q, want the token's %q", name, fg[8], theme.OpenSequence(Sparkline))
		}
		for i := range fg {
			if strings.Replace(bg[i], "[48", "[38", 1) != fg[i] {
				t.Errorf("%s: shade %d is %q in front and %q behind", name, i, fg[i], bg[i])
			}
		}
	}
}

// TestRampOfThePalette checks that a gradient for 256 colors consists of these colors, and that each step
// is nearer to the lightness of the token than the previous one.
func TestRampOfThePalette(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		theme := load(t, name)
		for _, tok := range []Token{Sparkline, Gauge, GaugeWarn, GaugeCritical, Dim} {
			fg, _ := theme.Gradient(tok, Depth256)
			if fg == nil {
				continue
			}
			if len(fg) < 3 {
				t.Errorf("%s, %v: %d shades, want 3 and more", name, tok, len(fg))
			}
			to, _ := colorful.MakeColor(theme.spec(tok).fg)
			end, _, _ := to.OkLab()
			off := 1.0
			for _, seq := range fg[:len(fg)-1] {
				var i int
				if _, err := fmt.Sscanf(seq, "\x1b[38;5;%dm", &i); err != nil {
					t.Fatalf("%s, %v: %q is none of the 256: %v", name, tok, seq, err)
				}
				c, _ := colorful.MakeColor(ansi.IndexedColor(i))
				light, _, _ := c.OkLab()
				if d := math.Abs(end - light); d >= off {
					t.Errorf("%s, %v: %q after a step of %.2f is %.2f away", name, tok, seq, off, d)
				} else {
					off = d
				}
			}
		}
	}
}

// TestBare checks that text of a theme without its background sets no background color, while the theme
// still knows the color.
func TestBare(t *testing.T) {
	t.Parallel()
	theme := load(t, "dark")
	bare := theme.WithoutBackground()
	if strings.Contains(bare.OpenSequence(Text), "48;") || bare.Background() == nil {
		t.Errorf("ordinary text is %q on %v", bare.OpenSequence(Text), bare.Background())
	}
	if !strings.Contains(theme.OpenSequence(Text), "48;") {
		t.Error("the theme itself has changed")
	}
	if !theme.HasColors() || load(t, "monochrome").HasColors() {
		t.Error("monochrome is the theme without colours")
	}
}

// TestTextIsReadOnATint checks the contrast of text on the tinted background of a panel with a problem.
func TestTextIsReadOnATint(t *testing.T) {
	t.Parallel()
	for _, name := range EmbeddedNames() {
		th := load(t, name)
		for _, under := range []Token{GaugeWarn, GaugeCritical} {
			for _, d := range []Depth{Depth256, DepthTrueColor} {
				ground := th.tintColor(under, d)
				if ground == nil {
					continue
				}
				on := []Token{Text, Dim, Title, Digits, Unknown, under}
				if under == GaugeCritical || d == DepthTrueColor {
					on = append(on, Critical)
				}
				if under == GaugeWarn || d == DepthTrueColor {
					on = append(on, Warn)
				}
				for _, tok := range on {
					if fg := th.spec(tok).fg; fg != nil {
						least := minTextContrast
						if d == Depth256 && under == GaugeWarn && slices.Contains([]Token{Dim, Title, Unknown}, tok) {
							least = minDecorationContrast // the 256 colors have no darker amber
						}
						if c := contrast(fg, ground); c < least {
							t.Errorf("%s: %v on the tint of %v has a contrast of %.2f", name, tok, under, c)
						}
					}
				}
			}
		}
	}
	dark := load(t, "dark")
	if c := dark.tintColor(GaugeCritical, Depth256); c != ansi.IndexedColor(52) {
		t.Errorf("of 256 colours, a panel in which something is critical is %v", c)
	}
}
