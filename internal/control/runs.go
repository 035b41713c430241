package control

import (
	"context"
	"strconv"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// Runs adds and changes multichannel runs of campaigns.
type Runs struct {
	executor *executor
	service  RunService
}

// Run returns the run with an ID.
func (d *Runs) Run(ctx context.Context, id int) (resource.Run, error) {
	r, err := d.service.Run(ctx, id, resource.Time{})
	return recordRead(d.executor.status, func(reason words.Text) words.Text { return words.ControlReadRun(strconv.Itoa(id), reason) }, r, err)
}

// RunNamed returns the run of a campaign with the given name.
func (d *Runs) RunNamed(ctx context.Context, campaignID int, name string) (resource.Run, error) {
	r, err := d.service.RunNamed(ctx, campaignID, name)
	return recordRead(d.executor.status, func(reason words.Text) words.Text {
		return words.ControlReadRunNamed(name, strconv.Itoa(campaignID), reason)
	}, r, err)
}

// AddRun adds a run to a campaign. If the outcome of the request is unknown and the campaign has a
// new run with the name of r, AddRun reports this run as added.
func (d *Runs) AddRun(ctx context.Context, r resource.Run) words.ActionReport {
	n := createAction[resource.Run]{
		operation: resource.OpRunAdd, kind: runKind, name: r.Name, parent: "campaign " + resource.IntText(r.CampaignID),
		id: func(r resource.Run) string { return resource.IntText(r.ID) },
		find: func(ctx context.Context) ([]string, error) {
			found, err := d.service.RunNamed(ctx, idOrZero(r.CampaignID), r.Name)
			if isRefused(err) {
				return nil, nil // counts as "no such run", because document 1 does not show the status of this answer
			}
			if err != nil {
				return nil, err
			}
			return []string{resource.IntText(found.ID)}, nil
		},
		write: func(ctx context.Context) (resource.Run, error) { return d.service.AddRun(ctx, r) },
	}
	if r.CampaignID == nil || r.Name == "" {
		n.find = nil
	}
	return n.run(ctx, d.executor)
}

// EditRun replaces the run before with after. It refuses the change if the platform's run is no
// longer equal to before.
func (d *Runs) EditRun(ctx context.Context, before, after resource.Run) words.ActionReport {
	u := updateAction[resource.Run]{
		operation: resource.OpRunEdit, kind: runKind, id: resource.IntText(after.ID), resourceName: runKind.describe(before.Name, resource.IntText(before.ID)),
		before: before, after: after,
		read: func(ctx context.Context) (*resource.Run, error) {
			return nilIfNotFound(d.service.Run(ctx, idOrZero(after.ID), resource.Time{}))
		},
		write: func(ctx context.Context) (resource.Run, error) { return d.service.EditRun(ctx, after) },
	}
	return u.run(ctx, d.executor)
}
