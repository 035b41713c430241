package themes

import (
	"image/color"

	"github.com/lucasb-eyer/go-colorful"
)

// vision is a kind of color vision. matrix maps a color in linear sRGB to the color that a
// person with this vision perceives.
type vision struct {
	name   string
	matrix [3][3]float64
}

// visions returns the kinds of color vision that a theme is checked for. The matrices are those
// for a severity of 1.0 in Machado, Oliveira and Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency" (IEEE TVCG 15(6), 2009).
func visions() [3]vision {
	return [...]vision{
		{"full colour vision", [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
		{"protanopia", [3][3]float64{
			{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998},
		}},
		{"deuteranopia", [3][3]float64{
			{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881},
		}},
	}
}

// perceive returns the color that a person with this vision perceives for c.
func (v vision) perceive(c color.Color) colorful.Color {
	rgb, _ := colorful.MakeColor(c)
	r, g, b := rgb.LinearRgb()
	row := func(m [3]float64) float64 { return m[0]*r + m[1]*g + m[2]*b }
	return colorful.LinearRgb(row(v.matrix[0]), row(v.matrix[1]), row(v.matrix[2])).Clamped()
}

// difference returns the perceived difference of two colors: CIEDE2000 (Sharma, Wu and
// Dalal, Color Research & Application 30(1), 2005). 1 is about the smallest noticeable
// difference, 100 is black to white.
func (v vision) difference(a, b color.Color) float64 {
	return 100 * v.perceive(a).DistanceCIEDE2000(v.perceive(b))
}

// contrast returns the contrast ratio of two colors (WCAG 2.2), from 1 to 21.
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance returns the relative luminance of a color (WCAG 2.2), from 0 to 1.
func luminance(c color.Color) float64 {
	rgb, _ := colorful.MakeColor(c)
	r, g, b := rgb.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}
