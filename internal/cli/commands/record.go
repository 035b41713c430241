package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
)

// recordCommands holds the setup that the subcommands of `wallboard record` share.
type recordCommands struct{ *cmdutil.Setup }

// RecordCommand returns `wallboard record`.
func RecordCommand(setup *cmdutil.Setup) *cobra.Command {
	b := &recordCommands{setup}
	return cmdutil.NewGroup("record", "List recordings, and export parts of them",
		newRecordList(b), newRecordInfo(b), newRecordCat(b), newRecordCut(b), newRecordExport(b), newRecordCast(b))
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
			files, err := record.ListFiles(cmd.Context(), dir, keyFiles...)
			if (err == nil && len(files) == 0 || errors.Is(err, fs.ErrNotExist)) && len(args) == 0 {
				return admin.ErrNoRecording(dir)
			}
			if err != nil {
				return err
			}
			return cmdutil.WriteRows(b.Streams.Out, b.JSON, files, admin.FileRows(files))
		},
	}
	cmd.Flags().StringArrayVar(&keyFiles, "key-file", nil, "file with a private key, of age or SSH, for encrypted recordings (default: record.key_files)")
	return cmd
}

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
			return cmdutil.WriteRows(b.Streams.Out, b.JSON, info, admin.InfoRows(path, info, r.Problems()))
		},
	}
	selection.AddFlags(cmd)
	return cmd
}

// RecordingRange holds the flags that select a recording and a part of it.
type RecordingRange struct {
	From, to  string
	selection cmdutil.RecordingSelection
}

// Open opens the selected recording. It also returns the beginning and the end of the selected
// part.
func (s *RecordingRange) Open(setup *cmdutil.Setup, args []string) (r *record.Recording, from, to time.Time, err error) {
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

// NoteBeforeStart writes a note to standard error if from is before the beginning of the recording,
// rounded down to the second.
func NoteBeforeStart(s cmdutil.Streams, in record.Info, from time.Time) error {
	if in.First.IsZero() || !from.Before(in.First.Truncate(time.Second)) {
		return nil
	}
	return cmdutil.Printf(s.Err, "the recording begins at %s: there is nothing before\n", in.First.In(in.Location()).Format(time.DateTime))
}

// AddFlags adds the flags --from, --to, --of and --key-file to a command.
func (s *RecordingRange) AddFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.From, "from", "", "start: a time of day (13:50), a day, a date and time, or a duration before the end (40m)")
	cmd.Flags().StringVar(&s.to, "to", "", "end, in the same format")
	s.selection.AddFlags(cmd)
}

// resolve returns the beginning and the end of the part that the flags select.
func (s *RecordingRange) resolve(in record.Info) (from, to time.Time, err error) {
	if from, err = in.ParseInstant(s.From, in.First); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--from %w", err))
	}
	if to, err = in.ParseInstant(s.to, in.Last); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--to %w", err))
	}
	if to.Before(from) {
		return from, to, cmdutil.NewUsageError(errors.New("--to is before --from"))
	}
	return from, to, nil
}

func newRecordCat(b *recordCommands) *cobra.Command {
	var span RecordingRange
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
		if _, gap := p.GapAt(instant); gap {
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
