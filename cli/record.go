package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/internal/output"
	"wallboard/internal/private"
	"wallboard/model"
	"wallboard/record"
)

func newRecord(b *board) *cobra.Command {
	return command.Group("record", "Recordings of what the board was shown: what there is, and parts of it",
		newRecordInfo(b), newRecordCat(b), newRecordCut(b))
}

// recording opens the recording that a command is about: its argument, else the folder of
// the configuration.
func (b *board) recording(args []string) (*record.Recording, string, error) {
	path := ""
	if len(args) > 0 {
		path = args[0]
	} else {
		c, err := b.Load(true)
		if err != nil {
			return nil, "", err
		}
		path = c.Record.Folder()
	}
	r, err := record.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(args) == 0:
		return nil, path, fmt.Errorf("there is no recording in %s: [record] of the configuration switches it on", path)
	case err != nil:
		return nil, path, err //nolint:wrapcheck // it names the file
	}
	return r, path, nil
}

// part opens the recording that a command is about, and returns which part of it.
func (b *board) part(args []string, flags *span) (r *record.Recording, from, to time.Time, err error) {
	if r, _, err = b.recording(args); err != nil {
		return nil, from, to, err
	}
	if from, to, err = flags.of(r.Info()); err != nil {
		return nil, from, to, errors.Join(err, r.Close())
	}
	return r, from, to, nil
}

func newRecordInfo(b *board) *cobra.Command {
	return &cobra.Command{
		Use: "info [FILE|FOLDER]", Short: "Say what a recording holds: from when to when, gaps, what happened",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, path, err := b.recording(args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // only read from
			in := r.Info()
			if b.JSON {
				return output.JSON(b.Streams.Out, in)
			}
			return writeInfo(b.Streams, path, in)
		},
	}
}

func writeInfo(s command.Streams, path string, in record.Info) error {
	lines := [][]string{
		{"recording", path},
		{"of", in.About.Platform + ", names " + in.About.Names},
		{"by", "wallboard " + in.About.Board},
		{"from", in.First.Local().Format(time.DateTime)},
		{"to", in.Last.Local().Format(time.DateTime)},
		{"files", strconv.Itoa(in.Files)},
		{"size", fmt.Sprintf("%.1f MB", float64(in.Bytes)/1e6)},
	}
	if in.Unclosed > 0 {
		lines = append(lines, []string{"not closed", strconv.Itoa(in.Unclosed) + ": being written, or whoever wrote them died"})
	}
	for _, g := range in.Interruption {
		lines = append(lines, []string{"nothing between", g.From.Local().Format(time.DateTime) + " and " + g.To.Local().Format(time.DateTime)})
	}
	for _, m := range in.Marks {
		lines = append(lines, []string{string(m.Kind), m.At.Local().Format(time.DateTime) + "  " + m.Text})
	}
	return output.Table(s.Out, lines)
}

// span are the flags that name a part of a recording.
type span struct{ from, to string }

func (s *span) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.from, "from", "", "begin here: a time of the day (13:50), a time, or how long before its end (40m)")
	cmd.Flags().StringVar(&s.to, "to", "", "end here")
}

// of returns the part of a recording.
func (s *span) of(in record.Info) (from, to time.Time, err error) {
	if from, err = instantOf(s.from, in, in.First); err != nil {
		return from, to, command.Usage(fmt.Errorf("--from %w", err))
	}
	if to, err = instantOf(s.to, in, in.Last); err != nil {
		return from, to, command.Usage(fmt.Errorf("--to %w", err))
	}
	if to.Before(from) {
		return from, to, command.Usage(errors.New("--to is before --from"))
	}
	return from, to, nil
}

// instantOf reads an instant of a recording; without a text it is another.
func instantOf(text string, in record.Info, otherwise time.Time) (time.Time, error) {
	if text == "" {
		return otherwise, nil
	}
	at, err := shiftBegin(text, in.Last.Local())
	if err != nil {
		return at, fmt.Errorf("%q: want a time of the day (13:50), a time (2026-03-17T06:00) or how long before the end (40m)", text)
	}
	return at, nil
}

func newRecordCat(b *board) *cobra.Command {
	var part span
	every := 10 * time.Second
	cmd := &cobra.Command{
		Use: "cat [FILE|FOLDER]", Short: "Write the pictures of a recording as JSON, one a line",
		Long:    "Cat writes what `wallboard dump` would have written then, one line for each picture.",
		Example: "wallboard record cat --from 13:50 --to 14:20 --every 1m | jq .serviceStats",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if every <= 0 {
				return command.Usage(errors.New("--every must be more than 0"))
			}
			r, from, to, err := b.part(args, &part)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // only read from
			return b.cat(cmd.Context(), r, from, to, every)
		},
	}
	part.flags(cmd)
	cmd.Flags().DurationVar(&every, "every", every, "how far the pictures are apart")
	return cmd
}

func (b *board) cat(ctx context.Context, r *record.Recording, from, to time.Time, every time.Duration) error {
	p := r.Player()
	for at := from; !at.After(to) && ctx.Err() == nil; at = at.Add(every) {
		if _, gap := p.Gap(at); gap {
			continue
		}
		s, err := p.Seek(at)
		if err != nil {
			return err //nolint:wrapcheck // it says what is wrong with the recording
		}
		if s == nil {
			continue
		}
		line, err := json.Marshal(headless.PictureOf(s))
		if err != nil {
			return fmt.Errorf("write a picture: %w", err)
		}
		if _, err := b.Streams.Out.Write(append(output.EscapeJSON(line), '\n')); err != nil {
			return output.Failed(err)
		}
	}
	return nil
}

func newRecordCut(b *board) *cobra.Command {
	var part span
	var out string
	names := string(model.NamesFull)
	cmd := &cobra.Command{
		Use: "cut [FILE|FOLDER] --out FILE", Short: "Write a part of a recording to a file that can be sent away",
		Long: "Cut writes the pictures between two times to one file, which `wallboard play` shows anywhere.\n" +
			"With --names initials or hidden nobody is named in it: neither people's names nor their user names, nor what was\n" +
			"written about them. A file in which one of them is left is not written.",
		Example: "wallboard record cut --from 13:50 --to 14:20 --out incident.wbr\nwallboard record cut --names hidden --out shift.wbr",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return command.Usage(errors.New("--out is missing"))
			}
			mode := model.NameMode(names)
			if mode != model.NamesFull && mode != model.NamesInitials && mode != model.NamesHidden {
				return command.Usage(fmt.Errorf("--names %q: want full, initials or hidden", names))
			}
			r, from, to, err := b.part(args, &part)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // only read from
			frames, err := cut(r, from, to, out, mode)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(b.Streams.Out, "%s: %d pictures, %s to %s, names %s\n", out, frames,
				from.Local().Format(time.DateTime), to.Local().Format(time.TimeOnly), names)
			return output.Failed(err)
		},
	}
	part.flags(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "the file; one that is there already is not written over")
	cmd.Flags().StringVar(&names, "names", names, "how agents are named in it: full, initials, hidden")
	return cmd
}

// cut writes a part of a recording. What names people is looked for in the file
// before it is kept.
func cut(r *record.Recording, from, to time.Time, path string, mode model.NameMode) (frames int, err error) {
	out, err := private.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY)
	if err != nil {
		return 0, err //nolint:wrapcheck // it names the file
	}
	about := r.Info().About
	about.Names = string(mode)
	people := make(map[string]bool)
	var change func(*model.Snapshot) *model.Snapshot
	if mode != model.NamesFull {
		about.Codes = withoutPeople(about.Codes)
		mask := model.NewMask(mode, rand.Text(), model.Names{})
		change = func(s *model.Snapshot) *model.Snapshot {
			namesOf(s, people)
			return mask.Apply(s)
		}
	}
	frames, err = record.Export(r, from, to, out, about, change)
	err = errors.Join(err, out.Close())
	switch {
	case err != nil:
	case frames == 0:
		err = errors.New("nothing was recorded then")
	default:
		err = namesNobody(path, people)
	}
	if err != nil {
		return 0, errors.Join(err, os.Remove(path))
	}
	return frames, nil
}

func withoutPeople(codes []record.Code) []record.Code {
	var kept []record.Code
	for _, c := range codes {
		if c.Kind != string(model.NameUser) {
			kept = append(kept, c)
		}
	}
	return kept
}

// namesOf collects what people are called in a picture.
func namesOf(s *model.Snapshot, people map[string]bool) {
	add := func(texts ...model.Text) {
		for _, t := range texts {
			if name := t.String(); len(name) > 2 { // shorter ones are in every other word
				people[name] = true
			}
		}
	}
	for u := range s.Users.All() {
		add(u.Username, u.Name, u.Surname)
	}
	for u := range s.UserStats.All() {
		add(u.Username, u.Name, u.Surname)
	}
	for u := range s.Operators.All() {
		add(u.Username, u.Name, u.Surname)
	}
}

// namesNobody looks for names in every picture of a file.
func namesNobody(path string, people map[string]bool) error {
	if len(people) == 0 {
		return nil
	}
	r, err := record.Open(path)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	defer r.Close() //nolint:errcheck // only read from
	p := r.Player()
	for {
		s, err := p.Next()
		if err != nil || s == nil {
			return err //nolint:wrapcheck // it says what is wrong with the recording
		}
		text, err := json.Marshal(headless.PictureOf(s))
		if err != nil {
			return fmt.Errorf("look for names: %w", err)
		}
		for name := range people {
			quoted := strconv.Quote(name)
			if bytes.Contains(text, []byte(quoted)) || strings.Contains(name, " ") && bytes.Contains(text, []byte(quoted[1:len(quoted)-1])) {
				return errors.New("a name is left in the picture of " + s.At.Local().Format(time.DateTime) + ": the file is not kept")
			}
		}
	}
}
