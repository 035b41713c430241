package feeds

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// FindCampaigns returns the names of the campaigns to show, by campaign ID. The feed calls it every
// five minutes, and sooner after an error other than a [SearchRefusal].
type FindCampaigns func(context.Context) (map[int64]string, error)

// SearchRefusal is a permanent error of [FindCampaigns]. After it, the feed waits the normal five
// minutes before the next call.
type SearchRefusal struct{ Err error }

func (r SearchRefusal) Error() string { return r.Err.Error() }
func (r SearchRefusal) Unwrap() error { return r.Err }

// Intervals of the search for campaigns.
const (
	searchInterval      = 5 * time.Minute  // after a successful search, and the longest after failures
	searchRetryDelay    = 30 * time.Second // after the first failure; doubled after each further one
	campaignListTimeout = 3 * time.Second  // how long the first request for campaigns waits for the list
)

// campaignDiscovery holds the campaigns that [Options.FindCampaigns] listed, and the state of the search. The
// feed's mutex guards it.
type campaignDiscovery struct {
	namesByID   map[int64]string     // campaign names by ID
	failure     model.CampaignSearch // failure of the last search; zero value: it succeeded
	awaitsFirst bool                 // the first search is running
	searchCount int                  // number of calls of requestSearch
	requested   chan struct{}        // receives a value when a search is requested
}

// requestSearch forgets the found campaigns and requests a new search with find. If find is nil, no
// campaigns are searched for.
func (d *campaignDiscovery) requestSearch(find FindCampaigns) {
	d.namesByID, d.failure, d.awaitsFirst = nil, model.CampaignSearch{}, find != nil
	d.searchCount++
	select {
	case d.requested <- struct{}{}:
	default: // already requested
	}
}

// restore takes over the found campaigns from previous, the state before the options changed. It
// does nothing unless the first search with the new options is still awaited.
func (d *campaignDiscovery) restore(previous campaignDiscovery) {
	if d.awaitsFirst {
		d.namesByID, d.failure, d.awaitsFirst = previous.namesByID, previous.failure, previous.awaitsFirst
	}
}

// setWantedCampaigns requests the figures of the campaigns in the configuration and of those found
// by the last search.
func (b *filterBuilder) setWantedCampaigns(now time.Time) {
	ids := slices.AppendSeq(slices.Clone(b.opts.Campaigns), maps.Keys(b.discovery.namesByID))
	slices.Sort(ids)
	b.setWanted(opCampaigns, graphql.CampaignsRequest(slices.Compact(ids)), now)
}

// findCampaigns calls [Options.FindCampaigns] periodically, and when a search is requested, until
// ctx ends.
func (f *Feed) findCampaigns(ctx context.Context) {
	var next <-chan time.Time
	pause := searchRetryDelay
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.filterBuilder.discovery.requested:
			pause = searchRetryDelay
		case <-next:
		}
		f.mu.Lock()
		find, search := f.opts.FindCampaigns, f.filterBuilder.discovery.searchCount
		f.mu.Unlock()
		if find == nil {
			next = nil
			continue
		}
		began, answered := f.now(), false // answered is guarded by mu
		late := time.AfterFunc(campaignListTimeout, func() {
			f.applyFound(search, func(d *campaignDiscovery) {
				if !answered { // late.Stop does not wait for this function
					d.recordFailure("no answer yet", began, time.Time{})
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
			f.applyFound(search, func(d *campaignDiscovery) { answered = true; d.recordFailure(why, began, f.now().Add(pause)) })
			next, pause = time.After(pause), min(2*pause, searchInterval)
			continue
		}
		f.applyFound(search, func(d *campaignDiscovery) { answered = true; d.recordFound(found) })
		next, pause = time.After(searchInterval), searchRetryDelay
	}
}

// recordFailure records a failed search for display. at is when the search began, next when the
// next search is due.
func (d *campaignDiscovery) recordFailure(reason string, at, next time.Time) {
	if d.failure.Since.IsZero() {
		d.failure.Since = at
	}
	d.failure.Failed, d.failure.NextTry = reason, next
}

// recordFound replaces the known campaigns with found, the result of a successful search.
func (d *campaignDiscovery) recordFound(found map[int64]string) {
	d.namesByID, d.failure = make(map[int64]string, len(found)), model.CampaignSearch{}
	for id, name := range found {
		if id > 0 {
			d.namesByID[id] = model.CleanText(name, model.MaxName)
		}
	}
}

// setNames sets the names of the found campaigns in their records.
func (d *campaignDiscovery) setNames(campaigns *model.MutableTable[int64, model.Campaign, *model.Campaign]) {
	for _, r := range campaigns.Rows() {
		if name := d.namesByID[r.Key()]; name != r.Name {
			named := *r
			named.Name = name
			campaigns.Amend(&named)
		}
	}
}

// applyFound calls change to record the result of a search in the discovery state. search is the
// number of the search, that is, searchCount when it began. applyFound does nothing if another
// search has been requested since.
func (f *Feed) applyFound(search int, change func(*campaignDiscovery)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := &f.filterBuilder.discovery
	if search != d.searchCount {
		return
	}
	before := d.namesByID
	if change(d); !maps.Equal(before, d.namesByID) {
		f.log.Info("campaigns found", "campaigns", len(d.namesByID), "before", len(before))
	}
	d.awaitsFirst = false
	f.filterBuilder.setWantedCampaigns(f.now())
	f.sleep.wakeUp()
}
