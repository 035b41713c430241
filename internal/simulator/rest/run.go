package rest

import (
	"slices"
	"strconv"
	"time"
)

// runs serves the runs of the campaigns.
type runs struct {
	list   []object
	lastID int // highest id
}

// add serves POST /rest/powerdialer/mc/run/add.
func (s *runs) add(c *apiRequest) (any, error) {
	run, err := c.parseRun()
	if err != nil {
		return nil, err
	}
	s.lastID++
	run["id"] = jsonNumber(s.lastID)
	for _, name := range []string{"runStatus", "instantMessagingRunStatus"} {
		if run[name] == nil {
			run[name] = "DISABLE"
		}
	}
	s.list = append(s.list, run)
	c.recordExecution(strconv.Itoa(s.lastID))
	return run, nil
}

// edit serves POST /rest/powerdialer/mc/run/edit, which replaces a run.
func (s *runs) edit(c *apiRequest) (any, error) {
	run, err := c.parseRun()
	if err != nil {
		return nil, err
	}
	id := (&fieldReader{object: run}).integer("id", 0)
	i := s.index(id)
	if i < 0 {
		return nil, notFoundError("run", strconv.FormatInt(id, 10))
	}
	run["id"] = jsonNumber(id)
	s.list[i] = run
	c.recordExecution(strconv.FormatInt(id, 10))
	return run, nil
}

func (c *apiRequest) parseRun() (object, error) {
	run, err := c.parseOptionalObject()
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: run}
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

func (s *runs) index(id int64) int {
	return slices.IndexFunc(s.list, func(run object) bool { return integerOf(run["id"]) == id })
}

// get serves GET /rest/powerdialer/mc/run/{campaignRunId}. It rejects an invalid parameter
// instantMessagingEndDate and otherwise ignores the parameter, because document 1 does not
// describe its effect.
func (s *runs) get(c *apiRequest) (any, error) {
	id, err := c.pathID("campaignRunId")
	if err != nil {
		return nil, err
	}
	if text := c.query.Get("instantMessagingEndDate"); text != "" {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return nil, malformedError("instantMessagingEndDate is not a date-time")
		}
	}
	if i := s.index(id); i >= 0 {
		return s.list[i], nil
	}
	return nil, notFoundError("run", strconv.FormatInt(id, 10))
}

// findByName serves GET /rest/powerdialer/mc/run/{campaignId}/{runName}.
func (s *runs) findByName(c *apiRequest) (any, error) {
	id, err := c.pathID("campaignId")
	if err != nil {
		return nil, err
	}
	name := c.request.PathValue("runName")
	for _, run := range s.list {
		if integerOf(run["campaignId"]) == id && run["name"] == name {
			return run, nil
		}
	}
	return nil, notFoundError("run", name)
}
