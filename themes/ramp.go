package themes

import (
	"image/color"
	"math"

	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

// Depth is how many colours a terminal can show.
type Depth int

// The depths that a theme mixes colours for.
const (
	Shallow Depth = iota // sixteen at most, and nobody knows what they look like
	Palette              // the 256 of xterm
	Full                 // red, green and blue of eight bits each
)

// shades is how many steps a gradient has at most, but for its edge.
func (d Depth) shades() int {
	const few, many = 5, 8
	if d == Full {
		return many
	}
	return few
}

// Ramp returns colours from near the background to near the colour of a token, and at
// last the token's own, as escape sequences: what is drawn, and what lies behind. A theme
// without colours of its own to mix, and a terminal with too few of them, has none.
func (t Theme) Ramp(tok Token, d Depth) (fg, bg []string) {
	from, to := t.Background(), t.spec(tok).fg
	if d == Shallow || from == nil || to == nil || plain(from) || plain(to) {
		return nil, nil
	}
	mix := shaded
	switch {
	case d == Palette:
		mix = indexed
	case t.Ground() == "light":
		mix = tinted
	}
	var before color.Color
	add := func(c color.Color) {
		if c != before { // of few colours the next step may be the same
			fg = append(fg, ansi.Style{}.ForegroundColor(c).String())
			bg = append(bg, ansi.Style{}.BackgroundColor(c).String())
		}
		before = c
	}
	n := d.shades()
	for i := range n {
		add(mix(from, to, float64(i)/float64(n-1)))
	}
	add(to)
	return fg, bg
}

// Tint is the background of a panel in which something is wrong: a breath of the
// token's colour, on which all text can still be read; "" for a theme without colours
// of its own to mix, and on a terminal with too few.
func (t Theme) Tint(tok Token, d Depth) string {
	c := t.tint(tok, d)
	if c == nil {
		return ""
	}
	return ansi.Style{}.BackgroundColor(c).String()
}

// tint is that colour; nil: there is none.
func (t Theme) tint(tok Token, d Depth) color.Color {
	ground, to := t.Background(), t.spec(tok).fg
	if d == Shallow || ground == nil || to == nil || plain(ground) || plain(to) {
		return nil
	}
	const share = 0.13 // it hardly differs from the ground but for its hue
	c := mixed(ground, to, share)
	if d == Palette {
		return t.indexedTint(c, to)
	}
	return c
}

// indexedTint is a tint of a hue on a terminal with 256 colours: one of that hue, the
// terminal's own nearest being grey; the tint itself where no text could be read on any of
// them, as on olive, which is the only dark amber.
func (t Theme) indexedTint(tint, hue color.Color) color.Color {
	breath, _ := colorful.MakeColor(tint)
	to, _ := colorful.MakeColor(hue)
	light, _, _ := breath.OkLab()
	_, a, b := to.OkLab()
	const faded = 0.5
	best, ok := hued(light, a*faded, b*faded, func(c color.Color) bool {
		one, _ := colorful.MakeColor(c)
		_, a2, b2 := one.OkLab()
		const alike = 0.9 // the cosine between two hues
		if a*a2+b*b2 < alike*math.Hypot(a, b)*math.Hypot(a2, b2) {
			return false
		}
		for _, on := range []Token{Text, Dim, Title, Digits, Unknown} {
			if fg := t.spec(on).fg; fg != nil && contrast(fg, c) < leastText {
				return false
			}
		}
		return contrast(hue, c) >= leastText
	})
	if !ok {
		return tint
	}
	return best
}

// plain reports whether a colour is one of the terminal's own, of which nobody
// knows what it looks like.
func plain(c color.Color) bool {
	_, basic := c.(ansi.BasicColor)
	return basic
}

// shaded is a colour in the dark: the darker, the purer.
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

// indexed is a step between two colours on a terminal with 256 of them: the one that the
// eye takes for nearest, where a wrong hue is worse than a wrong brightness.
func indexed(ground, c color.Color, strong float64) color.Color {
	const faintest, strongest = 0.38, 0.85
	share := faintest + (strongest-faintest)*strong
	from, _ := colorful.MakeColor(ground)
	to, _ := colorful.MakeColor(c)
	dark, _, _ := from.OkLab()
	light, a, b := to.OkLab()
	light = dark + (light-dark)*share
	const washed = 0.25 // of what the hue is faded, at the end that is near the ground
	a, b = a*(1-washed*(1-share)), b*(1-washed*(1-share))
	best, _ := hued(light, a, b, func(color.Color) bool { return true })
	return best
}

// hued is the colour of the 256 that the eye takes for nearest to one of OkLab, of those
// that will do; false: there is none. Grey is never it.
func hued(light, a, b float64, will func(color.Color) bool) (best ansi.IndexedColor, ok bool) {
	pure := math.Hypot(a, b)
	const first, all, hue = 16, 256, 8 // those before the first are the terminal's own
	least := math.Inf(1)
	for i := first; i < all; i++ {
		one, _ := colorful.MakeColor(ansi.IndexedColor(i))
		l2, a2, b2 := one.OkLab()
		colour := math.Hypot(a2, b2)
		if colour < pure/2 { // grey is the shade of what is usual, behind the line
			continue
		}
		paler := sq(pure - colour)
		other := sq(a-a2) + sq(b-b2) - paler
		if off := sq(light-l2) + paler + hue*other; off < least && will(ansi.IndexedColor(i)) {
			best, least, ok = ansi.IndexedColor(i), off, true
		}
	}
	return best, ok
}

func sq(v float64) float64 { return v * v }
