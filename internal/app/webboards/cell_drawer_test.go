package webboards

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"testing"

	"wallboard/internal/lib/terminal"
)

const columns, rows = 20, 4

var white, black = color.RGBA{0xff, 0xff, 0xff, 0xff}, color.RGBA{0, 0, 0, 0xff}

func newDrawer(t *testing.T) *Drawer {
	t.Helper()
	d, err := NewDrawer(columns, rows)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// draw draws the output of a program.
func draw(d *Drawer, output string) (changed bool) {
	s := terminal.NewScreen(columns, rows)
	_, _ = s.Write([]byte(output)) // never fails
	return d.Draw(s.Cell, white, black)
}

// ink returns the share of the foreground in a cell, from 0 to 1.
func ink(d *Drawer, x, y int) float64 {
	sum := 0
	for py := range CellHeight {
		for px := range CellWidth {
			r, _, _, _ := d.Image().At(x*CellWidth+px, y*CellHeight+py).RGBA()
			sum += int(r >> 8)
		}
	}
	return float64(sum) / 255 / CellWidth / CellHeight
}

func TestDraw(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	if !draw(d, "A\x1b[1mB\x1b[0m█▄░ ╭─\r\n\x1b[7m \x1b[0m日本 é⣿▲◌✓") {
		t.Error("the first image is not a change")
	}
	for _, test := range []struct {
		name        string
		x, y        int
		least, most float64
	}{
		{"letter", 0, 0, 0.1, 0.5},
		{"bold letter", 1, 0, 0.15, 0.6},
		{"full block", 2, 0, 1, 1},
		{"lower half", 3, 0, 0.45, 0.55},
		{"shade", 4, 0, 0.2, 0.3},
		{"blank", 5, 0, 0, 0},
		{"rounded corner", 6, 0, 0.05, 0.2},
		{"line", 7, 0, 0.08, 0.1},
		{"unused", 8, 0, 0, 0},
		{"reverse blank", 0, 1, 1, 1},
		{"first half of a missing character", 1, 1, 0.05, 0.3},
		{"second half", 2, 1, 0.05, 0.3},
		{"accent", 6, 1, 0.1, 0.5},
		{"Braille", 7, 1, 0.1, 0.3},
		{"triangle", 8, 1, 0.1, 0.4},
		{"dotted circle", 9, 1, 0.03, 0.2},
		{"tick", 10, 1, 0.05, 0.3},
	} {
		if got := ink(d, test.x, test.y); got < test.least || got > test.most {
			t.Errorf("%s: %.3f of the cell has ink, want %v to %v", test.name, got, test.least, test.most)
		}
	}
	if draw(d, "A\x1b[1mB\x1b[0m█▄░ ╭─\r\n\x1b[7m \x1b[0m日本 é⣿▲◌✓") {
		t.Error("the same cells are a change")
	}
	if !draw(d, "") || ink(d, 2, 0) != 0 || ink(d, 1, 1) != 0 {
		t.Error("an old cell remains")
	}
}

// TestLinesJoin checks that lines reach the edges of their cells.
func TestLinesJoin(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	draw(d, "─┬━╭\r\n ┃ │")
	at := func(x, y, px, py int) bool {
		r, _, _, _ := d.Image().At(x*CellWidth+px, y*CellHeight+py).RGBA()
		return r>>8 > 0xc0
	}
	const midX, midY = CellWidth / 2, CellHeight / 2
	for _, p := range [][4]int{{0, 0, 0, midY}, {0, 0, CellWidth - 1, midY}, {1, 0, 0, midY}, {1, 0, midX, CellHeight - 1}, {1, 1, midX, 0}, {2, 0, CellWidth - 1, midY}, {3, 0, CellWidth - 1, midY}, {3, 0, midX, CellHeight - 1}, {3, 1, midX, 0}} {
		if !at(p[0], p[1], p[2], p[3]) {
			t.Errorf("the line of cell %d,%d does not reach pixel %d,%d", p[0], p[1], p[2], p[3])
		}
	}
}

// TestManyColors checks that colors of earlier images do not use up the palette.
func TestManyColors(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	for i := range 200 {
		draw(d, "\x1b[38;2;"+string([]byte{'0' + byte(i/100), '0' + byte(i/10%10), '0' + byte(i%10)})+";0;0m█")
		if r, g, _, _ := d.Image().At(1, 1).RGBA(); int(r>>8) != i || g != 0 {
			t.Fatalf("color %d is drawn as %d", i, r>>8)
		}
	}
}

// TestPNG decodes an image. With CELLIMAGE_OUT, it writes the image to that file.
func TestPNG(t *testing.T) {
	t.Parallel()
	d := newDrawer(t)
	draw(d, "╭─┬━╮ ▲△▴▶▷▼▾◆◇◈\r\n│a┃b│ ●○◐◑◉◌✓✗↻▣\r\n├─┼─┤ ▁▂▃▄▅▆▇█▌▐\r\n╰─┴╌╯ ⣿⡇⢸░▒▓▖▞日")
	var b bytes.Buffer
	if err := d.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("CELLIMAGE_OUT"); path != "" {
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(&b)
	if err != nil || img.Bounds().Dx() != columns*CellWidth || img.Bounds().Dy() != rows*CellHeight {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
}

func BenchmarkDrawAndEncode(b *testing.B) {
	d, err := NewDrawer(160, 46)
	if err != nil {
		b.Fatal(err)
	}
	s := terminal.NewScreen(160, 46)
	var out bytes.Buffer
	for i := range b.N {
		_, _ = s.Write([]byte("\x1b[" + string('1'+rune(i%9)) + ";1HThe quick brown fox \x1b[31mjumps\x1b[0m over the lazy dog ███"))
		d.Draw(s.Cell, white, black)
		out.Reset()
		if err := d.WritePNG(&out); err != nil {
			b.Fatal(err)
		}
	}
}
