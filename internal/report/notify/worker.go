package notify

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"wallboard/internal/alert"
)

// The limits of one target.
const (
	queueLength = 256
	mostHeld    = 1000
	mostTries   = 5
	firstPause  = 10 * time.Second
	longPause   = 5 * time.Minute
	hour        = time.Hour
)

// news is a message to be sent to a target.
type news struct {
	event    Event
	platform string // if there are several; else ""
	alert    alert.Alert
	why      []string // causes of a situation, in sentences
	label    string   // heading for helps
	helps    []string // remedies, in phrases
	once     bool     // only if the target does not know the alert yet
	figure   string   // figure of the day with its level, sent once a day; "" for a current situation
}

// day returns the key of a figure and the current local day.
func (n news) day(now time.Time) (figure, day string) {
	return strings.TrimSpace(n.platform + " " + n.figure), now.Format(time.DateOnly)
}

// silent reports whether the alert is silenced.
func (n news) silent() bool { return !n.alert.Silent.IsZero() }

// urgency returns the sort order of messages: ended alerts come last.
func (n news) urgency() int {
	if n.event == End {
		return -1
	}
	return int(n.alert.Level)
}

// worker delivers to one target. Its goroutine owns all fields except in, lost and those
// for replacement.
type worker struct {
	*Target
	send   func(ctx context.Context, m *message) error
	now    func() time.Time
	log    *slog.Logger
	report func(target, trouble string)

	in   chan news
	lost atomic.Int64 // number of messages that did not fit into the channel

	held   []news
	told   map[string]bool   // alerts that the target was informed about
	sent   []time.Time       // delivery times in the last hour
	days   map[string]string // last day of delivery by figure of the day
	ledger Ledger            // nil: none
	tries  int
	pause  time.Time // no delivery before this time; after a failure

	leave  chan struct{} // closed when the target is changed or removed
	heir   *worker       // the worker of the changed target; set before leave is closed
	legacy chan legacy   // receives the state of the previous worker; nil: none
}

// legacy is the state that a worker passes to its replacement.
type legacy struct {
	held []news
	told map[string]bool
	sent []time.Time
	lost int64
}

// inherit takes over the state of the previous worker. It waits for a running delivery.
func (w *worker) inherit(ctx context.Context) {
	if w.legacy == nil {
		return
	}
	select {
	case l := <-w.legacy:
		w.held, w.told, w.sent = l.held, l.told, l.sent
		w.lost.Add(l.lost)
	case <-ctx.Done():
	}
}

// bequeath passes the state to the replacement, if there is one.
func (w *worker) bequeath() {
	w.drain()
	if w.heir != nil {
		w.heir.legacy <- legacy{w.held, w.told, w.sent, w.lost.Load()}
	}
}

// isFor reports whether an alert is for the target: its rule names the target, or none and
// the target is a default.
func (w *worker) isFor(a *alert.Alert) bool {
	return w.names(a) || w.Default && len(a.Notify) == 0
}

// names reports whether the rule of an alert names the target.
func (w *worker) names(a *alert.Alert) bool { return slices.Contains(a.Notify, w.Name) }

// tell queues a change for the target without blocking.
func (w *worker) tell(platform string, c alert.Change) {
	n := news{alert: c.Alert}
	switch c.Kind {
	case alert.Raised, alert.Resumed:
		n.event = Begin
	case alert.Escalated:
		n.event = Escalate
	case alert.Eased, alert.Cleared, alert.Vanished:
		n.event = End
	}
	if n.event == End && c.Kind == alert.Eased && c.Alert.Level >= w.Severity || n.event != End && c.Alert.Level < w.Severity {
		return
	}
	w.queue(platform, n)
}

// queue queues news of a platform without blocking.
func (w *worker) queue(platform string, n news) {
	if n.platform = platform; platform != "" {
		n.alert.ID = platform + "/" + n.alert.ID
	}
	select {
	case w.in <- n:
	default:
		w.lost.Add(1)
	}
}

func (w *worker) run(ctx context.Context) {
	w.inherit(ctx)
	timer := time.NewTimer(hour)
	defer timer.Stop()
	for {
		w.drain()
		var due <-chan time.Time
		if len(w.held) > 0 {
			timer.Reset(w.wait())
			due = timer.C
		}
		select {
		case <-ctx.Done():
			return
		case <-w.leave:
			w.bequeath()
			return
		case n := <-w.in:
			w.take(n)
		case <-due:
			w.deliver(ctx)
		}
	}
}

// drain takes all queued news, which may cancel held ones.
func (w *worker) drain() {
	for {
		select {
		case n := <-w.in:
			w.take(n)
		default:
			return
		}
	}
}

// take adds news to the held messages. An alert that ended before its first message is
// dropped.
func (w *worker) take(n news) {
	at := slices.IndexFunc(w.held, func(h news) bool { return h.alert.ID == n.alert.ID })
	switch {
	case n.once && (at >= 0 || w.told[n.alert.ID]):
		return
	case n.event == End && at >= 0 && w.held[at].event != End:
		w.held = slices.Delete(w.held, at, at+1)
		if !w.told[n.alert.ID] {
			return
		}
	case n.event == End && !w.told[n.alert.ID]:
		return
	case at >= 0:
		if w.held[at].event == Begin {
			n.event = Begin // it is new to the target
		}
		w.held = slices.Delete(w.held, at, at+1)
	}
	if n.event == End && (!slices.Contains(w.On, End) || n.silent()) {
		delete(w.told, n.alert.ID)
		return
	}
	if !slices.Contains(w.On, n.event) || n.silent() || w.toldToday(n) {
		return
	}
	if len(w.held) == mostHeld {
		w.lost.Add(1)
		return
	}
	w.held = append(w.held, n)
}

// toldToday reports whether the target was already informed today about a figure of the
// day, also before a restart.
func (w *worker) toldToday(n news) bool {
	figure, day := n.day(w.now())
	return n.figure != "" && n.event != End && w.days[figure] == day
}

// wait returns the time until the next message may be sent.
func (w *worker) wait() time.Duration {
	now := w.now()
	w.sent = slices.DeleteFunc(w.sent, func(at time.Time) bool { return now.Sub(at) >= hour })
	wait := max(w.pause.Sub(now), w.Quiet.left(now), 0)
	if most := w.rate(); len(w.sent) >= most {
		wait = max(wait, w.sent[len(w.sent)-most].Add(hour).Sub(now))
	}
	return wait
}

// rate returns the current hourly limit. If there are only ended alerts to report, a third
// is reserved for new ones.
func (w *worker) rate() int {
	const share = 3
	if slices.ContainsFunc(w.held, func(n news) bool { return n.event != End }) {
		return w.MaxPerHour
	}
	return max(w.MaxPerHour-w.MaxPerHour/share, 1)
}

// recall loads the delivery times from before a restart.
func (w *worker) recall() {
	if w.ledger == nil {
		return
	}
	now := w.now()
	for _, at := range w.ledger.Load(w.Name) {
		if !at.After(now) { // ignore times of a clock that was ahead
			w.sent = append(w.sent, at)
		}
	}
	slices.SortFunc(w.sent, time.Time.Compare)
	maps.Copy(w.days, w.ledger.Days(w.Name))
}

// noteDays records which figures of the day the target was informed about, and drops other
// days.
func (w *worker) noteDays(told []news) {
	some := false
	for _, n := range told {
		if n.figure == "" || n.event == End {
			continue
		}
		figure, day := n.day(w.now())
		maps.DeleteFunc(w.days, func(_, of string) bool { return of != day })
		w.days[figure], some = day, true
	}
	if !some || w.ledger == nil {
		return
	}
	if err := w.ledger.SaveDays(w.Name, maps.Clone(w.days)); err != nil {
		w.log.Warn("the delivered figures of the day could not be saved", "target", w.Name, "error", err)
	}
}

// note records a delivery.
func (w *worker) note(at time.Time) {
	w.sent = append(w.sent, at)
	if w.ledger == nil {
		return
	}
	if err := w.ledger.Save(w.Name, slices.Clone(w.sent)); err != nil {
		w.log.Warn("the delivery times could not be saved", "target", w.Name, "error", err)
	}
}

// deliver sends the held news: each separately if the rate allows it, otherwise all in one
// message.
func (w *worker) deliver(ctx context.Context) {
	if w.wait() > 0 {
		return
	}
	slices.SortStableFunc(w.held, func(a, b news) int { return b.urgency() - a.urgency() })
	n := 1
	if lost := w.lost.Load(); len(w.held) > w.MaxPerHour-len(w.sent) || w.tries > 0 || lost > 0 {
		n = len(w.held)
	}
	lost := w.lost.Swap(0)
	over := 0
	for _, h := range w.held[1:n] {
		if h.event == End {
			over++
		}
	}
	m := newMessage(w.Name, w.held[0], len(w.held[:n])-1+int(lost), over)
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	err := w.send(ctx, m)
	cancel()
	if err != nil && w.fail(err) {
		w.lost.Add(lost)
		return
	}
	for _, h := range w.held[:n] {
		if h.event == End {
			delete(w.told, h.alert.ID)
		} else {
			w.told[h.alert.ID] = true
		}
	}
	w.noteDays(w.held[:n])
	w.held = slices.Delete(w.held, 0, n)
	w.note(w.now())
	w.tries, w.pause = 0, time.Time{}
	if err == nil {
		w.report(w.Name, "")
		w.log.Info("alert delivered", "target", w.Name, "event", m.Event, "alert", m.ID, "more", m.More)
	}
}

// fail handles a failed delivery and reports whether to try again.
func (w *worker) fail(err error) bool {
	w.tries++
	again := w.tries < mostTries && !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrRefused)
	w.report(w.Name, err.Error())
	w.log.Warn("alert not delivered", "target", w.Name, "error", err, "try", w.tries, "again", again)
	if again {
		pause := min(firstPause<<(w.tries-1), longPause)
		if later, ok := errors.AsType[*laterError](err); ok {
			pause = max(pause, min(later.wait, hour))
		}
		w.pause = w.now().Add(pause)
	}
	return again
}
