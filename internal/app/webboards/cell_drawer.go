package webboards

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/internal/lib/terminal"
)

// CellWidth is the width of a cell in pixels: 160 columns are 1920 pixels.
const CellWidth = 12

// CellHeight is the height of a cell in pixels.
const CellHeight = 23

// shadeLevels is the number of shades from the background of a cell to its foreground. maxColors is the
// maximum number of colors of an image.
const (
	shadeLevels = 8
	maxColors   = 256
)

// Drawer draws one image after another. It draws only the cells that have changed. It is not safe for
// concurrent use.
type Drawer struct {
	columns, rows  int
	glyphs         *glyphs
	image          *image.Paletted
	drawn          []cellLook // looks of the cells of the image
	ramps          map[[2]rgb]ramp
	colors         map[rgb]uint8
	hasFullPalette bool // a color was replaced with a similar one
	encoder        png.Encoder
}

// rgb is an opaque color.
type rgb [3]uint8

// ramp holds the palette indexes of the shades from a background to a foreground.
type ramp [shadeLevels]uint8

// cellLook holds everything that determines the pixels of a cell.
type cellLook struct {
	text   string
	fg, bg rgb
	style  glyphStyle
	isWide bool // the cell continues in the next column
	isTail bool // the cell is the second one of a wide character, and has no pixels of its own
}

// NewDrawer returns a drawer of images with the given number of cells.
func NewDrawer(columns, rows int) (*Drawer, error) {
	g, err := newGlyphs()
	if err != nil {
		return nil, fmt.Errorf("load the font: %w", err)
	}
	d := &Drawer{columns: columns, rows: rows, glyphs: g, encoder: png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: new(bufferPool)}}
	d.reset()
	return d, nil
}

// reset makes the next call of Draw draw all cells, with a new palette.
func (d *Drawer) reset() {
	d.image = image.NewPaletted(image.Rect(0, 0, d.columns*CellWidth, d.rows*CellHeight), nil)
	d.drawn = slices.Repeat([]cellLook{{text: "\x00"}}, d.columns*d.rows) // differs from every cell
	d.ramps, d.colors = make(map[[2]rgb]ramp), make(map[rgb]uint8)
	d.hasFullPalette = false
}

// Draw draws the cells that cell returns. fg and bg are the colors of cells without colors of their
// own. It reports whether the image has changed.
func (d *Drawer) Draw(cell func(x, y int) terminal.Cell, fg, bg color.Color) (changed bool) {
	changed = d.drawCells(cell, toRGB(fg), toRGB(bg))
	if d.hasFullPalette { // the palette is full of colors of earlier images
		d.reset()
		d.drawCells(cell, toRGB(fg), toRGB(bg))
		d.hasFullPalette = false // an image with so many colors uses similar ones instead
	}
	return changed
}

func (d *Drawer) drawCells(cell func(x, y int) terminal.Cell, fg, bg rgb) (changed bool) {
	for y := range d.rows {
		isTail := false
		for x := range d.columns {
			c := cell(x, y)
			l := cellLookOf(c, fg, bg)
			l.isTail = isTail && c.Text == ""
			isTail = false
			if x+1 < d.columns && !l.isTail && l.text != "" && cell(x+1, y).Text == "" {
				l.isWide, isTail = true, true
			}
			if i := y*d.columns + x; d.drawn[i] != l {
				d.drawn[i] = l
				changed = true
				if !l.isTail {
					d.drawCell(x, y, &l)
				}
			}
		}
	}
	return changed
}

// cellLookOf returns the look of a cell.
func cellLookOf(c terminal.Cell, fg, bg rgb) cellLook {
	l := cellLook{text: c.Text, fg: fg, bg: bg}
	if c.Style.Fg != nil {
		l.fg = toRGB(c.Style.Fg)
	}
	if c.Style.Bg != nil {
		l.bg = toRGB(c.Style.Bg)
	}
	has := func(attribute uint8) bool { return c.Style.Attrs&attribute != 0 }
	if has(uv.AttrReverse) {
		l.fg, l.bg = l.bg, l.fg
	}
	if has(uv.AttrFaint) {
		l.fg = mixColors(l.bg, l.fg, 1, 2)
	}
	if has(uv.AttrConceal) || l.text == " " {
		l.text = ""
	}
	l.style = glyphStyle{isBold: has(uv.AttrBold), isUnderlined: c.Style.Underline != uv.UnderlineNone, isStruck: has(uv.AttrStrikethrough)}
	return l
}

// drawCell draws the pixels of a cell, or of two cells for a wide character.
func (d *Drawer) drawCell(x, y int, l *cellLook) {
	width := CellWidth
	if l.isWide {
		width *= 2
	}
	shades := d.ramp(l.fg, l.bg)
	mask := d.glyphs.mask(l.text, l.style, width)
	for row := range CellHeight {
		pixels := d.image.Pix[(y*CellHeight+row)*d.image.Stride+x*CellWidth:][:width]
		if mask == nil {
			for i := range pixels {
				pixels[i] = shades[0]
			}
			continue
		}
		for i, level := range mask[row*width:][:width] {
			pixels[i] = shades[level]
		}
	}
}

// ramp returns the palette indexes for a pair of colors.
func (d *Drawer) ramp(fg, bg rgb) ramp {
	r, ok := d.ramps[[2]rgb{fg, bg}]
	if ok {
		return r
	}
	r[0], r[shadeLevels-1] = d.colorIndex(bg), d.colorIndex(fg)
	for i := 1; i < shadeLevels-1; i++ {
		r[i] = d.colorIndex(mixColors(bg, fg, i, shadeLevels-1))
	}
	d.ramps[[2]rgb{fg, bg}] = r
	return r
}

// colorIndex returns the palette index of a color or, if the palette is full, of the nearest one.
func (d *Drawer) colorIndex(c rgb) uint8 {
	if i, ok := d.colors[c]; ok {
		return i
	}
	n := len(d.image.Palette)
	if n < maxColors {
		d.image.Palette = append(d.image.Palette, color.RGBA{c[0], c[1], c[2], 0xff})
		d.colors[c] = uint8(n)
		return uint8(n)
	}
	d.hasFullPalette = true
	return uint8(d.image.Palette.Index(color.RGBA{c[0], c[1], c[2], 0xff})) //nolint:gosec // at most 255
}

// mixColors returns the mixture of a and b in which b has the share share/of.
func mixColors(a, b rgb, share, of int) (out rgb) {
	for i := range out {
		out[i] = uint8((int(a[i])*(of-share) + int(b[i])*share) / of) //nolint:gosec // between a and b
	}
	return out
}

func toRGB(c color.Color) rgb {
	r, g, b, _ := c.RGBA()
	return rgb{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} //nolint:gosec // 16 bits without the lower 8
}

// Image returns the image. It is valid until the next call of Draw.
func (d *Drawer) Image() image.Image { return d.image }

// WritePNG writes the image in PNG format.
func (d *Drawer) WritePNG(w io.Writer) error {
	if err := d.encoder.Encode(w, d.image); err != nil {
		return fmt.Errorf("encode the image: %w", err)
	}
	return nil
}

// bufferPool keeps the buffer of the encoder for the next image.
type bufferPool struct{ buffer *png.EncoderBuffer }

// Get implements [png.EncoderBufferPool].
func (p *bufferPool) Get() *png.EncoderBuffer { return p.buffer }

// Put implements [png.EncoderBufferPool].
func (p *bufferPool) Put(b *png.EncoderBuffer) { p.buffer = b }
