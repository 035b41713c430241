package feeds

// Reconfigure replaces the options in x on the current connection. The current records stay until those of the
// new filter are complete. Reconfigure is safe for concurrent use.
func (f *Feed) Reconfigure(x RuntimeOptions) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x.Publish.Every <= 0 {
		x.Publish.Every = defaultPublishEvery
	}
	o := &f.opts
	o.UserSite, o.Services, o.Groups, o.Publish = x.UserSite, x.Services, x.Groups, x.Publish
	o.Campaigns, o.FindCampaigns = x.Campaigns, x.FindCampaigns
	if o.AuditInterval = x.AuditInterval; o.AuditInterval <= 0 {
		o.AuditInterval = defaultAuditInterval
	}
	o.Restriction = x.Restriction
	o.Bounds = x.Bounds.withDefaults()
	f.auditScheduler.SetInterval(o.AuditInterval)
	f.filterBuilder.applyOptions()
	f.sleep.wakeUp()
}
