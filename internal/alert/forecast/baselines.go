package forecast

import (
	"iter"
	"math"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// Quarter is the length of an interval. The values of a figure in one interval have a common
// typical range.
const Quarter = 15 * time.Minute

// sampleInterval is the time between the snapshots that are sampled in an interval.
const sampleInterval = 5 * time.Minute

// Minimum numbers of days behind a typical range.
const (
	minDays     = 2
	minWeekdays = 3 // minimum number of days of the same weekday; with fewer, all working days are used
	trimmedDays = 5 // minimum number of days for leaving out the lowest and the highest day
)

// keptQuarters limits the number of intervals with stored typical ranges.
const keptQuarters = 48

// UsualBand is the typical range of a figure at each sample of a trend.
type UsualBand struct {
	Low, High []float64  // bounds of the range at each sample; NaN: unknown
	Days      words.Text // description of the days behind the range, such as "4 Thursdays"; zero: no days
	Trimmed   bool       // the range leaves out the lowest and the highest day
}

type figureKey struct {
	name   string
	record alert.Key
}

// dayBasis describes the days that a typical range is computed from.
type dayBasis struct {
	days       uint8
	anyWorkday bool // the days are any working days and not only those of one weekday
}

// typicalRange is the typical range of a figure in one interval.
type typicalRange struct {
	quarter   int64 // number of the interval, see quarterNumber
	low, high float32
	days      dayBasis
}

// Baselines holds the typical ranges of figures. It is not safe for concurrent use.
type Baselines struct {
	zone   *time.Location
	ranges map[figureKey]*[keptQuarters]typicalRange
}

// Band returns the typical range of a figure at each sample of a trend.
func (b *Baselines) Band(name string, k alert.Key, trend alert.Trend) UsualBand {
	spans := b.ranges[figureKey{name, k}]
	if spans == nil || trend.Step <= 0 {
		return UsualBand{}
	}
	n, step := len(trend.Samples), int64(trend.Step/time.Second)
	first := trend.End.Unix() - int64(n-1)*step
	var newest *typicalRange
	var out UsualBand
	for i := range n {
		quarter := (first + int64(i)*step) / int64(Quarter/time.Second)
		low, high := math.NaN(), math.NaN()
		if s := &spans[quarter%keptQuarters]; s.quarter == quarter {
			newest, low, high = s, float64(s.low), float64(s.high)
		}
		if newest == nil {
			continue
		}
		if out.Low == nil { // samples before the first known range have no bounds
			out.Low, out.High = unknownValues(i, n), unknownValues(i, n)
		}
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	if newest != nil {
		at := time.Unix(newest.quarter*int64(Quarter/time.Second), 0).In(b.zone)
		out.Days, out.Trimmed = newest.days.describe(at), newest.days.days >= trimmedDays
	}
	return out
}

// unknownValues returns a slice of n NaN values with the given capacity.
func unknownValues(n, capacity int) []float64 {
	return append(make([]float64, 0, capacity), slices.Repeat([]float64{math.NaN()}, n)...)
}

// describe describes the days in words. day is the day that is compared with them.
func (d dayBasis) describe(day time.Time) words.Text {
	if d.anyWorkday {
		return words.ForecastWorkingDays(int(d.days))
	}
	_, weekdays := weekdayNames(day.Weekday())
	return words.ForecastWeekdays(int(d.days), weekdays)
}

// weekdayNames returns the name of a weekday, and that of several such days.
func weekdayNames(d time.Weekday) (one, many words.Text) {
	names := [...][2]func() words.Text{
		{words.ForecastSunday, words.ForecastSundays},
		{words.ForecastMonday, words.ForecastMondays},
		{words.ForecastTuesday, words.ForecastTuesdays},
		{words.ForecastWednesday, words.ForecastWednesdays},
		{words.ForecastThursday, words.ForecastThursdays},
		{words.ForecastFriday, words.ForecastFridays},
		{words.ForecastSaturday, words.ForecastSaturdays},
	}[d]
	return names[0](), names[1]()
}

// Merge adds the typical ranges of the values collected by l.
func (b *Baselines) Merge(l *BaselineCollector) {
	if b.ranges == nil {
		b.ranges = make(map[figureKey]*[keptQuarters]typicalRange)
	}
	b.zone = l.zone
	for f, learnt := range l.values {
		of := b.ranges[f]
		for _, days := range learnt {
			s, ok := days.typicalRange(l.zone)
			if !ok {
				continue
			}
			if of == nil {
				of = new([keptQuarters]typicalRange)
				b.ranges[f] = of
			}
			of[s.quarter%keptQuarters] = s
		}
	}
}

// quarterNumber returns the number of the interval that contains a time, counted since 1970. The
// number does not depend on the time zone, because all zones differ by whole intervals.
func quarterNumber(at time.Time) int64 { return at.Unix() / int64(Quarter/time.Second) }

// BaselineCollector collects the values of figures on earlier days, to compute the typical ranges
// for intervals of the current day.
type BaselineCollector struct {
	zone            *time.Location
	earlierQuarters map[int64]earlierQuarter // by number of the interval on the earlier day
	times           []time.Time
	values          map[figureKey]map[int64]*dayValues // the inner map is indexed by the number of the interval on the current day
	backfill        *alert.Backfill
}

// earlierQuarter links an interval of an earlier day to the current interval that is compared with
// it.
type earlierQuarter struct {
	comparedQuarter int64 // number of the current interval
	daysApart       int   // number of days between the two intervals
}

// dayValues holds the values of a figure in one interval on earlier days.
type dayValues struct {
	quarter int64
	days    []dayRange
}

// dayRange is the range of the values of a figure in one interval on one earlier day.
type dayRange struct {
	daysAgo   int
	low, high float64
}

// NewBaselineCollector returns a collector for the intervals between from and to. It leaves out intervals for
// which the current or the earlier day is a holiday. e must not be used for anything else.
func NewBaselineCollector(e *alert.Engine, from, to time.Time, zone *time.Location, holidays contact.Holidays) *BaselineCollector {
	l := &BaselineCollector{
		zone: zone, earlierQuarters: make(map[int64]earlierQuarter), values: make(map[figureKey]map[int64]*dayValues),
		backfill: alert.NewBackfill(e),
	}
	for at := from.Truncate(Quarter); at.Before(to); at = at.Add(Quarter) {
		local := at.In(zone)
		if holidays.Includes(local) {
			continue
		}
		for _, n := range daysBefore(local.Weekday()) {
			was := local.AddDate(0, 0, -n)
			if holidays.Includes(was) {
				continue
			}
			l.earlierQuarters[quarterNumber(was)] = earlierQuarter{quarterNumber(at), n}
			for t := was; t.Before(was.Add(Quarter)); t = t.Add(sampleInterval) {
				l.times = append(l.times, t)
			}
		}
	}
	slices.SortFunc(l.times, time.Time.Compare)
	return l
}

// Times returns the times for which the collector needs snapshots, in ascending order.
func (l *BaselineCollector) Times() []time.Time { return l.times }

// daysBefore returns how many days ago the earlier days were that are compared with a day of the
// week d.
func daysBefore(d time.Weekday) []int {
	if !isWorkday(d) {
		return []int{7, 14, 21, 28}
	}
	out := make([]int, 0, 8)
	for n := 1; n <= 7; n++ {
		if isWorkday((d + 7 - time.Weekday(n)) % 7) {
			out = append(out, n)
		}
	}
	return append(out, 14, 21, 28)
}

func isWorkday(d time.Weekday) bool { return d != time.Saturday && d != time.Sunday }

// Add adds the values of a snapshot of an earlier day. Snapshots must be added oldest first.
func (l *BaselineCollector) Add(s *model.Snapshot) {
	at, ok := l.earlierQuarters[quarterNumber(s.At)]
	if !ok {
		return
	}
	l.backfill.Observe(s, s.At)
	l.backfill.EachFigure(func(name string, k alert.Key, v float64) {
		f := figureKey{name, k}
		if l.values[f] == nil {
			l.values[f] = make(map[int64]*dayValues)
		}
		of := l.values[f][at.comparedQuarter]
		if of == nil {
			of = &dayValues{quarter: at.comparedQuarter}
			l.values[f][at.comparedQuarter] = of
		}
		of.add(at.daysApart, v)
	})
}

// AddAll adds the values of all snapshots, which must be sorted by time.
func (l *BaselineCollector) AddAll(snapshots iter.Seq[*model.Snapshot]) {
	for s := range snapshots {
		l.Add(s)
	}
}

func (l *dayValues) add(daysAgo int, v float64) {
	if n := len(l.days); n > 0 && l.days[n-1].daysAgo == daysAgo {
		d := &l.days[n-1]
		d.low, d.high = min(d.low, v), max(d.high, v)
		return
	}
	l.days = append(l.days, dayRange{daysAgo, v, v})
}

// typicalRange returns the typical range of the values. If there are too few days, the bool result
// is false.
func (l *dayValues) typicalRange(zone *time.Location) (typicalRange, bool) {
	const week = 7
	working := isWorkday(time.Unix(l.quarter*int64(Quarter/time.Second), 0).In(zone).Weekday())
	weekday := slices.DeleteFunc(slices.Clone(l.days), func(d dayRange) bool { return d.daysAgo%week != 0 })
	days, like := weekday, dayBasis{}
	if len(weekday) < minWeekdays && working {
		days = slices.DeleteFunc(slices.Clone(l.days), func(d dayRange) bool { return d.daysAgo > week })
		like.anyWorkday = true
	}
	if len(days) < minDays {
		return typicalRange{}, false
	}
	low, high := make([]float64, len(days)), make([]float64, len(days))
	for i, d := range days {
		low[i], high[i] = d.low, d.high
	}
	slices.Sort(low)
	slices.Sort(high)
	out := len(days) / trimmedDays // number of lowest and of highest days to leave out
	like.days = uint8(len(days))   //nolint:gosec // at most eight
	return typicalRange{l.quarter, float32(low[out]), float32(high[len(high)-1-out]), like}, true
}
