package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
)

// PastSituation summarizes the ended episodes of one place.
type PastSituation struct {
	Place         Place
	Daily         bool   // the situations were about figures of the day
	Headline      string // headline of the worst observed episode; if none was observed: of the last one
	HighestLevel  alert.Level
	Waiting       int          // most contacts that waited at once; 0: none, or no episode was observed
	LongestWait   model.Figure // longest observed wait in seconds
	EpisodeCount  int
	TotalDuration time.Duration
	FirstBegan    time.Time // when the first episode began
	Began, Ended  time.Time // when the last episode began and ended
	FromStart     bool      // the first episode had begun before the board started
	Vanished      bool      // the last episode ended because the record disappeared; false if an episode was observed
	Ack           alert.Ack // latest acknowledgement of an alert
	Alerts        []alert.Alert
	WorstEpisode  PastEpisode

	words *words.Language // language of the texts; nil: English
}

// PastEpisode is one of the episodes of a [PastSituation].
type PastEpisode struct {
	Began, Ended time.Time
	Unfinished   bool // see [IncidentSummary]
	Level        alert.Level
	Alerts       []alert.Alert
	Causes       []string // sentences; nil: not known
	MainCause    string   // sentence about the largest cause; "": not known
	MostWaiting  int      // see [IncidentSummary]
	LongestWait  time.Duration
}

// episode is a period in which a place had a situation.
type episode struct {
	from, to time.Time
	alerts   []alert.Alert
	observed *EndedSituation // the situation as the tracker has observed it; nil: only the alerts are known
}

// SummarizeEndedAlerts summarizes ended alerts by place. Places are sorted by highest level, then by
// duration.
//
// Each ended situation in v is an episode, with the same start, end and headline as on the rest of
// the board. Other alerts of a place, for example from before the start, form one episode if they
// overlap or nearly touch. Two kinds of episodes are left out: those that belong to a situation in
// v that has not ended, and those that were too short to be shown.
func SummarizeEndedAlerts(s *model.Snapshot, names model.Names, ended []alert.Alert, v *View) []PastSituation {
	w := &Tracker{names: names}
	if s == nil {
		s = &model.Snapshot{}
	}
	byPlace := make(map[placeKey][]alert.Alert)
	var places []placeKey
	observed, open := v.observedEpisodes(ended)
	for k := range observed {
		places = append(places, k)
	}
	for i := range ended {
		a := ended[i]
		if a.Ended.IsZero() || open[a.ID] {
			continue
		}
		k := placeKey{w.placeOfEnded(s, &a, ended), a.Daily}
		if byPlace[k] == nil && observed[k] == nil {
			places = append(places, k)
		}
		byPlace[k] = append(byPlace[k], a)
	}
	var out []PastSituation
	for _, k := range places {
		episodes := slices.DeleteFunc(episodesOf(byPlace[k]), func(one episode) bool { return !one.isReportable(k) || isActive(k, one, v) })
		episodes = append(episodes, observed[k]...)
		slices.SortStableFunc(episodes, func(a, b episode) int { return a.from.Compare(b.from) })
		if len(episodes) > 0 {
			out = append(out, w.summarizeEpisodes(s, k, episodes, v.language()))
		}
	}
	slices.SortStableFunc(out, func(a, b PastSituation) int {
		return cmp.Or(cmp.Compare(b.HighestLevel, a.HighestLevel), cmp.Compare(b.TotalDuration, a.TotalDuration), cmp.Compare(a.Place.Key.String(), b.Place.Key.String()))
	})
	return out
}

// observedEpisodes returns the ended situations of a view that have an alert in ended, as episodes
// by place. known contains the IDs of all alerts of these situations, of situations that have not
// ended, and of situations that ended before they were shown.
func (v *View) observedEpisodes(ended []alert.Alert) (episodes map[placeKey][]episode, known map[string]bool) {
	if v == nil {
		return nil, nil
	}
	episodes, known = make(map[placeKey][]episode), make(map[string]bool)
	for _, list := range [][]Situation{v.Live, v.HeldBack} {
		for i := range list {
			for _, id := range list[i].alertIDs {
				known[id] = true
			}
		}
	}
	for _, id := range v.unshownAlerts {
		known[id] = true
	}
	byID := make(map[string]*alert.Alert, len(ended))
	for i := range ended {
		byID[ended[i].ID] = &ended[i]
	}
	for i := range v.ended {
		r := &v.ended[i]
		one := episode{from: r.Began, to: r.Ended, observed: r}
		for _, id := range r.alertIDs {
			if a := byID[id]; a != nil && !a.Ended.IsZero() && !a.Daily {
				one.alerts, known[id] = append(one.alerts, *a), true
			}
		}
		if k := (placeKey{r.Place.Key, false}); len(one.alerts) > 0 {
			episodes[k] = append(episodes[k], one)
		}
	}
	return episodes, known
}

// placeOfEnded returns the place of an ended alert. All alerts about the feed belong to the feed. A
// live alert about a group belongs to a service that the group's agents serve and that had an alert
// at the same time. An alert about an agent belongs to the agent, on the channel of the agent's
// first alert. Every other alert belongs to its own record.
func (w *Tracker) placeOfEnded(s *model.Snapshot, a *alert.Alert, ended []alert.Alert) alert.Key {
	switch a.Key.Scope {
	case alert.Feed:
		return alert.Key{Scope: alert.Feed}
	case alert.User:
		return w.agentPlace(w.ensureAgentPlaces(), a)
	case alert.Group:
		if a.Daily {
			return a.Key
		}
		open := make(map[alert.Key]bool)
		for i := range ended {
			b := &ended[i]
			if b.Key.Scope == alert.Service && !b.Daily && !b.Since.After(a.Ended) && !b.Ended.Before(a.Since) {
				open[b.Key] = true
			}
		}
		w.groupServices.update(s, true, w.groupServices.countedAt)
		if place, is := w.groupServices.serviceOf(a.Key, open); is {
			return place
		}
	case alert.Service, alert.Campaign, alert.Floor:
	}
	return a.Key
}

func (w *Tracker) ensureAgentPlaces() map[placeKey]alert.Key {
	if w.agentPlaces == nil {
		w.agentPlaces = make(map[placeKey]alert.Key)
	}
	return w.agentPlaces
}

// episodesOf merges the alerts of a place that overlap or nearly touch into episodes, oldest first.
func episodesOf(alerts []alert.Alert) []episode {
	slices.SortStableFunc(alerts, func(a, b alert.Alert) int { return a.Since.Compare(b.Since) })
	var out []episode
	for _, a := range alerts {
		if n := len(out); n > 0 && a.Since.Sub(out[n-1].to) <= maxReopenDelay {
			last := &out[n-1]
			last.alerts = append(last.alerts, a)
			if a.Ended.After(last.to) {
				last.to = a.Ended
			}
			continue
		}
		out = append(out, episode{from: a.Since, to: a.Ended, alerts: []alert.Alert{a}})
	}
	for i := range out { // as in a live situation, the first alert of the service itself begins the episode, even if one of its group came first
		if one := &out[i]; one.alerts[0].Key.Scope == alert.Group {
			one.from, _ = startOf(alert.Key{Scope: alert.Service}, one.alerts)
		}
	}
	return out
}

// isReportable reports whether an episode is listed. Critical episodes, those of custom rules, about figures
// of the day or from before the start always are. Any other episode of a service or group must have lasted a
// minute, and that of an agent a multiple of a minute; see [holdFactor].
func (p *episode) isReportable(k placeKey) bool {
	const hold = time.Minute
	if k.daily || p.alerts[0].FromStart || hasCustomRule(p.alerts) || maxWorstLevel(p.alerts) == alert.Critical {
		return true
	}
	lasted := p.to.Sub(p.from)
	switch k.place.Scope {
	case alert.Service, alert.Group:
		return lasted >= hold
	case alert.User:
		return lasted >= holdFactor(p.alerts)*hold
	case alert.Campaign, alert.Floor, alert.Feed:
	}
	return true
}

// isActive reports whether the episode one at the place k belongs to a situation in v that has not
// ended.
func isActive(k placeKey, one episode, v *View) bool {
	return v.Find(func(sit *Situation) bool {
		return sit.Place.Key == k.place && allDaily(sit.Alerts) == k.daily && !one.to.Add(maxReopenDelay).Before(sit.Since)
	}) != nil
}

func maxWorstLevel(alerts []alert.Alert) (worst alert.Level) {
	for i := range alerts {
		worst = max(worst, alerts[i].HighestLevel)
	}
	return worst
}

// summarizeEpisodes summarizes the episodes of a place in a language.
func (w *Tracker) summarizeEpisodes(s *model.Snapshot, k placeKey, episodes []episode, l *words.Language) PastSituation {
	last := &episodes[len(episodes)-1]
	p := PastSituation{
		words: l, Place: Place{k.place, w.placeMessage(s, k.place).In(l)}, Daily: k.daily, EpisodeCount: len(episodes),
		FirstBegan: episodes[0].from, Began: last.from, Ended: last.to, FromStart: episodes[0].alerts[0].FromStart,
	}
	if worst := worstObserved(episodes); worst != nil {
		p.Headline, p.Place.Title, p.Waiting = textInLanguage(worst.headline, worst.Headline, l), worst.Place.titleIn(l), worst.Waiting
		longest := longestObserved(episodes)
		p.LongestWait = model.FigureOf(longest.LongestWait.Seconds()).WithPresumedUnit(longest.isPresumed)
		if worst.Waiting > 0 && longest.LongestWait > worst.LongestWait {
			contacts := words.CountWaiting(worst.Waiting, k.place.Channel)
			p.Headline = words.SituationEndedWait(contacts, words.WaitText(p.LongestWait)).In(l)
		}
	} else if k.place.Scope == alert.Feed {
		p.Headline = feedHeadline(last.alerts).In(l)
	} else if gravest := last.worstAlert(); gravest != nil {
		p.Headline, p.Vanished = gravest.Sentence().In(l), gravest.Vanished
		if p.Place.Title == k.place.Code { // the record may no longer exist: take the name from the text of the alert
			p.Place.Title = gravest.Title()
		}
	}
	p.WorstEpisode = worstEpisode(episodes)
	for i := range episodes {
		one := &episodes[i]
		p.TotalDuration += max(one.to.Sub(one.from), 0)
		p.HighestLevel = max(p.HighestLevel, maxWorstLevel(one.alerts))
		if one.observed != nil {
			p.HighestLevel = max(p.HighestLevel, one.observed.HighestLevel)
		}
		p.Alerts = append(p.Alerts, one.alerts...)
		for j := range one.alerts {
			if a := &one.alerts[j]; a.Ack.At.After(p.Ack.At) {
				p.Ack = a.Ack
			}
		}
	}
	return p
}

// worstEpisode returns the episode with the situation that [worstObserved] returns. If no episode
// was observed, it returns the last one.
func worstEpisode(episodes []episode) PastEpisode {
	one := &episodes[len(episodes)-1]
	if worst := worstObserved(episodes); worst != nil {
		one = &episodes[slices.IndexFunc(episodes, func(e episode) bool { return e.observed == worst })]
	}
	out := PastEpisode{Began: one.from, Ended: one.to, Level: maxWorstLevel(one.alerts), Alerts: one.alerts}
	if one.observed != nil {
		out.Unfinished, out.MostWaiting, out.LongestWait = one.observed.Unfinished, one.observed.Waiting, one.observed.LongestWait
		if causes := one.observed.causes; len(causes) > 0 && causes[0].Kind != "" {
			out.MainCause = causeLines(causes[:1])[0]
		}
		out.Level, out.Causes = max(out.Level, one.observed.HighestLevel), causeLines(one.observed.causes)
	}
	return out
}

// worstObserved returns the observed situation with the highest level. Among situations with the same level,
// it prefers the one with most waiting contacts, then with the longest wait, then the latest. It returns nil
// if no episode was observed.
func worstObserved(episodes []episode) *EndedSituation {
	var out *EndedSituation
	for i := range episodes {
		if r := episodes[i].observed; r != nil && (out == nil || compareSeverity(r, out) >= 0) {
			out = r
		}
	}
	return out
}

// longestObserved returns the observed situation with the longest wait. It returns nil if no episode
// was observed.
func longestObserved(episodes []episode) (longest *EndedSituation) {
	for i := range episodes {
		if r := episodes[i].observed; r != nil && (longest == nil || r.LongestWait > longest.LongestWait) {
			longest = r
		}
	}
	return longest
}

// compareSeverity compares two ended situations by level, then by the number of contacts that
// waited, then by the longest wait.
func compareSeverity(a, b *EndedSituation) int {
	return cmp.Or(cmp.Compare(a.HighestLevel, b.HighestLevel), cmp.Compare(a.Waiting, b.Waiting), cmp.Compare(a.LongestWait, b.LongestWait))
}

// worstAlert returns the alert that best describes an episode: an alert with the highest level,
// preferably about a long wait, which is more informative than an alert about missing agents.
func (p *episode) worstAlert() *alert.Alert {
	var out *alert.Alert
	for i := range p.alerts {
		a := &p.alerts[i]
		if out == nil || a.HighestLevel > out.HighestLevel || a.HighestLevel == out.HighestLevel && a.Rule == alert.RuleLongestWait {
			out = a
		}
	}
	return out
}

// FocusKey returns the record that the board selects when a viewer opens the entry; see
// [Situation.FocusKey].
func (p *PastSituation) FocusKey() alert.Key {
	sit := Situation{Place: p.Place, Alerts: p.Alerts}
	return sit.FocusKey()
}

// RuleNames returns the names of the rules that have raised the alerts, without duplicates.
func RuleNames(alerts []alert.Alert) []string {
	var out []string
	for i := range alerts {
		if rule := alerts[i].Rule; !slices.Contains(out, rule) {
			out = append(out, rule)
		}
	}
	return out
}

// RuleTitles returns the titles of the rules of alerts.
func RuleTitles(alerts []alert.Alert) []words.Text {
	var out []words.Text
	for _, rule := range RuleNames(alerts) {
		out = append(out, alert.RuleTitle(rule))
	}
	return out
}

// RecoveredAt returns the situation at a place that ended less than [recoveredDisplayTime] before the view,
// or nil.
func (v *View) RecoveredAt(place alert.Key) *EndedSituation {
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.Recovered, func(r EndedSituation) bool { return r.Place.Key == place }); i >= 0 {
		return &v.Recovered[i]
	}
	return nil
}

// EndedByID returns the ended situation with an ID, or nil.
func (v *View) EndedByID(id string) *EndedSituation {
	if i := slices.IndexFunc(v.ended, func(r EndedSituation) bool { return r.ID == id }); i >= 0 {
		return &v.ended[i]
	}
	return nil
}

// Description describes how often and how long the place had a situation: "6 times since 9:00, 4:10
// in total". A single episode is described by its start, end and duration. clock formats a time of
// day.
func (p *PastSituation) Description(clock func(time.Time) string) string {
	from, to, total := clock(p.FirstBegan), clock(p.Ended), p.TotalDuration
	var text words.Text
	switch timed := total >= time.Second; {
	case p.EpisodeCount > 1 && timed:
		text = words.SituationTimesTotal(p.EpisodeCount, from, total, to)
	case p.EpisodeCount > 1:
		text = words.SituationTimes(p.EpisodeCount, from, to)
	case p.FromStart && timed:
		text = words.SituationSeenLasted(from, to, total)
	case p.FromStart:
		text = words.SituationSeen(from, to)
	case timed:
		text = words.SituationOnceLasted(from, to, total)
	default:
		text = words.SituationOnce(from, to)
	}
	return text.In(p.words)
}
