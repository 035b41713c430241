package feeds

import "time"

// coverage tracks whether the filter of a subscription includes the users who logged in while the
// connection was down. It is complete, once per connection, when a filter made from the current
// users is active. Users who log in later are followed normally.
type coverage struct {
	wantedIsCurrent  bool // the wanted filter was made from the current users
	pendingIsCurrent bool // the pending subscription's filter was made from the current users
	coversAll        bool
}

// markWanted records that the wanted filter was made from the current users. isPending reports
// whether the pending subscription already uses this filter. covered reports whether the active one
// does, or whether nothing has to be requested.
func (c *coverage) markWanted(isPending, covered bool) {
	c.pendingIsCurrent = isPending || c.wantedIsCurrent && c.pendingIsCurrent // a subscription sent earlier lacks the users who arrived later
	c.wantedIsCurrent, c.coversAll = true, c.coversAll || covered
}

// markSubscribed records that a subscription with the wanted filter was sent. The order of calls
// decides, not the time: all of them may happen at the same instant.
func (c *coverage) markSubscribed() { c.pendingIsCurrent = c.wantedIsCurrent }

// markActive records that the pending subscription's filter is now active.
func (c *coverage) markActive() { c.coversAll = c.coversAll || c.pendingIsCurrent }

// coverTimeout returns how long, after the users are known, a filter may take to include them.
// changeTime is the time that one change of the filter takes. The result allows for a filter that
// depends on another subscription's records.
func coverTimeout(changeTime time.Duration) time.Duration {
	return 2*(changeTime+maxFirstMessageWait) + 5*time.Second
}
