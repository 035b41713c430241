package feeds

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// FindCampaigns returns the names of campaigns by their ids. After a [SearchRefusal] it is
// called again five minutes later, after other errors sooner.
type FindCampaigns func(context.Context) (map[int64]string, error)

// SearchRefusal is an error of [FindCampaigns] that a new attempt will not end soon.
type SearchRefusal struct{ Err error }

func (r SearchRefusal) Error() string { return r.Err.Error() }
func (r SearchRefusal) Unwrap() error { return r.Err }

// The intervals of the searches for campaigns.
const (
	searchInterval       = 5 * time.Minute  // after a successful search, and the longest after failures
	searchRetryDelay     = 30 * time.Second // after the first failure; doubles with each
	campaignListPatience = 3 * time.Second  // until then an empty list is not final
)

// discovery holds the campaigns that [Options.FindCampaigns] listed. The feed's mutex
// guards it.
type discovery struct {
	found     map[int64]string // names by id
	failing   model.Search
	awaited   bool // the first search is running
	searches  int  // number of searches requested by begin
	requested chan struct{}
}

// begin forgets the campaigns and requests a search if find is set.
func (d *discovery) begin(find FindCampaigns) {
	d.found, d.failing, d.awaited = nil, model.Search{}, find != nil
	d.searches++
	select {
	case d.requested <- struct{}{}:
	default: // already requested
	}
}

// restore restores the campaigns found before the options changed.
func (d *discovery) restore(previous discovery) {
	if d.awaited {
		d.found, d.failing, d.awaited = previous.found, previous.failing, previous.awaited
	}
}

// setWantedCampaigns requests the configured and the found campaigns.
func (m *members) setWantedCampaigns(now time.Time) {
	ids := slices.AppendSeq(slices.Clone(m.opts.Campaigns), maps.Keys(m.discovery.found))
	slices.Sort(ids)
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
		began, answered := f.now(), false // answered is guarded by mu
		late := time.AfterFunc(campaignListPatience, func() {
			f.applyFound(search, func(d *discovery) {
				if !answered { // Stop does not wait for this function
					d.fail("no answer yet", began, time.Time{})
				}
			})
		})
		found, err := find(ctx)
		late.Stop()
		if err != nil {
			if errors.As(err, new(SearchRefusal)) {
				pause = searchInterval
			}
			why := model.CleanText(err.Error(), model.MaxBody)
			f.log.Warn("cannot list the campaigns", "error", why, "again_in", pause.String())
			f.applyFound(search, func(d *discovery) { answered = true; d.fail(why, began, f.now().Add(pause)) })
			next, pause = time.After(pause), min(2*pause, searchInterval)
			continue
		}
		f.applyFound(search, func(d *discovery) { answered = true; d.succeed(found) })
		next, pause = time.After(searchInterval), searchRetryDelay
	}
}

// fail notes a failed search.
func (d *discovery) fail(why string, at, next time.Time) {
	if d.failing.Since.IsZero() {
		d.failing.Since = at
	}
	d.failing.Failed, d.failing.NextTry = why, next
}

// succeed replaces the campaigns by those found.
func (d *discovery) succeed(found map[int64]string) {
	d.found, d.failing = make(map[int64]string, len(found)), model.Search{}
	for id, name := range found {
		if id > 0 {
			d.found[id] = model.CleanText(name, model.MaxName)
		}
	}
}

// setNames sets the names of the campaigns.
func (d *discovery) setNames(campaigns *model.Live[int64, model.Campaign, *model.Campaign]) {
	for _, r := range campaigns.Rows() {
		if name := d.found[r.Key()]; name != r.Name {
			named := *r
			named.Name = name
			campaigns.Amend(&named)
		}
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
	if change(d); !maps.Equal(before, d.found) {
		f.log.Info("campaigns found", "campaigns", len(d.found), "before", len(before))
	}
	d.awaited = false
	f.members.setWantedCampaigns(f.now())
	f.sleep.wakeUp()
}
