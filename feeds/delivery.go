package feeds

import (
	"strconv"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// deliveryMode describes how a server delivers the changes of one operation: as updates, as hints
// that something changed, or not at all.
type deliveryMode struct {
	op       string
	merger   interface{ Records() int }
	requests *dialect.Requests
	dialect  *dialect.Dialect // shared by the feed

	pollInterval             time.Duration // polling interval; 0: updates arrive by themselves
	needsRecordSubscriptions bool          // the subscription has to be replaced by one per record
	startedAt                time.Time     // when the active subscription started
}

// normalLifetime is the shortest duration of a subscription whose end counts as normal. Some
// servers end each subscription after a while.
const normalLifetime = 10 * time.Second

// endIsNormal reports whether the active subscription has run long enough for its end to count as
// normal.
func (d *deliveryMode) endIsNormal(now time.Time) bool { return now.Sub(d.startedAt) >= normalLifetime }

// keylessQueryInterval is the shortest interval between queries for the full state if updates do not say
// which record changed.
const keylessQueryInterval = 2 * time.Second

// updatesAreKeyless reports whether updates do not say which record changed and subscribing to each
// record separately is not possible. It is false while there are no records.
func (d *deliveryMode) updatesAreKeyless() bool {
	return d.dialect.IsKeyless(d.op) && !d.requests.NeedsRecordSubscriptions() && d.merger.Records() > 0
}

// queryInterval returns the minimum interval between queries for the full state. took is how long
// the last one took.
func (d *deliveryMode) queryInterval(took time.Duration) time.Duration {
	if d.updatesAreKeyless() {
		return max(keylessQueryInterval, 4*took)
	}
	return minResyncInterval
}

// pollDue reports whether to poll the full state now. queriedAt is when it was last queried. took
// is how long the last query took.
func (d *deliveryMode) pollDue(queriedAt time.Time, took time.Duration, now time.Time) bool {
	return d.pollInterval > 0 && now.Sub(queriedAt) >= max(d.pollInterval, 4*took)
}

// updateRecordSubscriptions sets needsRecordSubscriptions: whether one subscription per record must replace
// the newest subscription, whose ID is newest. That is the case if the server requires one per record and
// newest does not consist of one piece for each record.
func (d *deliveryMode) updateRecordSubscriptions(newest string) {
	d.needsRecordSubscriptions = d.requests.NeedsRecordSubscriptions() && !d.requests.CoversAllRecords(newest)
}

// switchToPolling switches from the subscription to polling at an interval until the connection
// ends. reason is shown to the user.
func (d *deliveryMode) switchToPolling(reason string, interval time.Duration) {
	d.requests.StopSubscriptions(reason)
	d.pollInterval = interval
}

// showState sets the displayed state after the full state has been verified: live, or polling with
// a reason.
func (d *deliveryMode) showState(s *status, now time.Time) {
	state, why := model.SubPolling, ""
	switch stoppedReason := d.requests.StoppedReason(); {
	case d.pollInterval > 0 && stoppedReason != "":
		why = stoppedReason + "; the full state is requested every " + formatSeconds(d.pollInterval)
	case d.pollInterval > 0:
		why = "the full state is requested every " + formatSeconds(d.pollInterval)
	case d.updatesAreKeyless():
		why = "updates do not say which record they are for; the full state is requested after each, at most every " + formatSeconds(keylessQueryInterval)
	default:
		state = model.SubLive
	}
	s.setState(state, why, now)
}

func formatSeconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}
