// Package breaks says who is on a break, for how long, who is over what is allowed,
// and who is likely back when.
//
// It is pure: no goroutine, no clock, no I/O. What the platform does not tell stays
// unknown: an agent whose state has no beginning has no length, and a code that nobody
// was watched in has no usual one.
package breaks

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
	"wallboard/model/pause"
)

// Limit is what a code allows; 0 is no limit.
type Limit struct {
	Code    string
	PerDay  time.Duration // by the platform's count of its day (timeInActivityCode)
	PerTime time.Duration // of one break
	// Kind and Source say why PerTime is what it is; "" where somebody only set it.
	Kind   pause.Kind
	Source pause.Source
}

// Limits are how long somebody may be in a state before a supervisor looks.
type Limits struct {
	Codes  []Limit
	Kinds  *pause.Book                        // of the codes that have none for one time; nil knows none
	States map[model.UserStatus]time.Duration // of the codes that have none of their own
}

// Of is how long an agent may be in their present state; ok is false where there is no
// limit.
func (l *Limits) Of(a *model.AgentFigures) (d time.Duration, ok bool) {
	if a.Status == model.NotReady || a.Status == model.NotReadyBusy {
		if c := l.of(a.ActivityCode.String()); c.PerTime > 0 {
			return c.PerTime, true
		}
	}
	d, ok = l.States[a.Status]
	return d, ok
}

// of is what a code allows: by a limit of its own, else by its kind.
func (l *Limits) of(code string) Limit {
	out := Limit{Code: code}
	for i := range l.Codes {
		if l.Codes[i].Code == code {
			out = l.Codes[i]
		}
	}
	if out.PerTime > 0 {
		return out
	}
	if a, ok := l.Kinds.Of(code); ok {
		out.PerTime, out.Kind, out.Source = a.Limit, a.Kind, a.Source
	}
	return out
}

// Watch remembers how long breaks took. It belongs to one goroutine. The zero Watch is
// ready to use.
type Watch struct {
	limits Limits
	agents map[string]*agent
	taken  map[string][]time.Duration // by code, the newest last
	last   time.Time                  // of the last look at figures of now
}

// agent is what is known of somebody.
type agent struct {
	rec    *model.UserStat
	round  time.Time // of the last look that had them
	code   string    // "" is no break
	since  time.Time // zero: nobody knows
	status model.UserStatus
}

const (
	mostTaken = 200              // lengths remembered of a code
	leastSeen = 3                // lengths that make a usual one
	longGap   = 30 * time.Second // after which a change has no exact time
)

// Limit sets what codes allow.
func (w *Watch) Limit(limits Limits) { w.limits = limits }

// Anew returns a watch of the same limits that has watched nothing.
func (w *Watch) Anew() Watch { return Watch{limits: w.limits} }

// Look takes in a picture, at a time of the server's clock. Figures that the feed does
// not keep up are left out.
func (w *Watch) Look(s *model.Snapshot, now time.Time) {
	sub := s.Health.Subscription(model.OpUserStats)
	if s.Health.Link.State != model.LinkUp || sub == nil || !sub.State.Current() {
		return
	}
	if w.agents == nil {
		w.agents, w.taken = make(map[string]*agent), make(map[string][]time.Duration)
	}
	now = now.Round(0)
	exact := !w.last.IsZero() && !now.Before(w.last) && now.Sub(w.last) <= longGap
	w.last = now
	for r := range s.UserStats.All() {
		if name := r.Key().Username; name != "" {
			w.see(name, r, now, exact)
		}
	}
	for name, a := range w.agents {
		if !a.round.Equal(now) {
			delete(w.agents, name) // they have logged out: how long the break was nobody knows
		}
	}
}

// see takes in one record of an agent. Of several channels it is the calls', else the
// first that came.
func (w *Watch) see(name string, r *model.UserStat, now time.Time, exact bool) {
	a := w.agents[name]
	switch {
	case a == nil:
		a = &agent{}
		w.agents[name] = a
		exact = false
	case a.round.Equal(now) && r.Channel != model.Call, a.rec.Channel == model.Call && r.Channel != model.Call:
		return
	}
	a.round = now
	if a.rec == r {
		return
	}
	a.rec = r
	code := breakOf(r)
	if code == a.code {
		if a.code != "" && a.since.IsZero() {
			a.since = begun(r, now)
		}
		a.status = r.Status
		return
	}
	if a.code != "" && !a.since.IsZero() && exact && now.After(a.since) {
		w.taken[a.code] = append(w.taken[a.code], now.Sub(a.since))
		w.taken[a.code] = w.taken[a.code][max(0, len(w.taken[a.code])-mostTaken):]
	}
	from := a.code != "" && a.status == r.Status // another code in the same state: it has no beginning of its own
	a.code, a.status, a.since = code, r.Status, time.Time{}
	switch {
	case code == "":
	case !from:
		a.since = begun(r, now)
	case exact:
		a.since = now
	}
}

// breakOf is the code of the break that somebody is on, "" for none.
func breakOf(r *model.UserStat) string {
	if r.Status != model.NotReady && r.Status != model.NotReadyBusy {
		return ""
	}
	return r.ActivityCode.String()
}

// begun is when a state began; a clock that is ahead makes no length negative.
func begun(r *model.UserStat, now time.Time) time.Time {
	at, ok := r.TimeInState.Get()
	switch {
	case !ok:
		return time.Time{}
	case at.After(now):
		return now
	}
	return at
}

// Away is somebody on a break.
type Away struct {
	Username, Code string
	Since          time.Time // zero: nobody knows
	// Used is the time with the code today as the platform counts it, in seconds;
	// whether it counts the present break already, it does not say.
	Used  model.Figure
	Limit Limit
	// OverTime is by how much the break is longer than one may be, OverDay by how much
	// the day's are; 0: they are not, or nobody knows.
	OverTime, OverDay time.Duration
	Back              Back
}

// Back is when somebody is likely back.
type Back struct {
	// Likely is between From and To in half of the cases; zero: nobody knows.
	Likely, From, To time.Time
	Late             bool   // it takes longer than all that it is compared with
	Basis            string // what it was made from, in words; "": nothing is known
}

// List returns who is on a break, who is likely back first comes first, those of whom
// nobody knows last.
func (w *Watch) List(now time.Time) []Away {
	var out []Away
	for name := range w.agents {
		if a, ok := w.Of(name, now); ok {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b Away) int {
		return cmp.Or(cmp.Compare(rank(a.Back), rank(b.Back)), a.Back.Likely.Compare(b.Back.Likely),
			a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	return out
}

func rank(b Back) int {
	if b.Likely.IsZero() {
		return 1
	}
	return 0
}

// Of returns the break of an agent; ok is false where they are on none.
func (w *Watch) Of(username string, now time.Time) (out Away, ok bool) {
	a := w.agents[username]
	if a == nil || a.code == "" {
		return out, false
	}
	out = Away{Username: username, Code: a.code, Since: a.since, Used: used(a.rec, a.code), Limit: w.limits.of(a.code)}
	if s, ok := out.Used.Seconds(); ok && out.Limit.PerDay > 0 {
		out.OverDay = max(s-out.Limit.PerDay, 0)
	}
	if out.Since.IsZero() || now.Before(out.Since) {
		return out, true
	}
	so := now.Sub(out.Since)
	if out.Limit.PerTime > 0 {
		out.OverTime = max(so-out.Limit.PerTime, 0)
	}
	lengths, basis := w.lengths(a.code, out.Limit)
	out.Back = backOf(lengths, basis, out.Since, so)
	return out, true
}

// used is the time with a code today.
func used(r *model.UserStat, code string) model.Figure {
	for _, t := range r.TimeInActivityCode {
		if t.ActivityCode == code {
			return t.TotalTime.Figure()
		}
	}
	return model.Figure{}
}

// allowed is what a break is compared with where nothing was watched.
const allowed = "what is allowed"

// lengths are those that a break is compared with, sorted, and what they are: breaks
// that were watched; else what others who are back have used today, which may be of
// several breaks; else what is allowed.
func (w *Watch) lengths(code string, limit Limit) ([]time.Duration, string) {
	if seen := w.taken[code]; len(seen) >= leastSeen {
		return sorted(seen), counted(len(seen), "break that was watched", "breaks that were watched")
	}
	var totals []time.Duration
	for _, a := range w.agents {
		if s, ok := used(a.rec, code).Seconds(); ok && s > 0 && a.code != code {
			totals = append(totals, s)
		}
	}
	if len(totals) >= leastSeen {
		return sorted(totals), "what " + counted(len(totals), "other", "others") + " took today in all"
	}
	if limit.PerTime > 0 {
		return []time.Duration{limit.PerTime}, allowed
	}
	return nil, ""
}

func sorted(list []time.Duration) []time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// backOf is when a break ends that has taken so long: as those did that took longer.
func backOf(lengths []time.Duration, basis string, since time.Time, so time.Duration) Back {
	if len(lengths) == 0 {
		return Back{}
	}
	at, _ := slices.BinarySearch(lengths, so+1)
	longer := lengths[at:]
	if len(longer) == 0 {
		return Back{Late: true, Basis: basis}
	}
	quantile := func(share float64) time.Time {
		return since.Add(longer[int(share*float64(len(longer)-1)+0.5)])
	}
	return Back{Likely: quantile(0.5), From: quantile(0.25), To: quantile(0.75), Basis: basis}
}
