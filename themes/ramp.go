package themes

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
)

// Ramp returns n colours from near the background to near the colour of a token,
// and at last the token's own, as escape sequences: what is drawn, and what lies
// behind. A theme without colours of its own to mix has none.
func (t Theme) Ramp(tok Token, n int) (fg, bg []string) {
	from, to := t.Background(), t.spec(tok).fg
	if from == nil || to == nil || plain(from) || plain(to) {
		return nil, nil
	}
	mix := shaded
	if t.Ground() == "light" {
		mix = tinted
	}
	for i := range n + 1 {
		c := to
		if i < n {
			c = mix(from, to, float64(i)/float64(max(n-1, 1)))
		}
		fg = append(fg, ansi.Style{}.ForegroundColor(c).String())
		bg = append(bg, ansi.Style{}.BackgroundColor(c).String())
	}
	return fg, bg
}

// Tint is the background of a panel in which something is wrong: a breath of the
// token's colour, on which all text can still be read; "" for a theme without colours
// of its own to mix.
func (t Theme) Tint(tok Token) string {
	ground, to := t.Background(), t.spec(tok).fg
	if ground == nil || to == nil || plain(ground) || plain(to) {
		return ""
	}
	return ansi.Style{}.BackgroundColor(tint(ground, to)).String()
}

// tint is a colour that hardly differs from the ground but for its hue.
func tint(ground, c color.Color) color.Color {
	const share = 0.13
	return mixed(ground, c, share)
}

// plain reports whether a colour is one of the terminal's own, of which nobody
// knows what it looks like.
func plain(c color.Color) bool {
	_, basic := c.(ansi.BasicColor)
	return basic
}

// shaded is a colour in the dark: the darker, the purer, so that it keeps its hue
// where a terminal has 256 colours and few dark ones.
func shaded(ground, c color.Color, light float64) color.Color {
	const darkest, brightest = 0.37, 0.84
	r, g, b, _ := c.RGBA()
	top, low := float64(max(r, g, b)), float64(min(r, g, b))
	const grey = 0.3
	if top-low < grey*top { // it has hardly a hue
		return tinted(ground, c, light)
	}
	const washed = 0.75 // of what the colour has of white, at the brightest
	pure := 1 - washed*math.Pow(light, 4)*low/top
	value := darkest + (brightest*top/0xffff-darkest)*light
	of := func(v uint32) uint8 { return uint8(0xff * value * (1 - pure*(top-float64(v))/(top-low))) }
	return color.RGBA{of(r), of(g), of(b), 0xff}
}

// tinted is a colour on a light ground.
func tinted(ground, c color.Color, strong float64) color.Color {
	const faintest, strongest = 0.22, 0.72
	return mixed(ground, c, faintest+(strongest-faintest)*strong)
}

// mixed is a colour with a share of another one.
func mixed(c, with color.Color, share float64) color.Color {
	mix := func(x, y uint32) uint8 { return uint8((float64(x)*(1-share) + float64(y)*share) / 0x101) }
	r, g, b, _ := c.RGBA()
	r2, g2, b2, _ := with.RGBA()
	return color.RGBA{mix(r, r2), mix(g, g2), mix(b, b2), 0xff}
}
