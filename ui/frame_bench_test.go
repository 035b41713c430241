package ui

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// ofTheFlush returns the maximum time for drawing a frame with five changed rows, as a share of the time
// that Bubble Tea's renderer takes to flush it. The goal is a twentieth for a floor of sixty; larger
// floors have more tolerance for busy machines.
func ofTheFlush(agents int) float64 {
	if agents <= 60 {
		return 0.05
	}
	return 0.1
}

// BenchmarkFrame draws the agents' page at 200x60 after each new snapshot, and flushes it
// like Bubble Tea's renderer as the baseline. It fails if drawing takes more than
// [ofTheFlush].
func BenchmarkFrame(b *testing.B) {
	for _, agents := range []int{500, 5000, 60} {
		for _, c := range []struct {
			name        string
			first, rows int
		}{{"5", 1, 5}, {"5 with the selected", 0, 5}, {"55", 0, 55}} {
			f := newTestFloor(agents)
			board := newBoardOn(b, f, 200, 60)
			board.press("4")
			visible := visibleAgents(board, f)
			pictures := benchFloors(f, 32, func(step int) {
				for k := range min(c.rows, len(visible)) {
					f.putAgent(visible[(c.first+k*7)%len(visible)], step)
				}
			})
			b.Run(fmt.Sprintf("agents=%d/changed=%s", agents, c.name), func(b *testing.B) {
				if share := benchShare(b, board, pictures); c.name == "5" && share > ofTheFlush(agents)*testkit.GoalFactor() {
					b.Errorf("a frame takes %.1f %% of its flush", 100*share)
				}
			})
		}
	}
}

// benchShare draws and flushes the frames eight times, and returns the ratio of the
// shortest times of each frame.
func benchShare(b *testing.B, board *board, pictures []*model.Snapshot) (share float64) {
	b.Helper()
	r := newRenderer()
	var handed []byte // copy of the frame, as made by the code that writes it to the terminal
	for b.Loop() {
		var draw, flush time.Duration
		written := 0
		drawn, flushed := make([]time.Duration, len(pictures)), make([]time.Duration, len(pictures))
		for range 8 {
			for i, s := range pictures {
				began := time.Now()
				board.step(i, s)
				handed = append(handed[:0], board.Frame()...)
				drew := time.Now()
				n, err := r.flush(string(handed))
				if err != nil {
					b.Fatal(err)
				}
				drawn[i], flushed[i] = quicker(drawn[i], drew.Sub(began)), quicker(flushed[i], time.Since(drew))
				written += n
			}
		}
		for i := range pictures {
			draw, flush = draw+drawn[i], flush+flushed[i]
		}
		frames := float64(len(pictures))
		share = draw.Seconds() / flush.Seconds()
		b.ReportMetric(1e6*draw.Seconds()/frames, "draw-us")
		b.ReportMetric(1e6*flush.Seconds()/frames, "flush-us")
		b.ReportMetric(100*share, "%flush")
		b.ReportMetric(float64(written)/8/frames, "bytes/frame")
	}
	return share
}

// quicker returns the shorter of two measured times.
func quicker(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// renderer flushes frames like Bubble Tea's renderer.
type renderer struct {
	out   *bytes.Buffer
	cells uv.ScreenBuffer
	to    *uv.TerminalRenderer
}

func newRenderer() renderer {
	r := renderer{out: &bytes.Buffer{}, cells: uv.NewScreenBuffer(200, 60)}
	r.to = uv.NewTerminalRenderer(r.out, []string{"TERM=xterm-256color"})
	r.to.SetColorProfile(colorprofile.TrueColor)
	r.to.SetFullscreen(true)
	r.to.SetScrollOptim(true)
	r.to.Resize(200, 60)
	return r
}

// flush returns the number of bytes written.
func (r renderer) flush(frame string) (int, error) {
	r.out.Reset()
	r.cells.Clear()
	uv.NewStyledString(frame).Draw(r.cells, r.cells.Bounds())
	r.to.Render(r.cells.RenderBuffer)
	err := r.to.Flush()
	return r.out.Len(), err
}

// visibleAgents returns the numbers of the visible agents.
func visibleAgents(board *board, f *testFloor) []int {
	number := map[string]int{}
	for i := range f.Users.Len() {
		number[agentName(i)] = i
	}
	var out []int
	p := board.pages.CurrentPage().Focused()
	for y := range p.Table.Height() {
		if hit := p.Table.HitTest(1, y); hit.Key != "" {
			out = append(out, number[hit.Key])
		}
	}
	return out
}
