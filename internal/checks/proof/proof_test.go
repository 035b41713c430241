package proof_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/feeds"
	"wallboard/feeds/timeunit"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	m.Run()
}

// pass advances the fake clock of a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

// setting returns a number from the environment.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is not a number", name, v)
	}
	return n
}

// opening is the start of a run, in the morning.
const opening = 8 * time.Hour

// total sums up the results of all runs.
type total struct {
	mu sync.Mutex
	report
	days float64
}

// TestTheBoardNeverLies runs the feed through the schedule of faults and compares
// its figures with the truth every second. It runs days with each dialect in turn,
// half of each with either sub-protocol. PROOF_SEED and PROOF_DAYS select the days;
// by default it runs a few minutes of every dialect.
func TestTheBoardNeverLies(t *testing.T) {
	t.Parallel()
	seed, days := setting(t, "PROOF_SEED", 1), setting(t, "PROOF_DAYS", 0)
	all := dialects()
	length, haste := 12*time.Hour, 1.0
	if days == 0 {
		days, length, haste = len(all), 7*time.Minute, 5
	}
	if testkit.Race && length < time.Hour {
		days = 2
	}
	sum := &total{}
	t.Run("days", func(t *testing.T) {
		for day := range days {
			for half, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
				d := all[day%len(all)]
				r := &run{
					seed:   uint64(seed)*1000 + uint64(day)*2 + uint64(half),
					length: length, haste: haste, dialect: d, protocol: protocol,
					lossless: (day+half)%2 == 1,
				}
				t.Run(fmt.Sprintf("%d %s %s", day, d.name, protocol), func(t *testing.T) {
					t.Parallel()
					defer sum.add(r)
					synctest.Test(t, r.play)
				})
			}
		}
	})
	t.Logf("seed %d, %.2f simulated days\n%s", seed, sum.days, sum.String())
	t.Logf("again: make proof SEED=%d DAYS=%d", seed, days)
}

func (s *total) add(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.merge(&r.report)
	s.days += r.length.Hours() / 24
}

// run is a period of time with one dialect.
type run struct {
	report

	seed     uint64
	length   time.Duration
	haste    float64 // factor for the frequency of faults
	lossless bool    // no update is lost or damaged, so any drift is imagined
	dialect  dialect
	protocol string        // "": the platform chooses
	churn    float64       // agents per minute who log out and soon return
	oldest   time.Duration // maximum age of an unmarked figure; 0: [oldest]
	agents   int           // number of agents; 0: 10
	traffic  float64       // traffic factor; 0: 0.5
	channels int           // channels of each service and agent; 0: one to three
	settle   bool          // the run ends when the faults have ended and the figures are true

	t         *testing.T
	rng       *rand.Rand
	network   *network
	srv       *simulator.Server
	stopSrv   func()
	feed      *feeds.Feed
	ledger    *ledger
	skew      time.Duration // how far the platform's clock is ahead
	slept     atomic.Int64  // total sleep of the board's machine
	lastFault string
	cut       bool // the connection was cut and has not recovered yet
	repair    []later
}

// later is a function to run at a time.
type later struct {
	at time.Time
	do func()
}

// play runs the whole period.
func (r *run) play(t *testing.T) {
	r.t = t
	r.rng = rand.New(rand.NewPCG(r.seed, 1))
	r.network = newNetwork(r.seed)
	r.ledger = newLedger(t, r.dialect.DateForm == rtd.DateSeconds)
	pass(opening)
	r.startPlatform()
	defer func() { r.stopSrv(); r.network.close() }()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	r.feed = r.newFeed()
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	defer func() { cancel(); <-done }()
	recording := recordFeed(t, r.feed)
	defer recording.check(t)

	pass(r.tick() / 2) // move the checks between two steps of the world
	for end := time.Now().Add(r.length); time.Now().Before(end) && !t.Failed(); {
		for range time.Second/r.tick() - 1 {
			pass(r.tick())
			r.note(time.Now())
		}
		pass(r.tick())
		r.due()
		r.note(time.Now()) // the values before a restart were true until now
		r.faults()
		r.look()
	}
	if r.settle {
		r.waitForTruth()
		r.countDrift()
		return
	}
	r.waitForRecovery()
	if r.haste == 1 && r.live*4 < r.seconds {
		t.Errorf("everything was live for only %d of %d s: %s", r.live, r.seconds, notLive(r.feed.Latest()))
	}
}

// tick returns the step of the world, which is shorter with churn.
func (r *run) tick() time.Duration {
	if r.churn > 0 {
		return 100 * time.Millisecond
	}
	return time.Second
}

// notLive returns the subscriptions that are not live.
func notLive(s *model.Snapshot) string {
	var b strings.Builder
	for _, sub := range s.Health.Subscriptions {
		if sub.State != model.SubLive {
			fmt.Fprintf(&b, "%s %s %s; ", sub.Name, sub.State, sub.Reason)
		}
	}
	return b.String()
}

// startPlatform starts a platform on the same floor. Its daily counters start at zero.
func (r *run) startPlatform() {
	net := testkit.NewPipeListener()
	sw := r.dialect.Switches
	if r.protocol != "" {
		sw.Subprotocols = []string{r.protocol}
	}
	srv, err := simulator.New(simulator.Options{
		Listener: net, Tick: r.tick(), Switches: sw, ReplicaLag: r.dialect.lag, UpdatesPerMessage: r.dialect.perMessage,
		Arrivals: r.dialect.arrivals, GatherTime: r.dialect.gather,
		World: world.Options{
			Seed: int64(r.seed), Services: 3, Groups: 2, Agents: cmp.Or(r.agents, 10), Operators: 1, Campaigns: 1, LogoutsPerMinute: r.churn,
			Start: time.Now(), Clock: time.Now().Add(r.skew), TrafficFactor: cmp.Or(r.traffic, 0.5), Drama: true,
			Channels: r.channels,
		},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := srv.Start(ctx); err != nil {
		r.t.Fatal(err)
	}
	r.srv, r.stopSrv = srv, func() { cancel(); _ = srv.Close() }
	r.network.connectTo(net.Dial)
	r.note(time.Now()) // replicas may return these values for some seconds
}

func (r *run) newFeed() *feeds.Feed {
	f, err := feeds.New(r.feedOptions())
	if err != nil {
		r.t.Fatal(err)
	}
	return f
}

func (r *run) feedOptions() feeds.Options {
	account := webservice.DefaultAccount()
	o := feeds.Options{
		URL: r.srv.HTTPURL(), WSURL: r.srv.WSURL(), Campaigns: r.srv.CampaignIDs(), DialContext: r.network.DialContext,
		Auth:        feeds.AuthLogin,
		Credentials: feeds.Credentials{Username: account.Username, Password: secret.New(account.Password)},
		Jitter:      jitter(r.seed),
		Now:         func() time.Time { return time.Now().Add(time.Duration(r.slept.Load())) },
	}
	o.Services, o.Groups = r.codes("serviceStats"), r.codes("groupStats") // configured, because at night no record contains the codes
	if r.dialect.RenamedRoots && r.dialect.NoIntrospection {
		o.Dialect.Roots = make(map[string]string) // require configured names
		for _, root := range r.srv.RTD().Roots() {
			o.Dialect.Roots[root.Query] = root.Subscription
		}
	}
	return o
}

// jitter returns the feed's own random source. Its goroutines use it at any time,
// and the schedule must not depend on that.
func jitter(seed uint64) func() float64 {
	rng := rand.New(rand.NewPCG(seed, 3))
	var mu sync.Mutex
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return rng.Float64()
	}
}

// codes returns the codes in the records of an operation.
func (r *run) codes(operation string) []string {
	var codes []string
	r.srv.EachRecord(func(op string, _ any, tell func() []byte) {
		if op == operation {
			codes = append(codes, r.ledger.read(tell())["code"])
		}
	})
	slices.Sort(codes)
	return slices.Compact(codes)
}

// note records the current true state.
func (r *run) note(now time.Time) { r.ledger.update(r.ledger.truth, now, r.srv.EachRecord) }

// look compares the shown figures with the truth.
func (r *run) look() {
	synctest.Wait()
	now := time.Now()
	r.note(now)
	if s := r.feed.Latest(); s != nil {
		r.compare(s, now)
	}
}

// compare compares a snapshot with the truth.
func (r *run) compare(s *model.Snapshot, now time.Time) {
	r.ledger.update(r.ledger.shown, now, func(f func(string, any, func() []byte)) { each(r.t, s, f) })
	r.ledger.admitted = func(at id, path string) bool {
		return admits(s, at.operation, path) || r.dialect.typeLacks(at, path)
	}
	r.ledger.qualified = func(record any, operation, path string) qualification { return qualifies(s, record, operation, path) }
	r.seconds++
	if s.Health.Live() {
		r.live++
		if r.cut {
			r.cut = false
			r.healed++
		}
	}
	r.ledger.check(now, func(at id, age time.Duration, what string) {
		if marked(s, at.operation) {
			r.markedAge = max(r.markedAge, age)
			return
		}
		if age > r.worst {
			r.worst, r.worstWhat = age, what
		}
		if age > cmp.Or(r.oldest, oldest) {
			r.t.Errorf("after %v, latest fault %s: unmarked figure is %v old: %s\n%s",
				r.elapsed(), r.lastFault, age, what, states(s, now))
		}
	})
}

func (r *run) elapsed() time.Duration { return time.Duration(r.seconds) * time.Second }

// states returns the states of the subscriptions as text.
func states(s *model.Snapshot, now time.Time) string {
	var b strings.Builder
	for _, sub := range s.Health.Subscriptions {
		fmt.Fprintf(&b, "  %s: %s for %v, %d keys, %d records, last data %v ago, verified %v ago %s %s\n", sub.Name, sub.State,
			now.Sub(sub.Since), sub.Keys, sub.Records, now.Sub(sub.LastData), now.Sub(sub.VerifiedAt), sub.Reason, sub.Times)
	}
	return b.String()
}

// marked reports whether the board marks the figures of an operation as possibly
// old. It does not mark polled operations, or operations for which it has nothing to
// request.
func marked(s *model.Snapshot, operation string) bool {
	if s.Health.Link.State != model.LinkUp {
		return true
	}
	state := s.Health.Subscription(model.Op(operation)).State
	return !state.IsCurrent() && state != model.SubWaiting
}

// admits reports whether the board reports a field of an operation as unknown:
// because the server lacks the field or the object around it, because the field's
// numbers are not valid times, or because the type of its object is not requested
// yet. A presumed unit is not a reason for an unknown field.
func admits(s *model.Snapshot, operation, path string) bool {
	if strings.HasSuffix(path, "__typename") {
		return true // not a figure
	}
	sub := s.Health.Subscription(model.Op(operation))
	for _, lack := range strings.Split(sub.Lacks, ", ") {
		if of, field, typed := strings.Cut(lack, "."); typed && of[:1] != strings.ToLower(of[:1]) {
			lack = field // only records of that type lack the field
		}
		if lack != "" && (path == lack || strings.HasPrefix(path, lack+".")) {
			return true
		}
	}
	for _, of := range strings.Split(sub.Unknown, ", ") {
		if object, _, typed := strings.Cut(of, " of the type "); typed && strings.HasPrefix(path, object+".") && s.Health.HasUnreadableRecords() {
			return true
		}
	}
	return timesSay(sub.Times, path, `(: no number of it| comes in a form)`)
}

// qualifies returns how the board marks a figure of a record.
func qualifies(s *model.Snapshot, record any, operation, path string) qualification {
	if u, is := record.(*model.UserStat); is && u.Status == model.BusyElsewhere && (path == "status" || path == "timeInState") {
		return decidedState
	}
	if sub := s.Health.Subscription(model.Op(operation)); sub != nil && timesSay(sub.Times, path, `(: presumed|: its zone is presumed|(, [^;:]*)?: a unit was found)`) {
		return presumedUnit
	}
	return unqualified
}

// timesSay reports whether a subscription's remark about its times applies to the
// time at a path.
func timesSay(said, path, something string) bool {
	for _, f := range timeunit.Fields() {
		of := path == f.String() || f != timeunit.FieldState && strings.HasSuffix(path, "."+f.String())
		if of && regexp.MustCompile(`(^|[;,] )`+regexp.QuoteMeta(f.String())+something).MatchString(said) {
			return true
		}
	}
	return false
}

// each calls f for every shown record.
func each(t *testing.T, s *model.Snapshot, f func(string, any, func() []byte)) {
	for _, table := range s.Tables() {
		for _, r := range callRows(table.Records, "Rows") {
			f(string(table.Op), r.Interface(), func() []byte {
				b, err := json.Marshal(r.Interface())
				if err != nil {
					t.Error(err)
				}
				return b
			})
		}
	}
}

// callRows returns the result of a method of a table that lists its records.
func callRows(table model.Records, method string) []reflect.Value {
	list := reflect.ValueOf(table).MethodByName(method).Call(nil)[0]
	out := make([]reflect.Value, list.Len())
	for i := range out {
		out[i] = list.Index(i)
	}
	return out
}
