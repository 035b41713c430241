package forecast

import (
	"math"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// HalfHour is the forecast for a half hour. The first half hour begins now. The first one and the
// last one before closing time may be shorter.
type HalfHour struct {
	From, To     time.Time
	Contacts     Band
	NeededAgents int // agents needed for the target; 0: unknown
}

// RestOfDay holds the forecast for each half hour until closing time.
type RestOfDay struct {
	HalfHours      []HalfHour
	AgentsAtWork   int           // number of agents at work now
	HandlingTime   time.Duration // time that a contact takes an agent
	Target         float64       // target service level for which NeededAgents is computed
	AnswerLimit    time.Duration // time within which a call counts as answered in time
	Days           int           // number of earlier days behind the forecast
	MissingReason  words.Text    // why there is no forecast; zero: there is a forecast
	NoAgentsReason words.Text    // why the number of needed agents is unknown
	Pooled         bool          // NeededAgents assumes that each agent serves every service
}

// halfHourDeviation is the relative standard deviation of the number of contacts in a half hour, in
// addition to the random variation and the deviation of the whole day.
const halfHourDeviation = 0.04

// RestOfDay forecasts the number of contacts in each half hour until closing time from earlier
// days. contacts is the number of contacts so far today. The result has no numbers of agents. For
// those see [RestOfDay.AddAgents].
func (l *IntradayLog) RestOfDay(now, closing time.Time, ch model.Channel, services []string, contacts model.Figure) (out RestOfDay) {
	n, ok := contacts.Get()
	switch {
	case !ok:
		out.MissingReason = words.ForecastContactsUnknown()
	case !now.Before(closing):
		out.MissingReason = words.ForecastDayOver()
	case n < MinContacts:
		out.MissingReason = words.ForecastTooFew(roundToInt(n), MinContacts)
	}
	if !out.MissingReason.IsZero() {
		return out
	}
	var ends []time.Time
	for from := now; from.Before(closing); from = ends[len(ends)-1] {
		to := nextHalfHour(from)
		if to.After(closing) {
			to = closing
		}
		ends = append(ends, to)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	before, from := 0.0, now
	for i, e := range l.unscaledEarlierDays(now, ch, services, ends...) {
		if out.Days = e.Days(); out.Days == 0 && l.reading {
			return RestOfDay{MissingReason: words.ForecastReadingDays()}
		} else if out.Days == 0 && l.holidays.Includes(l.local(now)) {
			return RestOfDay{MissingReason: words.ForecastHoliday()}
		} else if out.Days == 0 {
			return RestOfDay{MissingReason: words.ForecastNoDays(MinCurveDays)}
		}
		until, deviation := e.expectedContacts(n)
		likely := max(until-before, 0)
		half := quantile90 * math.Sqrt(likely+likely*likely*(halfHourDeviation*halfHourDeviation+math.Pow(deviation/max(until, 1), 2)))
		out.HalfHours = append(out.HalfHours, HalfHour{From: from, To: ends[i], Contacts: Band{likely, max(likely-half, 0), likely + half}})
		before, from = max(until, before), ends[i]
	}
	out.Pooled = len(services) > 1
	return out
}

// SplitByService distributes the contacts of each half hour over services. For each half hour, the result
// holds the contacts of each service, in the order of services. soFar holds the contacts of each
// service today. The share of a service is its contacts so far, continued as on earlier days.
func (l *IntradayLog) SplitByService(r *RestOfDay, ch model.Channel, services []string, soFar []float64) [][]float64 {
	out := make([][]float64, len(services))
	if len(r.HalfHours) == 0 {
		return out
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.local(r.HalfHours[0].From)
	at, days := sinceMidnight(now), l.earlierDays(now)
	total := make([]float64, len(r.HalfHours))
	for s, code := range services {
		out[s] = make([]float64, len(r.HalfHours))
		until, received := make([]float64, len(r.HalfHours)), 0.0 // contacts of earlier days from the current time of day until the end of each half hour, and before
		for _, d := range days {
			c := d.Services[model.ServiceKey{Code: code, Channel: ch}]
			if c == nil {
				continue
			}
			start, ok := c.callsAt(at)
			if !ok {
				continue
			}
			received += start.received
			for i := range r.HalfHours {
				end := start
				if p, known := c.callsAt(at + r.HalfHours[i].To.Sub(r.HalfHours[0].From)); known {
					end = p
				}
				until[i] += max(end.received-start.received, 0)
			}
		}
		before := 0.0
		for i := range r.HalfHours {
			// A service without earlier days gets the floor's course.
			usual := (until[i] - before + priorShift*r.HalfHours[i].Contacts.Likely/max(sumOf(soFar), 1)) / (received + priorShift)
			out[s][i], before = max(usual, 0)*soFar[s], until[i]
			total[i] += out[s][i]
		}
	}
	for s := range out {
		for i := range out[s] {
			out[s][i] *= r.HalfHours[i].Contacts.Likely / max(total[i], 1e-9)
		}
	}
	return out
}

func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// nextHalfHour returns the next full or half hour after t.
func nextHalfHour(t time.Time) time.Time {
	return t.Add(30*time.Minute - sinceMidnight(t)%(30*time.Minute)).Truncate(time.Second)
}

// AddAgents sets the numbers of agents that are needed to meet a target service level. atWork is
// the number of agents at work now. work is the number of seconds that a contact takes an agent.
// within is the time limit for answering. required returns the number of agents for a number of
// contacts per second and a target share.
func (r *RestOfDay) AddAgents(atWork, work float64, within time.Duration, target model.Float, required func(perSecond, share float64) int) {
	share, ok := target.Get()
	switch {
	case !r.MissingReason.IsZero():
		return
	case !ok:
		r.NoAgentsReason = words.ForecastNoTarget()
		return
	case work <= 0:
		r.NoAgentsReason = words.LoadTooFew()
		return
	}
	r.AgentsAtWork, r.HandlingTime, r.Target, r.AnswerLimit = int(math.Round(atWork)), time.Duration(work*float64(time.Second)), share, within
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		h.NeededAgents = required(h.Contacts.Likely/max(h.To.Sub(h.From).Seconds(), 1), share)
	}
}

// IsShort reports whether a half hour needs more agents than are at work now.
func (r *RestOfDay) IsShort(h *HalfHour) bool { return h.NeededAgents > r.AgentsAtWork }

// Lines describes the data behind the forecast, or the reason why there is none, in sentences.
func (r *RestOfDay) Lines() []words.Text {
	if !r.MissingReason.IsZero() {
		return []words.Text{words.ForecastNone(r.MissingReason)}
	}
	out := []words.Text{words.ForecastFromDays(r.Days)}
	if !r.NoAgentsReason.IsZero() {
		return append(out, words.ForecastAgentsUnknown(r.NoAgentsReason))
	}
	needed := words.ForecastAgents
	if r.Pooled {
		needed = words.ForecastAgentsShared
	}
	return append(out, needed(100*r.Target, r.AnswerLimit.Round(time.Second), r.HandlingTime.Round(time.Second)), words.ForecastAtWork(r.AgentsAtWork))
}

// Range formats the range of the expected number of contacts.
func (h *HalfHour) Range() string {
	return FormatEstimate(h.Contacts.Low) + "-" + FormatEstimate(h.Contacts.High)
}
