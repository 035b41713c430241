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

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
	"wallboard/internal/words"
)

// Event is the change of an alert or a situation that a message reports.
type Event string

// Values of [Event].
const (
	EventBegin    Event = "begin"
	EventEscalate Event = "escalate" // from warning to critical
	EventEnd      Event = "end"
)

// Target is a recipient of messages. Exactly one of Command, Webhook, SMS and Mail is set.
type Target struct {
	Name          string
	Command       []string    // program and its arguments, not run by a shell
	Webhook       secret.Text // URL to which messages are posted; it may contain a secret
	WebhookHeader secret.Text // header of the webhook request as "Name: value"; it may contain a secret
	WebhookFormat string      // format of the webhook body; "" is FormJSON
	SMS           []string    // telephone numbers that get an SMS
	Mail          *Mail

	// IsDefault means that the target also gets the alerts of rules that name no target.
	IsDefault   bool
	MinSeverity alert.Level // alerts below this level are not sent
	Events      []Event
	MaxPerHour  int
	QuietHours  Hours
	Timeout     time.Duration   // time limit of one delivery
	Words       *words.Language // language of the messages; nil: English
}

// Hours is a daily period on the local clock. It may extend past midnight. The zero Hours is an
// empty period.
type Hours struct{ From, To time.Duration } // since midnight

// remaining returns the time from now to the end of the period, or 0 if now is outside the period.
func (h Hours) remaining(now time.Time) time.Duration {
	const day = 24 * time.Hour
	hour, minute, second := now.Clock()
	at := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	length := (h.To - h.From + day) % day
	if since := (at - h.From + day) % day; since < length {
		return length - since
	}
	return 0
}

// ErrDeliveryUnknown means that a message may or may not have arrived. It is not sent again.
var ErrDeliveryUnknown = errors.New("it is unknown whether it arrived")

// errUnanswered means that a webhook may have accepted a message. An alert is sent again,
// because getting it twice is better than not getting it.
var errUnanswered = errors.New("the webhook does not answer in time")

// ErrRefused means that another attempt to send the message would also fail.
var ErrRefused = errors.New("refused")

// Options configures a [Notifier]. The caller must not change Targets afterwards.
type Options struct {
	Targets []Target
	// SMS sends a message to a telephone number through the platform of an alert. Its errors
	// are shown to users. An error must wrap ErrDeliveryUnknown or ErrRefused if the message must not
	// be sent again. A nil SMS means that SMS cannot be sent.
	SMS           SendSMS
	DeliveryStore DeliveryStore     // nil: rates are lost on a restart
	Transport     http.RoundTripper // transport for webhooks; nil: a default one
	Now           func() time.Time  // nil: time.Now
	Logger        *slog.Logger      // nil: nothing is logged
	// Link returns the address of a page about the beginning of an alert; nil: there are no such pages.
	Link func(since time.Time) string
}

// SendSMS sends text to a telephone number through a platform. platform is the name of the
// platform, or "" if there is only one.
type SendSMS func(ctx context.Context, platform, number, text string) error

// DeliveryStore stores the times at which messages were sent to targets, because rates must be known
// after a restart.
type DeliveryStore interface {
	LoadDeliveries(target string) []time.Time
	SaveDeliveries(target string, sent []time.Time) error
	// LoadDeliveryDays returns, for each figure of the day, the last day (2006-01-02) on which
	// a message about it was sent to a target.
	LoadDeliveryDays(target string) map[string]string
	SaveDeliveryDays(target string, days map[string]string) error
}

// Notifier delivers messages about alerts to targets. It is safe for concurrent use.
type Notifier struct {
	opts   Options
	client *http.Client

	mu          sync.Mutex
	workers     []*worker
	startWorker func(*worker)     // starts the goroutine of a worker; nil: Run is not running
	trouble     map[string]string // error of the last delivery to each target; "" if it succeeded
}

// New returns a notifier. It delivers nothing until [Notifier.Run] is called.
func New(o Options) *Notifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	n := &Notifier{opts: o, client: newWebClient(o.Transport), trouble: make(map[string]string)}
	for i := range o.Targets {
		w := n.newWorker(&o.Targets[i])
		w.loadDeliveries()
		n.workers = append(n.workers, w)
	}
	return n
}

func (n *Notifier) newWorker(t *Target) *worker {
	return &worker{
		target: t, notifier: n, send: t.newSender(n.client, n.opts.SMS, n.opts.Now), now: n.opts.Now, log: n.opts.Logger,
		incoming: make(chan pendingMessage, queueLength), informedAlerts: make(map[string]bool), deliveryDays: make(map[string]string), deliveryStore: n.opts.DeliveryStore, replaced: make(chan struct{}),
	}
}

// SetTargets replaces the targets. A target with the name of a previous one keeps its state:
// the alerts that it knows, the messages that are held back, and its rate. If it was changed,
// failed messages are sent again at once.
//
// sms replaces the function that sends SMS, unless it is nil. The caller must not change
// targets afterwards.
func (n *Notifier) SetTargets(targets []Target, sms SendSMS) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if sms != nil {
		n.opts.SMS = sms
	}
	before := n.workers
	n.workers = nil
	for i := range targets {
		t := &targets[i]
		at := slices.IndexFunc(before, func(w *worker) bool { return w.target.Name == t.Name })
		if at >= 0 && reflect.DeepEqual(before[at].target, t) && (sms == nil || len(t.SMS) == 0) {
			n.workers = append(n.workers, before[at])
			before = slices.Delete(before, at, at+1)
			continue
		}
		w := n.newWorker(t)
		if at >= 0 && n.startWorker != nil {
			w.inherited = make(chan workerState, 1)
			before[at].successor = w
			close(before[at].replaced)
			before = slices.Delete(before, at, at+1)
		} else {
			w.loadDeliveries()
		}
		n.workers = append(n.workers, w)
		if n.startWorker != nil {
			n.startWorker(w)
		}
	}
	for _, w := range before { // these targets no longer exist
		close(w.replaced)
		delete(n.trouble, w.target.Name)
	}
}

// Notify queues messages about changes of alerts for the targets. platform is the name of the
// platform, or "" if there is only one. Notify does not block.
func (n *Notifier) Notify(platform string, changes []alert.Change) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range changes {
		for _, w := range n.workers {
			if w.accepts(&c.Alert) {
				w.queueChange(platform, c)
			}
		}
	}
}

// Run delivers messages until the context ends. It returns when all its goroutines have ended.
func (n *Notifier) Run(ctx context.Context) {
	var wg sync.WaitGroup
	n.mu.Lock()
	n.startWorker = func(w *worker) { wg.Go(func() { w.run(ctx) }) }
	for _, w := range n.workers {
		n.startWorker(w)
	}
	n.mu.Unlock()
	<-ctx.Done()
	n.mu.Lock()
	n.startWorker = nil
	n.mu.Unlock()
	wg.Wait()
}

// Trouble returns a sentence about the first target whose last delivery has failed, or the zero text
// if there is none.
func (n *Notifier) Trouble() words.Text {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.workers { // in the order of the configuration
		if what := n.trouble[w.target.Name]; what != "" {
			return words.NotifyTrouble(w.target.Name, what)
		}
	}
	return words.Text{}
}

func (n *Notifier) setTrouble(target, trouble string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble[target] = trouble
}
