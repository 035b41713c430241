package forecast

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Quarter is the length of the intervals that have one range each.
const Quarter = 15 * time.Minute

// sampleEvery is the distance of the sampled snapshots within an interval.
const sampleEvery = 5 * time.Minute

// Required number of days.
const (
	minDays     = 2
	minWeekdays = 3 // below this, working days are compared with any working days
	trimmedDays = 5 // from this many, the lowest and highest are left out
)

// keptQuarters is the number of intervals that are kept.
const keptQuarters = 48 // intervals

// UsualBand is the usual range of a figure at each sample of a trend.
type UsualBand struct {
	Low, High []float64 // NaN: unknown
	Days      string    // description of the days, such as "4 Thursdays"; "": nothing is known
	Mostly    bool      // the lowest and highest day are left out
}

// figure identifies a figure of a record.
type figure struct {
	name string
	of   alert.Key
}

// dayBasis describes the days that an interval was compared with.
type dayBasis struct {
	n       uint8
	working bool // any working days; else the same day of the week
}

// span is the usual range of a figure in one interval.
type span struct {
	at        int64 // number of the interval
	low, high float32
	days      dayBasis
}

// Baselines holds usual ranges. It is not safe for concurrent use.
type Baselines struct {
	zone  *time.Location
	spans map[figure]*[keptQuarters]span
}

// Band returns the usual range of a figure for each sample of a trend.
func (b *Baselines) Band(name string, k alert.Key, over alert.Trend) UsualBand {
	spans := b.spans[figure{name, k}]
	if spans == nil || over.Step <= 0 {
		return UsualBand{}
	}
	n, step := len(over.Samples), int64(over.Step/time.Second)
	first := over.End.Unix() - int64(n-1)*step
	var newest *span
	var out UsualBand
	for i := range n {
		quarter := (first + int64(i)*step) / int64(Quarter/time.Second)
		low, high := math.NaN(), math.NaN()
		if s := &spans[quarter%keptQuarters]; s.at == quarter {
			newest, low, high = s, float64(s.low), float64(s.high)
		}
		if newest == nil {
			continue
		}
		if out.Low == nil { // earlier values are unknown
			out.Low, out.High = gaps(i, n), gaps(i, n)
		}
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	if newest != nil {
		at := time.Unix(newest.at*int64(Quarter/time.Second), 0).In(b.zone)
		out.Days, out.Mostly = newest.days.words(at), newest.days.n >= trimmedDays
	}
	return out
}

// gaps returns n gaps in a slice with the given capacity.
func gaps(n, room int) []float64 {
	return append(make([]float64, 0, room), slices.Repeat([]float64{math.NaN()}, n)...)
}

// words describes the days, as seen from a given day.
func (d dayBasis) words(day time.Time) string {
	if d.working {
		return "the last " + strconv.Itoa(int(d.n)) + " working days"
	}
	return strconv.Itoa(int(d.n)) + " " + day.Weekday().String() + "s"
}

// Merge takes over the ranges of a lesson.
func (b *Baselines) Merge(l *Learner) {
	if b.spans == nil {
		b.spans = make(map[figure]*[keptQuarters]span)
	}
	b.zone = l.zone
	for f, learnt := range l.known {
		of := b.spans[f]
		for _, days := range learnt {
			s, ok := days.span(l.zone)
			if !ok {
				continue
			}
			if of == nil {
				of = new([keptQuarters]span)
				b.spans[f] = of
			}
			of[s.at%keptQuarters] = s
		}
	}
}

// quarterNumber returns the number of the interval of a time. All time zones differ by
// whole intervals.
func quarterNumber(at time.Time) int64 { return at.Unix() / int64(Quarter/time.Second) }

// Learner collects the values of earlier days for a number of intervals.
type Learner struct {
	zone   *time.Location
	wanted map[int64]earlierQuarter // by interval of the earlier day
	at     []time.Time
	known  map[figure]map[int64]*dayValues // by the interval that is compared with them
	past   *alert.Backfill
}

// earlierQuarter is an interval of an earlier day.
type earlierQuarter struct {
	quarter int64 // the interval that is compared with it
	days    int   // between the two
}

// dayValues holds the values of a figure on earlier days.
type dayValues struct {
	quarter int64
	days    []day
}

// day is the range of values on an earlier day.
type day struct {
	before    int
	low, high float64
}

// NewLearner returns a lesson about the intervals between two times. The engine must not
// be used for anything else.
func NewLearner(e *alert.Engine, from, to time.Time, zone *time.Location) *Learner {
	l := &Learner{
		zone: zone, wanted: make(map[int64]earlierQuarter), known: make(map[figure]map[int64]*dayValues),
		past: alert.NewBackfill(e),
	}
	for at := from.Truncate(Quarter); at.Before(to); at = at.Add(Quarter) {
		local := at.In(zone)
		for _, n := range daysBefore(local.Weekday()) {
			was := local.AddDate(0, 0, -n)
			l.wanted[quarterNumber(was)] = earlierQuarter{quarterNumber(at), n}
			for t := was; t.Before(was.Add(Quarter)); t = t.Add(sampleEvery) {
				l.at = append(l.at, t)
			}
		}
	}
	slices.SortFunc(l.at, time.Time.Compare)
	return l
}

// Times returns the times of the snapshots that the lesson needs, in ascending
// order.
func (l *Learner) Times() []time.Time { return l.at }

// daysBefore returns the distances in days to the earlier days that a day of the week
// can be compared with.
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

// Add processes a snapshot of an earlier day. Snapshots must be in the order of time.
func (l *Learner) Add(s *model.Snapshot) {
	at, ok := l.wanted[quarterNumber(s.At)]
	if !ok {
		return
	}
	l.past.Observe(s, s.At)
	l.past.Each(func(name string, k alert.Key, v float64) {
		f := figure{name, k}
		if l.known[f] == nil {
			l.known[f] = make(map[int64]*dayValues)
		}
		of := l.known[f][at.quarter]
		if of == nil {
			of = &dayValues{quarter: at.quarter}
			l.known[f][at.quarter] = of
		}
		of.see(at.days, v)
	})
}

// AddAll processes all snapshots.
func (l *Learner) AddAll(pictures iter.Seq[*model.Snapshot]) {
	for s := range pictures {
		l.Add(s)
	}
}

func (l *dayValues) see(ago int, v float64) {
	if n := len(l.days); n > 0 && l.days[n-1].before == ago {
		d := &l.days[n-1]
		d.low, d.high = min(d.low, v), max(d.high, v)
		return
	}
	l.days = append(l.days, day{ago, v, v})
}

// span returns the usual range, or false if there are too few days.
func (l *dayValues) span(zone *time.Location) (span, bool) {
	const week = 7
	working := isWorkday(time.Unix(l.quarter*int64(Quarter/time.Second), 0).In(zone).Weekday())
	weekday := slices.DeleteFunc(slices.Clone(l.days), func(d day) bool { return d.before%week != 0 })
	days, like := weekday, dayBasis{}
	if len(weekday) < minWeekdays && working {
		days = slices.DeleteFunc(slices.Clone(l.days), func(d day) bool { return d.before > week })
		like.working = true
	}
	if len(days) < minDays {
		return span{}, false
	}
	low, high := make([]float64, len(days)), make([]float64, len(days))
	for i, d := range days {
		low[i], high[i] = d.low, d.high
	}
	slices.Sort(low)
	slices.Sort(high)
	out := len(days) / trimmedDays // leave out the lowest and highest
	like.n = uint8(len(days))      //nolint:gosec // at most eight
	return span{l.quarter, float32(low[out]), float32(high[len(high)-1-out]), like}, true
}
