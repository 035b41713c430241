package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
)

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

func newRecordCast(b *recordCommands) *cobra.Command {
	var part RecordingRange
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
			s := admin.CastOptions{Page: page}
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
			s.Names = admin.NameModes(about, parts, s.Info.Location())
			s.Step = max(time.Second, time.Duration(speed*float64(time.Second))/maxFrameRate)
			if frames := to.Sub(from) / s.Step; frames > maxFrames {
				return errors.Join(cmdutil.NewUsageError(fmt.Errorf("%d frames exceed the maximum of %d: choose a shorter part or a higher --speed", frames, maxFrames)), r.Close())
			}
			s.Replay = r.Replay(from, 0, nil)
			defer s.Replay.Close() //nolint:errcheck // read-only: closing cannot lose data
			return b.writeCastFile(cmd.Context(), s, speed, out)
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
func (b *recordCommands) writeCastFile(ctx context.Context, s admin.CastOptions, speed float64, path string) error {
	c, err := b.Load(true)
	if err != nil {
		return err
	}
	frames := 0
	err = cmdutil.CreateFile(path, "; name another file with --out", func(w *os.File) (err error) {
		to := bufio.NewWriter(w)
		frames, err = admin.WriteCast(ctx, c, s, speed, to)
		return errors.Join(err, to.Flush())
	})
	if err != nil {
		return err
	}
	return cmdutil.Printf(b.Streams.Out, "%s: %d frames, %s to %s, %s long, names %s\n", path, frames,
		s.From.In(s.Info.Location()).Format(time.DateTime), s.To.In(s.Info.Location()).Format(time.TimeOnly),
		time.Duration(float64(s.To.Sub(s.From))/speed).Round(time.Second/10), s.Names)
}
