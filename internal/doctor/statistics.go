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

// ExamineStatistics checks the statistical data service alone. It returns an error only if the
// context ends.
func ExamineStatistics(ctx context.Context, o *history.Options) (*Report, error) {
	r := &Report{}
	return r, r.checkStatistics(ctx, o, time.Now())
}

// checkStatistics adds the results of a probe of the statistical data service to the report. It
// returns an error only if the context ends.
func (r *Report) checkStatistics(ctx context.Context, o *history.Options, now time.Time) error {
	if o == nil {
		r.addUnconfigured(statisticsService, "[history]")
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
		case errors.Is(err, history.ErrInvalidKey):
			remedy = "check the key in [history]; it is in the platform's administration console: Advanced, data model"
		case errors.Is(err, history.ErrRateLimit), errors.Is(err, history.ErrBudgetExhausted):
			remedy = "ask again in two minutes; the platform takes 100 requests a minute from all programs together"
		}
		r.addFinding(statisticsService, "Access", VerdictFail, errorText(err), remedy)
		return nil
	}
	r.addFinding(statisticsService, "Access", VerdictOK, "answers within "+formatDuration(p.ResponseTime), "")
	r.addClockSkew(statisticsService, p.ServerDate, p.AnsweredAt.Add(-p.ResponseTime), p.AnsweredAt)
	r.addCertificate(statisticsService, p.TLS, now)
	r.addSchema(statisticsService, p.SchemaError)
	r.addOperations(&p)
	r.addLimits(&p)
	return nil
}

// errorText returns the message of an error without the prefix of package history.
func errorText(err error) string {
	return model.CleanText(strings.TrimPrefix(err.Error(), "history: "), model.MaxBody)
}

// addOperations adds a finding about the operations that the service has and those that are
// missing.
func (r *Report) addOperations(p *history.Probe) {
	var lacks, unnamed []string
	for _, op := range p.MissingOperations {
		if history.IsDocumented(op) {
			lacks = append(lacks, op)
		} else {
			unnamed = append(unnamed, op)
		}
	}
	switch {
	case len(lacks) > 0:
		r.addFinding(statisticsService, "Operations", VerdictNote, "this server lacks: "+strings.Join(lacks, ", "),
			"if it has them under other names, write those under [history.names]")
	case len(p.FailedOperations) == 0 && p.EndError == nil:
		r.addFinding(statisticsService, "Operations", VerdictOK, "all that document 3 names", "")
	}
	for _, op := range slices.Sorted(maps.Keys(p.FailedOperations)) {
		r.addFinding(statisticsService, "Operations", VerdictFail, op+": "+errorText(p.FailedOperations[op]), "see the server's log")
	}
	if len(p.Names) > 0 {
		var names []string
		for _, op := range slices.Sorted(maps.Keys(p.Names)) {
			names = append(names, op+" is "+p.Names[op])
		}
		r.addFinding(statisticsService, "Names", VerdictOK, strings.Join(names, ", "), "")
	}
	if len(unnamed) > 0 {
		r.addFinding(statisticsService, "Names", VerdictNote, "not known: "+strings.Join(unnamed, ", "), "if the platform has them, write their names under [history.names]")
	}
}

// addLimits adds findings about the limits of requests.
func (r *Report) addLimits(p *history.Probe) {
	switch {
	case p.Batch == 1:
		r.addFinding(statisticsService, "Counts", VerdictNote, "one in a request, so that a day takes more than a hundred of them", "")
	case p.Batch >= history.MaxBatch:
		r.addFinding(statisticsService, "Counts", VerdictOK, fmt.Sprintf("%d in one request", p.Batch), "")
	case p.Batch > 1:
		r.addFinding(statisticsService, "Counts", VerdictNote, fmt.Sprintf("at most about %d in one request", p.Batch), "")
	}
	if p.Batch > 0 && p.Batch < history.MaxBatch {
		r.Config = append(r.Config, "[history]", fmt.Sprintf("batch = %d", p.Batch))
	}
	switch {
	case p.PageError != nil:
		r.addFinding(statisticsService, "Pages", VerdictFail, "a page of 1000 is refused: "+errorText(p.PageError), "")
	case p.EndError == nil:
		r.addFinding(statisticsService, "Pages", VerdictOK, "1000 contacts at a time", "")
	}
	switch {
	case errors.Is(p.EndError, history.ErrRateLimit):
		r.addFinding(statisticsService, "Rate", VerdictNote, "a request was refused for the rate of all; what comes after it was not looked at",
			"ask again in two minutes; the platform takes 100 requests a minute from all programs together")
	case p.EndError != nil:
		r.addFinding(statisticsService, "Rate", VerdictFail, "the check ended: "+errorText(p.EndError), "ask again; if that does not help, give it more with timeout in [history]")
	case !p.Budget.LoweredUntil.IsZero():
		r.addFinding(statisticsService, "Rate", VerdictNote, "a request was refused for the rate of all, and went through later", "see what else uses the platform's 100 requests a minute")
	default:
		r.addFinding(statisticsService, "Rate", VerdictOK, fmt.Sprintf("%d of %d requests of this minute are used", p.Budget.Used, p.Budget.Limit), "")
	}
}
