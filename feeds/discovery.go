package feeds

import (
	"context"
	"slices"
	"time"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// The intervals of the searches for campaigns.
const (
	searchInterval       = 5 * time.Minute  // after a successful search, and the longest after failures
	searchRetryDelay     = 30 * time.Second // after the first failure; doubles with each
	campaignListPatience = 3 * time.Second  // until then an empty list is not final
)

// discovery holds the campaigns that [Options.FindCampaigns] listed. The feed's mutex
// guards it.
type discovery struct {
	found     []int64 // sorted
	awaited   bool    // the first search is running
	searches  int     // number of searches requested by begin
	requested chan struct{}
}

// begin forgets the campaigns and requests a search if find is set.
func (d *discovery) begin(find func(context.Context) ([]int64, error)) {
	d.found, d.awaited = nil, find != nil
	d.searches++
	select {
	case d.requested <- struct{}{}:
	default: // already requested
	}
}

// restore restores the campaigns found before the options changed.
func (d *discovery) restore(previous discovery) {
	if d.awaited {
		d.found, d.awaited = previous.found, previous.awaited
	}
}

// setWantedCampaigns requests the configured and the found campaigns.
func (m *members) setWantedCampaigns(now time.Time) {
	ids := slices.Sorted(slices.Values(slices.Concat(m.opts.Campaigns, m.discovery.found)))
	m.setWanted(opCampaigns, queries.CampaignsRequest(slices.Compact(ids)), now)
}

// findCampaigns periodically searches for campaigns until ctx ends.
func (f *Feed) findCampaigns(ctx context.Context) {
	var next <-chan time.Time
	pause := searchRetryDelay
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.members.discovery.requested:
			pause = searchRetryDelay
		case <-next:
		}
		f.mu.Lock()
		find, search := f.opts.FindCampaigns, f.members.discovery.searches
		f.mu.Unlock()
		if find == nil {
			next = nil
			continue
		}
		late := time.AfterFunc(campaignListPatience, func() { f.applyFound(search, func(*discovery) {}) })
		ids, err := find(ctx)
		late.Stop()
		if err != nil {
			f.log.Warn("cannot list the campaigns", "error", model.CleanText(err.Error(), model.MaxBody), "again_in", pause.String())
			f.applyFound(search, func(*discovery) {})
			next, pause = time.After(pause), min(2*pause, searchInterval)
			continue
		}
		f.applyFound(search, func(d *discovery) {
			d.found = slices.DeleteFunc(slices.Sorted(slices.Values(ids)), func(id int64) bool { return id < 1 })
		})
		next, pause = time.After(searchInterval), searchRetryDelay
	}
}

// applyFound applies the result of a search unless the options have changed since
// it began.
func (f *Feed) applyFound(search int, change func(*discovery)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := &f.members.discovery
	if search != d.searches {
		return
	}
	before := d.found
	if change(d); !slices.Equal(before, d.found) {
		f.log.Info("campaigns found", "campaigns", len(d.found), "before", len(before))
	}
	d.awaited = false
	f.members.setWantedCampaigns(f.now())
	f.sleep.wakeUp()
}
