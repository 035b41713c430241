package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"wallboard/internal/history"
	"wallboard/model"
)

// statistics reports on the statistical data service. The error is the context's.
func (r *Report) statistics(ctx context.Context, o *history.Options, now time.Time) error {
	if o == nil {
		r.unconfigured(statistical, "[history]")
		return nil
	}
	p, err := history.RunProbe(ctx, *o)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		err = p.Err
	}
	if err != nil {
		remedy := "check url in [history]: it is the address before /query"
		switch {
		case errors.Is(err, history.ErrKey):
			remedy = "check the key in [history]; it is in the platform's administration console: Advanced, data model"
		case errors.Is(err, history.ErrRate), errors.Is(err, history.ErrBudget):
			remedy = "ask again in two minutes; the platform takes 100 requests a minute from all programs together"
		}
		r.add(statistical, "Access", Fail, sentence(err), remedy)
		return nil
	}
	r.add(statistical, "Access", OK, "answers within "+formatDuration(p.Took), "")
	r.skew(statistical, p.Date, p.Asked)
	r.certificate(statistical, p.TLS, now)
	r.schema(statistical, p.Schema)
	r.operations(&p)
	r.limits(&p)
	return nil
}

// sentence returns an error of package history without the package's name.
func sentence(err error) string {
	return model.CleanText(strings.TrimPrefix(err.Error(), "history: "), model.MaxBody)
}

// operations reports the available operations.
func (r *Report) operations(p *history.Probe) {
	var lacks, unnamed []string
	for _, op := range p.Missing {
		if history.IsDocumented(op) {
			lacks = append(lacks, op)
		} else {
			unnamed = append(unnamed, op)
		}
	}
	switch {
	case len(lacks) > 0:
		r.add(statistical, "Operations", Note, "this server lacks: "+strings.Join(lacks, ", "),
			"if it has them under other names, write those under [history.names]")
	case len(p.Broken) == 0 && p.Ended == nil:
		r.add(statistical, "Operations", OK, "all that document 3 names", "")
	}
	for _, op := range slices.Sorted(maps.Keys(p.Broken)) {
		r.add(statistical, "Operations", Fail, op+": "+sentence(p.Broken[op]), "see the server's log")
	}
	if len(p.Names) > 0 {
		var names []string
		for _, op := range slices.Sorted(maps.Keys(p.Names)) {
			names = append(names, op+" is "+p.Names[op])
		}
		r.add(statistical, "Names", OK, strings.Join(names, ", "), "")
	}
	if len(unnamed) > 0 {
		r.add(statistical, "Names", Note, "not known: "+strings.Join(unnamed, ", "), "if the platform has them, write their names under [history.names]")
	}
}

// limits reports the limits of requests.
func (r *Report) limits(p *history.Probe) {
	switch {
	case p.Batch == 1:
		r.add(statistical, "Counts", Note, "one in a request, so that a day takes more than a hundred of them", "")
	case p.Batch >= history.MaxBatch:
		r.add(statistical, "Counts", OK, fmt.Sprintf("%d in one request", p.Batch), "")
	case p.Batch > 1:
		r.add(statistical, "Counts", Note, fmt.Sprintf("at most about %d in one request", p.Batch), "")
	}
	if p.Batch > 0 && p.Batch < history.MaxBatch {
		r.Config = append(r.Config, "[history]", fmt.Sprintf("batch = %d", p.Batch))
	}
	switch {
	case p.Page != nil:
		r.add(statistical, "Pages", Fail, "a page of 1000 is refused: "+sentence(p.Page), "")
	case p.Ended == nil:
		r.add(statistical, "Pages", OK, "1000 contacts at a time", "")
	}
	switch {
	case errors.Is(p.Ended, history.ErrRate):
		r.add(statistical, "Rate", Note, "a request was refused for the rate of all; what comes after it was not looked at",
			"ask again in two minutes; the platform takes 100 requests a minute from all programs together")
	case p.Ended != nil:
		r.add(statistical, "Rate", Fail, "the check ended: "+sentence(p.Ended), "ask again; if that does not help, give it more with timeout in [history]")
	case !p.Budget.Slow.IsZero():
		r.add(statistical, "Rate", Note, "a request was refused for the rate of all, and went through later", "see what else uses the platform's 100 requests a minute")
	default:
		r.add(statistical, "Rate", OK, fmt.Sprintf("%d of %d requests of this minute are used", p.Budget.Used, p.Budget.Limit), "")
	}
}
