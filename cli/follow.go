package cli

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/cli/theming"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
)

// source reads the configuration of a board, and what its feed is made of.
type source func() (*config.Config, feeds.Options, error)

// configured is the source of what shows the configured platform.
func (b *board) configured() (*config.Config, feeds.Options, error) {
	c, err := b.Load(false)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	return c, wiring.FeedOptions(c), nil
}

// onChange calls reload when the files of the configuration have changed, when
// somebody asks with SIGHUP, and when again says so, until the context ends.
func (b *board) onChange(ctx context.Context, log *slog.Logger, again <-chan struct{}, reload func(asked bool)) {
	w := watchFiles(log, b.watched()...)
	defer func() { w.close() }()
	if b.ChangedSince() {
		reload(false)
	}
	asked := make(chan struct{}, 1)
	defer b.hup.listen(func() bool {
		if !b.Streams.OnTerminal() {
			return false
		}
		select {
		case asked <- struct{}{}:
		default: // it is about to be read
		}
		return true
	})()
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			reload(true)
		case <-again:
			reload(true)
		case <-w.changed:
			reload(false)
		}
		if now := b.watched(); !slices.Equal(now, w.paths) {
			w.close()
			w = watchFiles(log, now...)
		}
	}
}

// watched are the files that a configuration is made of.
func (b *board) watched() []string { return append([]string{b.Path(), theming.Dir()}, b.Named()...) }

// What is said of a configuration that was read again.
const (
	inForce        = "The changed configuration is in force"
	nothingChanged = "The configuration was read again: nothing has changed."
)

// followFeed has a feed go by a changed configuration. elsewhere tells that it goes
// to another platform; then the connection to the one before it has ended. The
// error says, to people, why it cannot.
func followFeed(ctx context.Context, feed shownFeed, fo feeds.Options, changed []string) (elsewhere bool, err error) {
	if touches(changed, asked()...) {
		feed.Reconfigure(feeds.Filter{
			UserSite: fo.UserSite, Services: fo.Services, Groups: fo.Groups, Campaigns: fo.Campaigns,
			Narrow: fo.Narrow, Bounds: fo.Bounds, PublishEvery: fo.PublishEvery, AuditInterval: fo.AuditInterval,
		})
	}
	if !slices.ContainsFunc(changed, newConnection) {
		return false, nil
	}
	before := feed.Latest()
	if err := feed.Redial(fo); err != nil {
		return false, fmt.Errorf("The board cannot connect as the changed configuration says: %w", err) //nolint:staticcheck // a sentence for people
	}
	if !touches(changed, "rtd.url") {
		return false, nil
	}
	awaitEnd(ctx, feed, before)
	return true, nil
}

// awaitEnd waits until the connection that a snapshot is of has ended: what comes
// of it is that of another platform.
func awaitEnd(ctx context.Context, feed shownFeed, before *model.Snapshot) {
	const longest = 2 * time.Second // it is at once but for a feed that has a lot to do
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	up := func(s *model.Snapshot) bool {
		return s.Health.Link.State == model.LinkUp && s.Health.Link.Since.Equal(before.Health.Link.Since)
	}
	for s := before; s != nil && up(s); {
		next, err := feed.Wait(ctx, s.Seq)
		if err != nil {
			return
		}
		s = next
	}
}

// touches reports whether one of the tables or keys has changed.
func touches(changed []string, names ...string) bool {
	return slices.ContainsFunc(changed, func(key string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return key == name || strings.HasPrefix(key, name+".") })
	})
}

// asked are the keys about what is asked of the real-time service, and not about
// the way to it.
func asked() []string {
	return []string{
		"rtd.user_site", "rtd.services", "rtd.groups", "rtd.campaigns", "rtd.publish_interval", "rtd.audit_interval",
		"rtd.max_records", "rtd.max_codes",
		"rtd.filter",
	}
}

// newConnection reports whether a changed key is about the way to the real-time
// service.
func newConnection(key string) bool {
	return strings.HasPrefix(key, "rtd.") && key != "rtd.names" && !touches([]string{key}, asked()...)
}
