package simulator

import (
	"slices"
	"strconv"
	"time"
)

// addRun serves POST /rest/powerdialer/mc/run/add.
func (r *rest) addRun(c *restCall) (any, error) {
	run, err := c.run()
	if err != nil {
		return nil, err
	}
	r.store.lastRun++
	run["id"] = digits(r.store.lastRun)
	for _, name := range []string{"runStatus", "instantMessagingRunStatus"} {
		if run[name] == nil {
			run[name] = "DISABLE"
		}
	}
	r.store.runs = append(r.store.runs, run)
	c.did(strconv.Itoa(r.store.lastRun))
	return run, nil
}

// editRun serves POST /rest/powerdialer/mc/run/edit: the run is replaced.
func (r *rest) editRun(c *restCall) (any, error) {
	run, err := c.run()
	if err != nil {
		return nil, err
	}
	id := (&fields{object: run}).integer("id", 0)
	i := r.indexRun(id)
	if i < 0 {
		return nil, notFound("run", strconv.FormatInt(id, 10))
	}
	run["id"] = digits(id)
	r.store.runs[i] = run
	c.did(strconv.FormatInt(id, 10))
	return run, nil
}

func (c *restCall) run() (object, error) {
	run, err := c.optionalObject()
	if err != nil {
		return nil, err
	}
	f := fields{object: run}
	for _, name := range []string{"id", "campaignId", "listId"} {
		f.integer(name, 0)
	}
	for _, name := range []string{
		"startDate", "endDate", "scheduledStartDate", "scheduledEndDate",
		"instantMessagingStartDate", "instantMessagingEndDate",
	} {
		f.time(name)
	}
	f.text("name")
	f.objects("contacts")
	return run, f.err
}

func (r *rest) indexRun(id int64) int {
	return slices.IndexFunc(r.store.runs, func(run object) bool { return integerOf(run["id"]) == id })
}

// run serves GET /rest/powerdialer/mc/run/{campaignRunId}. What its parameter
// selects is not shown: it is looked at, and selects nothing.
func (r *rest) run(c *restCall) (any, error) {
	id, err := c.id("campaignRunId")
	if err != nil {
		return nil, err
	}
	if text := c.query.Get("instantMessagingEndDate"); text != "" {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return nil, malformed("instantMessagingEndDate is no date-time")
		}
	}
	if i := r.indexRun(id); i >= 0 {
		return r.store.runs[i], nil
	}
	return nil, notFound("run", strconv.FormatInt(id, 10))
}

// runNamed serves GET /rest/powerdialer/mc/run/{campaignId}/{runName}.
func (r *rest) runNamed(c *restCall) (any, error) {
	id, err := c.id("campaignId")
	if err != nil {
		return nil, err
	}
	name := c.http.PathValue("runName")
	for _, run := range r.store.runs {
		if integerOf(run["campaignId"]) == id && run["name"] == name {
			return run, nil
		}
	}
	return nil, notFound("run", name)
}
