package feeds

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
	o.UserSite, o.Services, o.Groups, o.PublishEvery = x.UserSite, x.Services, x.Groups, x.PublishEvery
	o.Campaigns, o.FindCampaigns = x.Campaigns, x.FindCampaigns
	if o.AuditInterval = x.AuditInterval; o.AuditInterval <= 0 {
		o.AuditInterval = defaultAuditInterval
	}
	o.Narrow = x.Narrow
	o.Bounds = x.Bounds.withDefaults()
	f.pacer.SetInterval(o.AuditInterval)
	f.members.change()
	f.sleep.rouse()
}
