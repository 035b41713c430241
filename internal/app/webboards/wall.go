package webboards

import (
	"context"
	"crypto/sha256"
	"errors"
	"image/color"
	"io"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/serve/web"
	"wallboard/ui"
	"wallboard/ui/term"
)

// wall is the board of a wall. It draws on a screen in memory.
type wall struct {
	key           string // identifies what the wall shows, see viewKey
	columns, rows int
	zone          *time.Location
	drawTime      atomic.Int64  // nanoseconds that the board has spent drawing
	firstFrame    chan struct{} // closed after the first frame
	stop          context.CancelFunc
	usedAt        atomic.Int64 // when the picture was last requested, in Unix nanoseconds

	mu           sync.Mutex
	screen       *terminal.Screen
	picture      *web.Picture // the last picture; nil: none
	lastDrawTime int64        // drawTime when it last increased
	lastProgress time.Time    // when drawTime last increased
	endError     error        // why the board has ended; nil: it runs
}

// Errors of walls.
var (
	errNoWall   = errors.New("the user is not a wall")
	errNotDrawn = errors.New("the wall has not been drawn yet")
	errStuck    = errors.New("the board of the wall does not draw any more")
	errEnded    = errors.New("the board of the wall has ended")
)

// firstFrameTimeout is how long a request waits for the first frame of a wall.
const firstFrameTimeout = 5 * time.Second

// maxDrawPause is how long a board may draw nothing. It draws once a second.
const maxDrawPause = 3 * time.Second

// wallOf returns the wall of a user, and starts its board if it does not run.
func (c *content) wallOf(name string) (*wall, error) {
	all, u, ok := c.user(name)
	switch {
	case !ok:
		return nil, errNoUser
	case u.RoleName() != config.RoleKiosk:
		return nil, errNoWall
	}
	columns, rows := all.Serve.Web.WallCells()
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.viewKeyOf(all, &u)
	now := time.Now()
	maps.DeleteFunc(c.walls, func(other string, w *wall) bool {
		isOver := other == name && (w.key != key || w.hasEnded()) || now.Sub(time.Unix(0, w.usedAt.Load())) > idleTimeout
		if isOver {
			w.stop()
		}
		return isOver
	})
	w := c.walls[name]
	if w == nil {
		o, leave, err := c.server.BoardOptions(&u, &sshterminal.Session{Account: sshterminal.Account{Name: name}, Env: wallTerminal()})
		if err != nil {
			leave()
			return nil, err
		}
		w = &wall{key: key, columns: columns, rows: rows, zone: o.Display.Location, firstFrame: make(chan struct{}), screen: terminal.NewScreen(columns, rows), lastProgress: now}
		if w.zone == nil {
			w.zone = time.Local
		}
		ctx, cancel := context.WithCancel(c.ctx)
		w.stop = cancel
		c.walls[name] = w
		c.boards.Go(func() {
			defer leave()
			defer cancel()
			w.run(ctx, o, c)
		})
	}
	w.usedAt.Store(now.UnixNano())
	return w, nil
}

// wallTerminal returns the environment of a terminal that can show everything.
func wallTerminal() []string {
	return []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
}

// run runs the board of a wall until ctx ends or its picture has not been requested for a while.
func (w *wall) run(ctx context.Context, o ui.Options, c *content) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, end := io.Pipe() // nothing is ever typed
	defer end.Close()    //nolint:errcheck // never fails
	c.boards.Go(func() {
		tick := time.NewTicker(idleTimeout)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				if now.Sub(time.Unix(0, w.usedAt.Load())) > idleTimeout {
					cancel()
				}
			}
		}
	})
	err := ui.Serve(ctx, o, term.Viewer{In: in, Out: wallOutput{w}, Env: wallTerminal(), Size: term.Size{Width: w.columns, Height: w.rows}, Interval: time.Second, DrawTime: &w.drawTime})
	if err != nil {
		c.log.Error("the board of a wall has ended", "error", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endError = errors.Join(errEnded, err)
}

// wallOutput writes the output of a board to the screen of a wall.
type wallOutput struct{ wall *wall }

// Write implements [io.Writer]. Each call has a whole frame.
func (o wallOutput) Write(b []byte) (int, error) {
	o.wall.mu.Lock()
	defer o.wall.mu.Unlock()
	n, err := o.wall.screen.Write(b)
	select {
	case <-o.wall.firstFrame:
	default:
		close(o.wall.firstFrame)
	}
	return n, err
}

// Close implements [io.Closer].
func (wallOutput) Close() error { return nil }

// awaitFirstFrame waits for the first frame, but at most for firstFrameTimeout.
func (w *wall) awaitFirstFrame(ctx context.Context) error {
	late := time.NewTimer(firstFrameTimeout)
	defer late.Stop()
	select {
	case <-w.firstFrame:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return errNotDrawn
	}
}

func (w *wall) hasEnded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.endError != nil
}

// checkAlive returns an error if the board has ended or has stopped drawing, so that its screen is old.
// The caller must hold mu.
func (w *wall) checkAlive(now time.Time) error {
	if n := w.drawTime.Load(); n != w.lastDrawTime {
		w.lastDrawTime, w.lastProgress = n, now
	}
	switch {
	case w.endError != nil:
		return w.endError
	case now.Sub(w.lastProgress) > maxDrawPause:
		return errStuck
	}
	return nil
}

// colors returns the colors of cells without a style. The caller must hold mu.
func (w *wall) colors() (fg, bg color.Color) {
	fg, bg = w.screen.Colors()
	if fg == nil {
		fg = color.White
	}
	if bg == nil {
		bg = color.Black
	}
	return fg, bg
}

// cells returns the cells of the picture: those of the screen, and below them a row with the time at
// which the picture was drawn. The caller must hold mu while it uses the result.
func (w *wall) cells(drawnAt time.Time) func(x, y int) terminal.Cell {
	text := []rune(" " + drawnAt.Format("2006-01-02  15:04:05"))
	return func(x, y int) terminal.Cell {
		switch {
		case y < w.rows:
			return w.screen.Cell(x, y)
		case x < len(text):
			return terminal.Cell{Text: string(text[x])}
		}
		return terminal.Cell{Text: " "}
	}
}

// hash returns a hash of the picture with the given cells. The caller must hold mu.
func (w *wall) hash(cell func(x, y int) terminal.Cell) (sum [sha256.Size]byte) {
	h := sha256.New()
	var b []byte
	add := func(c color.Color) {
		if c == nil {
			b = append(b, 0)
			return
		}
		red, green, blue, _ := c.RGBA()
		b = append(b, 1, byte(red>>8), byte(green>>8), byte(blue>>8)) //nolint:gosec // 16 bits without the lower 8
	}
	fg, bg := w.colors()
	add(fg)
	add(bg)
	b = append(b, byte(w.columns), byte(w.rows)) //nolint:gosec // at most 240
	for y := range w.rows + 1 {
		for x := range w.columns {
			c := cell(x, y)
			b = append(append(b, c.Text...), 0, c.Style.Attrs, byte(c.Style.Underline))
			add(c.Style.Fg)
			add(c.Style.Bg)
		}
		h.Write(b)
		b = b[:0]
	}
	h.Sum(sum[:0])
	return sum
}
