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

// Limits on the messages to a target.
const (
	queueLength     = 256
	maxHeldMessages = 1000
	maxTries        = 5
	firstRetryPause = 10 * time.Second
	maxRetryPause   = 5 * time.Minute
	hour            = time.Hour
)

// pendingMessage is a message that waits to be sent to a target.
type pendingMessage struct {
	event       Event
	platform    string // name of the platform; "": there is only one
	alert       alert.Alert
	causes      []string // causes of a situation as sentences
	remedyLabel string   // heading of remedies
	remedies    []string // remedies as phrases
	onlyIfNew   bool     // drop the message if one about the alert was already sent or is held back
	dailyFigure string   // key of a figure of the day and its level, for which one message a day is sent; "": other messages
}

// dailyFigureKey returns a key for the message's figure of the day, and the local date of now.
func (n pendingMessage) dailyFigureKey(now time.Time) (figure, day string) {
	return strings.TrimSpace(n.platform + " " + n.dailyFigure), now.Format(time.DateOnly)
}

// isSilenced reports whether the alert is silenced.
func (n pendingMessage) isSilenced() bool { return !n.alert.SilentUntil.IsZero() }

// urgency returns the rank of a message; higher ranks are sent first. Messages about ended
// alerts have the lowest rank.
func (n pendingMessage) urgency() int {
	if n.event == EventEnd {
		return -1
	}
	return int(n.alert.Level)
}

// worker delivers messages to a target. Its goroutine owns all fields except incoming,
// lostCount and the three fields for replacing the worker.
type worker struct {
	target   *Target
	notifier *Notifier // for setTrouble and its options except SMS
	send     func(ctx context.Context, m *message) error
	now      func() time.Time
	log      *slog.Logger

	incoming  chan pendingMessage
	lostCount atomic.Int64 // number of messages for which incoming or heldMessages had no room

	heldMessages   []pendingMessage
	informedAlerts map[string]bool   // IDs of the alerts whose beginning was reported in a message
	deliveryTimes  []time.Time       // times of the deliveries in the last hour
	deliveryDays   map[string]string // last day of a delivery, by figure of the day
	deliveryStore  DeliveryStore     // nil: deliveries are not stored
	failedTries    int
	pausedUntil    time.Time // no delivery before this time, because a delivery has failed

	replaced  chan struct{}    // closed when the target was changed or removed
	successor *worker          // worker of the changed target; nil: the target was removed; set before replaced is closed
	inherited chan workerState // receives the state of the previous worker; nil: there was none
}

// workerState is the state that a worker hands over to its successor.
type workerState struct {
	heldMessages   []pendingMessage
	informedAlerts map[string]bool
	deliveryTimes  []time.Time
	lostCount      int64
}

// inheritState takes over the state of the previous worker, if any. It waits for a running
// delivery of the previous worker.
func (w *worker) inheritState(ctx context.Context) {
	if w.inherited == nil {
		return
	}
	select {
	case l := <-w.inherited:
		w.heldMessages, w.informedAlerts, w.deliveryTimes = l.heldMessages, l.informedAlerts, l.deliveryTimes
		w.lostCount.Add(l.lostCount)
	case <-ctx.Done():
	}
}

// handOver passes the state of the worker to its successor, if any.
func (w *worker) handOver() {
	w.holdQueuedMessages()
	if w.successor != nil {
		w.successor.inherited <- workerState{w.heldMessages, w.informedAlerts, w.deliveryTimes, w.lostCount.Load()}
	}
}

// accepts reports whether the target gets an alert: the rule of the alert names the target, or
// it names no target and this one is a default.
func (w *worker) accepts(a *alert.Alert) bool {
	return w.isNamedBy(a) || w.target.IsDefault && len(a.Notify) == 0
}

// isNamedBy reports whether the rule of an alert names the target.
func (w *worker) isNamedBy(a *alert.Alert) bool { return slices.Contains(a.Notify, w.target.Name) }

// queueChange queues a message about the change of an alert if the target gets messages about
// such changes. It does not block.
func (w *worker) queueChange(platform string, c alert.Change) {
	n := pendingMessage{alert: c.Alert}
	n.alert.Text = c.Alert.TranslatableText().In(w.target.Words)
	switch c.Kind {
	case alert.ChangeRaised, alert.ChangeResumed:
		n.event = EventBegin
	case alert.ChangeEscalated:
		n.event = EventEscalate
	case alert.ChangeEased, alert.ChangeCleared, alert.ChangeVanished:
		n.event = EventEnd
	}
	if n.event == EventEnd && c.Kind == alert.ChangeEased && c.Alert.Level >= w.target.MinSeverity || n.event != EventEnd && c.Alert.Level < w.target.MinSeverity {
		return
	}
	w.queueMessage(platform, n)
}

// queueMessage queues a message about an alert of a platform without blocking. If the queue is
// full, it drops and counts the message.
func (w *worker) queueMessage(platform string, n pendingMessage) {
	if n.platform = platform; platform != "" {
		n.alert.ID = platform + "/" + n.alert.ID
	}
	select {
	case w.incoming <- n:
	default:
		w.lostCount.Add(1)
	}
}

func (w *worker) run(ctx context.Context) {
	w.inheritState(ctx)
	timer := time.NewTimer(hour)
	defer timer.Stop()
	for {
		w.holdQueuedMessages()
		var due <-chan time.Time
		if len(w.heldMessages) > 0 {
			timer.Reset(w.nextDelay())
			due = timer.C
		}
		select {
		case <-ctx.Done():
			return
		case <-w.replaced:
			w.handOver()
			return
		case n := <-w.incoming:
			w.holdMessage(n)
		case <-due:
			w.deliverHeldMessage(ctx)
		}
	}
}

// holdQueuedMessages passes all queued messages to holdMessage.
func (w *worker) holdQueuedMessages() {
	for {
		select {
		case n := <-w.incoming:
			w.holdMessage(n)
		default:
			return
		}
	}
}

// holdMessage adds a message to the messages that are held back, in place of an earlier
// message about the same alert. If the alert has ended before its first message was sent, it
// drops both messages.
func (w *worker) holdMessage(n pendingMessage) {
	at := slices.IndexFunc(w.heldMessages, func(h pendingMessage) bool { return h.alert.ID == n.alert.ID })
	switch {
	case n.onlyIfNew && (at >= 0 || w.informedAlerts[n.alert.ID]):
		return
	case n.event == EventEnd && at >= 0 && w.heldMessages[at].event != EventEnd:
		w.heldMessages = slices.Delete(w.heldMessages, at, at+1)
		if !w.informedAlerts[n.alert.ID] {
			return
		}
	case n.event == EventEnd && !w.informedAlerts[n.alert.ID]:
		return
	case at >= 0:
		if w.heldMessages[at].event == EventBegin {
			n.event = EventBegin // no earlier message about the alert was sent
		}
		w.heldMessages = slices.Delete(w.heldMessages, at, at+1)
	}
	if n.event == EventEnd && (!slices.Contains(w.target.Events, EventEnd) || n.isSilenced()) {
		delete(w.informedAlerts, n.alert.ID)
		return
	}
	if !slices.Contains(w.target.Events, n.event) || n.isSilenced() || w.wasSentToday(n) {
		return
	}
	if len(w.heldMessages) == maxHeldMessages {
		w.lostCount.Add(1)
		return
	}
	w.heldMessages = append(w.heldMessages, n)
}

// wasSentToday reports whether a message about the same figure of the day was already sent
// today, possibly before a restart.
func (w *worker) wasSentToday(n pendingMessage) bool {
	figure, day := n.dailyFigureKey(w.now())
	return n.dailyFigure != "" && n.event != EventEnd && w.deliveryDays[figure] == day
}

// nextDelay returns the time to wait before the next message can be sent. Reasons to wait are
// a failure, quiet hours and the rate.
func (w *worker) nextDelay() time.Duration {
	now := w.now()
	w.deliveryTimes = slices.DeleteFunc(w.deliveryTimes, func(at time.Time) bool { return now.Sub(at) >= hour })
	wait := max(w.pausedUntil.Sub(now), w.target.QuietHours.remaining(now), 0)
	if most := w.hourlyLimit(); len(w.deliveryTimes) >= most {
		wait = max(wait, w.deliveryTimes[len(w.deliveryTimes)-most].Add(hour).Sub(now))
	}
	return wait
}

// hourlyLimit returns the number of messages that may be sent per hour. If only messages about
// ended alerts are held back, it leaves a third of the limit for new alerts.
func (w *worker) hourlyLimit() int {
	const share = 3
	if slices.ContainsFunc(w.heldMessages, func(n pendingMessage) bool { return n.event != EventEnd }) {
		return w.target.MaxPerHour
	}
	return max(w.target.MaxPerHour-w.target.MaxPerHour/share, 1)
}

// loadDeliveries loads the times and days of earlier deliveries from the store, if there is one.
func (w *worker) loadDeliveries() {
	if w.deliveryStore == nil {
		return
	}
	now := w.now()
	for _, at := range w.deliveryStore.LoadDeliveries(w.target.Name) {
		if !at.After(now) { // a later time was stored when the clock was ahead
			w.deliveryTimes = append(w.deliveryTimes, at)
		}
	}
	slices.SortFunc(w.deliveryTimes, time.Time.Compare)
	maps.Copy(w.deliveryDays, w.deliveryStore.LoadDeliveryDays(w.target.Name))
}

// recordDeliveryDays records today as the delivery day of the figures of the day in the
// delivered messages. It drops other days.
func (w *worker) recordDeliveryDays(delivered []pendingMessage) {
	changed := false
	for _, n := range delivered {
		if n.dailyFigure == "" || n.event == EventEnd {
			continue
		}
		figure, day := n.dailyFigureKey(w.now())
		maps.DeleteFunc(w.deliveryDays, func(_, of string) bool { return of != day })
		w.deliveryDays[figure], changed = day, true
	}
	if !changed || w.deliveryStore == nil {
		return
	}
	if err := w.deliveryStore.SaveDeliveryDays(w.target.Name, maps.Clone(w.deliveryDays)); err != nil {
		w.log.Warn("the delivered figures of the day could not be saved", "target", w.target.Name, "error", err)
	}
}

// recordDelivery records the time of a delivery.
func (w *worker) recordDelivery(at time.Time) {
	w.deliveryTimes = append(w.deliveryTimes, at)
	if w.deliveryStore == nil {
		return
	}
	if err := w.deliveryStore.SaveDeliveries(w.target.Name, slices.Clone(w.deliveryTimes)); err != nil {
		w.log.Warn("the delivery times could not be saved", "target", w.target.Name, "error", err)
	}
}

// deliverHeldMessage sends the most urgent message that is held back, unless nextDelay requires a
// pause. It combines all held-back messages into one if the rate does not allow a message for
// each, if a delivery has failed, or if messages were dropped.
func (w *worker) deliverHeldMessage(ctx context.Context) {
	if w.nextDelay() > 0 {
		return
	}
	slices.SortStableFunc(w.heldMessages, func(a, b pendingMessage) int { return b.urgency() - a.urgency() })
	n := 1
	if lost := w.lostCount.Load(); len(w.heldMessages) > w.target.MaxPerHour-len(w.deliveryTimes) || w.failedTries > 0 || lost > 0 {
		n = len(w.heldMessages)
	}
	lost := w.lostCount.Swap(0)
	endCount := 0
	for _, h := range w.heldMessages[1:n] {
		if h.event == EventEnd {
			endCount++
		}
	}
	m := newMessage(w.target.Name, w.heldMessages[0], len(w.heldMessages[:n])-1+int(lost), endCount, w.target.Words)
	if link := w.notifier.opts.Link; link != nil && !m.Since.IsZero() {
		m.Link = link(m.Since)
	}
	ctx, cancel := context.WithTimeout(ctx, w.target.Timeout)
	err := w.send(ctx, m)
	cancel()
	if err != nil && w.handleFailure(err) {
		w.lostCount.Add(lost)
		return
	}
	for _, h := range w.heldMessages[:n] {
		if h.event == EventEnd {
			delete(w.informedAlerts, h.alert.ID)
		} else {
			w.informedAlerts[h.alert.ID] = true
		}
	}
	w.recordDeliveryDays(w.heldMessages[:n])
	w.heldMessages = slices.Delete(w.heldMessages, 0, n)
	w.recordDelivery(w.now())
	w.failedTries, w.pausedUntil = 0, time.Time{}
	if err == nil {
		w.notifier.setTrouble(w.target.Name, "")
		w.log.Info("alert delivered", "target", w.target.Name, "event", m.Event, "alert", m.ID, "more", m.OtherCount)
	}
}

// handleFailure records a failed delivery and sets the pause before the next attempt. It
// reports whether the message must be sent again.
func (w *worker) handleFailure(err error) bool {
	w.failedTries++
	again := w.failedTries < maxTries && !errors.Is(err, ErrDeliveryUnknown) && !errors.Is(err, ErrRefused)
	w.notifier.setTrouble(w.target.Name, err.Error())
	w.log.Warn("alert not delivered", "target", w.target.Name, "error", err, "try", w.failedTries, "again", again)
	if again {
		pause := min(firstRetryPause<<(w.failedTries-1), maxRetryPause)
		if later, ok := errors.AsType[*retryLaterError](err); ok {
			pause = max(pause, min(later.wait, hour))
		}
		w.pausedUntil = w.now().Add(pause)
	}
	return again
}
