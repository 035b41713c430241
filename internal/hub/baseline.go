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

// The baseline is computed once an hour, before the hour begins.
const (
	baselineInterval = time.Hour
	baselineLead     = forecast.Quarter
)

// cachedBaseline holds the baseline of a view's figures, computed from earlier days.
type cachedBaseline struct {
	baselines   forecast.Baselines
	until       time.Time // end of the computed or requested period; zero: none yet
	unavailable bool      // the recorded days belong to another platform
	revision    int       // increases when running computations become invalid
}

// forget drops the baseline. It is computed again unless unavailable is set because the recorded
// days no longer apply.
func (b *cachedBaseline) forget(unavailable bool) {
	b.baselines, b.until, b.revision, b.unavailable = forecast.Baselines{}, time.Time{}, b.revision+1, b.unavailable || unavailable
}

// baselineDue returns the time range for which a baseline is due, if any.
func (p *sharedView) baselineDue(now time.Time) (from, to time.Time, revision int, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := &p.baseline
	if b.unavailable || !p.started || now.Add(baselineLead).Before(b.until) {
		return from, to, revision, false
	}
	if to = now.Add(baselineLead).Truncate(baselineInterval).Add(baselineInterval); b.until.IsZero() {
		from = now.Truncate(baselineInterval).Add(-situation.ChartPeriod)
	} else {
		from = b.until
	}
	b.until = to
	return from, to, b.revision, true
}

// computeBaselines computes due baselines in the background, one after the other.
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
			h.withReaderSlot(ctx, func() { h.computeBaseline(ctx, p, from, to, revision) })
		})
	}
}

// computeBaseline computes the baseline of a view for a time range.
func (h *Hub) computeBaseline(ctx context.Context, p *sharedView, from, to time.Time, revision int) {
	h.mu.Lock()
	engine, err := h.options.Engine(p.visibility.Part)
	holidays := h.options.Holidays
	h.mu.Unlock()
	if err != nil {
		return // the view then has no baseline
	}
	l := forecast.NewLearner(engine, from, to, time.Local, holidays)
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

// learnCourses adds the courses of recorded earlier days that the log lacks, once and in the
// background.
func (h *Hub) learnCourses(ctx context.Context, now time.Time) {
	if h.coursesLearnt || h.options.Recorded.Days == nil || now.IsZero() {
		return
	}
	h.coursesLearnt = true
	platform := h.options.Courses.Platform()
	h.background.Go(func() {
		h.withReaderSlot(ctx, func() {
			for s := range h.options.Recorded.Days(ctx, h.options.Courses.MissingTimes(now)) {
				if h.options.Courses.Platform() != platform {
					return // these are the days of another platform
				}
				h.updateCourses(s, s.At)
			}
			h.checkAccuracy(ctx, now)
		})
	})
}

// checkInterval is the time between two checks of the forecasts of the recorded days.
const checkInterval = 10 * time.Minute

// checkForecasts checks in the background how often the forecasts of the recorded days were right.
func (h *Hub) checkForecasts(ctx context.Context, now time.Time) {
	interval := now.Unix() / int64(checkInterval/time.Second)
	if now.IsZero() || !h.coursesLearnt && h.options.Recorded.Days != nil || interval == h.checkedAt {
		return
	}
	h.checkedAt = interval
	h.background.Go(func() { h.withReaderSlot(ctx, func() { h.checkAccuracy(ctx, now) }) })
}

// checkAccuracy checks the forecasts of the recorded days. It drops the result if the context ends or the
// platform changes meanwhile.
func (h *Hub) checkAccuracy(ctx context.Context, now time.Time) {
	platform := h.options.Courses.Platform()
	a := h.options.Courses.CheckAccuracy(ctx, now, h.whole.goals())
	if ctx.Err() == nil && h.options.Courses.Platform() == platform {
		h.accuracy.Store(&a)
	}
}

// updateCourses adds a snapshot of the whole floor to the courses of the days.
func (h *Hub) updateCourses(s *model.Snapshot, at time.Time) {
	goals := h.whole.goals() // views lock before the courses, so Update must not call them
	h.options.Courses.Update(s, at, func(code string) model.ServiceLevelFormula { return goals(code).Formula })
}

// restrictSnapshots returns recorded snapshots as the viewers of this view may see them.
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

// Baseline returns the baseline of a figure of a record along its trend, from the same time
// of earlier days. It is empty if there are too few days.
func (v *Viewer) Baseline(name string, k alert.Key, trend alert.Trend) forecast.UsualBand {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.baseline.baselines.Band(name, k, trend)
}
