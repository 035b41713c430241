package feeds

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/login"
	"wallboard/feeds/merge"
	"wallboard/feeds/picture"
	"wallboard/feeds/queries"
	"wallboard/feeds/verify"
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
	// Only are the operations that are asked for; empty is all. The others wait.
	Only []model.Op

	// Roots are subscription root names that differ from the query's. Document
	// 2 does not show them; what is missing is asked of the server when it
	// refuses a name.
	Roots map[string]string
	// Dialect pins the rest of what document 2 leaves open.
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

// Feed keeps one picture of one platform. Create it with [New], run it with
// [Feed.Run]; the other methods may be called from any goroutine.
type Feed struct {
	opts  Options
	log   *slog.Logger
	now   func() time.Time
	login *login.Login
	retry chan struct{} // a person asks for a try now

	mu       sync.Mutex // guards everything below, and the store
	store    *model.Store
	subs     subs
	learner  learner
	version  *picture.Single[versionResult]
	health   *picture.Single[model.ServerHealth]
	members  members
	pacer    verify.Pacer
	marks    picture.Marks
	restarts restarts
	line     line
	openings openings
	env      merge.Env // its Times are the units that were found
	clock    clock
	troubles troubles
	dirty    bool // the health changed
	pictures pictures
	sleep    sleep
}

// defaultPollEvery is how often the full state is asked for where WebSockets do not
// pass and nothing else is asked for.
const defaultPollEvery = 5 * time.Second

// versionResult is RtdVersion of document 2.
type versionResult struct {
	Server model.ServerVersion `json:"server"`
}

// New prepares a feed. An error is a mistake in the options or in the embedded
// documents, never the platform's.
func New(o Options) (*Feed, error) {
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
	f := &Feed{
		opts: o, log: o.Logger, now: o.Now,
		retry: make(chan struct{}, 1), sleep: sleep{wake: make(chan struct{}, 1)},
		store: model.NewStore(),
	}
	var err error
	if f.login, err = f.newLogin(&o); err != nil {
		return nil, err
	}
	f.troubles = troubles{log: f.log, now: f.now, redact: func(s string) string { return f.login.Redact(s) }, logged: make(map[string]trouble)}
	f.learner = learner{opts: &f.opts, log: f.log, now: f.now, clean: f.clean, speech: &dialect.Dialect{}}
	if err := f.addSubs(); err != nil {
		return nil, err
	}
	f.learner.subs = f.subs
	f.learner.begin()
	f.env.Times = f.learner.speech.Times
	f.line.shown = model.Link{State: model.LinkConnecting, Since: f.now(), Endpoint: endpoint(o.WSURL), InsecureTLS: o.InsecureTLS}
	return f, nil
}

// newLogin prepares the login of some options.
func (f *Feed) newLogin(o *Options) (*login.Login, error) {
	lg, err := login.New(login.Options{Mode: o.Auth, Credentials: o.Credentials, URL: o.URL, TLS: o.TLS, DialContext: o.DialContext})
	if err != nil {
		return nil, fmt.Errorf("feeds: %w", err)
	}
	lg.SetTimer(f.timeRequest)
	return lg, nil
}

// addSubs makes one subscription per operation, in the order of document 2.
func (f *Feed) addSubs() error {
	s := f.store
	var errs []error
	f.version = addSub(f, &errs, opVersion, picture.NewSingle[versionResult])
	f.health = addSub(f, &errs, opServerHealth, picture.NewSingle[model.ServerHealth])
	users := addSub(f, &errs, opUsers, forTable(f, &s.Users, "username"))
	addSub(f, &errs, opServices, forTable(f, &s.Services, "code", "channel"))
	addSub(f, &errs, opGroups, forTable(f, &s.Groups, "code", "channel"))
	stats := addSub(f, &errs, opUserStats, forTable(f, &s.UserStats, "username", "channel"))
	addSub(f, &errs, opProfiles, forTable(f, &s.Profiles, "id", "channel"))
	addSub(f, &errs, opCampaigns, forTable(f, &s.Campaigns, "campaignId"))
	addSub(f, &errs, opAttendants, forTable(f, &s.Attendants, "code", "channel", "component"))
	operators := addSub(f, &errs, opOperators, forTable(f, &s.Operators, "username", "channel"))
	addSub(f, &errs, opOperatorProfiles, forTable(f, &s.OperatorProfiles, "id", "channel"))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("feeds: %w", err)
	}
	users.Drop = func(u *model.User) bool { return u.Mutation == model.Deleted }
	stale := &f.members.stale
	users.Matters, users.Changed = userMatters, func() { stale.users = true }
	stats.Matters, stats.Changed = profileMatters, func() { stale.profiles = true }
	operators.Matters, operators.Changed = operatorMatters, func() { stale.operators = true }
	f.members = members{opts: &f.opts, subs: f.subs, store: s, agents: stats, operators: operators, env: &f.env}
	f.members.begin()
	return nil
}

// addSub makes the subscription of one operation and its stream.
func addSub[S stream](f *Feed, errs *[]error, op string, build func(string, []merge.Selection) (S, error)) S {
	var data S
	doc, err := queries.Load(op)
	if err == nil {
		data, err = build(doc.Root, doc.Fields)
	}
	if err != nil {
		*errs = append(*errs, err)
		return data
	}
	sub := newSub(doc, data, &f.env, f.learner.speech, host{
		warn: f.troubles.warn, clean: f.clean, drifted: f.logDrift, restarted: f.renewAll,
		ago: func() uint64 { return f.marks.Before(f.now()) },
	})
	f.pacer.Add(sub.audit)
	f.pacer.SetInterval(f.opts.AuditInterval)
	sub.hand.first.platform = &f.openings
	f.subs = append(f.subs, sub)
	return data
}

// forTable builds the stream of a table of the store.
func forTable[K comparable, T any, R model.Record[K, T]](f *Feed, live *model.Live[K, T, R], keys ...string) func(string, []merge.Selection) (*picture.Table[K, T, R], error) {
	return func(root string, fields []merge.Selection) (*picture.Table[K, T, R], error) {
		t, err := picture.NewTable(root, fields, live, keys...)
		if err == nil {
			t.Room, t.OfMany = f.roomFor, traits[root].many
		}
		return t, err //nolint:wrapcheck // it names the operation
	}
}

// clean makes a text from outside fit for the screen: no control, no secret.
func (f *Feed) clean(s string) string { return model.CleanText(f.login.Redact(s), model.MaxName) }

// Run connects and keeps the picture until the context ends, and returns its
// error. Only a panic of its own ends it before; it comes back as an error.
func (f *Feed) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				cancel(fmt.Errorf("feeds: panic: %v\n%s", v, debug.Stack()))
			}
		}()
		f.tick(ctx)
	})
	f.connectLoop(ctx)
	wg.Wait()
	return context.Cause(ctx) //nolint:wrapcheck // the documented error
}

// stepEvery is how often is looked for what is due, at least: an audit, or the end
// of a wait, does not follow the pace at which pictures are published.
const stepEvery = 100 * time.Millisecond

// tick does what is due, and publishes at most once per PublishEvery; when nothing
// happens both only once a second, because every wake-up of an idle board costs
// its machine something all day.
func (f *Feed) tick(ctx context.Context) {
	t := time.NewTimer(0)
	defer t.Stop()
	var last, shown time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.sleep.wake:
			t.Reset(f.pace() - f.now().Sub(last))
		case <-t.C:
			last = f.now()
			t.Reset(f.beat(last, &shown))
		}
	}
}

// beat does what is due, publishes when the last picture was shown long enough,
// and returns when to do so again.
func (f *Feed) beat(now time.Time, shown *time.Time) time.Duration {
	f.saveProfile(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.feelPulse(now)
	f.stepAll(now)
	if before := f.pictures.latest.Load(); now.Sub(*shown) >= f.opts.PublishEvery {
		if f.publishDue(now); f.pictures.latest.Load() != before {
			*shown = now
		}
	}
	wait := min(stepEvery, f.opts.PublishEvery)
	if f.sleep.on = !f.busy(now); f.sleep.on {
		wait = healthEvery
	}
	if f.dirty || f.store.Dirty() { // it waits for its turn
		wait = min(wait, max(f.opts.PublishEvery-now.Sub(*shown), time.Millisecond))
	}
	return wait
}

// busy reports whether anything is due within the second.
func (f *Feed) busy(now time.Time) bool {
	if f.members.stale != (staleness{}) {
		return true
	}
	if _, due := f.pacer.Urgent(now); due {
		return true
	}
	return f.subs.busy()
}

// stepAll lets every subscription do what is due.
func (f *Feed) stepAll(now time.Time) {
	f.env.Now, f.env.Received = now.Add(f.clock.offset), now
	f.members.reshape(now)
	f.makeRoom(now)
	for _, s := range f.subs {
		before := s.status.State
		s.step(now)
		f.dirty = f.dirty || s.status.State != before
	}
	f.members.block(now)
	f.learner.searchOn(now)
	if f.learner.speech.TrialDue(now) && f.line.shown.State == model.LinkUp && now.Sub(f.line.shown.Since) >= trialAfter && f.subs.live(f.line.shown) {
		f.learner.tryAgain(now)
	}
	f.marks.Note(f.store.Version(), now)
	if turn, due := f.pacer.Next(now); due {
		f.subs[turn.Number].startLook(turn.Chunk, f.marks.Before(now), now)
	}
	if f.line.healed < f.line.cuts && f.subs.live(f.line.shown) {
		f.line.healed, f.dirty = f.line.cuts, true
	}
}

// Retry ends a wait for the next try to connect: a person asks for it.
func (f *Feed) Retry() {
	select {
	case f.retry <- struct{}{}:
	default:
	}
}

// sleep is the ticker's, from one second to the next while nothing is due. The
// feed's mutex guards it.
type sleep struct {
	on   bool
	wake chan struct{} // ends it
}

// rouse ends the sleep: something happened.
func (s *sleep) rouse() {
	if !s.on {
		return
	}
	s.on = false
	select {
	case s.wake <- struct{}{}:
	default: // it is being woken already
	}
}
