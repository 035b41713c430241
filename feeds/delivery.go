package feeds

import (
	"strconv"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// delivery describes how a server delivers changes: as updates, as hints that
// something changed, or not at all.
type delivery struct {
	op       string
	data     interface{ Records() int }
	requests *dialect.Requests
	dialect  *dialect.Dialect // shared by the feed

	pollInterval   time.Duration // polling interval; 0: updates arrive by themselves
	needsPerRecord bool          // the subscription has to be replaced by one per record
	startedAt      time.Time     // when the active subscription started
}

// normalLifetime is how long a subscription must have run for its end to be normal:
// some servers complete each one after a while.
const normalLifetime = 10 * time.Second

// endIsNormal reports whether the active subscription ran long enough for its end to
// be normal.
func (d *delivery) endIsNormal(now time.Time) bool { return now.Sub(d.startedAt) >= normalLifetime }

// hintInterval is the shortest interval between full states when updates are only
// hints.
const hintInterval = 2 * time.Second

// sendsOnlyHints reports whether updates only say that something changed.
func (d *delivery) sendsOnlyHints() bool {
	return d.dialect.IsKeyless(d.op) && !d.requests.NeedsPerRecord() && d.data.Records() > 0
}

// queryInterval returns the minimum interval between queries for the full state, given the duration
// of the last one.
func (d *delivery) queryInterval(took time.Duration) time.Duration {
	if d.sendsOnlyHints() {
		return max(hintInterval, 4*took)
	}
	return minResyncInterval
}

// pollDue reports whether the full state has to be polled now; took is how long
// the last query took.
func (d *delivery) pollDue(queriedAt time.Time, took time.Duration, now time.Time) bool {
	return d.pollInterval > 0 && now.Sub(queriedAt) >= max(d.pollInterval, 4*took)
}

// updatePerRecord requests one subscription per record if the dialect needs that and the
// subscription newest covers more than one.
func (d *delivery) updatePerRecord(newest string) {
	d.needsPerRecord = d.requests.NeedsPerRecord() && !d.requests.CoversAllRecords(newest)
}

// switchToPolling replaces the subscription by polling until the connection ends.
func (d *delivery) switchToPolling(reason string, every time.Duration) {
	d.requests.StopSubscriptions(reason)
	d.pollInterval = every
}

// showState sets the displayed state after a current full state: live, or polling
// with the reason.
func (d *delivery) showState(on *status, now time.Time) {
	state, why := model.SubPolling, ""
	switch muted := d.requests.StoppedReason(); {
	case d.pollInterval > 0 && muted != "":
		why = muted + "; its query is asked every " + formatSeconds(d.pollInterval)
	case d.pollInterval > 0:
		why = "asked for every " + formatSeconds(d.pollInterval)
	case d.sendsOnlyHints():
		why = "updates do not say which record they are for; all are asked for after each, every " + formatSeconds(hintInterval) + " at most"
	default:
		state = model.SubLive
	}
	on.setState(state, why, now)
}

func formatSeconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// noteKeyedUpdate counts an update that identifies its records. It reports whether the server was
// believed to omit the keys until now.
func (d *delivery) noteKeyedUpdate() bool { return d.dialect.NoteKeyedUpdate(d.op) }
