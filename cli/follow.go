package cli

import (
	"cmp"
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

// reasons are why a configuration is read again.
type reason int

const (
	fileChanged  reason = iota // the configuration, a theme or the file of a secret
	askedFor                   // by SIGHUP, or by somebody at the board
	whileRefused               // a secret may have been renewed where no file tells of it
)

// rereadEvery is how often the secrets are read again while something refuses them.
const rereadEvery = 10 * time.Second

// changes are what has a program read its configuration again.
type changes struct {
	again   <-chan struct{} // asks for it; nil: no request is possible
	secrets func() []string // the files of the present secrets
	refused func() bool     // one of the present secrets is refused
	every   time.Duration   // how often the secrets are read again then; 0: rereadEvery
}

// onChange calls reload when the files of the configuration, those that it names or of a secret have changed,
// when somebody asks, with SIGHUP for example, and every 10 s while a secret is refused,
// until the context ends.
func (b *board) onChange(ctx context.Context, log *slog.Logger, of changes, reload func(reason)) {
	watched := func() []string { return slices.Concat([]string{b.Path(), theming.Dir()}, b.Named(), of.secrets()) }
	w := watchFiles(log, watched()...)
	defer w.close()
	if b.ChangedSince() {
		reload(fileChanged)
	}
	asked := make(chan struct{}, 1)
	defer b.hup.listen(func() bool {
		select {
		case asked <- struct{}{}:
		default: // it is about to be read
		}
		return true
	})()
	reread := time.NewTicker(cmp.Or(of.every, rereadEvery))
	defer reread.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			reload(askedFor)
		case <-of.again:
			reload(askedFor)
		case <-w.changed:
			reload(fileChanged)
		case <-reread.C:
			if !of.refused() {
				continue
			}
			reload(whileRefused)
		}
		w.watch(watched()...)
	}
}

// linkRefused reports whether the real-time service refuses a login, by a picture.
func linkRefused(s *model.Snapshot) bool { return s != nil && s.Health.Link.State == model.LinkRefused }

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
			UserSite: fo.UserSite, Services: fo.Services, Groups: fo.Groups, Campaigns: fo.Campaigns, FindCampaigns: fo.FindCampaigns,
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
// the way to it. The configuration service lists the campaigns.
func asked() []string {
	return []string{
		"rtd.user_site", "rtd.services", "rtd.groups", "rtd.campaigns", "rtd.publish_interval", "rtd.audit_interval",
		"rtd.max_records", "rtd.max_codes",
		"rtd.filter", "rest",
	}
}

// newConnection reports whether a changed key is about the way to the real-time
// service.
func newConnection(key string) bool {
	return strings.HasPrefix(key, "rtd.") && key != "rtd.names" && !touches([]string{key}, asked()...)
}
