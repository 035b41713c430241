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

	"wallboard/alert"
)

// Bounds of one target.
const (
	queueLength = 256
	mostHeld    = 1000
	mostTries   = 5
	firstPause  = 10 * time.Second
	longPause   = 5 * time.Minute
	hour        = time.Hour
)

// news is something that a target is to be told.
type news struct {
	event    Event
	platform string // of several; "": there is one
	alert    alert.Alert
	why      []string // of a situation, in sentences
	label    string   // of what follows
	helps    []string // what would help, in phrases
	once     bool     // only to who does not know of it
	figure   string   // of the day and its level, told once a day; "": it is about what goes on
}

// day returns the day on which a figure is told, on the clock of the machine.
func (n news) day(now time.Time) (figure, day string) {
	return strings.TrimSpace(n.platform + " " + n.figure), now.Format(time.DateOnly)
}

// silent reports whether it is to be told to nobody.
func (n news) silent() bool { return !n.alert.Silent.IsZero() }

// urgency orders what is told: what is over comes last.
func (n news) urgency() int {
	if n.event == End {
		return -1
	}
	return int(n.alert.Level)
}

// worker tells one target. All but told's channel belongs to its goroutine.
type worker struct {
	*Target
	send   func(ctx context.Context, m *message) error
	now    func() time.Time
	log    *slog.Logger
	report func(target, trouble string)

	in   chan news
	lost atomic.Int64 // what did not fit into the channel

	held   []news
	told   map[string]bool   // alerts that the target knows of
	sent   []time.Time       // of the last hour
	days   map[string]string // by figure of the day: the day on which the target was told of it last
	ledger Ledger            // nil: none
	tries  int
	pause  time.Time // not before; after a failure

	leave  chan struct{} // closed when the target is changed or taken away
	heir   *worker       // tells the changed target; set before leave is closed
	legacy chan legacy   // from the worker of the target as it was; nil: there is none
}

// legacy is what a worker leaves to the one that tells the changed target.
type legacy struct {
	held []news
	told map[string]bool
	sent []time.Time
	lost int64
}

// inherit takes over what the worker before leaves. It waits for a delivery under way.
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

// bequeath leaves everything to the heir, if there is one.
func (w *worker) bequeath() {
	w.drain()
	if w.heir != nil {
		w.heir.legacy <- legacy{w.held, w.told, w.sent, w.lost.Load()}
	}
}

// isFor reports whether an alert is the target's: its rule names it, or nobody.
func (w *worker) isFor(a *alert.Alert) bool {
	return w.names(a) || w.Default && len(a.Notify) == 0
}

// names reports whether the rule of an alert names the target.
func (w *worker) names(a *alert.Alert) bool { return slices.Contains(a.Notify, w.Name) }

// tell queues what the target wants to hear of a change, without waiting.
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

// queue hands news of a platform over without waiting.
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

// drain takes what is there already: it may end what is held.
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

// take holds back what is to be told. What ended before anybody was told of it
// is forgotten.
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
			n.event = Begin // it has only just begun for who is told now
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

// toldToday reports whether the target was told today of a figure of the day, perhaps
// before this start.
func (w *worker) toldToday(n news) bool {
	figure, day := n.day(w.now())
	return n.figure != "" && n.event != End && w.days[figure] == day
}

// wait returns how long nothing may be sent.
func (w *worker) wait() time.Duration {
	now := w.now()
	w.sent = slices.DeleteFunc(w.sent, func(at time.Time) bool { return now.Sub(at) >= hour })
	wait := max(w.pause.Sub(now), w.Quiet.left(now), 0)
	if most := w.rate(); len(w.sent) >= most {
		wait = max(wait, w.sent[len(w.sent)-most].Add(hour).Sub(now))
	}
	return wait
}

// rate is how many messages an hour may have. Where all that there is to say is that
// something is over, a third of them is left for what begins.
func (w *worker) rate() int {
	const share = 3
	if slices.ContainsFunc(w.held, func(n news) bool { return n.event != End }) {
		return w.MaxPerHour
	}
	return max(w.MaxPerHour-w.MaxPerHour/share, 1)
}

// recall takes over when the target was told before this start.
func (w *worker) recall() {
	if w.ledger == nil {
		return
	}
	now := w.now()
	for _, at := range w.ledger.Load(w.Name) {
		if !at.After(now) { // of a clock that was ahead
			w.sent = append(w.sent, at)
		}
	}
	slices.SortFunc(w.sent, time.Time.Compare)
	maps.Copy(w.days, w.ledger.Days(w.Name))
}

// noteDays keeps of which figures of the day the target was told. What is of another
// day is forgotten.
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
		w.log.Warn("the ledger of figures of the day is not kept", "target", w.Name, "error", err)
	}
}

// note counts a message.
func (w *worker) note(at time.Time) {
	w.sent = append(w.sent, at)
	if w.ledger == nil {
		return
	}
	if err := w.ledger.Save(w.Name, slices.Clone(w.sent)); err != nil {
		w.log.Warn("how many were told is not kept", "target", w.Name, "error", err)
	}
}

// deliver tells what is held: with enough left of the rate each alone, else all
// as one message.
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
		w.log.Info("told of an alert", "target", w.Name, "event", m.Event, "alert", m.ID, "more", m.More)
	}
}

// fail notes that a delivery failed, and reports whether to try again.
func (w *worker) fail(err error) bool {
	w.tries++
	again := w.tries < mostTries && !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrRefused)
	w.report(w.Name, err.Error())
	w.log.Warn("an alert could not be told", "target", w.Name, "error", err, "try", w.tries, "again", again)
	if again {
		pause := min(firstPause<<(w.tries-1), longPause)
		if later, ok := errors.AsType[*laterError](err); ok {
			pause = max(pause, min(later.wait, hour))
		}
		w.pause = w.now().Add(pause)
	}
	return again
}
