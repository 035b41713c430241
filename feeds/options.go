package feeds

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/login"
	"wallboard/feeds/queries"
	"wallboard/model"
)

// AuthMode is a way to authenticate (document 2, section Authentication).
type AuthMode = login.Mode

// Credentials are what an [AuthMode] needs.
type Credentials = login.Credentials

// The ways to authenticate (document 2, section Authentication).
const (
	AuthToken      = login.ByToken
	AuthCookie     = login.ByCookie
	AuthLogin      = login.ByUser
	AuthTokenLogin = login.ByTokenLogin
)

// AuthBy is the mode that goes a way first which [model.Link.Way] names, for those
// who have an access token.
func AuthBy(name string) AuthMode { return login.ModeOf(name) }

// Options says what to subscribe to, and where. URL is required.
type Options struct {
	URL          string   // http or https address of the service, for logins
	WSURL        string   // ws or wss address of the same
	Subprotocols []string // offered, in this order; nil: both, and the one that works is kept
	Auth         AuthMode
	Credentials  Credentials
	TLS          *tls.Config
	InsecureTLS  bool // the board says so for as long as it runs

	UserSite  int64    // 0: all sites
	Services  []string // empty: found through the users
	Groups    []string // empty: found through the users
	Narrow    queries.Narrow
	Campaigns []int64 // document 2 has no operation to find them
	// FindCampaigns lists more campaigns; nil: there are no more. It is called by one
	// goroutine of Run, at the start, every five minutes and after Reconfigure.
	FindCampaigns func(context.Context) ([]int64, error)
	// Only are the operations that are asked for; empty is all. The others wait.
	Only []model.Op

	// Dialect pins what document 2 leaves open. What is not pinned is found out.
	Dialect dialect.Pinned
	// Profiles keeps what is found out about the server; nil: nothing is kept.
	Profiles dialect.Store
	// OnPayload, when set, sees every payload before it is merged: of which
	// operation, and whether it answers a query. It is called by one goroutine at
	// a time and may not keep the bytes.
	OnPayload func(op string, answer bool, payload []byte)
	// PollEvery is how often the full state is asked for where WebSockets do not
	// pass; default 5 s.
	PollEvery time.Duration

	Bounds        Bounds
	PublishEvery  time.Duration // at most one snapshot per interval; default 100 ms
	AuditInterval time.Duration // no figure goes unverified for longer than this; default 60 s

	Logger      *slog.Logger     // nil: no log
	Now         func() time.Time // nil: time.Now
	Jitter      func() float64   // in [0,1); nil: math/rand
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
}

// defaultPollEvery is how often the full state is asked for where WebSockets do not
// pass and nothing else is asked for.
const defaultPollEvery = 5 * time.Second

// withDefaults fills in what nobody has set.
func (o Options) withDefaults() Options {
	if o.PublishEvery <= 0 {
		o.PublishEvery = defaultPublishEvery
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

// Filter is what of the floor is asked for, and how often it is published. It
// can be changed while a feed runs.
type Filter struct {
	UserSite  int64    // 0: all sites
	Services  []string // empty: found through the users
	Groups    []string // empty: found through the users
	Campaigns []int64
	Narrow    queries.Narrow
	// FindCampaigns is as in [Options].
	FindCampaigns func(context.Context) ([]int64, error)

	Bounds        Bounds
	PublishEvery  time.Duration // at most one snapshot per interval; 0: 100 ms
	AuditInterval time.Duration // no figure goes unverified for longer than this; 0: 60 s
}

// defaultPublishEvery is how often is published at most when nothing else is
// asked for.
const defaultPublishEvery = 100 * time.Millisecond

// defaultAuditInterval is how long a figure goes unverified at most.
const defaultAuditInterval = time.Minute

// Bounds are how much of a floor is kept and asked for, whatever a platform
// sends. What is more is left out, with a word. 0 is the default of each.
type Bounds struct {
	Records int // of all operations together
	Codes   int // services found through the users, and as many groups
}

// The bounds that nobody has set: more than twice a floor of 20,000 agents on
// four channels.
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
