package restclient

import (
	"context"
	"net/url"
	"strconv"

	"wallboard/model/resource"
)

// Runs accesses the multichannel runs of campaigns (document 1, section Power Dialer
// (edition 1.4.0)).
type Runs struct{ session *Session }

// AddRun creates a multichannel run and returns it as stored by the platform (document 1,
// section Power Dialer (edition 1.4.0)).
func (r *Runs) AddRun(ctx context.Context, run resource.Run) (resource.Run, error) {
	if err := checkRun(resource.OpRunAdd, run); err != nil {
		return resource.Run{}, err
	}
	return getSameObject(ctx, r.session, request{op: resource.OpRunAdd, body: run}, run, sameRun)
}

// EditRun changes a run and returns it as stored by the platform.
func (r *Runs) EditRun(ctx context.Context, run resource.Run) (resource.Run, error) {
	if err := checkRun(resource.OpRunEdit, run); err != nil {
		return resource.Run{}, err
	}
	return getSameObject(ctx, r.session, request{op: resource.OpRunEdit, body: run}, run, sameRun)
}

// Run returns the run with the given ID. imEnd is the value of the parameter
// instantMessagingEndDate; a zero imEnd is not sent.
func (r *Runs) Run(ctx context.Context, id int, imEnd resource.Time) (resource.Run, error) {
	ck := requestCheck{op: resource.OpRun}
	ck.checkID("id", "the id of the run", &id)
	if imEnd.ISO() == "" && !imEnd.IsZero() {
		ck.addProblem("instantMessagingEndDate", "the end of the messaging is not a date and time")
	}
	if err := ck.err(); err != nil {
		return resource.Run{}, err
	}
	q := url.Values{}
	setText(q, "instantMessagingEndDate", imEnd.ISO())
	return getSameObject(ctx, r.session, request{op: resource.OpRun, path: []string{strconv.Itoa(id)}, query: q}, resource.Run{}, sameRun)
}

// RunNamed returns the run of a campaign with the given name.
func (r *Runs) RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error) {
	ck := requestCheck{op: resource.OpRunNamed}
	ck.checkID("campaignId", "the id of the campaign", &campaignID)
	ck.checkPathID("name", "the name of the run", name)
	if err := ck.err(); err != nil {
		return resource.Run{}, err
	}
	return getSameObject(ctx, r.session, request{op: resource.OpRunNamed, path: []string{strconv.Itoa(campaignID), name}}, resource.Run{Name: name}, sameRun)
}

func sameRun(expected, received resource.Run) bool {
	return hasIDOrName(received.ID, received.Name, expected.Name)
}
