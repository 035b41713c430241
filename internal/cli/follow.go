package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/model"
)

// source reads the configuration of a board and the options of its feed.
type source func() (*config.Config, feeds.Options, error)

// configured is the source for the configured platform.
func (b *commandSetup) configured() (*config.Config, feeds.Options, error) {
	c, err := b.Load(false)
	if err != nil {
		return nil, feeds.Options{}, err
	}
	return c, app.FeedOptions(c), nil
}

// reloadReason is why the configuration is read again.
type reloadReason int

const (
	fileChanged     reloadReason = iota // the configuration, a theme or a secret file
	reloadOnRequest                     // SIGHUP or a viewer's request
	whileRefused                        // a secret may have been renewed outside a file
)

// rereadInterval is the interval at which secrets are read again while one is refused.
const rereadInterval = 10 * time.Second

// reloadTriggers describes when a program reads its configuration again.
type reloadTriggers struct {
	requests  <-chan struct{} // requests; nil: none
	secrets   func() []string // files of the current secrets
	isRefused func() bool     // a current secret is refused
	interval  time.Duration   // interval while one is refused; 0 means rereadInterval
}

// onChange calls reload when a file of the configuration, of a theme or of a secret
// changes, on a request such as SIGHUP, and periodically while a secret is refused. It
// returns when ctx ends.
func (b *commandSetup) onChange(ctx context.Context, log *slog.Logger, triggers reloadTriggers, reload func(reloadReason)) {
	watched := func() []string {
		return slices.Concat([]string{b.Path(), commands.ThemesDir()}, b.WatchedFiles(), triggers.secrets())
	}
	watcher := watchFiles(log, watched()...)
	defer watcher.close()
	if b.HasConfigChanged() {
		reload(fileChanged)
	}
	requested := make(chan struct{}, 1)
	defer b.hangups.listen(func() bool {
		select {
		case requested <- struct{}{}:
		default: // a request is pending
		}
		return true
	})()
	reread := time.NewTicker(cmp.Or(triggers.interval, rereadInterval))
	defer reread.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-requested:
			reload(reloadOnRequest)
		case <-triggers.requests:
			reload(reloadOnRequest)
		case <-watcher.changed:
			reload(fileChanged)
		case <-reread.C:
			if !triggers.isRefused() {
				continue
			}
			reload(whileRefused)
		}
		watcher.setPaths(watched()...)
	}
}

// isLinkRefused reports whether the real-time service refuses the login, according to a
// snapshot.
func isLinkRefused(s *model.Snapshot) bool {
	return s != nil && s.Health.Link.State == model.LinkRefused
}

// Texts about a reload of the configuration.
const (
	configApplied   = "The changed configuration is in force"
	configUnchanged = "The configuration was read again: nothing has changed."
)

// reconfigureFeed applies a changed configuration to a feed. platformChanged is true if
// the feed connects to another platform; the connection to the previous one has ended then. The
// error is a sentence for the viewer.
func reconfigureFeed(ctx context.Context, feed snapshotFeed, fo feeds.Options, changed []string) (platformChanged bool, err error) {
	if isChanged(changed, subscriptionKeys()...) {
		feed.Reconfigure(feeds.Filter{
			UserSite: fo.UserSite, Services: fo.Services, Groups: fo.Groups, Campaigns: fo.Campaigns, FindCampaigns: fo.FindCampaigns,
			Restriction: fo.Restriction, Bounds: fo.Bounds, PublishEvery: fo.PublishEvery, AuditInterval: fo.AuditInterval,
		})
	}
	if !slices.ContainsFunc(changed, needsReconnect) {
		return false, nil
	}
	previous := feed.Latest()
	if err := feed.Reconnect(fo); err != nil {
		return false, fmt.Errorf("The board cannot connect as the changed configuration says: %w", err) //nolint:staticcheck // a sentence for the viewer
	}
	if !isChanged(changed, "rtd.url") {
		return false, nil
	}
	awaitEnd(ctx, feed, previous)
	return true, nil
}

// awaitEnd waits until the connection of a snapshot has ended: later snapshots are those of
// the new platform.
func awaitEnd(ctx context.Context, feed snapshotFeed, previous *model.Snapshot) {
	const maxWait = 2 * time.Second // a busy feed may need some time
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	isConnected := func(s *model.Snapshot) bool {
		return s.Health.Link.State == model.LinkUp && s.Health.Link.Since.Equal(previous.Health.Link.Since)
	}
	for s := previous; s != nil && isConnected(s); {
		next, err := feed.Wait(ctx, s.Seq)
		if err != nil {
			return
		}
		s = next
	}
}

// isChanged reports whether one of the tables or keys has changed.
func isChanged(changed []string, names ...string) bool {
	return slices.ContainsFunc(changed, func(key string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return key == name || strings.HasPrefix(key, name+".") })
	})
}

// subscriptionKeys returns the keys that change only the subscriptions, not the connection to the
// real-time service. The configuration service lists the campaigns.
func subscriptionKeys() []string {
	return []string{
		"rtd.user_site", "rtd.services", "rtd.groups", "rtd.campaigns", "rtd.publish_interval", "rtd.audit_interval",
		"rtd.max_records", "rtd.max_codes",
		"rtd.filter", "rest",
	}
}

// needsReconnect reports whether a changed key requires a new connection to the real-time
// service.
func needsReconnect(key string) bool {
	return strings.HasPrefix(key, "rtd.") && key != "rtd.names" && !isChanged([]string{key}, subscriptionKeys()...)
}
