package webboards

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/themes"
)

// glyph is a character with its attributes.
type glyph struct {
	text                    string
	bold, underline, struck bool
}

// shown is a cell as a terminal shows it.
type shown struct {
	glyph

	fg, bg [3]uint8
}

// shownCell returns what a terminal shows for a cell, given the colors of cells without a style.
func shownCell(c terminal.Cell, fg, bg color.Color) shown {
	if c.Style.Fg != nil {
		fg = c.Style.Fg
	}
	if c.Style.Bg != nil {
		bg = c.Style.Bg
	}
	has := func(attribute uint8) bool { return c.Style.Attrs&attribute != 0 }
	s := shown{glyph{strings.TrimSpace(c.Text), has(uv.AttrBold), c.Style.Underline != uv.UnderlineNone, has(uv.AttrStrikethrough)}, rgbOf(fg), rgbOf(bg)}
	if has(uv.AttrReverse) {
		s.fg, s.bg = s.bg, s.fg
	}
	if has(uv.AttrFaint) {
		s.fg = between(s.bg, s.fg, 1, 2)
	}
	if has(uv.AttrConceal) {
		s.text = ""
	}
	return s
}

func rgbOf(c color.Color) [3]uint8 {
	r, g, b, _ := c.RGBA()
	return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}

// between returns the color that is share/of on the way from a to b.
func between(a, b [3]uint8, share, of int) (out [3]uint8) {
	for i := range out {
		out[i] = uint8((int(a[i])*(of-share) + int(b[i])*share) / of)
	}
	return out
}

// shades is the number of steps from the background to the foreground of a cell.
const shades = 7

// bitmap has the shade of each pixel of a cell, from 0 for the background to shades for the foreground.
type bitmap string

// decoder recognizes glyphs in pictures by their bitmaps.
type decoder struct {
	bitmaps map[glyph]bitmap
	glyphs  map[bitmap][]glyph
}

// add draws a glyph alone, white on black, and learns its bitmap.
func (d *decoder) add(t *testing.T, g glyph) {
	if _, known := d.bitmaps[g]; known {
		return
	}
	one, err := NewDrawer(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := terminal.Cell{Text: g.text}
	if g.text == "" {
		c.Text = " "
	}
	if g.bold {
		c.Style.Attrs |= uv.AttrBold
	}
	if g.struck {
		c.Style.Attrs |= uv.AttrStrikethrough
	}
	if g.underline {
		c.Style.Underline = uv.UnderlineSingle
	}
	one.Draw(func(int, int) terminal.Cell { return c }, color.White, color.Black)
	b := make([]byte, 0, CellWidth*CellHeight)
	for _, p := range pixels(one.Image(), 0, 0) {
		b = append(b, byte((int(p[0])*shades+127)/255))
	}
	d.bitmaps[g] = bitmap(b)
	d.glyphs[bitmap(b)] = append(d.glyphs[bitmap(b)], g)
}

// pixels returns the pixels of a cell, row by row.
func pixels(img image.Image, x, y int) (out [][3]uint8) {
	for py := range CellHeight {
		for px := range CellWidth {
			out = append(out, rgbOf(img.At(x*CellWidth+px, y*CellHeight+py)))
		}
	}
	return out
}

// decode returns the glyphs that look like a cell with the given colors.
func (d *decoder) decode(cell [][3]uint8, fg, bg [3]uint8) []glyph {
	shadeOf := make(map[[3]uint8]byte)
	for i := shades; i >= 0; i-- {
		shadeOf[between(bg, fg, i, shades)] = byte(i)
	}
	b := make([]byte, 0, len(cell))
	for _, p := range cell {
		shade, ok := shadeOf[p]
		if !ok {
			return nil
		}
		b = append(b, shade)
	}
	return d.glyphs[bitmap(b)]
}

// looksLike reports whether a cell has exactly the pixels that a terminal shows for want. If the colors
// are similar, some shades may have the same color, so that the glyph cannot be recognized.
func (d *decoder) looksLike(cell [][3]uint8, want shown) bool {
	for i, p := range cell {
		if p != between(want.bg, want.fg, int(d.bitmaps[want.glyph][i]), shades) {
			return false
		}
	}
	return true
}

// compare decodes a picture and compares it with the cells of a terminal. It returns the number of cells
// with a character.
func compare(t *testing.T, name string, img image.Image, columns, rows int, cell func(x, y int) terminal.Cell, fg, bg color.Color) (characters int) {
	t.Helper()
	d := decoder{make(map[glyph]bitmap), make(map[bitmap][]glyph)}
	for r := ' ' + 1; r < 0x7f; r++ { // so that a wrong letter is recognized
		d.add(t, glyph{text: string(r)})
		d.add(t, glyph{text: string(r), bold: true})
	}
	wrong := 0
	for y := range rows {
		for x := range columns {
			want := shownCell(cell(x, y), fg, bg)
			d.add(t, want.glyph)
			if want.text != "" {
				characters++
			}
			got := d.decode(pixels(img, x, y), want.fg, want.bg)
			if wrong < 5 && !slices.Contains(got, want.glyph) && !d.looksLike(pixels(img, x, y), want) {
				wrong++
				t.Errorf("%s: cell %d,%d shows %v, want %+v", name, x, y, got, want)
			}
		}
	}
	return characters
}

// TestPictureEqualsTerminal draws walls in all themes, and compares each cell of the pictures with that of
// the terminal.
func TestPictureEqualsTerminal(t *testing.T) {
	t.Parallel()
	c := newTestContent(t)
	names := themes.EmbeddedNames()
	for i, page := range []string{"Overview", "Services", "Agents"} {
		for j, theme := range names {
			if i > 0 && j != i { // later pages in one theme each
				continue
			}
			name := fmt.Sprintf("wall-%s-%s", page, theme)
			all := c.server.CurrentConfig()
			all.Serve.Users = append(all.Serve.Users, config.ServeUser{Name: name, Web: true, Role: config.RoleKiosk, Theme: theme, Pages: []string{page}})
			t.Run(name, func(t *testing.T) { compareWall(t, c, name) })
		}
	}
}

// compareWall compares the picture of a wall with its terminal.
func compareWall(t *testing.T, c *content, name string) {
	t.Helper()
	if _, err := c.Picture(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	w := c.walls[name]
	snapshot := func(now time.Time) (cells []terminal.Cell, fg, bg color.Color) {
		w.mu.Lock()
		defer w.mu.Unlock()
		cell := w.cells(now)
		for y := range w.rows + 1 {
			for x := range w.columns {
				cells = append(cells, cell(x, y))
			}
		}
		fg, bg = w.colors()
		return cells, fg, bg
	}
	for try := range 20 {
		now := time.Now().Add(time.Duration(try+1) * time.Second).Truncate(time.Second).In(w.zone) // a second for which no picture was drawn yet
		before, fg, bg := snapshot(now)
		p, err := c.draw(w, now)
		if err != nil {
			t.Fatal(err)
		}
		after, _, _ := snapshot(now)
		if !slices.EqualFunc(before, after, func(a, b terminal.Cell) bool { return a.Text == b.Text && a.Style.Equal(&b.Style) }) || !p.DrawnAt.Equal(now) {
			continue // the board has drawn a frame in between
		}
		img, err := png.Decode(bytes.NewReader(p.PNG))
		if err != nil {
			t.Fatal(err)
		}
		n := compare(t, name, img, w.columns, w.rows+1, func(x, y int) terminal.Cell { return before[y*w.columns+x] }, fg, bg)
		if n < 100 {
			t.Errorf("only %d characters were compared", n)
		}
		return
	}
	t.Error("the wall draws all the time")
}

// TestAttributes compares pictures of all attributes in many colors with the terminal.
func TestAttributes(t *testing.T) {
	t.Parallel()
	const columns, rows = 80, 9
	for first := 0; first < 256; first += 8 {
		s := terminal.NewScreen(columns, rows)
		var out strings.Builder
		for i, attribute := range []string{"0", "1", "2", "4", "7", "8", "9", "1;4;7", "2;7;9"} {
			fmt.Fprintf(&out, "\x1b[%d;1H", i+1)
			for n := range 8 {
				foreground := fmt.Sprintf("38;5;%d", first+n)
				if n%2 == 1 {
					foreground = fmt.Sprintf("38;2;%d;%d;%d", first, 255-first, 8*n)
				}
				fmt.Fprintf(&out, "\x1b[0;%s;%s;48;5;%dmAg█▄─│▲é%d ", attribute, foreground, 255-first, n)
			}
		}
		_, _ = s.Write([]byte(out.String())) // never fails
		d, err := NewDrawer(columns, rows)
		if err != nil {
			t.Fatal(err)
		}
		d.Draw(s.Cell, color.White, color.Black)
		if n := compare(t, fmt.Sprint("colors from ", first), d.Image(), columns, rows, s.Cell, color.White, color.Black); n < 500 {
			t.Errorf("only %d characters were compared", n)
		}
	}
}
