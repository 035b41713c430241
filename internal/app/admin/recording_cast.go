package admin

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/safedecode"
	"wallboard/internal/record"
)

// CastOptions describes a cast: the part of a recording, the size of the screen, and the function
// that receives the frames.
type CastOptions struct {
	Replay        *record.Replay
	Info          record.Info
	Page          string // "": the first page
	Width, Height int
	From, To      time.Time
	Step          time.Duration // recorded time between two frames
	// Frame receives the terminal output that changes the previous frame into the next frame.
	// at is the time of the next frame.
	Frame func(at time.Time, out []byte) error

	Names string // name mode of the recording, for the summary
}

// WriteCast writes a cast to out and returns the number of frames. A cast consists of a header
// and of lines with a time, a kind and data. The marks of the recording become marks of the
// cast, except those that only a replay needs.
func WriteCast(ctx context.Context, c *config.Config, s CastOptions, speed float64, out io.Writer) (frames int, err error) {
	line := func(v any) error {
		text, err := json.Marshal(v)
		if err == nil {
			_, err = out.Write(append(safedecode.EscapeJSON(text), '\n'))
		}
		return err
	}
	castSeconds := func(t time.Time) float64 { return float64(t.Sub(s.From).Milliseconds()) / 1000 / speed }
	if err := line(struct {
		Version   int               `json:"version"`
		Width     int               `json:"width"`
		Height    int               `json:"height"`
		Timestamp int64             `json:"timestamp"`
		Title     string            `json:"title"`
		Env       map[string]string `json:"env"`
	}{2, s.Width, s.Height, s.From.Unix(), "wallboard, " + s.From.In(s.Info.Location()).Format("2 Jan 2006 15:04"), map[string]string{"TERM": "xterm-256color"}}); err != nil {
		return 0, err
	}
	marks := s.Info.Marks
	s.Frame = func(now time.Time, text []byte) error {
		for ; len(marks) > 0 && !marks[0].At.After(now); marks = marks[1:] {
			if m := marks[0]; !m.At.Before(s.From) && m.Kind != record.MarkIncident && m.Text != "" {
				if err := line([]any{castSeconds(m.At), "m", string(m.Kind) + ": " + m.Text}); err != nil {
					return err
				}
			}
		}
		frames++
		return line([]any{castSeconds(now), "o", string(text)})
	}
	err = DrawCast(ctx, c, s)
	return frames, err
}
