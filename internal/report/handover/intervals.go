package handover

import (
	"context"
	"fmt"
	"slices"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/model/contact"
)

// IntervalQuery selects what [CountDay] counts.
type IntervalQuery struct {
	Day     time.Time // start of the day; zero: the last recorded day
	Length  time.Duration
	Channel model.Channel
	Service string // code or name of a service; "": all of them
}

// ZoneOf returns the time zone of the days in a recording: the configured one or, without it, that of
// the recording.
func ZoneOf(c *config.Config, rec *record.Recording) *time.Location {
	if c.History.TimeZone == "" {
		return rec.Info().Location()
	}
	return c.History.Location()
}

// CountDay counts the contacts of a recorded day in intervals.
func CountDay(ctx context.Context, c *config.Config, rec *record.Recording, q IntervalQuery) (analysis.Table, error) {
	in, zone := rec.Info(), ZoneOf(c, rec)
	if q.Day.IsZero() {
		q.Day = contact.StartOfDay(in.Last.In(zone), 0)
	}
	code := q.Service
	for _, n := range c.RTD.Names {
		if n.Kind == string(model.NameService) && textnorm.Fold(n.Name) == textnorm.Fold(q.Service) {
			code = n.Code
		}
	}
	subject, names := "All services", c.Names()
	if code != "" {
		subject = names.NameOf(model.NameService, code)
	}
	list, err := analysis.Intervals(ctx, rec.Replay(in.First, 1, nil), q.Day, contact.StartOfDay(q.Day, 1), q.Length, analysis.Scope{Channel: q.Channel, Service: code}, nil)
	if err != nil {
		return analysis.Table{}, err
	}
	o := c.AlertOptions(names)
	goal, ok := o.Goals[code]
	if !ok {
		goal = o.Goal
	}
	d := analysis.NewTable(q.Day, time.Now().In(zone), q.Length, subject, q.Channel, goal.Formula, list)
	if code != "" && len(d.Rows) > 0 && !slices.ContainsFunc(d.Rows, func(r analysis.Row) bool { return r.Received.Known() }) {
		return d, fmt.Errorf("no service %q on %s is recorded on this day", q.Service, q.Channel)
	}
	return d, nil
}
