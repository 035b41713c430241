package situation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// unattendedAfter is how long contacts must wait without a ready agent before a service counts as
// unattended. Any contact can leave a service without a ready agent for a moment.
const unattendedAfter = 5 * time.Second

// UnattendedService is a service with waiting contacts and no ready agent, on a channel on which contacts
// expect an answer at once.
type UnattendedService struct {
	Place   Place
	Waiting int
}

// unattendedServices returns the services on which contacts have waited without a ready agent for at least
// [unattendedAfter], the services with most waiting contacts first. title returns the title of a
// service. soon reports whether another service will be unattended soon if nothing changes.
func unattendedServices(s *model.Snapshot, h *diagnosis.History, title func(*model.Snapshot, alert.Key) string, now time.Time) (out []UnattendedService, soon bool) {
	if !isFresh(s) {
		return nil, false
	}
	for r := range s.Services.All() {
		waiting := r.ChannelStats.QueuedCalls.Or(0)
		if ready, known := r.UserStats.ReadyUsers.Count.Get(); waiting <= 0 || !known || ready > 0 || !expectsAnswer(r.Channel) {
			continue
		}
		from := h.NoneReadySince(r.Key(), h.WaitingSince(r.Key()))
		if now.Sub(from) < unattendedAfter {
			soon = true
			continue
		}
		k := alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel}
		out = append(out, UnattendedService{Place{k, title(s, k)}, int(waiting)})
	}
	slices.SortStableFunc(out, func(a, b UnattendedService) int { return cmp.Compare(b.Waiting, a.Waiting) })
	return out, soon
}

// expectsAnswer reports whether contacts of a channel expect an answer at once. Mail and OmniDesk
// contacts normally wait for hours.
func expectsAnswer(ch model.Channel) bool { return ch != model.MailACD && ch != model.OmniDesk }

// IsCalm reports whether no problem is known apart from those in Live and Today: the figures are
// known, no situation is silenced, none except those of agents is held back, and no contact waits
// without a ready agent. Only then may an output say that all is well.
func (v *View) IsCalm() bool {
	return !v.FiguresUnknown && len(v.Unattended)+len(v.heldBack())+len(v.Silenced) == 0
}

// UnattendedText describes how many contacts wait without a ready agent, and where. If there are
// none, it returns "".
func (v *View) UnattendedText() string {
	return v.unattendedMessage().In(v.words)
}

func (v *View) unattendedMessage() words.Text {
	switch len(v.Unattended) {
	case 0:
		return words.Text{}
	case 1:
		u := &v.Unattended[0]
		return words.SituationUnattended(u.Place.message(), u.Waiting)
	}
	n := 0
	for i := range v.Unattended {
		n += v.Unattended[i].Waiting
	}
	return words.SituationUnattendedMany(n, len(v.Unattended))
}

// quietLine returns the line that the board shows while there is no live situation. The line says
// that all services are on target only if this is known for each service. quietLine also sets
// v.FiguresUnknown and v.AllOnTarget.
func (w *Tracker) quietLine(s *model.Snapshot, v *View) words.Text {
	v.FiguresUnknown = true
	switch {
	case !isFresh(s) && s.Services.Len() == 0:
		return words.SituationConnecting()
	case !isFresh(s):
		return words.SituationNoLiveData()
	case s.Services.Len() == 0:
		return words.SituationNoService()
	}
	d := w.summarizeServices(s)
	if v.FiguresUnknown = d.queues > 0 && d.unknownQueues == d.queues; v.FiguresUnknown {
		return words.SituationQueuesUnknown()
	}
	text := v.unattendedMessage()
	if text.IsZero() {
		text = words.SituationNothing()
	}
	if v.AllOnTarget = len(v.Unattended)+len(v.Today) == 0 && d.unknownQueues == 0 && d.services > 0 && d.onTarget == d.services; v.AllOnTarget {
		text = words.SituationAllOnTarget(d.services)
		if d.services == 1 {
			text = words.SituationServiceOnTarget()
		}
	}
	parts := []words.Text{text}
	if d.queues > 0 {
		parts = append(parts, d.waitText())
	}
	if text := v.todayMessage(); !text.IsZero() {
		parts = append(parts, words.SituationToday(text))
	}
	if d.unknownQueues > 0 {
		parts = append(parts, words.SituationQueueUnknownFor(words.CountServices(d.unknownQueues)))
	}
	return words.JoinStatements(parts...)
}

// QuietStatement returns allQuiet if the view is calm or has no QuietLine. Otherwise it describes where
// contacts wait without a ready agent or, if none do, returns the first statement of QuietLine. If there
// is no data yet, it says so.
func (v *View) QuietStatement(allQuiet string) string {
	switch {
	case v == nil:
		return words.SituationNoData().In(nil)
	case v.At.IsZero():
		return words.SituationNoData().In(v.words)
	case len(v.Unattended) > 0:
		return v.UnattendedText()
	case v.QuietLine == "" || v.IsCalm():
		return allQuiet
	}
	text, _, _ := strings.Cut(v.QuietLine, " · ")
	return text
}

// serviceSummary sums up the queues and service levels of a floor. A service on several channels
// counts once.
type serviceSummary struct {
	services           int
	onTarget           int           // services that are on target on all channels
	queues             int           // services with a live channel, on which contacts expect an answer at once
	unknownQueues      int           // services with a live channel whose queue is unknown
	longestWait        model.Figure  // longest known wait; unknown if there is none
	longestWaitChannel model.Channel // channel with the longest wait
	anyWaiting         bool
	allWaitsKnown      bool // all waiting times are known
}

func (w *Tracker) summarizeServices(s *model.Snapshot) serviceSummary {
	type one struct{ off, queue, unknown, counted bool }
	byCode := make(map[string]*one)
	d := serviceSummary{allWaitsKnown: true}
	for r := range s.Services.All() {
		c := byCode[r.Key().Code]
		if c == nil {
			c = &one{}
			byCode[r.Key().Code] = c
		}
		in, counts := w.isOnTarget(r)
		c.off, c.counted = c.off || !in, c.counted || counts
		if !expectsAnswer(r.Channel) {
			continue
		}
		c.queue = true
		waiting, known := r.ChannelStats.QueuedCalls.Get()
		longest := longestWait(s, r)
		wait, timed := longest.Get()
		switch {
		case !known:
			c.unknown = true
		case waiting > 0:
			d.anyWaiting, d.allWaitsKnown = true, d.allWaitsKnown && timed
			if most, hasLongest := d.longestWait.Get(); timed && (!hasLongest || wait > most) { // a wait of 0 also counts, because it may be an estimate
				d.longestWait, d.longestWaitChannel = longest, r.Channel
			}
		}
	}
	d.services = len(byCode)
	counted := false
	for _, c := range byCode {
		counted = counted || c.counted
		if !c.off {
			d.onTarget++
		}
		if c.queue {
			d.queues++
		}
		if c.unknown {
			d.unknownQueues++
		}
	}
	if !counted { // no contact to which a target applies has arrived today
		d.onTarget = 0
	}
	return d
}

// isOnTarget returns two results for a service on a channel. in is true if the service is known to
// be on target. counts is true if contacts to which the target applies have arrived today.
func (w *Tracker) isOnTarget(r *model.Service) (in, counts bool) {
	if w.goal == nil {
		return false, false
	}
	goal := w.goal(r.Key().Code).WithTolerance()
	target, hasTarget := goal.ServiceLevel.Get()
	inTime, all, known := r.ChannelStats.ServiceLevelCounts(goal.Formula)
	if !hasTarget || !known {
		return false, false
	}
	return float64(inTime) >= target*float64(all), all > 0
}

// waitText returns a phrase about the longest wait, such as "longest wait 0:09".
func (d *serviceSummary) waitText() words.Text {
	switch {
	case d.anyWaiting && d.allWaitsKnown:
		if d.longestWaitChannel != "" && d.longestWaitChannel != model.Call { // name the channel because the line is otherwise about calls
			return words.SituationLongestWaitOn(words.WaitText(d.longestWait), words.ChannelInSentence(d.longestWaitChannel))
		}
		return words.SituationLongestWait(words.WaitText(d.longestWait))
	case d.anyWaiting:
		return words.SituationLongestUnknown()
	case d.unknownQueues > 0:
		return words.SituationNoOneKnown()
	}
	return words.SituationNoOneWaiting()
}

// TodaySummary returns a phrase about the services that miss a target today or, if none does, are at
// risk: their number or the name of the only one. If other places are among them, it counts the figures
// instead. It returns "" if there are none.
func (v *View) TodaySummary() string {
	if v == nil {
		return ""
	}
	return v.todayMessage().In(v.words)
}

func (v *View) todayMessage() words.Text {
	if len(v.Today) == 0 {
		return words.Text{}
	}
	if slices.ContainsFunc(v.Today, func(s Situation) bool { return s.Place.Key.Scope != alert.Service }) {
		return words.SituationOutsideLimits(words.CountFigures(len(v.Today)))
	}
	places, atRisk := v.todayPlaces()
	text := words.CountServices(len(places))
	if len(places) == 1 {
		text = places[0].message()
	}
	if atRisk {
		return words.SituationAtRisk(text)
	}
	return words.SituationMissingTarget(text) // the figure may also be the abandon rate
}

// TodayPlaces returns the titles of the places where a figure of the day is off target. A service
// with several channels counts once. If no place is off target, it returns the places whose target
// is at risk, and atRisk is true.
func (v *View) TodayPlaces() (titles []string, atRisk bool) {
	places, atRisk := v.todayPlaces()
	for i := range places {
		titles = append(titles, places[i].Title)
	}
	return titles, atRisk
}

func (v *View) todayPlaces() (places []Place, atRisk bool) {
	atRisk = !slices.ContainsFunc(v.Today, func(s Situation) bool { return !s.AtRisk })
	counted := make(map[alert.Key]bool)
	for i := range v.Today {
		sit := &v.Today[i]
		k := sit.Place.Key
		if k.Scope == alert.Service {
			k.Channel = ""
		}
		if sit.AtRisk == atRisk && !counted[k] {
			counted[k] = true
			places = append(places, sit.Place)
		}
	}
	return places, atRisk
}

// IsOffTarget reports whether a place has a figure of the day that is off target.
func (v *View) IsOffTarget(place alert.Key) bool {
	return v != nil && slices.ContainsFunc(v.Today, func(s Situation) bool { return s.Place.Key == place && !s.AtRisk })
}

// isNearTarget reports whether the service of a situation is still on target but would miss it
// after one more late call.
func (w *Tracker) isNearTarget(s *model.Snapshot, sit *Situation) bool {
	k := sit.Place.Key
	if slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Rule != alert.RuleBudgetSpent }) {
		return false
	}
	r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
	if r == nil {
		return false
	}
	in, counts := w.isOnTarget(r)
	return in && counts
}

func isFresh(s *model.Snapshot) bool { return diagnosis.IsFresh(&s.Health) }
