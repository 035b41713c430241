package notify

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
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
	opts    Options
	workers []*worker
	mu      sync.Mutex
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
	n := &Notifier{opts: o, trouble: make(map[string]string)}
	client := webClient(o.Transport)
	for i := range o.Targets {
		t := &o.Targets[i]
		n.workers = append(n.workers, &worker{
			Target: t, send: t.sender(client, o.SMS, o.Now), now: o.Now, log: o.Logger, report: n.report,
			in: make(chan news, queueLength), told: make(map[string]bool), days: make(map[string]string), ledger: o.Ledger,
		})
		n.workers[i].recall()
	}
	return n
}

// Tell passes on what the engine of a platform says has changed; of several platforms each
// has a name. It does not wait.
func (n *Notifier) Tell(platform string, changes []alert.Change) {
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
	for _, w := range n.workers {
		wg.Go(func() { w.run(ctx) })
	}
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
