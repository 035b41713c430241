package feeds

import (
	"context"
	"slices"
	"time"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// The times of the searches for campaigns.
const (
	searchEvery  = 5 * time.Minute  // after a search that succeeded, and at most after failures
	searchAgain  = 30 * time.Second // after the first failure; it doubles with each
	searchWithin = 3 * time.Second  // so long no campaigns does not mean that there are none
)

// discovery holds the campaigns that [Options.FindCampaigns] listed. The feed's mutex
// guards it.
type discovery struct {
	found    []int64 // sorted
	awaited  bool    // the first search has not ended
	searches int     // grows when another search is to be made at once
	due      chan struct{}
}

// begin forgets the campaigns, and asks for a search where there is a way to search.
func (d *discovery) begin(find func(context.Context) ([]int64, error)) {
	d.found, d.awaited = nil, find != nil
	d.searches++
	select {
	case d.due <- struct{}{}:
	default: // it has not begun yet
	}
}

// keep takes over what was found before the options changed.
func (d *discovery) keep(before discovery) {
	if d.awaited {
		d.found, d.awaited = before.found, before.awaited
	}
}

// wantCampaigns asks for the configured campaigns and those that were found.
func (m *members) wantCampaigns(now time.Time) {
	ids := slices.Sorted(slices.Values(slices.Concat(m.opts.Campaigns, m.discovery.found)))
	m.want(opCampaigns, queries.CampaignsRequest(slices.Compact(ids)), now)
}

// findCampaigns searches for campaigns now and then, until the context ends.
func (f *Feed) findCampaigns(ctx context.Context) {
	var next <-chan time.Time
	pause := searchAgain
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.members.discovery.due:
			pause = searchAgain
		case <-next:
		}
		f.mu.Lock()
		find, search := f.opts.FindCampaigns, f.members.discovery.searches
		f.mu.Unlock()
		if find == nil {
			next = nil
			continue
		}
		late := time.AfterFunc(searchWithin, func() { f.searched(search, func(*discovery) {}) })
		ids, err := find(ctx)
		late.Stop()
		if err != nil {
			f.log.Warn("the campaigns cannot be listed", "error", model.CleanText(err.Error(), model.MaxBody), "again_in", pause.String())
			f.searched(search, func(*discovery) {})
			next, pause = time.After(pause), min(2*pause, searchEvery)
			continue
		}
		f.searched(search, func(d *discovery) {
			d.found = slices.DeleteFunc(slices.Sorted(slices.Values(ids)), func(id int64) bool { return id < 1 })
		})
		next, pause = time.After(searchEvery), searchAgain
	}
}

// searched takes over what a search found, unless the options have changed since it
// began.
func (f *Feed) searched(search int, take func(*discovery)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := &f.members.discovery
	if search != d.searches {
		return
	}
	before := d.found
	if take(d); !slices.Equal(before, d.found) {
		f.log.Info("campaigns found", "campaigns", len(d.found), "before", len(before))
	}
	d.awaited = false
	f.members.wantCampaigns(f.now())
	f.sleep.rouse()
}
