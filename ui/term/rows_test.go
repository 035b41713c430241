package term

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// seen returns the visible part of a cell. For a space, that is the background and the lines.
func seen(c terminal.Cell) terminal.Cell {
	if c.Text == "" { // right half of the preceding wide character
		return terminal.Cell{}
	}
	if c.Text == " " && c.Style.Attrs&uv.AttrReverse == 0 && c.Style.Underline == 0 && c.Style.Attrs&uv.AttrStrikethrough == 0 {
		c.Style = uv.Style{Bg: c.Style.Bg}
	}
	return c
}

// differ describes the first difference between two terminals, or returns "".
func differ(a, b *terminal.Screen, w, h int) string {
	for y := range h {
		for x := range w {
			if p, q := seen(a.Cell(x, y)), seen(b.Cell(x, y)); p.Text != q.Text || !p.Style.Equal(&q.Style) {
				return fmt.Sprintf("%d, %d: %+v and %+v", x, y, p, q)
			}
		}
	}
	return ""
}

// byCells updates a terminal as Bubble Tea does, by writing the cells that have changed.
type byCells struct {
	buf   bytes.Buffer
	cells uv.ScreenBuffer
	scr   *uv.TerminalRenderer
}

func newByCells(w, h int, profile colorprofile.Profile) *byCells {
	c := &byCells{cells: uv.NewScreenBuffer(w, h)}
	c.scr = uv.NewTerminalRenderer(&c.buf, []string{"TERM=xterm-256color"})
	c.scr.SetColorProfile(profile)
	c.scr.SetFullscreen(true)
	c.scr.SetTabStops(-1)
	c.scr.Erase()
	return c
}

// paint returns the output for a frame; it is valid until the next call.
func (c *byCells) paint(frame string) []byte {
	c.buf.Reset()
	c.cells.Clear()
	for y, line := range strings.Split(frame, "\n") { // a style ends with its row
		uv.NewStyledString(line).Draw(c.cells, uv.Rect(0, y, c.cells.Width(), 1))
	}
	c.scr.Render(c.cells.RenderBuffer)
	_ = c.scr.Flush() // writes to a buffer
	return c.buf.Bytes()
}

// pair holds one terminal for each of the two ways to paint.
type pair struct {
	cells, rows     *terminal.Screen
	c               *byCells
	r               *RowPainter
	w, h            int
	byCell, byTexts int // number of bytes written in each way
}

func newPair(w, h int, profile colorprofile.Profile) *pair {
	return &pair{
		cells: terminal.NewScreen(w, h), rows: terminal.NewScreen(w, h), w: w, h: h,
		c: newByCells(w, h, profile), r: &RowPainter{Width: w, Height: h, Profile: profile},
	}
}

// show paints a frame in both ways and describes a difference.
func (x *pair) show(frame string) string {
	b := x.c.paint(frame)
	x.byCell += len(b)
	_, _ = x.cells.Write(b)
	b = x.r.Paint([]byte(frame))
	x.byTexts += len(b)
	_, _ = x.rows.Write(b)
	if s := x.rows.UnknownSequence(); s != "" {
		return s
	}
	return differ(x.cells, x.rows, x.w, x.h)
}

// frames returns the number of frames to compare. The environment variable [framesEnv] can change it.
func frames() int {
	if n, err := strconv.Atoi(os.Getenv(framesEnv)); err == nil {
		return n
	}
	return 6_000
}

const framesEnv = "PAINT_FRAMES"

// TestRowsShowWhatCellsShow compares random frames painted by rows and by cells.
func TestRowsShowWhatCellsShow(t *testing.T) {
	t.Parallel()
	texts := append(rowsOf(), "\x1b[1mbold\x1b[31m red\x1b[0m plain", "\x1b[48;2;9;9;9m band             \x1b[m", "\x1b[7mreverse\x1b[m", "\x1b[0;4munder\x1b[m", "日\x1b[31m本\x1b[m語",
		"x日\x1b[31m本\x1b[m語", "\x1b[31m日本\x1b[m語", "12:30:45", "\x1b[38;5;9mni\x1b[38;5;10mne\x1b[m", strings.Repeat("日", 20)+"x", strings.Repeat("x", 89)+"\x1b[1mz")
	profiles := []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.Ascii}
	byCell, byTexts := 0, 0
	const each = 200
	strips := NewRowCache()
	for n := range uint64(max(6, frames()/each)) {
		seed, among := n/3, n%3 // among is 0 for a viewer without a shared cache, 1 for the first viewer of a shared board, and 2 for another viewer
		r := rand.New(rand.NewPCG(seed, 2))
		w, h := 2+r.IntN(89), 1+r.IntN(12)
		x := newPair(w, h, profiles[seed%uint64(len(profiles))])
		if among > 0 {
			x.r.Shared = strips
		}
		lines := make([]string, h)
		for range each {
			for range r.IntN(4) {
				y := r.IntN(h)
				switch line := texts[r.IntN(len(texts))]; r.IntN(4) {
				case 0:
					lines[y] = line
				case 1: // changes the end of the line
					lines[y] = ansi.Cut(lines[y], 0, r.IntN(w)) + line
				case 2:
					lines[y] = ansi.Cut(lines[y], 0, r.IntN(w)) + line + ansi.Cut(lines[y], r.IntN(w), w)
				case 3:
					lines[y] = lines[r.IntN(h)]
				}
				lines[y] = ansi.Truncate(lines[y], w, "")
			}
			if r.IntN(50) == 0 {
				x.r.ResetScreen()
			}
			if at := x.show(strings.Join(lines, "\n")); at != "" {
				t.Fatalf("seed %d: %s\nof %q", seed, at, lines)
			}
		}
		byCell, byTexts = byCell+x.byCell, byTexts+x.byTexts
	}
	t.Logf("%d bytes by cells, %d by rows", byCell, byTexts)
}

// TestRowsOfGoldenScreens paints all golden screens of package ui one after another.
func TestRowsOfGoldenScreens(t *testing.T) {
	t.Parallel()
	var files []string
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".golden" {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 300 {
		t.Fatalf("%d golden screens, %v", len(files), err)
	}
	byCell, byTexts := 0, 0
	x := newPair(210, 70, colorprofile.TrueColor)
	x.r.Shared = NewRowCache()
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(bytes.Split(b, []byte("\n"))) > x.h {
			continue // not a screen
		}
		if at := x.show(strings.ReplaceAll(string(b), "\r\n", "\n")); at != "" {
			t.Fatalf("%s: %s", name, at)
		}
		byCell, byTexts = x.byCell, x.byTexts
	}
	t.Logf("%d bytes by cells, %d by rows", byCell, byTexts)
}

// TestStripsAreShared paints frames for many viewers that share a cache of limited size.
func TestStripsAreShared(t *testing.T) {
	t.Parallel()
	strips := NewRowCache()
	var viewers sync.WaitGroup
	for i := range 8 {
		viewers.Go(func() {
			w := 60 + i%2
			x := newPair(w, 5, colorprofile.TrueColor)
			x.r.Shared = strips
			for n := range 300 {
				line := strings.Repeat("x", n%w) + "\x1b[3" + strconv.Itoa(n%8) + "m日" + strconv.Itoa(n*n)
				if at := x.show(ansi.Truncate(line, w, "") + "\nthe same\n" + ansi.Truncate(line, w, "")); at != "" {
					t.Errorf("frame %d: %s", n, at)
					return
				}
			}
		})
	}
	viewers.Wait()
	r := RowPainter{Width: 200, Height: 1, Profile: colorprofile.TrueColor, Shared: strips}
	for n := range 100_000 {
		r.Paint([]byte(strings.Repeat("long ", 20) + strconv.Itoa(n)))
	}
	if n := strips.cache.Len(); n > 2*maxCacheBytes/updateOverhead {
		t.Errorf("%d entries are cached", n)
	}
	if strips.DropAll(); strips.cache.Len() > 0 {
		t.Error("unused entries are kept")
	}
}
