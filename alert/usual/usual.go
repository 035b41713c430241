// Package usual tells what figures usually are at a time of the day: between what they
// were at that time on the days before, as far as pictures of those are left. Where there
// are too few of such days nothing is usual, and nothing is said.
//
// A day is held against days like it: the same day of the week, where there are enough of
// those, or else a working day against the last working days.
package usual

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// Quarter is for how long there is one range of what is usual.
const Quarter = 15 * time.Minute

// every is how far apart the pictures are that tell of a quarter of an hour.
const every = 5 * time.Minute

// How many days it takes: of one day nobody knows what is usual.
const (
	leastDays     = 2
	leastWeekdays = 3 // for working days not to count where they are not that day of the week
	manyDays      = 5 // of which the lowest and the highest count no more
)

// kept is for how long what is usual is remembered.
const kept = 48 // quarters

// Band is what a figure usually is, at each sample of its course.
type Band struct {
	Low, High []float64 // NaN: nobody knows
	Days      string    // from which days, as "4 Thursdays"; "": nothing is known
	Mostly    bool      // the lowest and the highest day are left out
}

// figure is one of a record.
type figure struct {
	name string
	of   alert.Key
}

// daysLike are the days that a quarter of an hour was held against.
type daysLike struct {
	n       uint8
	working bool // any working day; else the same day of the week
}

// span is what a figure usually is in a quarter of an hour.
type span struct {
	at        int64 // the quarter
	low, high float32
	days      daysLike
}

// Book is what is usual. It is for one goroutine at a time.
type Book struct {
	zone  *time.Location
	spans map[figure]*[kept]span
}

// Band returns what a figure of a record usually is, for each sample of its course.
func (b *Book) Band(name string, k alert.Key, over alert.Trend) Band {
	spans := b.spans[figure{name, k}]
	if spans == nil || over.Step <= 0 {
		return Band{}
	}
	n, step := len(over.Samples), int64(over.Step/time.Second)
	first := over.End.Unix() - int64(n-1)*step
	var newest *span
	var out Band
	for i := range n {
		quarter := (first + int64(i)*step) / int64(Quarter/time.Second)
		low, high := math.NaN(), math.NaN()
		if s := &spans[quarter%kept]; s.at == quarter {
			newest, low, high = s, float64(s.low), float64(s.high)
		}
		if newest == nil {
			continue
		}
		if out.Low == nil { // what was before is not known
			out.Low, out.High = gaps(i, n), gaps(i, n)
		}
		out.Low, out.High = append(out.Low, low), append(out.High, high)
	}
	if newest != nil {
		at := time.Unix(newest.at*int64(Quarter/time.Second), 0).In(b.zone)
		out.Days, out.Mostly = newest.days.words(at), newest.days.n >= manyDays
	}
	return out
}

// gaps are n samples of which none is known, with room for more.
func gaps(n, room int) []float64 {
	return append(make([]float64, 0, room), slices.Repeat([]float64{math.NaN()}, n)...)
}

// words says which days they are, of those before a day.
func (d daysLike) words(day time.Time) string {
	if d.working {
		return "the last " + strconv.Itoa(int(d.n)) + " working days"
	}
	return strconv.Itoa(int(d.n)) + " " + day.Weekday().String() + "s"
}

// Take takes over what was learnt.
func (b *Book) Take(l *Lesson) {
	if b.spans == nil {
		b.spans = make(map[figure]*[kept]span)
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
				of = new([kept]span)
				b.spans[f] = of
			}
			of[s.at%kept] = s
		}
	}
}

// quarterOf is the quarter of an hour of an instant. All zones are whole quarters apart.
func quarterOf(at time.Time) int64 { return at.Unix() / int64(Quarter/time.Second) }

// Lesson is how it was on the days before a time: in the quarters of an hour that it is
// about, on each of the days that they can be held against.
type Lesson struct {
	zone  *time.Location
	asked map[int64]before // by the quarter of the day before
	at    []time.Time
	known map[figure]map[int64]*lived // by the quarter that is held against them
	past  *alert.Past
}

// before is a quarter of an hour of a day before.
type before struct {
	quarter int64 // that is held against it
	days    int   // between the two
}

// lived is what a figure was on the days before.
type lived struct {
	quarter int64
	days    []day
}

// day is what it was on one of them.
type day struct {
	before    int
	low, high float64
}

// NewLesson returns a lesson about the quarters of an hour between two instants, for an
// engine that nobody else uses.
func NewLesson(e *alert.Engine, from, to time.Time, zone *time.Location) *Lesson {
	l := &Lesson{
		zone: zone, asked: make(map[int64]before), known: make(map[figure]map[int64]*lived),
		past: alert.NewPast(e),
	}
	for at := from.Truncate(Quarter); at.Before(to); at = at.Add(Quarter) {
		local := at.In(zone)
		for _, n := range daysBefore(local.Weekday()) {
			was := local.AddDate(0, 0, -n)
			l.asked[quarterOf(was)] = before{quarterOf(at), n}
			for t := was; t.Before(was.Add(Quarter)); t = t.Add(every) {
				l.at = append(l.at, t)
			}
		}
	}
	slices.SortFunc(l.at, time.Time.Compare)
	return l
}

// Instants are those whose pictures tell it, ascending.
func (l *Lesson) Instants() []time.Time { return l.at }

// daysBefore returns how many days ago those were that a day of the week can be held
// against.
func daysBefore(d time.Weekday) []int {
	if !works(d) {
		return []int{7, 14, 21, 28}
	}
	out := make([]int, 0, 8)
	for n := 1; n <= 7; n++ {
		if works((d + 7 - time.Weekday(n)) % 7) {
			out = append(out, n)
		}
	}
	return append(out, 14, 21, 28)
}

func works(d time.Weekday) bool { return d != time.Saturday && d != time.Sunday }

// See looks at a picture of one of the days before. They come in the order of time.
func (l *Lesson) See(s *model.Snapshot) {
	at, ok := l.asked[quarterOf(s.At)]
	if !ok {
		return
	}
	l.past.Observe(s, s.At)
	l.past.Each(func(name string, k alert.Key, v float64) {
		f := figure{name, k}
		if l.known[f] == nil {
			l.known[f] = make(map[int64]*lived)
		}
		of := l.known[f][at.quarter]
		if of == nil {
			of = &lived{quarter: at.quarter}
			l.known[f][at.quarter] = of
		}
		of.see(at.days, v)
	})
}

// Learn looks at pictures until the last of them.
func (l *Lesson) Learn(pictures iter.Seq[*model.Snapshot]) {
	for s := range pictures {
		l.See(s)
	}
}

func (l *lived) see(ago int, v float64) {
	if n := len(l.days); n > 0 && l.days[n-1].before == ago {
		d := &l.days[n-1]
		d.low, d.high = min(d.low, v), max(d.high, v)
		return
	}
	l.days = append(l.days, day{ago, v, v})
}

// span returns what is usual, and whether anything is.
func (l *lived) span(zone *time.Location) (span, bool) {
	const week = 7
	working := works(time.Unix(l.quarter*int64(Quarter/time.Second), 0).In(zone).Weekday())
	weekday := slices.DeleteFunc(slices.Clone(l.days), func(d day) bool { return d.before%week != 0 })
	days, like := weekday, daysLike{}
	if len(weekday) < leastWeekdays && working {
		days = slices.DeleteFunc(slices.Clone(l.days), func(d day) bool { return d.before > week })
		like.working = true
	}
	if len(days) < leastDays {
		return span{}, false
	}
	low, high := make([]float64, len(days)), make([]float64, len(days))
	for i, d := range days {
		low[i], high[i] = d.low, d.high
	}
	slices.Sort(low)
	slices.Sort(high)
	out := len(days) / manyDays // of many days the lowest and the highest
	like.n = uint8(len(days))   //nolint:gosec // at most eight
	return span{l.quarter, float32(low[out]), float32(high[len(high)-1-out]), like}, true
}
