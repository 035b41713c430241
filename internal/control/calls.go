package control

import (
	"context"
	"slices"
	"sync"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// Calls makes and ends calls for users, and records their calls.
type Calls struct {
	executor  *executor
	feed      *liveFeed
	service   CallService
	correlate bool // the option Options.Correlate

	mu              sync.Mutex
	lastListedCalls map[string][]resource.Call // calls that CallsOf returned last, by user
}

// currentCalls reads the service calls of a user and returns those that have not ended.
func (d *Calls) currentCalls(ctx context.Context, username string) ([]resource.Call, error) {
	all, err := d.service.ServiceCalls(ctx, username, false)
	return resource.CurrentCalls(all), err
}

// findCall returns the call with the given ID, or nil if it is not in calls.
func findCall(calls []resource.Call, id string) *resource.Call {
	if i := slices.IndexFunc(calls, func(c resource.Call) bool { return c.UniqueID == id }); i >= 0 {
		return &calls[i]
	}
	return nil
}

// CallsOf returns the service calls of a user and stores them for wasListed.
func (d *Calls) CallsOf(ctx context.Context, username string) ([]resource.Call, error) {
	calls, err := d.service.ServiceCalls(ctx, username, false)
	if err == nil {
		d.mu.Lock()
		d.lastListedCalls[username] = calls
		d.mu.Unlock()
	}
	return recordRead(d.executor.status, func(reason words.Text) words.Text {
		return words.ControlReadCalls(d.feed.personName(username), reason)
	}, calls, err)
}

// wasListed reports whether the last successful CallsOf for a user returned the call with the given
// ID.
func (d *Calls) wasListed(username, id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return findCall(d.lastListedCalls[username], id) != nil
}
