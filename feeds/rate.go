package feeds

import "time"

// rateWindow is the length of the period that a rate is averaged over, in seconds.
const rateWindow = 5

// rate counts events and averages them over the last rateWindow full seconds.
type rate struct {
	counts       [rateWindow + 1]uint64 // number of events per second, indexed by the second modulo the length
	newestSecond int64                  // newest second in counts, as Unix time
}

func (r *rate) advance(now time.Time) {
	sec := now.Unix()
	for steps := min(sec-r.newestSecond, int64(len(r.counts))); steps > 0; steps-- {
		r.counts[(sec-steps+1)%int64(len(r.counts))] = 0
	}
	r.newestSecond = max(r.newestSecond, sec)
}

func (r *rate) add(now time.Time, n uint64) {
	r.advance(now)
	r.counts[r.newestSecond%int64(len(r.counts))] += n
}

// perSecond returns the average number of events per second. The current second does not count.
func (r *rate) perSecond(now time.Time) float64 {
	r.advance(now)
	var sum uint64
	for i, n := range r.counts {
		if int64(i) != r.newestSecond%int64(len(r.counts)) {
			sum += n
		}
	}
	return float64(sum) / rateWindow
}
