package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.wait <= 0 && !fl.follow {
				return usageError{errors.New("--for must be more than 0 without --follow")}
			}
			c, err := b.load(false)
			if err != nil {
				return err
			}
			fo := feedOptions(c)
			fo.Logger = b.newLogger(b.streams.Err, c.Log.SlogLevel())
			return dump(cmd.Context(), fo, fl, b.streams.Out)
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
	ctx, stop := runFeed(ctx, feed)
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
	if err := enc.Encode(dumpOf(s)); err != nil {
		return output.Failed(err)
	}
	return notLive(s)
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
		if err := enc.Encode(dumpOf(s)); err != nil {
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
	return notLive(last)
}

// notLive is an error that names what is not live, nil when everything is.
func notLive(s *model.Snapshot) error {
	h := &s.Health
	if h.Live() {
		return nil
	}
	var parts []string
	if h.Link.State != model.LinkUp {
		parts = append(parts, "connection: "+string(h.Link.State)+reason(h.Link.Reason))
	}
	for _, sub := range h.Subscriptions {
		if !sub.State.Current() && sub.State != model.SubWaiting {
			parts = append(parts, sub.Name+": "+string(sub.State)+reason(sub.Reason))
		}
	}
	return errors.New("not everything is live\n  " + strings.Join(parts, "\n  "))
}

func reason(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// dumpDoc is the JSON document of dump: document 2's operations and fields.
type dumpDoc struct {
	Seq              uint64               `json:"seq"`
	At               time.Time            `json:"at"`
	Live             bool                 `json:"live"`              // everything comes as it happens
	Polling          map[string]float64   `json:"polling,omitempty"` // what is asked for again and again instead, and its age in seconds
	Version          model.ServerVersion  `json:"version"`
	ServerHealth     model.ServerHealth   `json:"serverHealth"`
	Users            []*model.User        `json:"users"`
	Services         []*model.Service     `json:"serviceStats"`
	Groups           []*model.Group       `json:"groupStats"`
	UserStats        []*model.UserStat    `json:"userStats"`
	Profiles         []*model.ProfileStat `json:"userProfileStats"`
	Campaigns        []*model.Campaign    `json:"pdCampaignStats"`
	Attendants       []*model.Attendant   `json:"serviceAttendantStats"`
	Operators        []*model.Operator    `json:"operatorStats"`
	OperatorProfiles []*model.ProfileStat `json:"operatorProfileStats"`
}

// pollingOf returns the age in seconds of what is polled, by operation.
func pollingOf(s *model.Snapshot) map[string]float64 {
	var polling map[string]float64
	for name, age := range s.Health.PolledAges(s.At.Add(-s.Health.ClockOffset)) {
		if polling == nil {
			polling = make(map[string]float64)
		}
		polling[name] = age.Round(100 * time.Millisecond).Seconds()
	}
	return polling
}

// dumpOf puts a snapshot in order: by key, then by channel and component in the
// order of document 2.
func dumpOf(s *model.Snapshot) dumpDoc {
	polling := pollingOf(s)
	return dumpDoc{
		Seq: s.Seq, At: s.At.UTC(), Live: s.Health.Live() && !s.Health.Partly() && polling == nil, Polling: polling,
		Version: s.Health.Version, ServerHealth: s.Health.Server,
		Users: sorted(s.Users, func(a, b *model.User) int { return cmp.Compare(a.Key(), b.Key()) }),
		Services: sorted(s.Services, func(a, b *model.Service) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel))
		}),
		Groups: sorted(s.Groups, func(a, b *model.Group) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel))
		}),
		UserStats: sorted(s.UserStats, func(a, b *model.UserStat) int {
			return cmp.Or(cmp.Compare(a.Key().Username, b.Key().Username), byChannel(a.Channel, b.Channel))
		}),
		Profiles:  sorted(s.Profiles, byProfile),
		Campaigns: sorted(s.Campaigns, func(a, b *model.Campaign) int { return cmp.Compare(a.Key(), b.Key()) }),
		Attendants: sorted(s.Attendants, func(a, b *model.Attendant) int {
			return cmp.Or(cmp.Compare(a.Key().Code, b.Key().Code), byChannel(a.Channel, b.Channel), byComponent(a.Component, b.Component))
		}),
		Operators: sorted(s.Operators, func(a, b *model.Operator) int {
			return cmp.Or(cmp.Compare(a.Key().Username, b.Key().Username), byChannel(a.Channel, b.Channel))
		}),
		OperatorProfiles: sorted(s.OperatorProfiles, byProfile),
	}
}

func sorted[K comparable, T any](t *model.Table[K, T], by func(a, b *T) int) []*T {
	rows := append([]*T{}, t.Rows()...) // never nil: an empty list is [], not null
	slices.SortFunc(rows, by)
	return rows
}

func byProfile(a, b *model.ProfileStat) int {
	return cmp.Or(cmp.Compare(a.Key().ID, b.Key().ID), byChannel(a.Channel, b.Channel))
}

func byChannel(a, b model.Channel) int {
	order := model.Channels()
	return cmp.Or(cmp.Compare(slices.Index(order[:], a), slices.Index(order[:], b)), cmp.Compare(a, b))
}

func byComponent(a, b model.Component) int {
	order := model.Components()
	return cmp.Or(cmp.Compare(slices.Index(order[:], a), slices.Index(order[:], b)), cmp.Compare(a, b))
}
