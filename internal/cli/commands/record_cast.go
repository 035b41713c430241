package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
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

	names string // name mode of the recording, for the summary
}

// CastDrawer draws a part of a recording and calls [CastOptions.Frame] with each frame.
type CastDrawer func(ctx context.Context, s CastOptions) error

// Limits and defaults of a cast.
const (
	maxCastSpeed = 600
	minWidth     = 40
	minHeight    = 10
	maxWidth     = 400
	maxHeight    = 200
	maxFrames    = 100_000
	maxFrameRate = 10 // frames per second
	defaultSpeed = 60.0
	defaultSize  = "120x40"
)

func newRecordCast(b *recordCommands, draw CastDrawer) *cobra.Command {
	var part RecordingSpan
	var out, page string
	size, speed := defaultSize, defaultSpeed
	cmd := &cobra.Command{
		Use: "cast [FILE|FOLDER] --out FILE", Short: "Write a part of a recording as an asciinema cast",
		Long: "Cast draws the board as `wallboard play` shows it, and writes what it draws as an asciinema cast (version 2), which\n" +
			"`asciinema play` and web players show. It is drawn frame by frame, not as fast as it is played. Its names are those\n" +
			"of the recording: for one without names, cast what `wallboard record export` wrote.",
		Example: "wallboard record cast --from 13:50 --to 14:20 --out incident.cast\nwallboard record cast incident.wbr --page Agents --speed 10 --size 160x45 --out agents.cast",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s := CastOptions{Page: page}
			switch n, err := fmt.Sscanf(size, "%dx%d", &s.Width, &s.Height); {
			case out == "":
				return cmdutil.NewUsageError(errors.New("--out is missing"))
			case speed < 1 || speed > maxCastSpeed:
				return cmdutil.NewUsageError(errors.New("--speed: want 1 to 600"))
			case err != nil || n != 2 || s.Width < minWidth || s.Height < minHeight || s.Width > maxWidth || s.Height > maxHeight:
				return cmdutil.NewUsageError(fmt.Errorf("--size %q: want columns and rows, from %dx%d to %dx%d", size, minWidth, minHeight, maxWidth, maxHeight))
			}
			r, from, to, err := part.Open(b.Setup, args)
			if err != nil {
				return err
			}
			s.Info, s.From, s.To = r.Info(), from, to
			about, parts := r.About(from, to)
			s.names = nameModeText(about, parts, s.Info.Location())
			s.Step = max(time.Second, time.Duration(speed*float64(time.Second))/maxFrameRate)
			if frames := to.Sub(from) / s.Step; frames > maxFrames {
				return errors.Join(cmdutil.NewUsageError(fmt.Errorf("%d frames exceed the maximum of %d: choose a shorter part or a higher --speed", frames, maxFrames)), r.Close())
			}
			s.Replay = r.Replay(from, 0, nil)
			defer s.Replay.Close() //nolint:errcheck // read-only: closing cannot lose data
			return b.writeCastFile(cmd.Context(), draw, s, speed, out)
		},
	}
	part.AddFlags(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "output file; it must not exist")
	cmd.Flags().StringVar(&page, "page", "", "name of the page (default the first)")
	cmd.Flags().StringVar(&size, "size", size, "columns and rows of the terminal")
	cmd.Flags().Float64Var(&speed, "speed", speed, "speed as a multiple of real time, 1 to 600")
	return cmd
}

// writeCastFile writes a cast to a new file and a summary to standard output. After an error,
// it removes the file.
func (b *recordCommands) writeCastFile(ctx context.Context, draw CastDrawer, s CastOptions, speed float64, path string) error {
	frames := 0
	err := cmdutil.CreateFile(path, "; name another file with --out", func(w *os.File) (err error) {
		to := bufio.NewWriter(w)
		frames, err = writeCast(ctx, draw, s, speed, to)
		return errors.Join(err, to.Flush())
	})
	if err != nil {
		return err
	}
	return cmdutil.Printf(b.Streams.Out, "%s: %d frames, %s to %s, %s long, names %s\n", path, frames,
		s.From.In(s.Info.Location()).Format(time.DateTime), s.To.In(s.Info.Location()).Format(time.TimeOnly),
		time.Duration(float64(s.To.Sub(s.From))/speed).Round(time.Second/10), s.names)
}

// writeCast writes a cast to out and returns the number of frames. A cast consists of a header
// and of lines with a time, a kind and data. The marks of the recording become marks of the
// cast, except those that only a replay needs.
func writeCast(ctx context.Context, draw CastDrawer, s CastOptions, speed float64, out io.Writer) (frames int, err error) {
	line := func(v any) error { return cmdutil.WriteJSONLine(out, v) }
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
	err = draw(ctx, s)
	return frames, err
}
