package feeds

import "time"

// currentUserCoverage tracks, once per connection, whether the active filter of a subscription
// includes all current users, including those who logged in while the connection was down. Once
// coversAll is true, later logins do not change it.
type currentUserCoverage struct {
	wantedIsCurrent  bool // the wanted filter was made from the current users
	pendingIsCurrent bool // the pending subscription's filter was made from the current users
	coversAll        bool
}

// markWanted records that the wanted filter was made from the current users. isPending reports
// whether the pending subscription uses this filter. covered reports whether the active
// subscription uses it, or whether there is nothing to request.
func (c *currentUserCoverage) markWanted(isPending, covered bool) {
	c.pendingIsCurrent = isPending || c.wantedIsCurrent && c.pendingIsCurrent // a subscription sent earlier lacks the users who arrived later
	c.wantedIsCurrent, c.coversAll = true, c.coversAll || covered
}

// markActive records that the pending subscription has become the active one.
func (c *currentUserCoverage) markActive() { c.coversAll = c.coversAll || c.pendingIsCurrent }

// coverTimeout returns how long a filter may take to include the current users, from the moment
// when they are known. changeTime is how long one change of the filter takes. The timeout covers
// two changes, because a filter may depend on the records of another subscription.
func coverTimeout(changeTime time.Duration) time.Duration {
	return 2*(changeTime+maxFirstMessageWait) + 5*time.Second
}
