package feeds

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/model"
)

// AuthMode is a mode of authentication (document 2, section Authentication).
type AuthMode = graphql.LoginMode

// Credentials holds the credentials for an [AuthMode].
type Credentials = graphql.Credentials

// The authentication modes (document 2, section Authentication).
const (
	AuthToken      = graphql.ModeToken
	AuthCookie     = graphql.ModeCookie
	AuthLogin      = graphql.ModeLogin
	AuthTokenLogin = graphql.ModeTokenLogin
)

// AuthModeForWay returns the mode in which the feed first tries the given way to present an access
// token. name is a value of [model.Link.Way].
func AuthModeForWay(name string) AuthMode { return graphql.LoginModeForWay(name) }

// Options configures a feed. Only URL and WSURL are required.
type Options struct {
	URL          string   // http or https address of the service, for logins, the clock and polling
	WSURL        string   // ws or wss address of the service
	Subprotocols []string // offered in this order; nil: both, or only one if the server is known to need that one alone
	Auth         AuthMode
	Credentials  Credentials
	TLS          *tls.Config
	InsecureTLS  bool // TLS does not verify the server's certificate; InsecureTLS is only displayed

	UserSite    int64    // 0: all sites
	Services    []string // empty: found through the users
	Groups      []string // empty: found through the users
	Restriction graphql.Restriction
	Campaigns   []int64 // IDs of campaigns; document 2 has no operation that lists campaigns
	// FindCampaigns lists further campaigns. A nil function means that there are none. A goroutine
	// of [Feed.Run] calls it at the start, every five minutes and after [Feed.Reconfigure].
	FindCampaigns FindCampaigns
	// Operations lists the operations to request. An empty list means all operations. The
	// operations that are not listed stay in the state [model.SubWaiting].
	Operations []model.Op

	// Dialect fixes details of the requests that document 2 leaves open. The other details are
	// detected.
	Dialect dialect.PinnedValues
	// Profiles stores what the feed learns about the server. A nil store means that nothing is
	// stored.
	Profiles dialect.ProfileStore
	// OnPayload, if not nil, receives every payload before it is merged. op is the operation.
	// answer is true if the payload answers a query. The feed calls OnPayload from one goroutine at
	// a time. OnPayload must not retain payload.
	OnPayload func(op string, answer bool, payload []byte)
	// PollEvery is the interval at which the feed polls if WebSockets are blocked, and at which it polls
	// operations whose subscription the server refuses. The default is 5 s.
	PollEvery time.Duration

	Bounds        Bounds
	Publish       Publishing
	AuditInterval time.Duration // interval within which every figure is verified; default 60 s

	Logger      *slog.Logger     // nil: no log
	Now         func() time.Time // nil: time.Now
	Jitter      func() float64   // in [0,1); nil: math/rand
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
}

// defaultPollEvery is the default of [Options.PollEvery].
const defaultPollEvery = 5 * time.Second

func (o Options) withDefaults() Options {
	if o.Publish.Every <= 0 {
		o.Publish.Every = defaultPublishEvery
	}
	if o.AuditInterval <= 0 {
		o.AuditInterval = defaultAuditInterval
	}
	o.Bounds = o.Bounds.withDefaults()
	if o.PollEvery <= 0 {
		o.PollEvery = defaultPollEvery
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	if o.TLS == nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return o
}

// RuntimeOptions holds the options that can change without a new connection: which part of the floor to
// request, how many records to keep, and how often to publish snapshots and to verify the figures.
type RuntimeOptions struct {
	UserSite    int64    // 0: all sites
	Services    []string // empty: found through the users
	Groups      []string // empty: found through the users
	Campaigns   []int64
	Restriction graphql.Restriction
	// FindCampaigns lists further campaigns. A nil function means that there are none.
	FindCampaigns FindCampaigns

	Bounds        Bounds
	Publish       Publishing
	AuditInterval time.Duration // interval within which every figure is verified; 0: 60 s
}

// Publishing defines when a feed publishes snapshots.
type Publishing struct {
	Every time.Duration // shortest interval between snapshots; 0: 100 ms
	// Frames is the interval at which a board draws frames, at multiples of this interval. While
	// the feed is live and no work is due, it publishes a snapshot only shortly before a frame. If
	// Frames is not longer than Every, the feed publishes as soon as Every allows.
	Frames time.Duration
}

// defaultPublishEvery is the default shortest interval between snapshots.
const defaultPublishEvery = 100 * time.Millisecond

// defaultAuditInterval is the default interval within which every figure is verified.
const defaultAuditInterval = time.Minute

// Bounds limits how many records and codes a feed requests and keeps, even if a platform sends
// more. The feed leaves out the rest and reports that. A value of 0 means the default.
type Bounds struct {
	Records int // records of all operations together
	Codes   int // services found through users; the same limit applies to groups
}

// The default bounds are more than twice the need of a floor with 20,000 agents on four channels.
const (
	DefaultRecords = 250_000
	DefaultCodes   = 10_000
)

func (b Bounds) withDefaults() Bounds {
	if b.Records <= 0 {
		b.Records = DefaultRecords
	}
	if b.Codes <= 0 {
		b.Codes = DefaultCodes
	}
	return b
}
