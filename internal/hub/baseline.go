package hub

import (
	"context"
	"iter"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// Baselines are computed for an hour at a time, 15 minutes before the hour begins.
const (
	baselineInterval = time.Hour
	baselineLead     = forecast.Quarter
)

// cachedBaseline holds the baselines of a view's figures, which are computed from earlier days.
type cachedBaseline struct {
	baselines   forecast.Baselines
	periodEnd   time.Time // end of the period that was last computed or requested; zero: none yet
	unavailable bool      // the recorded days belong to another platform
	revision    int       // increases when running computations become invalid
}

// drop drops the baselines. If unavailable is true, they are not computed again, because the
// recorded days belong to another platform.
func (b *cachedBaseline) drop(unavailable bool) {
	b.baselines, b.periodEnd, b.revision, b.unavailable = forecast.Baselines{}, time.Time{}, b.revision+1, b.unavailable || unavailable
}

// baselineDue returns the period for which the baselines must be computed now, and marks it as
// requested. due is false if there is none. The caller must pass revision to computeBaseline.
func (p *sharedView) baselineDue(now time.Time) (from, to time.Time, revision int, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := &p.baseline
	if b.unavailable || !p.started || now.Add(baselineLead).Before(b.periodEnd) {
		return from, to, revision, false
	}
	if to = now.Add(baselineLead).Truncate(baselineInterval).Add(baselineInterval); b.periodEnd.IsZero() {
		from = now.Truncate(baselineInterval).Add(-situation.ChartPeriod)
	} else {
		from = b.periodEnd
	}
	b.periodEnd = to
	return from, to, b.revision, true
}

// computeBaselines computes all due baselines in the background, one after the other.
func (h *Hub) computeBaselines(ctx context.Context, now time.Time) {
	if h.options.Recorded.Days == nil || now.IsZero() {
		return
	}
	for _, p := range h.allViews() {
		from, to, revision, is := p.baselineDue(now)
		if !is {
			continue
		}
		h.background.Go(func() {
			h.withReaderLock(ctx, func() { h.computeBaseline(ctx, p, from, to, revision) })
		})
	}
}

// computeBaseline computes the baselines of a view for a period. It drops the result if the
// revision of the view has changed in the meantime.
func (h *Hub) computeBaseline(ctx context.Context, p *sharedView, from, to time.Time, revision int) {
	h.mu.Lock()
	engine, err := h.options.Engine(p.visibility.Part)
	holidays := h.options.Holidays
	h.mu.Unlock()
	if err != nil {
		return // without an engine, the view has no baselines
	}
	l := forecast.NewBaselineCollector(engine, from, to, time.Local, holidays)
	l.AddAll(p.restrictSnapshots(h.options.Recorded.Days(ctx, l.Times())))
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.baseline.revision == revision {
		p.baseline.baselines.Merge(l)
	}
}

// learnIntraday adds recorded earlier days to the intraday log, in the background. It runs
// only once, and adds only days that are missing in the log.
func (h *Hub) learnIntraday(ctx context.Context, now time.Time) {
	if h.intradayLearned || h.options.Recorded.Days == nil || now.IsZero() {
		return
	}
	h.intradayLearned = true
	platform := h.options.IntradayLog.Platform()
	h.options.IntradayLog.SetReading(true)
	h.background.Go(func() {
		defer h.options.IntradayLog.SetReading(false)
		h.withReaderLock(ctx, func() {
			for s := range h.options.Recorded.Days(ctx, h.options.IntradayLog.MissingTimes(now)) {
				if h.options.IntradayLog.Platform() != platform {
					return // the recording belongs to another platform
				}
				h.updateIntraday(s, s.At)
			}
			h.options.IntradayLog.SetReading(false)
			h.checkAccuracy(ctx, now)
		})
	})
}

// forecastCheckInterval is how often the hub checks the accuracy of past forecasts.
const forecastCheckInterval = 10 * time.Minute

// checkForecasts starts a check, in the background, of how many forecasts shown to viewers
// were right. It does so once in each period of forecastCheckInterval, but not before recorded days
// have been learned.
func (h *Hub) checkForecasts(ctx context.Context, now time.Time) {
	interval := now.Unix() / int64(forecastCheckInterval/time.Second)
	if now.IsZero() || !h.intradayLearned && h.options.Recorded.Days != nil || interval == h.checkedAt {
		return
	}
	h.checkedAt = interval
	h.background.Go(func() { h.withReaderLock(ctx, func() { h.checkAccuracy(ctx, now) }) })
}

// checkAccuracy computes how many forecasts shown to viewers were right, and stores the
// result. It drops the result if the context has ended or the platform has changed.
func (h *Hub) checkAccuracy(ctx context.Context, now time.Time) {
	platform := h.options.IntradayLog.Platform()
	a := h.options.IntradayLog.CheckAccuracy(now)
	if ctx.Err() == nil && h.options.IntradayLog.Platform() == platform {
		h.accuracy.Store(&a)
	}
}

// updateIntraday adds the counters of a snapshot of the whole floor to the intraday log.
func (h *Hub) updateIntraday(s *model.Snapshot, at time.Time) {
	goals := h.wholeFloor.goals() // call it before Update, because the lock of a view must be taken before that of the log
	h.options.IntradayLog.Update(s, at, func(code string) model.ServiceLevelFormula { return goals(code).Formula })
}

// restrictSnapshots returns the recorded snapshots, restricted to the data that the viewers of
// this view may see.
func (p *sharedView) restrictSnapshots(snapshots iter.Seq[*model.Snapshot]) iter.Seq[*model.Snapshot] {
	part, mask := model.NewPartFilter(p.visibility.Part), p.maskCopy()
	return func(yield func(*model.Snapshot) bool) {
		for s := range snapshots {
			if !yield(mask.Apply(part.Apply(s))) {
				return
			}
		}
	}
}

// Baseline returns the typical range of a record's figure at the times of trend. It is
// computed from the same times of earlier days, and empty if there are too few days.
func (v *Viewer) Baseline(name string, k alert.Key, trend alert.Trend) forecast.UsualBand {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.baseline.baselines.Band(name, k, trend)
}
