// Package app runs the platforms of a process. A [Platform] is one platform at run time: its source
// of snapshots (a feed, or a node of a cluster), the hub with all viewers, the connections of
// boards with the configuration service and the statistical data service, the recording and the
// stored alerts. Three kinds of programs use it: the board of this machine ([LocalBoard]), the SSH
// server ([BoardServer]) and commands. They open a platform with [Environment.Open], run it with
// [Platform.Run], which also follows its configuration, and close it with [Platform.Close].
//
// A running platform has goroutines for the source, the hub, the courses of calls, the actions of
// other programs, the notes and the configuration. An open platform has others for the stored alerts
// and the recording. All of them end before stop and Close return, unless the disk hangs.
package app

import (
	"context"

	"wallboard/feeds"
	"wallboard/feeds/graphql"
	"wallboard/internal/config"
)

// FeedOptions returns the options of the feed that a configuration describes.
func FeedOptions(c *config.Config) feeds.Options {
	o := feeds.Options{
		URL: c.RTD.URL, WSURL: c.RTD.WSURL(), Auth: feeds.AuthMode(c.RTD.Auth),
		Credentials: feeds.Credentials{
			Username: c.RTD.Username, Password: c.RTD.Password, AccessToken: c.RTD.AccessToken,
		},
		TLS: c.RTD.TLSConfig(), InsecureTLS: c.RTD.InsecureSkipVerify,
		UserSite: int64(c.RTD.UserSite), Services: c.RTD.Services, Groups: c.RTD.Groups,
		Publish:       feeds.Publishing{Every: c.RTD.PublishInterval},
		AuditInterval: c.RTD.AuditInterval, Bounds: feeds.Bounds{Records: c.RTD.MaxRecords, Codes: c.RTD.MaxCodes},
		Dialect: pinnedDialect(&c.RTD.Dialect), PollEvery: c.RTD.Dialect.PollEvery, Profiles: newProfileStore(c.RTD.WSURL()),
	}
	o.Restriction = feedRestriction(&c.RTD.Filter)
	for _, id := range c.RTD.Campaigns {
		o.Campaigns = append(o.Campaigns, int64(id))
	}
	if len(o.Campaigns) == 0 && c.REST.IsConfigured() {
		s := campaignSearch{config: c}
		o.FindCampaigns = s.findCampaigns
	}
	if c.RTD.Subprotocol != config.SubprotocolAuto {
		o.Subprotocols = []string{c.RTD.Subprotocol}
	}
	return o
}

func feedRestriction(f *config.Filter) graphql.Restriction {
	n := graphql.Restriction{
		Users: graphql.UserFilter{
			Surname: f.Surname, Name: f.Name, Statuses: f.Statuses, Channels: f.Channels, ProfileTypes: f.ProfileTypes,
			Skillsets: f.Skillsets, Services: f.Services, ActivityCodes: f.Activities,
		},
		CustomStatKeys: f.CustomStatKeys, ActivityCodes: f.StatActivities,
	}
	for _, id := range f.Sites {
		n.Users.Sites = append(n.Users.Sites, int64(id))
	}
	return n
}

// Runner is a feed, or a node of a cluster instead of a feed.
type Runner interface {
	Run(ctx context.Context) error
}

// RunFeed runs a feed on a goroutine. The context running ends when the feed ends, and its cause is
// the error of the feed. stop ends both and waits until they have ended.
func RunFeed(ctx context.Context, feed Runner) (running context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(feed.Run(ctx)) // Run returns when ctx ends or after a panic
	}()
	return ctx, func() { cancel(nil); <-done }
}
