package term

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
)

func TestMain(m *testing.M) {
	testkit.StartSignalHandling()
	testkit.ReduceGC()
	goleak.VerifyTestMain(m)
}

// rowsOf returns rows like those of a board: colors, other scripts, wide characters,
// combining marks, styled and unstyled blanks.
func rowsOf() []string {
	return []string{
		"", "plain", "\x1b[1mbold\x1b[m and \x1b[31mred\x1b[m", "\x1b[7m        \x1b[m", "trailing blanks      ",
		"12:30:45  \x1b[2m│\x1b[m 97 %", "12:30:46  \x1b[2m│\x1b[m 97 %", "日本語 wide", "x日本語 wide", "cafe\u0301 Größe",
		"▁▂▃▄▅▆▇█ ⣿⣷⣯", "\x1b[38;2;1;2;3;48;5;17mcolours\x1b[m", strings.Repeat("0123456789", 9), strings.Repeat("日", 50),
		strings.Repeat("\x1b[4mab\x1b[m", 45),
	}
}

// enter is the first output of Bubble Tea.
const enter = ansi.SetModeAltScreenSaveCursor + ansi.EraseEntireScreen + ansi.ResetModeTextCursorEnable

// newPainter returns a painter for a terminal of a size that Bubble Tea has entered.
func newPainter(out io.Writer, w, h int) *painter {
	p := &painter{out: out, wake: make(chan struct{}, 1), stop: make(chan struct{})}
	p.recordReport(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	p.recordReport(tea.WindowSizeMsg{Width: w, Height: h})
	p.display(tea.View{})
	_, _ = io.WriteString(p, enter)
	return p
}

// brought fails a test if the screen does not show a view as Bubble Tea would.
func brought(t *testing.T, p *painter, screen *terminal.Screen, v tea.View) {
	t.Helper()
	w, h := p.next.width, p.next.height
	want := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(v.Content).Draw(want, want.Bounds())
	whole := terminal.NewScreen(w, h)
	_, _ = whole.Write(newByCells(w, h, colorprofile.TrueColor).paint(v.Content))
	if at := differ(whole, screen, w, h); at != "" {
		t.Fatal(at)
	}
	text := make([]string, h)
	for y := range text {
		text[y] = strings.TrimRight(want.Line(y).String(), " ")
	}
	if got, want := screen.String(), strings.Join(text, "\n")+"\n"; got != want {
		t.Fatalf("the screen shows\n%s, should show\n%s", got, want)
	}
	x, y, shown := screen.Cursor()
	if shown != (v.Cursor != nil) || shown && (x != v.Cursor.X || y != v.Cursor.Y) {
		t.Fatalf("the cursor is at %d, %d of %d, %d, shown %v; should be %v", x, y, w, h, shown, v.Cursor)
	}
	if s := screen.UnknownSequence(); s != "" {
		t.Fatalf("the test's terminal does not know %s", s)
	}
}

// TestFramesAreBroughtToTheTerminal paints random frames on a terminal that is resized and to which
// Bubble Tea also writes.
func TestFramesAreBroughtToTheTerminal(t *testing.T) {
	t.Parallel()
	rows := rowsOf()
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, h := 90, 12
		screen := terminal.NewScreen(w, h)
		var out bytes.Buffer
		p := newPainter(io.MultiWriter(writer(func(b []byte) (int, error) { return screen.Write(b) }), &out), w, h)
		lines := make([]string, h)
		for range 100 {
			switch r.IntN(12) {
			case 0: // the terminal has a new size, and Bubble Tea clears it
				w, h = 2+r.IntN(90), 1+r.IntN(14)
				lines = slices.Grow(lines[:0], h)[:h]
				screen = terminal.NewScreen(w, h)
				_, _ = io.WriteString(screen, enter)
				p.recordReport(tea.WindowSizeMsg{Width: w, Height: h})
				_, _ = io.WriteString(p, ansi.EraseEntireScreen)
			case 1: // Bubble Tea writes output of its own
				_, _ = io.WriteString(p, ansi.CursorPosition(3, 2)+ansi.SetWindowTitle("title"))
			case 2:
				p.recordReport(tea.ModeReportMsg{Mode: ansi.ModeSynchronizedOutput, Value: ansi.ModeReset})
			}
			if from, to := r.IntN(h), r.IntN(h+1); from < to && r.IntN(3) == 0 { // a table scrolls
				n := r.IntN(to - from)
				rotated := slices.Concat(lines[from+n:to], lines[from:from+n])
				copy(lines[from:to], rotated)
			}
			for range r.IntN(4) {
				lines[r.IntN(h)] = rows[r.IntN(len(rows))]
			}
			for y := range lines { // no row is wider than the terminal
				lines[y] = ansi.Truncate(lines[y], w, "")
			}
			v := tea.View{Content: strings.Join(lines, "\n")}
			if r.IntN(2) == 0 {
				v.Cursor = tea.NewCursor(r.IntN(w), r.IntN(h))
			}
			p.display(v)
			p.paint()
			brought(t, p, screen, v)
			before := out.Len()
			p.display(v)
			p.paint()
			if n := out.Len() - before; n != 0 {
				t.Fatalf("%d bytes were written for an unchanged frame", n)
			}
		}
		if err := terminal.CheckStream(out.Bytes(), false); err != nil {
			t.Error(err)
		}
	}
}

// TestOnlyWhatChangedIsWritten changes a clock on a full screen.
func TestOnlyWhatChangedIsWritten(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newPainter(&out, 200, 60)
	frame := func(second int) string {
		return fmt.Sprintf("board %s 12:30:%02d\n", strings.Repeat(" ", 100), second) + strings.Repeat(strings.Repeat("0123456789", 20)+"\n", 58)
	}
	p.display(tea.View{Content: frame(10)})
	p.paint()
	out.Reset()
	p.display(tea.View{Content: frame(11)})
	p.paint()
	if n := out.Len(); n == 0 || n > 20 {
		t.Errorf("%d bytes for one digit: %q", n, out.String())
	}
}

// TestNothingIsPaintedOutsideTheAlternateScreen lets Bubble Tea leave the alternate screen, as it does at
// the end and for a shell.
func TestNothingIsPaintedOutsideTheAlternateScreen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &painter{out: &out, wake: make(chan struct{}, 1)}
	p.recordReport(tea.WindowSizeMsg{Width: 20, Height: 5})
	p.display(tea.View{Content: "hello", Cursor: tea.NewCursor(1, 1)})
	p.paint()
	if out.Len() > 0 {
		t.Errorf("painted before the start: %q", out.String())
	}
	_, _ = io.WriteString(p, enter)
	if !strings.Contains(out.String(), "hello") || !strings.Contains(out.String(), ansi.SetCursorStyle(1)) {
		t.Errorf("not painted: %q", out.String())
	}
	out.Reset()
	_, _ = io.WriteString(p, ansi.ResetModeAltScreenSaveCursor)
	p.display(tea.View{Content: "bye"})
	p.paint()
	if got, want := out.String(), ansi.SetCursorStyle(0)+enableReordering+ansi.ResetModeAltScreenSaveCursor+restoreTitle; got != want {
		t.Errorf("left with %q, should be %q", got, want)
	}
	_, _ = io.WriteString(p, enter)
	if !strings.Contains(out.String(), "bye") {
		t.Errorf("not painted on coming back: %q", out.String())
	}
}

// TestFirstFrameDoesNotWait schedules a frame before Bubble Tea first writes. The frame is painted at
// once, and the terminal enters its alternate screen only once.
func TestFirstFrameDoesNotWait(t *testing.T) {
	t.Parallel()
	for _, comes := range []bool{true, false} { // false: Bubble Tea ends before it writes
		screen := terminal.NewScreen(20, 3)
		var out bytes.Buffer
		p := &painter{out: io.MultiWriter(screen, &out), wake: make(chan struct{}, 1), stop: make(chan struct{})}
		p.recordReport(tea.WindowSizeMsg{Width: 20, Height: 3})
		p.display(tea.View{AltScreen: true, Content: "first"})
		p.paint()
		if got := screen.String(); got != "first\n\n\n" {
			t.Fatalf("the screen shows %q", got)
		}
		if comes {
			_, _ = io.WriteString(p, ansi.RequestModeSynchronizedOutput)
			if n, err := io.WriteString(p, enter); n != len(enter) || err != nil {
				t.Errorf("%d of %d bytes are written (%v)", n, len(enter), err)
			}
			if got := screen.String(); got != "first\n\n\n" {
				t.Errorf("the screen shows %q after Bubble Tea has entered", got)
			}
			_, _ = io.WriteString(p, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
		}
		p.display(tea.View{AltScreen: true, Content: "late"})
		if !comes {
			p.leaveEarly()
		}
		p.paint()
		p.leaveEarly()
		if n := strings.Count(out.String(), ansi.SetModeAltScreenSaveCursor); n != 1 {
			t.Errorf("the alternate screen is entered %d times", n)
		}
		if n := strings.Count(out.String(), ansi.ResetModeAltScreenSaveCursor); n != 1 {
			t.Errorf("the alternate screen is left %d times", n)
		}
		if !screen.Modes()[ansi.ModeTextCursorEnable.Mode()] {
			t.Error("the cursor is not restored")
		}
	}
}

// TestFrameBeforeTheSizeTakesNoTurn draws a frame before the size of the terminal is known, as Bubble Tea
// does. The first frame after that must not be delayed.
func TestFrameBeforeTheSizeTakesNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		screen := terminal.NewScreen(20, 3)
		p := &painter{out: screen, wake: make(chan struct{}, 1), stop: make(chan struct{})}
		var painting sync.WaitGroup
		painting.Go(p.run)
		p.display(tea.View{AltScreen: true, Content: "…"})
		synctest.Wait()
		p.recordReport(tea.WindowSizeMsg{Width: 20, Height: 3})
		p.display(tea.View{AltScreen: true, Content: "first"})
		synctest.Wait() // the frame is painted without any delay
		if got := screen.String(); got != "first\n\n\n" {
			t.Errorf("the screen shows %q", got)
		}
		close(p.stop)
		painting.Wait()
	})
}

// TestCursorIsGivenBack ends typing, also by a resize that hides the prompt: the cursor
// and its shape are restored.
func TestCursorIsGivenBack(t *testing.T) {
	t.Parallel()
	for _, resized := range []bool{false, true} {
		screen := terminal.NewScreen(20, 5)
		var out bytes.Buffer
		p := newPainter(io.MultiWriter(screen, &out), 20, 5)
		p.display(tea.View{Content: "prompt", Cursor: tea.NewCursor(6, 0)})
		p.paint()
		if _, _, shown := screen.Cursor(); !shown {
			t.Fatal("no cursor")
		}
		if resized {
			p.recordReport(tea.WindowSizeMsg{Width: 20, Height: 4})
		}
		p.display(tea.View{Content: "board"})
		p.paint()
		if _, _, shown := screen.Cursor(); shown {
			t.Errorf("the cursor is left on the board, resized %v", resized)
		}
		if !strings.Contains(out.String(), ansi.SetCursorStyle(0)) {
			t.Errorf("its shape is not restored, resized %v", resized)
		}
	}
}

// TestNewSizeWaitsForItsFrame resizes the terminal: the frame of the old size is not
// painted on it.
func TestNewSizeWaitsForItsFrame(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newPainter(&out, 20, 5)
	p.display(tea.View{Content: "old"})
	p.paint()
	out.Reset()
	<-p.wake
	p.recordReport(tea.WindowSizeMsg{Width: 30, Height: 6})
	if len(p.wake) > 0 {
		t.Error("the old frame is painted")
	}
	p.display(tea.View{Content: "new"})
	p.paint()
	if s := out.String(); !strings.Contains(s, "new") || strings.Contains(s, "old") {
		t.Errorf("painted %q", s)
	}
}

// TestTerminalMeasuresAsWeDo reports that the terminal can measure text by clusters. The mode must be set
// before a frame is measured by clusters.
func TestTerminalMeasuresAsWeDo(t *testing.T) {
	t.Parallel()
	screen := terminal.NewScreen(20, 5)
	p := newPainter(screen, 20, 5)
	p.recordReport(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	p.display(tea.View{Content: "frame"})
	p.paint()
	if !screen.Modes()[ansi.ModeUnicodeCore.Mode()] || p.canvas.rows.WidthMethod != ansi.GraphemeWidth {
		t.Errorf("the terminal's modes are %v, we measure by %v", screen.Modes(), p.canvas.rows.WidthMethod)
	}
}

// TestWhatWasNotWrittenIsPaintedAnew paints a frame again after a failed write.
func TestWhatWasNotWrittenIsPaintedAnew(t *testing.T) {
	t.Parallel()
	screen := terminal.NewScreen(20, 3)
	var refuse error
	p := newPainter(writer(func(b []byte) (int, error) {
		if refuse != nil {
			return 0, refuse
		}
		return screen.Write(b)
	}), 20, 3)
	for n, err := range []error{nil, errors.New("again"), nil} {
		refuse = err
		p.display(tea.View{Content: fmt.Sprintf("frame %d\nsame", n)})
		p.paint()
	}
	if got, want := screen.String(), "frame 2\nsame\n\n"; got != want {
		t.Errorf("the screen shows %q, should show %q", got, want)
	}
}

// TestRendererIsSmall checks that the model gets the size of the terminal, and Bubble Tea's renderer a
// small one.
func TestRendererIsSmall(t *testing.T) {
	t.Parallel()
	p := newPainter(io.Discard, 10, 10)
	size := tea.WindowSizeMsg{Width: 160, Height: 45}
	msg := p.recordSize(size)
	if msg != rendererSize || p.recordSize(RepaintMsg{}) != (RepaintMsg{}) {
		t.Errorf("the renderer gets %v", msg)
	}
	var got tea.Msg
	paintedModel{&sized{&got}, p}.Update(msg)
	if got != size || p.nextProperties.width != 160 {
		t.Errorf("the model gets %v, the painter %d columns", got, p.nextProperties.width)
	}
}

// sized is a model that records its last message.
type sized struct{ got *tea.Msg }

func (m *sized) Init() tea.Cmd  { return nil }
func (m *sized) View() tea.View { return tea.View{} }
func (m *sized) Frame() []byte  { return nil }
func (m *sized) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	*m.got = msg
	return m, nil
}

func (p *painter) display(v tea.View) { p.scheduleFrame(v, []byte(v.Content)) }

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// counter is a program that counts messages.
type counter struct{ n int }

type more struct{}

func (c *counter) Init() tea.Cmd { return nil }
func (c *counter) View() tea.View {
	return tea.View{AltScreen: true}
}

func (c *counter) Frame() []byte { return fmt.Append(nil, "n=", c.n) }

func (c *counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(more); ok {
		c.n++
	}
	return c, nil
}

// TestSlowTerminalStopsNothing uses a terminal that stops reading for a while: the
// program goes on, and the newest frame is written afterwards.
func TestSlowTerminalStopsNothing(t *testing.T) {
	t.Parallel()
	screen := terminal.NewScreen(20, 3)
	var mu sync.Mutex
	stuck := make(chan struct{})
	shows := func(text string) bool {
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(screen.String(), text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m := &told{counter: &counter{}, heard: make(chan int, 1), over: ctx.Done()}
	begun, ready := false, false
	out := writer(func(b []byte) (int, error) {
		if bytes.Contains(b, []byte("n=1")) {
			<-stuck
		}
		mu.Lock()
		defer mu.Unlock()
		ready = ready || begun && bytes.Contains(b, []byte("n=0"))
		begun = begun || bytes.Contains(b, []byte(ansi.SetModeBracketedPaste))
		return screen.Write(b)
	})
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, m, Terminal{Out: out}, tea.WithInput(nil), tea.WithWindowSize(20, 3), tea.WithoutSignals())
	}()
	// Bubble Tea's own output blocks if the terminal does not read, so the test waits for its first
	// output before the terminal stops reading.
	until(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return ready
	})
	for n := range 500 {
		m.send(more{})
		if got := <-m.heard; got != n+1 {
			t.Fatalf("%d after %d messages", got, n+1)
		}
	}
	close(stuck)
	until(t, func() bool { return shows("n=500") })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// until waits for a condition.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !ok() {
		select {
		case <-time.After(time.Millisecond):
		case <-limit:
			t.Fatal("the condition was never met")
		}
	}
}

// told is a counter to which a test sends messages, and which reports each message.
type told struct {
	*counter
	heard chan int
	msgs  chan tea.Msg
	over  <-chan struct{}
	once  sync.Once
}

func (m *told) queue() chan tea.Msg {
	m.once.Do(func() { m.msgs = make(chan tea.Msg) })
	return m.msgs
}

func (m *told) send(msg tea.Msg) { m.queue() <- msg }

func (m *told) wait() tea.Msg {
	select {
	case msg := <-m.queue():
		return msg
	case <-m.over:
		return nil
	}
}

func (m *told) Init() tea.Cmd { return m.wait }

func (m *told) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, _ = m.counter.Update(msg)
	if _, ok := msg.(more); ok {
		m.heard <- m.n
		return m, m.wait
	}
	return m, nil
}

// TestEndWhileTheInputIsRead ends programs that read an input, before they start and
// soon after. The race detector finds reads after the end.
func TestEndWhileTheInputIsRead(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		in, keys, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if i%2 == 0 {
			cancel()
		}
		screen := terminal.NewScreen(20, 3)
		done := make(chan error, 1)
		go func() {
			done <- Run(ctx, &counter{}, Terminal{In: in, Out: writer(screen.Write)}, tea.WithWindowSize(20, 3), tea.WithoutSignals())
		}()
		<-time.After(time.Duration(i) * time.Millisecond)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if screen.Modes()[ansi.ModeAltScreenSaveCursor.Mode()] {
			t.Error("the terminal is left on its alternate screen")
		}
		_, _ = in.Close(), keys.Close()
	}
}

// TestPanicWhilePaintingRestoresTheTerminal uses a terminal that panics once.
func TestPanicWhilePaintingRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	screen := terminal.NewScreen(20, 3)
	over := make(chan struct{})
	defer close(over)
	m := &told{counter: &counter{}, heard: make(chan int, 1), over: over}
	broken := false
	err := make(chan error, 1)
	go func() {
		err <- Run(t.Context(), m, Terminal{Out: writer(func(b []byte) (int, error) {
			if bytes.HasSuffix(b, []byte("1")) && !broken {
				broken = true
				panic("the terminal broke")
			}
			return screen.Write(b)
		})}, tea.WithInput(nil), tea.WithWindowSize(20, 3), tea.WithoutSignals())
	}()
	m.send(more{})
	if err := <-err; err == nil || !strings.Contains(err.Error(), "the terminal broke") {
		t.Errorf("the error is %v", err)
	}
	if screen.Modes()[ansi.ModeAltScreenSaveCursor.Mode()] || !screen.Modes()[ansi.ModeTextCursorEnable.Mode()] {
		t.Errorf("the terminal is left with %v", screen.Modes())
	}
}

// BenchmarkPaint writes frames of 200x60 of which one line or all have changed. Its
// sub-benchmark whole is the baseline: the same frames written as Bubble Tea does.
func BenchmarkPaint(b *testing.B) {
	const w, h = 200, 60
	for _, changed := range []int{1, h} {
		frames := make([]string, 8)
		for i := range frames {
			lines := make([]string, h)
			for y := range lines {
				n := 0
				if y < changed {
					n = i
				}
				for x := range 20 {
					lines[y] += fmt.Sprintf("\x1b[38;5;%dm%8d\x1b[m  ", 16+x, 1000*x+7*y+n)
				}
			}
			frames[i] = strings.Join(lines, "\n")
		}
		b.Run(fmt.Sprintf("changed=%d/rows", changed), func(b *testing.B) {
			p := newPainter(io.Discard, w, h)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.display(tea.View{Content: frames[i%len(frames)]})
				p.paint()
			}
		})
		b.Run(fmt.Sprintf("changed=%d/whole", changed), func(b *testing.B) {
			c := newByCells(w, h, colorprofile.TrueColor)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.paint(frames[i%len(frames)])
			}
		})
	}
}

// TestSteadyPace draws changes without input at the interval of the terminal, and a key
// at once.
func TestSteadyPace(t *testing.T) {
	t.Parallel()
	for every, frames := range map[time.Duration]int64{time.Second: 5, 250 * time.Millisecond: 20} {
		synctest.Test(t, func(t *testing.T) {
			f := newFar()
			in, typed := io.Pipe()
			c := &clock{ctx: t.Context()}
			ended := make(chan error)
			go func() {
				ended <- Run(t.Context(), c, Terminal{In: in, Out: f, Interval: every}, tea.WithWindowSize(40, 5), tea.WithoutSignalHandler())
			}()
			<-time.After(every + every/10)
			synctest.Wait()
			drawn := c.drawn.Load()
			<-time.After(5 * time.Second) // ticks arrive ten times a second
			synctest.Wait()
			if d := c.drawn.Load() - drawn; d != frames {
				t.Errorf("%d frames were drawn in 5 s, one every %v", d, every)
			}
			if n := strings.Index(f.text(), "n=0"); n >= 0 {
				t.Errorf("nothing moves:\n%s", f.text())
			}
			_, _ = io.WriteString(typed, "j")
			<-time.After(frameInterval) // less than a full interval remains until the next frame
			synctest.Wait()
			if !strings.Contains(f.text(), "keys=1") {
				t.Errorf("a key is not drawn:\n%s", f.text())
			}
			_, _ = io.WriteString(typed, "q")
			if err := <-ended; err != nil {
				t.Error(err)
			}
			_ = typed.Close()
		})
	}
}
