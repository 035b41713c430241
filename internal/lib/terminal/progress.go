package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const barWidth = 30 // columns

// ProgressBar returns the functions of a progress bar on a line of out, which must be a terminal. show
// draws the position of an instant between from and to, at most ten times a second, with the instant as
// clock formats it. erase removes the bar.
func ProgressBar(out io.Writer, from, to time.Time, clock func(time.Time) string) (show func(time.Time), erase func()) {
	var last time.Time
	show = func(at time.Time) {
		now := time.Now()
		if now.Sub(last) < 100*time.Millisecond {
			return
		}
		last = now
		share := min(max(float64(at.Sub(from))/float64(max(to.Sub(from), 1)), 0), 1)
		n := int(share * barWidth)
		_, _ = fmt.Fprintf(out, "\r%s [%s%s] %3.0f %%", clock(at), strings.Repeat("#", n), strings.Repeat(" ", barWidth-n), share*100)
	}
	return show, func() { _, _ = fmt.Fprint(out, "\r\x1b[K") }
}
