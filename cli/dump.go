package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/cli/wiring"
	"wallboard/feeds"
	"wallboard/internal/output"
	"wallboard/model"
)

// dumpFlags are the flags of dump.
type dumpFlags struct {
	wait   time.Duration
	follow bool
}

func newDump(b *board) *cobra.Command {
	var fl dumpFlags
	cmd := &cobra.Command{
		Use:   "dump",
		Short: "Write the live picture as JSON",
		Long: "Dump connects, waits, and writes the merged picture as one JSON document with the platform's field names,\n" +
			"keyed by kind. What the platform never sent is null. The exit code is 0 only if everything subscribed is live.",
		Example: "wallboard dump --for 5s\nwallboard dump --follow | jq .serviceStats",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.wait <= 0 && !fl.follow {
				return command.Usage(errors.New("--for must be more than 0 without --follow"))
			}
			c, err := b.Load(false)
			if err != nil {
				return err
			}
			fo := wiring.FeedOptions(c)
			fo.Logger = b.NewLogger(b.Streams.Err, c.Log.SlogLevel())
			return dump(cmd.Context(), fo, fl, b.Streams.Out)
		},
	}
	cmd.Flags().DurationVar(&fl.wait, "for", 5*time.Second, "how long to collect before writing; with --follow: how long to go on, 0 for ever")
	cmd.Flags().BoolVar(&fl.follow, "follow", false, "write one line per published snapshot")
	return cmd
}

// dump runs a feed for a while and writes what it has.
func dump(ctx context.Context, fo feeds.Options, fl dumpFlags, w io.Writer) error {
	feed, err := feeds.New(fo)
	if err != nil {
		return fmt.Errorf("prepare the feed: %w", err)
	}
	ctx, stop := wiring.RunFeed(ctx, feed)
	defer stop()

	var expired <-chan time.Time
	if fl.wait > 0 {
		t := time.NewTimer(fl.wait)
		defer t.Stop()
		expired = t.C
	}
	enc := json.NewEncoder(w)
	if fl.follow {
		return follow(ctx, feed, expired, enc)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	case <-expired:
	}
	s := feed.Latest()
	if s == nil {
		return errors.New("nothing came")
	}
	enc.SetIndent("", "  ")
	if err := enc.Encode(headless.PictureOf(s)); err != nil {
		return output.Failed(err)
	}
	return headless.NotLive(s)
}

// follow writes a line per snapshot until it is interrupted or the time is over.
func follow(outer context.Context, feed *feeds.Feed, expired <-chan time.Time, enc *json.Encoder) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	go func() {
		select {
		case <-ctx.Done():
		case <-expired:
			cancel()
		}
	}()
	var last *model.Snapshot
	for seq := uint64(0); ; {
		s, err := feed.Wait(ctx, seq)
		if err != nil {
			break
		}
		if err := enc.Encode(headless.PictureOf(s)); err != nil {
			return output.Failed(err)
		}
		seq, last = s.Seq, s
	}
	if cause := context.Cause(outer); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause //nolint:wrapcheck // the feed's own end
	}
	if last == nil {
		return errors.New("nothing came")
	}
	return headless.NotLive(last)
}
