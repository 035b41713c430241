package feeds

import (
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/feeds/merge"
	"wallboard/feeds/records"
	"wallboard/internal/lib/powersave"
	"wallboard/model"
)

// Feed maintains the state of one platform. Create it with [New] and run it
// with [Feed.Run]; the other methods are safe for concurrent use.
type Feed struct {
	opts           Options
	log            *slog.Logger
	now            func() time.Time
	login          *graphql.Login
	retryRequested chan struct{} // a user asked for an immediate retry

	mu              sync.Mutex // guards everything below, and the store
	store           *model.Store
	subs            subscriptionList
	learner         learner
	version         *records.SingleRecord[versionResult]
	health          *records.SingleRecord[model.ServerHealth]
	filterBuilder   filterBuilder
	auditScheduler  records.AuditScheduler
	versionHistory  records.VersionHistory
	restarts        restartDetector
	connection      connection
	firstMessages   firstMessageFacts
	env             merge.Env // Times holds the detected units of times
	clock           clockOffset
	problems        messageProblems
	dirty           bool // a displayed state has changed since the last snapshot, even if no record has
	publisher       publisher
	counterMeanings counterMeanings
	sleep           tickerSleep
}

type versionResult struct {
	Server model.ServerVersion `json:"server"`
}

// New returns a feed that is not running yet. An error means wrong options or a broken embedded
// document, never a platform problem.
func New(o Options) (*Feed, error) {
	o = o.withDefaults()
	f := &Feed{
		opts: o, log: o.Logger, now: o.Now,
		retryRequested: make(chan struct{}, 1), sleep: tickerSleep{wake: make(chan struct{}, 1)},
		store: model.NewStore(), counterMeanings: counterMeanings{waits: dialect.NewWaitTracker(o.Dialect.LongestWait)},
	}
	var err error
	if f.login, err = newLogin(&o, f.timeRequest); err != nil {
		return nil, err
	}
	f.problems = messageProblems{log: f.log, now: f.now, redact: func(s string) string { return f.login.Redact(s) }, logged: make(map[string]problemLog)}
	f.learner = learner{opts: &f.opts, log: f.log, now: f.now, clean: f.clean, dialect: &dialect.Dialect{}}
	if err := f.addSubscriptions(); err != nil {
		return nil, err
	}
	f.learner.subs = f.subs
	f.learner.resetDialect()
	f.env.Times = f.learner.dialect.Times
	f.connection.displayed = model.Link{State: model.LinkConnecting, Since: f.now(), Endpoint: publicAddress(o.WSURL), InsecureTLS: o.InsecureTLS}
	return f, nil
}

// newLogin returns the login configured in o. It does not connect.
func newLogin(o *Options, timer func() func(http.Header) bool) (*graphql.Login, error) {
	lg, err := graphql.NewLogin(graphql.LoginOptions{Mode: o.Auth, Credentials: o.Credentials, URL: o.URL, TLS: o.TLS, DialContext: o.DialContext})
	if err != nil {
		return nil, fmt.Errorf("feeds: %w", err)
	}
	lg.SetTimer(timer)
	return lg, nil
}

// recordCapacity returns how many records a table may hold. ownRecords is the number that it holds
// now.
func (f *Feed) recordCapacity(ownRecords int) int {
	return max(f.opts.Bounds.Records-(f.store.Records()-ownRecords), 0)
}

// logRepairedDifference logs one of the differences that an audit has repaired. total is their number.
func (f *Feed) logRepairedDifference(op string, d *records.Difference, total int) {
	f.log.Warn("drift repaired", "operation", op, "kind", string(d.Kind), "record", f.clean(d.Name), "field", d.Path,
		"ours", model.CleanText(f.login.Redact(d.Ours), model.MaxBody),
		"theirs", model.CleanText(f.login.Redact(d.Theirs), model.MaxBody), "of", total)
}

// resubscribeAll renews all active subscriptions after a restart of the platform, because old
// subscriptions may never deliver another update. It does nothing without a connection or within
// minRestartInterval of the last restart.
func (f *Feed) resubscribeAll(reason string) {
	if f.connection.conn == nil || !f.restarts.recordRestart(f.now()) {
		return
	}
	f.dirty = true
	f.log.Warn("platform restarted, subscribing to everything again", "why", reason)
	for _, s := range f.subs {
		if s.activeID != "" {
			s.needsResubscribe = true
			s.audit.CancelCheck()
		}
	}
}

// timeRequest starts timing a request. The caller calls the returned function with the header of
// the response. That function updates the clock offset and reports whether the header contained a
// usable Date.
func (f *Feed) timeRequest() func(http.Header) bool {
	sent := f.now()
	return func(h http.Header) bool {
		f.login.HideCookies(h)
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.readClock(h, sent, f.now())
	}
}

// readClock updates the clock offset from the Date in a response header. It returns false if the
// Date is not usable. sent and received are the times of the request and of the response. The
// caller holds mu.
func (f *Feed) readClock(h http.Header, sent, received time.Time) bool {
	r, ok := clockReading(h, sent, received)
	if !ok || !f.clock.addReading(r) {
		return ok
	}
	f.log.Info("platform clock offset changed", "ahead", f.clock.offset.Round(time.Second).String())
	f.dirty = true
	f.sleep.wakeUp()
	if f.env.HasElapsedTimes() { // start times computed from elapsed times are now wrong
		for _, s := range f.subs {
			s.losses.needsResync = s.losses.needsResync || s.activeID != ""
		}
	}
	return true
}

// clean removes secrets and control characters from external text and limits its length.
func (f *Feed) clean(s string) string { return model.CleanText(f.login.Redact(s), model.MaxName) }

// RetryNow ends the wait before the next attempt to connect or, while polling, to open a WebSocket.
func (f *Feed) RetryNow() {
	select {
	case f.retryRequested <- struct{}{}:
	default:
	}
}

// tickerSleep lets the ticker run only once a second while no work is due. The feed's mutex guards
// it.
type tickerSleep struct {
	active      bool
	wake        chan struct{} // receives a value to end the sleep
	until       time.Time     // end of the sleep
	lastRun     time.Time     // when the ticker last did due work
	publishedAt time.Time     // when the ticker last published a snapshot
	frameReady  bool          // all data for the next frame has arrived
}

// wakeUp ends the sleep, because there may be work to do.
func (s *tickerSleep) wakeUp() {
	if !s.active {
		return
	}
	s.active = false
	select {
	case s.wake <- struct{}{}:
	default: // the sleep is already being ended
	}
}

// publishForFrame ends the sleep to publish the snapshot for the next frame at once, if that frame is due within
// [graphql.ReadLead]. This saves a second wake-up for the snapshot. The caller has handled all data that has
// arrived. frames is the interval of the frames.
func (s *tickerSleep) publishForFrame(now time.Time, frames time.Duration) {
	if powersave.UntilDue(now, frames, 0) <= graphql.ReadLead {
		s.frameReady = true
		s.wakeUp()
	}
}
