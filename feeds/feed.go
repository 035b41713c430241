package feeds

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/login"
	"wallboard/feeds/merge"
	"wallboard/feeds/queries"
	"wallboard/feeds/records"
	"wallboard/model"
)

// Feed maintains the state of one platform. Create it with [New] and run it
// with [Feed.Run]; the other methods are safe for concurrent use.
type Feed struct {
	opts           Options
	log            *slog.Logger
	now            func() time.Time
	login          *login.Login
	retryRequested chan struct{} // a user asked for an immediate retry

	mu             sync.Mutex // guards everything below, and the store
	store          *model.Store
	subs           subs
	learner        learner
	version        *records.Single[versionResult]
	health         *records.Single[model.ServerHealth]
	filterBuilder  filterBuilder
	pacer          records.Pacer
	versionHistory records.VersionHistory
	restarts       restarts
	connection     connection
	firstMessages  firstMessageFacts
	env            merge.Env // Times holds the detected units
	clock          clock
	problems       messageProblems
	dirty          bool // a displayed state has changed since the last snapshot, but perhaps no record
	publisher      publisher
	meanings       counterMeanings
	sleep          tickerSleep
}

// versionResult is the type RtdVersion of document 2.
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
		store: model.NewStore(), meanings: counterMeanings{waits: dialect.NewWaitTracker(o.Dialect.LongestWait)},
	}
	var err error
	if f.login, err = f.newLogin(&o); err != nil {
		return nil, err
	}
	f.problems = messageProblems{log: f.log, now: f.now, redact: func(s string) string { return f.login.Redact(s) }, logged: make(map[string]problemLog)}
	f.learner = learner{opts: &f.opts, log: f.log, now: f.now, clean: f.clean, dialect: &dialect.Dialect{}}
	if err := f.addSubs(); err != nil {
		return nil, err
	}
	f.learner.subs = f.subs
	f.learner.resetDialect()
	f.env.Times = f.learner.dialect.Times
	f.connection.displayed = model.Link{State: model.LinkConnecting, Since: f.now(), Endpoint: publicAddress(o.WSURL), InsecureTLS: o.InsecureTLS}
	return f, nil
}

// newLogin returns the login that o configures. It does not connect.
func (f *Feed) newLogin(o *Options) (*login.Login, error) {
	lg, err := login.New(login.Options{Mode: o.Auth, Credentials: o.Credentials, URL: o.URL, TLS: o.TLS, DialContext: o.DialContext})
	if err != nil {
		return nil, fmt.Errorf("feeds: %w", err)
	}
	lg.SetTimer(f.timeRequest)
	return lg, nil
}

// addSubs creates one subscription per operation, in the order of document 2.
func (f *Feed) addSubs() error {
	s := f.store
	var errs []error
	f.version = addSub(f, &errs, opVersion, records.NewSingle[versionResult])
	f.health = addSub(f, &errs, opServerHealth, records.NewSingle[model.ServerHealth])
	users := addSub(f, &errs, opUsers, tableBuilder(f, &s.Users, "username"))
	addSub(f, &errs, opServices, tableBuilder(f, &s.Services, "code", "channel"))
	addSub(f, &errs, opGroups, tableBuilder(f, &s.Groups, "code", "channel"))
	stats := addSub(f, &errs, opUserStats, tableBuilder(f, &s.UserStats, "username", "channel"))
	addSub(f, &errs, opProfiles, tableBuilder(f, &s.Profiles, "id", "channel"))
	addSub(f, &errs, opCampaigns, tableBuilder(f, &s.Campaigns, "campaignId"))
	addSub(f, &errs, opAttendants, tableBuilder(f, &s.Attendants, "code", "channel", "component"))
	operators := addSub(f, &errs, opOperators, tableBuilder(f, &s.Operators, "username", "channel"))
	addSub(f, &errs, opOperatorProfiles, tableBuilder(f, &s.OperatorProfiles, "id", "channel"))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("feeds: %w", err)
	}
	f.pacer.SetInterval(f.opts.AuditInterval)
	users.Drop = func(u *model.User) bool { return u.Mutation == model.Deleted }
	stale := &f.filterBuilder.staleFilters
	users.ChangesFilters, users.Changed = userChangesFilters, func() { stale.users = true }
	stats.ChangesFilters, stats.Changed = profileChangesFilters, func() { stale.profiles = true }
	operators.ChangesFilters, operators.Changed = operatorChangesFilters, func() { stale.operators = true }
	f.filterBuilder = filterBuilder{opts: &f.opts, subs: f.subs, store: s, agents: stats, operators: operators, env: &f.env, discovery: campaignDiscovery{requested: make(chan struct{}, 1)}}
	f.filterBuilder.reset()
	return nil
}

// addSub creates the subscription of the operation op and returns its stream, which it creates with
// build. It appends an error to errs and then creates no subscription.
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
	sub := newSub(doc, data, &f.env, f.learner.dialect, host{
		warn: f.problems.warn, clean: f.clean, logDrift: f.logDrift, onPlatformRestart: f.resubscribeAll,
		versionBeforeLag: func() uint64 { return f.versionHistory.VersionBeforeLag(f.now()) },
	})
	f.pacer.Add(sub.audit)
	sub.handover.firstMessage.facts = &f.firstMessages
	f.subs = append(f.subs, sub)
	return data
}

// tableBuilder returns a function that builds the stream of an operation whose records are kept in
// live. keys are the key fields of a record.
func tableBuilder[K comparable, T any, R model.Record[K, T]](f *Feed, live *model.Live[K, T, R], keys ...string) func(string, []merge.Selection) (*records.Table[K, T, R], error) {
	return func(root string, fields []merge.Selection) (*records.Table[K, T, R], error) {
		t, err := records.NewTable(root, fields, live, keys...)
		if err == nil {
			t.Capacity, t.SumsAgents = f.recordCapacity, traitsByOperation[root].sumsAgents
		}
		return t, err
	}
}

// recordCapacity returns how many records a table may hold within the limit for all tables.
// ownRecords is how many the table holds now.
func (f *Feed) recordCapacity(ownRecords int) int {
	return max(f.opts.Bounds.Records-(f.store.Records()-ownRecords), 0)
}

// logDrift logs a difference that an audit has repaired. total is the number of repaired
// differences.
func (f *Feed) logDrift(op string, d *records.Difference, total int) {
	f.log.Warn("drift repaired", "operation", op, "kind", string(d.Kind), "record", f.clean(d.Name), "field", d.Path,
		"ours", model.CleanText(f.login.Redact(d.Ours), model.MaxBody),
		"theirs", model.CleanText(f.login.Redact(d.Theirs), model.MaxBody), "of", total)
}

// resubscribeAll renews all active subscriptions after a restart of the platform, because the old
// ones may never deliver an update again. It does nothing without a connection, or within
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

// timeRequest starts timing a request. When the answer has arrived, call the returned function with
// its header. That function updates the clock offset and reports whether the header contained a
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
	if !ok || !f.clock.add(r) {
		return ok
	}
	f.log.Info("platform clock offset changed", "ahead", f.clock.offset.Round(time.Second).String())
	f.dirty = true
	f.sleep.wakeUp()
	if f.env.SawElapsed() { // start times computed from elapsed times are now wrong
		for _, s := range f.subs {
			s.losses.needsResync = s.losses.needsResync || s.activeID != ""
		}
	}
	return true
}

// clean removes secrets and control characters from external text and limits its length.
func (f *Feed) clean(s string) string { return model.CleanText(f.login.Redact(s), model.MaxName) }

// RetryNow skips the wait before the next connection attempt.
func (f *Feed) RetryNow() {
	select {
	case f.retryRequested <- struct{}{}:
	default:
	}
}

// tickerSleep lets the ticker run only once a second while no work is due. The feed's mutex guards
// it.
type tickerSleep struct {
	active bool
	wake   chan struct{} // receives a value to end the sleep
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
