package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/operations"
	"wallboard/internal/phrases"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/model/contact"
)

// recordCommands holds the setup that the subcommands of `wallboard record` share.
type recordCommands struct{ *cmdutil.Setup }

// RecordCommand returns `wallboard record`. Its subcommand cast uses the function cast to draw
// the board.
func RecordCommand(setup *cmdutil.Setup, cast CastDrawer) *cobra.Command {
	b := &recordCommands{setup}
	return cmdutil.NewGroup("record", "List recordings, and export parts of them",
		newRecordList(b), newRecordInfo(b), newRecordCat(b), newRecordCut(b), newRecordExport(b), newRecordCast(b, cast))
}

// recordingFolder returns the file or directory in args, or the configured directory of
// recordings if args is empty.
func recordingFolder(setup *cmdutil.Setup, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	c, err := setup.Load(true)
	if err != nil {
		return "", err
	}
	return c.Record.Folder(), nil
}

func newRecordList(b *recordCommands) *cobra.Command {
	var keyFiles []string
	cmd := &cobra.Command{
		Use: "ls [FILE|FOLDER]", Short: "List the files of a recording with their period, size and state",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := recordingFolder(b.Setup, args)
			if err != nil {
				return err
			}
			if c, err := b.LoadAll(true); err == nil && len(keyFiles) == 0 {
				keyFiles = c.Record.KeyFiles
			}
			files, err := record.List(cmd.Context(), dir, keyFiles...)
			if (err == nil && len(files) == 0 || errors.Is(err, fs.ErrNotExist)) && len(args) == 0 {
				return cmdutil.ErrNoRecordings(dir)
			}
			if err != nil {
				return err
			}
			if b.JSON {
				return cmdutil.WriteJSON(b.Streams.Out, files)
			}
			return writeFileList(b.Streams, files)
		},
	}
	cmd.Flags().StringArrayVar(&keyFiles, "key-file", nil, "file with a private key, of age or SSH, for encrypted recordings (default: record.key_files)")
	return cmd
}

func writeFileList(s cmdutil.Streams, files []record.File) error {
	lines := [][]string{{"FILE", "PLATFORM", "FROM", "TO", "SIZE", "MARKS", "NAMES", "STATE"}}
	for _, f := range files {
		if f.Problem != "" {
			lines = append(lines, []string{filepath.Base(f.Path), "", "", "", formatSize(f.Bytes), "", "", f.Problem})
			continue
		}
		state := "closed"
		if f.Unclosed > 0 {
			state = "not closed"
		}
		if n := len(f.DamagedGaps(f.First, f.Last)); n > 0 {
			state += ", damaged: see info"
		}
		if f.Encrypted > 0 {
			state += ", encrypted"
		}
		lines = append(lines, []string{
			filepath.Base(f.Path), cmdutil.PlatformDisplayName(f.About.Platform), f.First.In(f.Location()).Format(time.DateTime), f.Last.In(f.Location()).Format(time.DateTime),
			formatSize(f.Bytes), strconv.Itoa(len(f.Marks)), f.About.Names, state,
		})
	}
	return cmdutil.WriteTable(s.Out, lines)
}

// formatSize formats a number of bytes with a unit.
func formatSize(n int64) string { return string(phrases.Format{}.Size(nil, uint64(max(n, 0)))) }

func newRecordInfo(b *recordCommands) *cobra.Command {
	var selection cmdutil.RecordingSelection
	cmd := &cobra.Command{
		Use: "info [FILE|FOLDER]", Short: "Show the period, gaps and marks of a recording",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := recordingFolder(b.Setup, args)
			if err != nil {
				return err
			}
			r, err := selection.Open(b.Setup, args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			if err := r.Check(cmd.Context()); err != nil {
				return err
			}
			info := r.Info()
			if b.JSON {
				return cmdutil.WriteJSON(b.Streams.Out, info)
			}
			return writeRecordingInfo(b.Streams, path, info, r.Problems())
		},
	}
	selection.AddFlags(cmd)
	return cmd
}

func writeRecordingInfo(s cmdutil.Streams, path string, in record.Info, unread []error) error {
	zone := in.Location()
	lines := [][]string{
		{"recording", path},
		{"of", cmdutil.PlatformDisplayName(in.About.Platform) + ", names " + nameModeText(in.About, in.Parts, zone)},
		{"by", "wallboard " + describeValues(in.About.Board, "by", in.Parts, func(p record.Part) string { return p.Board })},
		{"from", in.First.In(zone).Format(time.DateTime)},
		{"to", in.Last.In(zone).Format(time.DateTime)},
		{"times", describeZone(in)},
		{"files", strconv.Itoa(in.Files)},
		{"size", formatSize(in.Bytes)},
	}
	if in.Encrypted > 0 {
		lines = append(lines, []string{"encrypted", phrases.Count(in.Encrypted, "file", "files") + "; they open with the keys on this machine"})
	}
	if in.Unclosed > 0 {
		lines = append(lines, []string{"not closed", strconv.Itoa(in.Unclosed) + ": being written, or left by a program that crashed"})
	}
	for _, g := range in.Interruption {
		text := "nothing between"
		if g.Damaged {
			text = "damaged between"
		}
		lines = append(lines, []string{text, g.From.In(zone).Format(time.DateTime) + " and " + g.To.In(zone).Format(time.DateTime)})
	}
	if n := len(in.Unknown); n > 0 {
		lines = append(lines, []string{"left out", unknownFieldsText(in.Unknown)})
	}
	for _, err := range unread {
		lines = append(lines, []string{"cannot be read", err.Error()})
	}
	for _, m := range in.Marks {
		if m.Kind == record.MarkIncident { // incidents are needed only by a replay
			continue
		}
		lines = append(lines, []string{string(m.Kind), m.At.In(zone).Format(time.DateTime) + "  " + m.Text})
	}
	return cmdutil.WriteTable(s.Out, lines)
}

// nameModeText describes how a recording names agents. It returns the name mode if all parts
// have the same one, otherwise the mode of each period.
func nameModeText(about record.About, parts []record.Part, zone *time.Location) string {
	var lines []record.Part
	for _, p := range parts {
		if n := len(lines) - 1; n >= 0 && lines[n].Names == p.Names {
			lines[n].Last = p.Last
			continue
		}
		lines = append(lines, p)
	}
	if len(lines) < 2 {
		return about.Names
	}
	words := make([]string, len(lines))
	for i, p := range lines {
		words[i] = fmt.Sprintf("%s from %s to %s", p.Names, p.First.In(zone).Format(time.DateTime), p.Last.In(zone).Format(time.DateTime))
	}
	return strings.Join(words, ", ")
}

// describeZone describes the time zone of the printed times, and the other zones in which parts
// were recorded.
func describeZone(in record.Info) string {
	if in.About.Location() == nil {
		return "of this machine: the recording does not say its time zone"
	}
	return describeValues(in.Location().String(), "in", in.Parts, func(p record.Part) string { return p.Zone })
}

// describeValues returns the value of a property in the newest part, followed by the different
// values in earlier parts. how is the preposition before those values, such as "in".
func describeValues(newest, how string, parts []record.Part, property func(record.Part) string) string {
	all := []string{newest}
	for _, p := range parts {
		if value := property(p); value != "" && !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	if len(all) == 1 {
		return newest
	}
	return newest + "; parts were recorded " + how + " " + strings.Join(all[1:], ", ")
}

// unknownFieldsText describes the recorded fields that this version does not know. It names at
// most five of them.
func unknownFieldsText(all []string) string {
	const maxNames = 5
	text := strconv.Itoa(len(all)) + " fields that this version does not know: "
	if len(all) == 1 {
		text = "a field that this version does not know: "
	}
	if rest := len(all) - maxNames; rest > 0 {
		return text + strings.Join(all[:maxNames], ", ") + " and " + strconv.Itoa(rest) + " more"
	}
	return text + strings.Join(all, ", ")
}

// RecordingSpan holds the flags that select a recording and a part of it.
type RecordingSpan struct {
	From, to  string
	selection cmdutil.RecordingSelection
}

// Open opens the selected recording. It also returns the beginning and the end of the selected
// part.
func (s *RecordingSpan) Open(setup *cmdutil.Setup, args []string) (r *record.Recording, from, to time.Time, err error) {
	if r, err = s.selection.Open(setup, args); err != nil {
		return nil, from, to, err
	}
	in := r.Info()
	if from, to, err = s.resolve(in); err == nil {
		err = NoteBeforeStart(setup.Streams, in, from)
	}
	if err != nil {
		return nil, from, to, errors.Join(err, r.Close())
	}
	return r, from, to, nil
}

// NoteBeforeStart writes a note to standard error if from is at least a second before the
// recording, with fractions of the start ignored.
func NoteBeforeStart(s cmdutil.Streams, in record.Info, from time.Time) error {
	if in.First.IsZero() || !from.Before(in.First.Truncate(time.Second)) {
		return nil
	}
	return cmdutil.Printf(s.Err, "the recording begins at %s: there is nothing before\n", in.First.In(in.Location()).Format(time.DateTime))
}

// AddFlags adds the flags --from, --to and --of to a command.
func (s *RecordingSpan) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.From, "from", "", "start: a time of day (13:50), a day, a date and time, or a duration before the end (40m)")
	cmd.Flags().StringVar(&s.to, "to", "", "end, in the same format")
	s.selection.AddFlags(cmd)
}

// resolve returns the beginning and the end of the part that the flags select.
func (s *RecordingSpan) resolve(in record.Info) (from, to time.Time, err error) {
	if from, err = ParseInstant(s.From, in, in.First); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--from %w", err))
	}
	if to, err = ParseInstant(s.to, in, in.Last); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--to %w", err))
	}
	if to.Before(from) {
		return from, to, cmdutil.NewUsageError(errors.New("--to is before --from"))
	}
	return from, to, nil
}

// ParseInstant parses an instant of a recording: a time of day, a day, a date with time, or a
// duration before the end of the recording. Times are in the time zone of the recording. If text is
// "", it returns defaultTime. It returns an error for an instant with a date that is after the end
// of the recording.
func ParseInstant(text string, in record.Info, defaultTime time.Time) (time.Time, error) {
	end := in.Last.In(in.Location())
	if text == "" {
		return defaultTime, nil
	}
	if instant, ok := contact.ParseTimeAgo(text, end); ok {
		return instant, nil
	}
	if day, ok := contact.ParseDay(text, end); ok {
		return day, nil
	}
	instant, err := operations.ParseInstant(text, end.Location())
	switch {
	case err != nil:
		return instant, fmt.Errorf("%q: want a time of the day (13:50), a day (yesterday), a time (2026-03-17T06:00) or how long before the end (40m)", text)
	case instant.After(end):
		return instant, fmt.Errorf("%q is after the end of the recording", text)
	}
	return instant, nil
}

func newRecordCat(b *recordCommands) *cobra.Command {
	var span RecordingSpan
	interval := 10 * time.Second
	cmd := &cobra.Command{
		Use: "cat [FILE|FOLDER]", Short: "Write the snapshots of a recording as JSON lines",
		Long:    "Cat writes one line per snapshot, in the format of `wallboard dump`.",
		Example: "wallboard record cat --from 13:50 --to 14:20 --every 1m | jq .serviceStats",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if interval <= 0 {
				return cmdutil.NewUsageError(errors.New("--every must be more than 0"))
			}
			r, from, to, err := span.Open(b.Setup, args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			err = b.writeSnapshots(cmd.Context(), r, from, to, interval)
			return errors.Join(err, b.writeDamagedNotes(r, from, to))
		},
	}
	span.AddFlags(cmd)
	cmd.Flags().DurationVar(&interval, "every", interval, "interval of the snapshots")
	return cmd
}

func (b *recordCommands) writeSnapshots(ctx context.Context, r *record.Recording, from, to time.Time, interval time.Duration) error {
	p := r.Player()
	for instant := from; !instant.After(to) && ctx.Err() == nil; instant = instant.Add(interval) {
		if _, gap := p.Gap(instant); gap {
			continue
		}
		s, err := p.Seek(instant)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		if err := cmdutil.WriteJSONLine(b.Streams.Out, headless.NewSnapshotDoc(s)); err != nil {
			return err
		}
	}
	return nil
}

// writeDamagedNotes writes a note to standard error for each damaged period of a recording
// between from and to.
func (b *recordCommands) writeDamagedNotes(r *record.Recording, from, to time.Time) error {
	in := r.Info()
	for _, g := range in.DamagedGaps(from, to) {
		if err := cmdutil.Printf(b.Streams.Err, "missing: %s to %s: the recording is damaged there\n",
			g.From.In(in.Location()).Format(time.DateTime), g.To.In(in.Location()).Format(time.TimeOnly)); err != nil {
			return err
		}
	}
	return nil
}
