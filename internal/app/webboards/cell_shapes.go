package webboards

import (
	"image"
	"image/color"
	"math"
)

// canvas draws into the alpha values of a cell.
type canvas struct{ alpha *image.Alpha }

// fillRect fills the rectangle of the pixels from (x0, y0) to (x1-1, y1-1).
func (c canvas) fillRect(x0, y0, x1, y1 int) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			c.alpha.SetAlpha(x, y, color.Alpha{A: 0xff})
		}
	}
}

// samplesPerSide is the number of sample points along each side of a pixel. The share of the points inside
// a shape is the alpha value of the pixel.
const samplesPerSide = 4

// fill fills a shape. inside reports whether a point is in the shape; coordinates are in pixels.
func (c canvas) fill(inside func(x, y float64) bool) {
	size := c.alpha.Rect.Size()
	for y := range size.Y {
		for x := range size.X {
			n := 0
			for i := range samplesPerSide * samplesPerSide {
				if inside(float64(x)+(float64(i%samplesPerSide)+0.5)/samplesPerSide, float64(y)+(float64(i/samplesPerSide)+0.5)/samplesPerSide) {
					n++
				}
			}
			if n > 0 {
				c.alpha.SetAlpha(x, y, color.Alpha{A: uint8(n * 0xff / (samplesPerSide * samplesPerSide))})
			}
		}
	}
}

// drawShape draws a character that fills its cell exactly, or that the font lacks. It returns false
// for all others.
func drawShape(a *image.Alpha, r rune) bool {
	c := canvas{a}
	switch {
	case r >= 0x2500 && r <= 0x257f:
		return c.drawLines(r)
	case r >= 0x2580 && r <= 0x259f:
		c.drawBlock(r)
	case r >= 0x2800 && r <= 0x28ff:
		c.drawBraille(int(r - 0x2800))
	default:
		return c.drawGeometricShape(r)
	}
	return true
}

// drawBlock draws a block element.
func (c canvas) drawBlock(r rune) {
	w, h := c.alpha.Rect.Dx(), c.alpha.Rect.Dy()
	eighths := func(of, n int) int { return (of*n + 4) / 8 }
	switch {
	case r == '▀':
		c.fillRect(0, 0, w, h/2)
	case r <= '█': // lower eighths
		c.fillRect(0, h-eighths(h, int(r-0x2580)), w, h)
	case r <= '▏': // left eighths
		c.fillRect(0, 0, eighths(w, int(0x2590-r)), h)
	case r == '▐':
		c.fillRect(w/2, 0, w, h)
	case r <= '▓': // a quarter, half and three quarters of the foreground
		share := uint8(int(r-0x2590) * 0xff / 4)
		for i := range c.alpha.Pix {
			c.alpha.Pix[i] = share
		}
	case r == '▔':
		c.fillRect(0, 0, w, eighths(h, 1))
	case r == '▕':
		c.fillRect(w-eighths(w, 1), 0, w, h)
	default: // quadrants: 1 upper left, 2 upper right, 4 lower left, 8 lower right
		quadrants := [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}[r-'▖']
		for q := range 4 {
			if quadrants>>q&1 == 1 {
				c.fillRect(q%2*(w/2), q/2*(h/2), w/2+q%2*(w-w/2), h/2+q/2*(h-h/2))
			}
		}
	}
}

// drawBraille draws a Braille pattern: dots 1 to 3 and 7 on the left, 4 to 6 and 8 on the right.
func (c canvas) drawBraille(dots int) {
	w, h := float64(c.alpha.Rect.Dx()), float64(c.alpha.Rect.Dy())
	for i, at := range [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if dots>>i&1 == 1 {
			x, y := math.Round(w*(1+2*at[0])/4), math.Round(h*(1+2*at[1])/8)
			c.fillRect(int(x)-1, int(y)-1, int(x)+1, int(y)+1)
		}
	}
}

// Thickness of lines in pixels.
const (
	lightThickness = 2
	heavyThickness = 4
)

// lineThicknesses holds the thickness of the lines from the middle of a cell up, to the right, down and
// to the left, in pixels.
type lineThicknesses [4]int

// boxDrawingLines returns the line thicknesses of the simple box drawing characters.
func boxDrawingLines() map[rune]lineThicknesses {
	const l, h = lightThickness, heavyThickness
	return map[rune]lineThicknesses{
		'─': {0, l, 0, l}, '━': {0, h, 0, h}, '│': {l, 0, l, 0}, '┃': {h, 0, h, 0},
		'┌': {0, l, l, 0}, '┏': {0, h, h, 0}, '┐': {0, 0, l, l}, '┓': {0, 0, h, h},
		'└': {l, l, 0, 0}, '┗': {h, h, 0, 0}, '┘': {l, 0, 0, l}, '┛': {h, 0, 0, h},
		'├': {l, l, l, 0}, '┣': {h, h, h, 0}, '┤': {l, 0, l, l}, '┫': {h, 0, h, h},
		'┬': {0, l, l, l}, '┳': {0, h, h, h}, '┴': {l, l, 0, l}, '┻': {h, h, 0, h},
		'┼': {l, l, l, l}, '╋': {h, h, h, h},
		'╴': {0, 0, 0, l}, '╵': {l, 0, 0, 0}, '╶': {0, l, 0, 0}, '╷': {0, 0, l, 0},
		'╸': {0, 0, 0, h}, '╹': {h, 0, 0, 0}, '╺': {0, h, 0, 0}, '╻': {0, 0, h, 0},
		'╼': {0, h, 0, l}, '╾': {0, l, 0, h}, '╽': {l, 0, h, 0}, '╿': {h, 0, l, 0},
		'┝': {l, h, l, 0}, '┥': {l, 0, l, h}, '┯': {0, h, l, h}, '┷': {l, h, 0, h}, '┿': {l, h, l, h}, '╂': {h, l, h, l},
		'┠': {h, l, h, 0}, '┨': {h, 0, h, l}, '┰': {0, l, h, l}, '┸': {h, l, 0, l},
	}
}

// drawLines draws a box drawing character. It returns false for those that the font draws.
func (c canvas) drawLines(r rune) bool {
	w, h := c.alpha.Rect.Dx(), c.alpha.Rect.Dy()
	if of, ok := boxDrawingLines()[r]; ok {
		c.drawArms(of)
		return true
	}
	if parts := map[rune]int{'╌': 2, '╍': 2, '┄': 3, '┅': 3, '┈': 4, '┉': 4}[r]; parts > 0 { // dashes
		thick := lightThickness + int(r%2)*(heavyThickness-lightThickness)
		for i := range parts {
			c.fillRect(i*w/parts, (h-thick)/2, i*w/parts+w/parts-2, (h-thick)/2+thick)
		}
		return true
	}
	if corner := map[rune][2]float64{'╭': {1, 1}, '╮': {0, 1}, '╯': {0, 0}, '╰': {1, 0}}; r >= '╭' && r <= '╰' {
		c.drawCorner(corner[r][0], corner[r][1])
		return true
	}
	return false
}

// drawArms draws lines from the middle of a cell to its edges.
func (c canvas) drawArms(of lineThicknesses) {
	w, h := c.alpha.Rect.Dx(), c.alpha.Rect.Dy()
	left := func(thick int) int { return (w - thick) / 2 } // of a vertical line
	top := func(thick int) int { return (h - thick) / 2 }  // of a horizontal line
	// Lines end at the far edge of the thickest line that they meet.
	across, along := max(of[0], of[2]), max(of[1], of[3])
	if t := of[0]; t > 0 {
		c.fillRect(left(t), 0, left(t)+t, top(max(along, t))+max(along, t))
	}
	if t := of[2]; t > 0 {
		c.fillRect(left(t), top(max(along, t)), left(t)+t, h)
	}
	if t := of[1]; t > 0 {
		c.fillRect(left(max(across, t)), top(t), w, top(t)+t)
	}
	if t := of[3]; t > 0 {
		c.fillRect(0, top(t), left(max(across, t))+max(across, t), top(t)+t)
	}
}

// drawCorner draws a rounded corner. right and down are 1 if the lines go to the right and down, and
// otherwise 0.
func (c canvas) drawCorner(right, down float64) {
	w, h := float64(c.alpha.Rect.Dx()), float64(c.alpha.Rect.Dy())
	midX, midY := math.Floor((w-lightThickness)/2)+lightThickness/2, math.Floor((h-lightThickness)/2)+lightThickness/2
	radius := midX
	x0 := midX + (2*right-1)*radius // center of the circle
	y0 := midY + (2*down-1)*radius
	c.fill(func(x, y float64) bool {
		beyondX, beyondY := (x-x0)*(2*right-1) >= 0, (y-y0)*(2*down-1) >= 0
		switch {
		case beyondX && beyondY:
			return false
		case beyondX:
			return math.Abs(y-midY) <= lightThickness/2
		case beyondY:
			return math.Abs(x-midX) <= lightThickness/2
		}
		return math.Abs(math.Hypot(x-x0, y-y0)-radius) <= lightThickness/2
	})
}

// distanceFunc returns the distance of a point from the edge of a shape, in pixels: positive inside,
// negative outside. The shape is about as large as a letter, with its center at 0, 0.
type distanceFunc func(x, y float64) float64

// Sizes of figures in pixels.
const (
	bigRadius    = 5.5
	smallRadius  = 3.5
	outlineWidth = 1.4
)

func circle(radius float64) distanceFunc {
	return func(x, y float64) float64 { return radius - math.Hypot(x, y) }
}

func diamond(radius float64) distanceFunc {
	return func(x, y float64) float64 { return (radius - math.Abs(x) - math.Abs(y)) / math.Sqrt2 }
}

func square(radius float64) distanceFunc {
	return func(x, y float64) float64 { return radius - max(math.Abs(x), math.Abs(y)) }
}

// triangle returns a triangle that points up.
func triangle(radius float64) distanceFunc {
	return func(x, y float64) float64 {
		slope := math.Hypot(1, 2)
		return min(radius-y, (radius+y-2*math.Abs(x))/slope)
	}
}

func rotateShape(f distanceFunc, quarters int) distanceFunc {
	return func(x, y float64) float64 {
		for range quarters { // clockwise
			x, y = y, -x
		}
		return f(x, y)
	}
}

// drawGeometricShape draws a geometric shape. It returns false for other characters.
func (c canvas) drawGeometricShape(r rune) bool {
	filled := func(f distanceFunc) func(x, y float64) bool {
		return func(x, y float64) bool { return f(x, y) >= 0 }
	}
	outlined := func(f distanceFunc) func(x, y float64) bool {
		return func(x, y float64) bool { d := f(x, y); return d >= 0 && d <= outlineWidth }
	}
	both := func(outer, inner distanceFunc) func(x, y float64) bool {
		return func(x, y float64) bool { return outlined(outer)(x, y) || inner(x, y) >= 0 }
	}
	big, small := triangle(bigRadius), triangle(smallRadius)
	shapes := map[rune]func(x, y float64) bool{
		'▲': filled(big), '△': outlined(big), '▴': filled(small), '▵': outlined(small),
		'▶': filled(rotateShape(big, 1)), '▷': outlined(rotateShape(big, 1)), '▸': filled(rotateShape(small, 1)), '▹': outlined(rotateShape(small, 1)),
		'▼': filled(rotateShape(big, 2)), '▽': outlined(rotateShape(big, 2)), '▾': filled(rotateShape(small, 2)), '▿': outlined(rotateShape(small, 2)),
		'◀': filled(rotateShape(big, 3)), '◁': outlined(rotateShape(big, 3)), '◂': filled(rotateShape(small, 3)), '◃': outlined(rotateShape(small, 3)),
		'◆': filled(diamond(bigRadius)), '◇': outlined(diamond(bigRadius)), '◈': both(diamond(bigRadius), diamond(smallRadius-1)),
		'■': filled(square(bigRadius - 1)), '□': outlined(square(bigRadius - 1)), '▣': both(square(bigRadius-1), square(smallRadius-1.5)),
		'▪': filled(square(smallRadius - 1)), '▫': outlined(square(smallRadius - 1)),
		'●': filled(circle(bigRadius)), '○': outlined(circle(bigRadius)), '◉': both(circle(bigRadius), circle(smallRadius-1)),
		'◐': func(x, y float64) bool {
			return outlined(circle(bigRadius))(x, y) || x <= 0 && circle(bigRadius)(x, y) >= 0
		},
		'◑': func(x, y float64) bool {
			return outlined(circle(bigRadius))(x, y) || x >= 0 && circle(bigRadius)(x, y) >= 0
		},
		'◌': func(x, y float64) bool {
			const dots = 8
			return outlined(circle(bigRadius))(x, y) && math.Mod(math.Atan2(y, x)/math.Pi*dots+2*dots, 2) < 1
		},
		'✓': func(x, y float64) bool {
			return distanceToLine(x, y, -4.5, 1, -1.5, 4.5) <= 1 || distanceToLine(x, y, -1.5, 4.5, 4.5, -5) <= 1
		},
		'✗': func(x, y float64) bool {
			return distanceToLine(x, y, -4, -4, 4, 4) <= 1 || distanceToLine(x, y, -4, 4, 4, -4) <= 1
		},
		'‖': func(x, y float64) bool { return math.Abs(math.Abs(x)-2) <= 0.7 && math.Abs(y) <= bigRadius+2 },
		'↻': func(x, y float64) bool { // a circle that is open at the upper right, with an arrowhead
			return outlined(circle(bigRadius))(x, y) && (x < 1 || y > 0) || small(x-2.5, y+3.5) >= 0
		},
	}
	inside, ok := shapes[r]
	if !ok {
		return false
	}
	midX, midY := float64(c.alpha.Rect.Dx())/2, float64(c.alpha.Rect.Dy())/2
	c.fill(func(x, y float64) bool { return inside(x-midX, y-midY) })
	return true
}

// distanceToLine returns the distance of the point (x, y) from the segment from (x0, y0) to (x1, y1).
func distanceToLine(x, y, x0, y0, x1, y1 float64) float64 {
	dx, dy := x1-x0, y1-y0
	t := min(max(((x-x0)*dx+(y-y0)*dy)/(dx*dx+dy*dy), 0), 1)
	return math.Hypot(x-x0-t*dx, y-y0-t*dy)
}
