package feeds

import (
	"strconv"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/requests"
	"wallboard/model"
)

// delivery is how a server tells what changes: by updates, by hints that something
// did, or not at all.
type delivery struct {
	op       string
	data     interface{ Records() int }
	requests *requests.Requests
	speech   *dialect.Dialect // the feed's

	poll   time.Duration // how often the full state is asked for where no update comes by itself; 0: they come
	spread bool          // the subscription has to be made again, one per record
	began  time.Time     // when the subscription that delivers took its place
}

// lasting is how long a subscription has to have delivered for its end to be no failure:
// some servers complete each after a while.
const lasting = 10 * time.Second

// lasted reports whether it has delivered for so long.
func (d *delivery) lasted(now time.Time) bool { return now.Sub(d.began) >= lasting }

// hintEvery is how often the full state is asked for at most when updates are
// only hints.
const hintEvery = 2 * time.Second

// hinted reports whether updates only tell that something has changed.
func (d *delivery) hinted() bool {
	return d.speech.Keyless(d.op) && !d.requests.Narrow() && d.data.Records() > 0
}

// pace is how often the full state may be asked for where it took so long.
func (d *delivery) pace(took time.Duration) time.Duration {
	if d.hinted() {
		return max(hintEvery, 4*took)
	}
	return resyncEvery
}

// pollDue reports whether the full state, which took so long, is to be asked for
// again because no update comes by itself.
func (d *delivery) pollDue(asked time.Time, took time.Duration, now time.Time) bool {
	return d.poll > 0 && now.Sub(asked) >= max(d.poll, 4*took)
}

// respread has one subscription made per record where that is needed and there are
// others than the newest was made for, or is being made for.
func (d *delivery) respread(newest string) {
	d.spread = d.requests.Narrow() && !d.requests.Covers(newest)
}

// mute asks the query again and again in the place of the subscription, for as long
// as the connection lasts; the next one tries that again.
func (d *delivery) mute(reason string, every time.Duration) {
	d.requests.Mute(reason)
	d.poll = every
}

// show shows that the full state was taken over, and why it is not live.
func (d *delivery) show(on *status, now time.Time) {
	state, why := model.SubPolling, ""
	switch muted := d.requests.Muted(); {
	case d.poll > 0 && muted != "":
		why = muted + "; its query is asked every " + seconds(d.poll)
	case d.poll > 0:
		why = "asked for every " + seconds(d.poll)
	case d.hinted():
		why = "updates do not say which record they are for; all are asked for after each, every " + seconds(hintEvery) + " at most"
	default:
		state = model.SubLive
	}
	on.set(state, why, now)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s" }

// keyed counts an update that says which records it is for, against the belief that
// updates do not. It reports whether that belief has ended.
func (d *delivery) keyed() bool { return d.speech.Keyed(d.op) }
