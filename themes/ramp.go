package themes

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

// Depth is a range of color counts that a terminal supports.
type Depth int

// The depths. Themes mix no colors for DepthSixteen.
const (
	DepthSixteen   Depth = iota // at most sixteen, with unknown appearance
	Depth256                    // the 256 colors of xterm
	DepthTrueColor              // 24-bit color
)

// maxShades returns the maximum number of steps of a gradient, not counting the last step, which is
// the token's own color.
func (d Depth) maxShades() int {
	const few, many = 5, 8
	if d == DepthTrueColor {
		return many
	}
	return few
}

// Gradient returns a gradient from a color near the background to the color of a token. Each step
// is an escape sequence: in fg it sets the foreground, in bg the background. Both are nil if the
// theme has no colors to mix or the terminal has too few.
func (t Theme) Gradient(tok Token, d Depth) (fg, bg []string) {
	from, to := t.Background(), t.spec(tok).fg
	if d == DepthSixteen || from == nil || to == nil || isTerminalColor(from) || isTerminalColor(to) {
		return nil, nil
	}
	mix := darkShade
	switch {
	case d == Depth256:
		mix = indexedShade
	case t.BackgroundKind() == "light":
		mix = lightShade
	}
	var previous color.Color
	add := func(c color.Color) {
		if c != previous { // with few colors, consecutive steps may be equal
			fg = append(fg, ansi.Style{}.ForegroundColor(c).String())
			bg = append(bg, ansi.Style{}.BackgroundColor(c).String())
		}
		previous = c
	}
	n := d.maxShades()
	for i := range n {
		add(mix(from, to, float64(i)/float64(n-1)))
	}
	add(to)
	return fg, bg
}

// Tint returns an escape sequence for the background of a panel with a problem. The background is
// slightly tinted with the token's color, and text on it stays readable. Tint returns "" if the
// theme has no colors to mix or the terminal has too few.
func (t Theme) Tint(tok Token, d Depth) string {
	c := t.tintColor(tok, d)
	if c == nil {
		return ""
	}
	return ansi.Style{}.BackgroundColor(c).String()
}

// tintColor returns the color for [Theme.Tint], or nil if it cannot be mixed.
func (t Theme) tintColor(tok Token, d Depth) color.Color {
	ground, to := t.Background(), t.spec(tok).fg
	if d == DepthSixteen || ground == nil || to == nil || isTerminalColor(ground) || isTerminalColor(to) {
		return nil
	}
	const share = 0.16 // close to the background except for its hue
	c := mixColors(ground, to, share)
	if d == Depth256 {
		return t.indexedTint(c, to)
	}
	return c
}

// indexedTint returns the tint for a terminal with 256 colors: the nearest color with a similar
// hue on which text is readable. The nearest color of any hue would be gray. If there is no such
// color, as for dark amber, secondary text may have the contrast of decoration. If there is still
// none, indexedTint returns tint.
func (t Theme) indexedTint(tint, hue color.Color) color.Color {
	for _, secondary := range []float64{minTextContrast, minDecorationContrast} {
		if best, ok := t.similarTint(tint, hue, secondary); ok {
			return best
		}
	}
	return tint
}

// similarTint returns the color nearest to tint among the 256 colors that are similar to hue and on
// which text is readable. secondary is the minimum contrast of secondary text. The bool result is
// false if there is no such color.
func (t Theme) similarTint(tint, hue color.Color, secondary float64) (color.Color, bool) {
	base, _ := colorful.MakeColor(tint)
	to, _ := colorful.MakeColor(hue)
	light, _, _ := base.OkLab()
	_, a, b := to.OkLab()
	const faded = 0.5
	return nearestHue(light, a*faded, b*faded, func(c color.Color) bool {
		candidate, _ := colorful.MakeColor(c)
		_, a2, b2 := candidate.OkLab()
		const minCosine = 0.9 // minimum cosine of the angle between two hues that count as similar
		if a*a2+b*b2 < minCosine*math.Hypot(a, b)*math.Hypot(a2, b2) {
			return false
		}
		for on, least := range map[Token]float64{Text: minTextContrast, Digits: minTextContrast, Dim: secondary, Title: secondary, Unknown: secondary} {
			if fg := t.spec(on).fg; fg != nil && contrast(fg, c) < least {
				return false
			}
		}
		return contrast(hue, c) >= minTextContrast
	})
}

// isTerminalColor reports whether c is one of the sixteen basic colors. Their appearance is
// unknown, because each terminal defines them itself.
func isTerminalColor(c color.Color) bool {
	_, basic := c.(ansi.BasicColor)
	return basic
}

// darkShade returns a step of a gradient toward c on a dark background. position is from 0, the
// darkest step, to 1, the brightest. Darker steps are more saturated.
func darkShade(ground, c color.Color, position float64) color.Color {
	const darkest, brightest = 0.37, 0.84
	r, g, b, _ := c.RGBA()
	top, low := float64(max(r, g, b)), float64(min(r, g, b))
	const minSaturation = 0.3
	if top-low < minSaturation*top { // almost no hue
		return lightShade(ground, c, position)
	}
	const whiteShare = 0.75 // share of the color's white component at the brightest step
	pure := 1 - whiteShare*math.Pow(position, 4)*low/top
	value := darkest + (brightest*top/0xffff-darkest)*position
	of := func(v uint32) uint8 { return uint8(0xff * value * (1 - pure*(top-float64(v))/(top-low))) }
	return color.RGBA{of(r), of(g), of(b), 0xff}
}

// lightShade returns a step of a gradient toward c on a light background. position is from 0, the
// faintest step, to 1, the strongest.
func lightShade(ground, c color.Color, position float64) color.Color {
	const faintest, strongest = 0.22, 0.72
	return mixColors(ground, c, faintest+(strongest-faintest)*position)
}

// mixColors returns c mixed with another color. share, from 0 to 1, is the share of the other color.
func mixColors(c, with color.Color, share float64) color.Color {
	mix := func(x, y uint32) uint8 { return uint8((float64(x)*(1-share) + float64(y)*share) / 0x101) }
	r, g, b, _ := c.RGBA()
	r2, g2, b2, _ := with.RGBA()
	return color.RGBA{mix(r, r2), mix(g, g2), mix(b, b2), 0xff}
}

// indexedShade returns a step of a gradient on a terminal with 256 colors. position is from 0,
// near the background, to 1. The step is the perceptually nearest of the 256 colors; a difference
// in hue counts more than one in brightness.
func indexedShade(ground, c color.Color, position float64) color.Color {
	const faintest, strongest = 0.38, 0.85
	share := faintest + (strongest-faintest)*position
	from, _ := colorful.MakeColor(ground)
	to, _ := colorful.MakeColor(c)
	dark, _, _ := from.OkLab()
	light, a, b := to.OkLab()
	light = dark + (light-dark)*share
	const fading = 0.25 // how much the hue is faded near the background
	a, b = a*(1-fading*(1-share)), b*(1-fading*(1-share))
	best, _ := nearestHue(light, a, b, func(color.Color) bool { return true })
	return best
}

// nearestHue returns the color of the 256-color palette that is perceptually nearest to a color
// given in OkLab. It ignores the terminal's own colors, colors much paler than the given one, and
// colors for which accept returns false. ok is false if no color is left.
func nearestHue(light, a, b float64, accept func(color.Color) bool) (best ansi.IndexedColor, ok bool) {
	pure := math.Hypot(a, b)
	const first, all, hue = 16, 256, 8 // the colors before first are the terminal's own
	minimum := math.Inf(1)
	for i := first; i < all; i++ {
		candidate, _ := colorful.MakeColor(ansi.IndexedColor(i))
		l2, a2, b2 := candidate.OkLab()
		chroma := math.Hypot(a2, b2)
		if chroma < pure/2 { // too gray: it would look like the baseline behind a chart line
			continue
		}
		paler := square(pure - chroma)
		other := square(a-a2) + square(b-b2) - paler
		if off := square(light-l2) + paler + hue*other; off < minimum && accept(ansi.IndexedColor(i)) {
			best, minimum, ok = ansi.IndexedColor(i), off, true
		}
	}
	return best, ok
}

func square(v float64) float64 { return v * v }
