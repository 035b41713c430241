package webboards

import (
	"image"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// fontSize is the size of the font in pixels; its characters are as wide as a cell.
const fontSize = 20

// maxCachedGlyphs limits the number of cached masks.
const maxCachedGlyphs = 4096

// glyphStyle is the part of a style that changes the shape of a character.
type glyphStyle struct{ isBold, isUnderlined, isStruck bool }

// glyphKey identifies a mask.
type glyphKey struct {
	text  string
	style glyphStyle
	width int
}

// glyphs draws characters as masks. A mask has a level for each pixel of a cell.
type glyphs struct {
	regular, bold font.Face
	ascent        fixed.Int26_6
	cache         map[glyphKey][]uint8
}

func newGlyphs() (*glyphs, error) {
	g := &glyphs{cache: make(map[glyphKey][]uint8)}
	for _, f := range []struct {
		face *font.Face
		ttf  []byte
	}{{&g.regular, gomono.TTF}, {&g.bold, gomonobold.TTF}} {
		parsed, err := opentype.Parse(f.ttf)
		if err != nil {
			return nil, err
		}
		if *f.face, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: fontSize, DPI: 72, Hinting: font.HintingFull}); err != nil { //nolint:mnd // a point is a pixel
			return nil, err
		}
	}
	g.ascent = g.regular.Metrics().Ascent
	return g, nil
}

// mask returns the mask of a text in a cell of the given width. It returns nil for an empty cell.
func (g *glyphs) mask(text string, style glyphStyle, width int) []uint8 {
	if text == "" && !style.isUnderlined && !style.isStruck {
		return nil
	}
	k := glyphKey{text, style, width}
	if m, ok := g.cache[k]; ok {
		return m
	}
	if len(g.cache) >= maxCachedGlyphs {
		clear(g.cache)
	}
	m := quantize(g.draw(text, style, width))
	g.cache[k] = m
	return m
}

// quantize reduces the alpha values of an image to levels.
func quantize(a *image.Alpha) []uint8 {
	out := make([]uint8, len(a.Pix))
	for i, v := range a.Pix {
		out[i] = uint8((int(v)*(shadeLevels-1) + 127) / 255) //nolint:gosec,mnd // rounded; less than shadeLevels
	}
	return out
}

func (g *glyphs) draw(text string, style glyphStyle, width int) *image.Alpha {
	a := image.NewAlpha(image.Rect(0, 0, width, CellHeight))
	face := g.regular
	if style.isBold {
		face = g.bold
	}
	for i, r := range []rune(norm.NFC.String(text)) {
		switch {
		case drawShape(a, r):
		case g.hasGlyph(face, r):
			d := font.Drawer{Dst: a, Src: image.Opaque, Face: face, Dot: fixed.Point26_6{Y: g.ascent}}
			d.DrawString(string(r))
		case i == 0 && unicode.IsGraphic(r):
			drawMissingGlyph(a)
		}
	}
	c := canvas{a}
	if style.isUnderlined {
		c.fillRect(0, CellHeight-3, width, CellHeight-2)
	}
	if style.isStruck {
		c.fillRect(0, CellHeight/2, width, CellHeight/2+1)
	}
	return a
}

// hasGlyph reports whether a font has a character. A font draws a box for others.
func (g *glyphs) hasGlyph(face font.Face, r rune) bool {
	_, ok := face.GlyphAdvance(r)
	return ok
}

// drawMissingGlyph draws the box for a character that the font lacks.
func drawMissingGlyph(a *image.Alpha) {
	w := a.Rect.Dx()
	c := canvas{a}
	c.fillRect(2, 4, w-2, 5)
	c.fillRect(2, CellHeight-5, w-2, CellHeight-4)
	c.fillRect(2, 4, 3, CellHeight-4)
	c.fillRect(w-3, 4, w-2, CellHeight-4)
}
