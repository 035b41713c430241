package feeds

import (
	"time"

	"wallboard/feeds/queries"
)

// Filter is what of the floor is asked for, and how often it is published. It
// can be changed while a feed runs.
type Filter struct {
	UserSite  int64    // 0: all sites
	Services  []string // empty: found through the users
	Groups    []string // empty: found through the users
	Campaigns []int64
	Narrow    queries.Narrow

	Bounds        Bounds
	PublishEvery  time.Duration // at most one snapshot per interval; 0: 100 ms
	AuditInterval time.Duration // no figure goes unverified for longer than this; 0: 60 s
}

// defaultPublishEvery is how often is published at most when nothing else is
// asked for.
const defaultPublishEvery = 100 * time.Millisecond

// defaultAuditInterval is how long a figure goes unverified at most.
const defaultAuditInterval = time.Minute

// Reconfigure changes what is asked for, on the connection that there is. The
// present picture stays until that of the new filter is complete. It may be
// called from any goroutine.
func (f *Feed) Reconfigure(x Filter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x.PublishEvery <= 0 {
		x.PublishEvery = defaultPublishEvery
	}
	o := &f.opts
	o.UserSite, o.Services, o.Groups, o.Campaigns, o.PublishEvery = x.UserSite, x.Services, x.Groups, x.Campaigns, x.PublishEvery
	if o.AuditInterval = x.AuditInterval; o.AuditInterval <= 0 {
		o.AuditInterval = defaultAuditInterval
	}
	o.Narrow = x.Narrow
	o.Bounds = x.Bounds.withDefaults()
	f.pacer.SetInterval(o.AuditInterval)
	f.members.change()
	f.sleep.rouse()
}

// pace is how often what is due is looked for, for those who do not hold mu.
func (f *Feed) pace() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return min(stepEvery, f.opts.PublishEvery)
}
