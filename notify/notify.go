package notify

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"wallboard/alert"
	"wallboard/secret"
)

// Event is what happened to an alert, as a target is told.
type Event string

// The events.
const (
	Begin    Event = "begin"
	Escalate Event = "escalate" // from warning to critical
	End      Event = "end"
)

// Target is somebody who is told. One of Command, Webhook, SMS and Mail is set.
type Target struct {
	Name    string
	Command []string    // a program and its arguments; no shell
	Webhook secret.Text // an address to POST to; it may be a secret
	Header  secret.Text // "Name: value" of the webhook's request; a secret
	Form    string      // of what the webhook gets; "" is FormJSON
	SMS     []string    // telephone numbers
	Mail    *Mail

	// Default is to be told by the rules that name nobody.
	Default    bool
	Severity   alert.Level // the lowest
	On         []Event
	MaxPerHour int
	Quiet      Hours
	Timeout    time.Duration // of one delivery
}

// Hours are a part of every day, on the clock of the machine. The zero Hours
// are none; they may go over midnight.
type Hours struct{ From, To time.Duration } // since midnight

// left returns how long the hours go on at a time, 0 outside of them.
func (h Hours) left(now time.Time) time.Duration {
	const day = 24 * time.Hour
	hour, minute, second := now.Clock()
	at := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	length := (h.To - h.From + day) % day
	if since := (at - h.From + day) % day; since < length {
		return length - since
	}
	return 0
}

// ErrUnknown is the end of a delivery that may have arrived: it is not tried
// again.
var ErrUnknown = errors.New("nobody knows whether it arrived")

// ErrRefused is the end of a delivery that will fail again.
var ErrRefused = errors.New("refused")

// Options are what a notifier is made of. Targets must not be changed
// afterwards.
type Options struct {
	Targets []Target
	// SMS sends a text to a number, by the platform that it is about. Its errors are
	// for people; they wrap ErrUnknown or ErrRefused where it is not to be tried again.
	// Nil: it can not be done.
	SMS       SendSMS
	Ledger    Ledger            // nil: the messages of the hour are forgotten at the end
	Transport http.RoundTripper // of webhooks; nil is one without a proxy's surprises
	Now       func() time.Time  // nil is time.Now
	Logger    *slog.Logger      // nil is none
}

// SendSMS sends a text to a number by a platform, which has a name where there are several.
type SendSMS func(ctx context.Context, platform, number, text string) error

// Ledger keeps when targets were told, over the end of the program.
type Ledger interface {
	Load(target string) []time.Time
	Save(target string, sent []time.Time) error
	// Days returns the day (2006-01-02) on which a target was told last of a figure
	// of the day, by figure.
	Days(target string) map[string]string
	SaveDays(target string, days map[string]string) error
}

// Notifier tells targets about alerts. Its methods are safe for concurrent use.
type Notifier struct {
	opts   Options
	client *http.Client

	mu      sync.Mutex
	workers []*worker
	start   func(*worker)     // runs one beside; nil: the notifier does not run
	trouble map[string]string // target -> what failed last
}

// New makes a notifier, which tells nothing before [Notifier.Run].
func New(o Options) *Notifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	n := &Notifier{opts: o, client: webClient(o.Transport), trouble: make(map[string]string)}
	for i := range o.Targets {
		w := n.worker(&o.Targets[i])
		w.recall()
		n.workers = append(n.workers, w)
	}
	return n
}

// worker makes what tells one target.
func (n *Notifier) worker(t *Target) *worker {
	return &worker{
		Target: t, send: t.sender(n.client, n.opts.SMS, n.opts.Now), now: n.opts.Now, log: n.opts.Logger, report: n.report,
		in: make(chan news, queueLength), told: make(map[string]bool), days: make(map[string]string), ledger: n.opts.Ledger, leave: make(chan struct{}),
	}
}

// Follow goes on with other targets. A target whose name stays keeps what it was told, what
// is held back for it and its rate; what failed is tried again at once. sms sends texts from
// now on; nil: they are sent as before. The targets must not be changed afterwards.
func (n *Notifier) Follow(targets []Target, sms SendSMS) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if sms != nil {
		n.opts.SMS = sms
	}
	before := n.workers
	n.workers = nil
	for i := range targets {
		t := &targets[i]
		at := slices.IndexFunc(before, func(w *worker) bool { return w.Name == t.Name })
		if at >= 0 && reflect.DeepEqual(before[at].Target, t) && (sms == nil || len(t.SMS) == 0) {
			n.workers = append(n.workers, before[at])
			before = slices.Delete(before, at, at+1)
			continue
		}
		w := n.worker(t)
		if at >= 0 && n.start != nil {
			w.legacy = make(chan legacy, 1)
			before[at].heir = w
			close(before[at].leave)
			before = slices.Delete(before, at, at+1)
		} else {
			w.recall()
		}
		n.workers = append(n.workers, w)
		if n.start != nil {
			n.start(w)
		}
	}
	for _, w := range before { // nobody of this name is told any more
		close(w.leave)
		delete(n.trouble, w.Name)
	}
}

// Tell passes on what the engine of a platform says has changed; of several platforms each
// has a name. It does not wait.
func (n *Notifier) Tell(platform string, changes []alert.Change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range changes {
		for _, w := range n.workers {
			if w.isFor(&c.Alert) {
				w.tell(platform, c)
			}
		}
	}
}

// Run delivers until the context ends.
func (n *Notifier) Run(ctx context.Context) {
	var wg sync.WaitGroup
	n.mu.Lock()
	n.start = func(w *worker) { wg.Go(func() { w.run(ctx) }) }
	for _, w := range n.workers {
		n.start(w)
	}
	n.mu.Unlock()
	<-ctx.Done()
	n.mu.Lock()
	n.start = nil
	n.mu.Unlock()
	wg.Wait()
}

// Trouble says in a sentence who cannot be told now, "" when all can.
func (n *Notifier) Trouble() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.workers { // the first of the configuration
		if what := n.trouble[w.Name]; what != "" {
			return "Nobody is told through " + w.Name + ": " + what
		}
	}
	return ""
}

func (n *Notifier) report(target, trouble string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble[target] = trouble
}
