package cause

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/situation/track"
)

// Kind is what sort of cause it is.
type Kind string

// The kinds of causes.
const (
	MoreContacts   Kind = "more contacts"
	FewerAgents    Kind = "fewer agents"
	LongerHandling Kind = "longer handling"
	LongerWrapUp   Kind = "longer after-call work"
	BoundElsewhere Kind = "agents bound elsewhere"
	SkillMissing   Kind = "nobody with the skill"
	Routing        Kind = "routing"
	CampaignDry    Kind = "campaign dry"
	CampaignBinds  Kind = "campaign without a free agent"
	FeedStale      Kind = "feed"
)

// Cause is why something is as it is.
type Cause struct {
	Kind Kind
	Text string // a sentence, clean: "4 of 7 agents went to MEETING at 14:00"
	// Share is its part of the lack, 0 to 1; unknown where the cause is not one of
	// several that are weighed.
	Share     model.Figure
	Agents    model.Figure // how many agents' work it is
	Then, Now model.Figure // the figure that changed
	Unit      Unit         // of Then and Now
	Basis     string       // what Then is: "in the 30 min before 13:40"
	Who       []track.Gone // of agents who went, the latest first
	Steps     []string     // the arithmetic, in words
}

// Unit says what a figure counts.
type Unit uint8

// The units.
const (
	PerMinute Unit = iota // contacts a minute
	Seconds
	Agents
)

// The times that are compared: what is so now, and what was so before the trouble
// began.
const (
	nowSpan    = 4 * time.Minute
	lead       = 2 * time.Minute // by which a cause is there before somebody waits too long
	baseSpan   = 40 * time.Minute
	leastBase  = 3 * time.Minute
	longGone   = 10 * time.Minute // before the trouble began: then that is not why
	leastPart  = 0.15             // of the lack
	leastHeads = 0.4              // agents
)

// Input is what a cause is looked for in.
type Input struct {
	Key   model.ServiceKey
	Since time.Time // when the trouble began
	Now   time.Time
	// Activity returns what people call an activity code, Service a service's.
	Activity, Service func(code string) string
	// Clock writes a time of day.
	Clock func(time.Time) string
}

// Why returns the causes of contacts that wait for a service, the largest first, or
// what is lacking to tell one.
func Why(t *track.Track, s *model.Snapshot, in Input) (causes []Cause, unexplained string) {
	if !track.Fresh(&s.Health) {
		return nil, "The figures are not the present ones: nothing can be told of causes."
	}
	r := s.Services.Get(in.Key)
	if r == nil {
		return nil, "The platform tells nothing of this service now."
	}
	if c, ok := nobody(t, s, r, in); ok {
		return []Cause{c}, ""
	}
	if c, ok := routed(t, r, in); ok {
		return []Cause{c}, ""
	}
	return compare(t, in)
}

// nobody is the cause where nobody is logged in for the service at all.
func nobody(t *track.Track, s *model.Snapshot, r *model.Service, in Input) (Cause, bool) {
	logged, ok := r.UserStats.LoggedUsers.Count.Get()
	if !ok || logged > 0 {
		return Cause{}, false
	}
	who := t.Left(in.Key, t.Began())
	if len(who) > 0 && in.Since.Sub(who[0].At) <= longGone {
		return Cause{
			Kind: FewerAgents, Share: model.FigureOf(1), Who: who, Unit: Agents,
			Then: model.FigureOf(float64(len(who))), Now: model.FigureOf(0), Basis: "since the board began to watch",
			Text: fmt.Sprintf("Everybody who serves it has logged out, the last at %s.", in.Clock(who[0].At)),
		}, true
	}
	ready := 0
	for u := range s.UserStats.All() {
		if u.Channel == in.Key.Channel && u.Status == model.Ready {
			ready++
		}
	}
	text := "Nobody who is logged in serves it"
	if ready > 0 {
		text += fmt.Sprintf("; %s ready for other services", count(ready, "agent is", "agents are"))
	}
	if text += "."; len(who) > 0 {
		text += fmt.Sprintf(" The last who did logged out at %s.", in.Clock(who[0].At))
	}
	return Cause{Kind: SkillMissing, Share: model.FigureOf(1), Unit: Agents, Now: model.FigureOf(0), Text: text}, true
}

// routed is the cause where agents are free for what waits.
func routed(t *track.Track, r *model.Service, in Input) (Cause, bool) {
	ready, known := r.UserStats.ReadyUsers.Count.Get()
	if !known || ready == 0 || in.Now.Sub(in.Since) < 20*time.Second {
		return Cause{}, false
	}
	recent := t.Span(in.Key, in.Now.Add(-time.Minute), in.Now)
	if recent.Seconds < 30 || recent.Heads.Ready < 0.6 || recent.Answered > recent.Arrived/2 {
		return Cause{}, false
	}
	return Cause{
		Kind: Routing, Share: model.FigureOf(1), Unit: Agents, Now: model.FigureOf(float64(ready)),
		Text: fmt.Sprintf("%s ready and do not get them: look at the routing.", count(int(ready), "agent is", "agents are")),
	}, true
}

// compare weighs what changed since the trouble began.
func compare(t *track.Track, in Input) ([]Cause, string) {
	nowFrom := in.Now.Add(-nowSpan)
	edge := in.Since.Add(-lead)
	if nowFrom.Before(edge) {
		edge = nowFrom
	}
	base := t.Span(in.Key, edge.Add(-baseSpan), edge.Add(-time.Minute))
	now := t.Span(in.Key, nowFrom, in.Now)
	switch {
	case base.Seconds < leastBase.Seconds():
		return nil, fmt.Sprintf("The board has watched since %s only: it cannot tell what changed.", in.Clock(t.Began()))
	case base.Unknown || now.Unknown:
		return nil, "The platform does not tell all the figures that it takes."
	}
	w := weigher{in: in, base: base, now: now, present: t.Present(in.Key)}
	w.basis = fmt.Sprintf("in the %d min before %s", int(base.Seconds/60+0.5), in.Clock(edge))
	w.contacts()
	w.handling()
	w.agents(t, edge.Add(-time.Minute))
	return w.result()
}

// weigher collects what changed.
type weigher struct {
	in        Input
	base, now track.Span
	present   track.Heads
	basis     string
	out       []Cause
}

// perMinute is how many contacts came a minute.
func perMinute(s *track.Span) float64 { return s.Arrived / s.Seconds * 60 }

// lengths are how long a talk and the work after it were in seconds, at both times.
func (w *weigher) lengths() (talkThen, talkNow, wrapThen, wrapNow float64, ok bool) {
	tt, tw := w.base.Talk(model.Figure{}), w.base.WrapUp(model.Figure{})
	talkThen, okTalk := tt.Get()
	wrapThen, okWrap := tw.Get()
	if !okTalk {
		return 0, 0, 0, 0, false
	}
	talkNow, _ = w.now.Talk(tt).Get()
	if wrapNow = wrapThen; okWrap {
		wrapNow, _ = w.now.WrapUp(tw).Get()
	}
	return talkThen, talkNow, wrapThen, wrapNow, true
}

func (w *weigher) contacts() {
	talk, _, wrap, _, ok := w.lengths()
	expected := w.base.Arrived / w.base.Seconds * w.now.Seconds
	// What chance alone brings is no cause.
	if excess := w.now.Arrived - expected; !ok || excess < 1.5*math.Sqrt(expected)+0.5 {
		return
	}
	then, now := perMinute(&w.base), perMinute(&w.now)
	work := (now - then) * (talk + wrap) / 60
	text := fmt.Sprintf("%s contacts a minute come, %s before.", decimal(now), decimal(then))
	if then > 0 {
		text = fmt.Sprintf("%s times as many contacts come as before: %s a minute instead of %s.", decimal(now/then), decimal(now), decimal(then))
	}
	w.add(Cause{
		Kind: MoreContacts, Agents: model.FigureOf(work), Then: model.FigureOf(then), Now: model.FigureOf(now), Unit: PerMinute, Text: text,
		Steps: []string{fmt.Sprintf("%s contacts a minute more, %s of work each: the work of %s agents", decimal(now-then), clock(talk+wrap), decimal(work))},
	})
}

func (w *weigher) handling() {
	talkThen, talkNow, wrapThen, wrapNow, ok := w.lengths()
	if !ok {
		return
	}
	rate := max(perMinute(&w.now), perMinute(&w.base)) / 60
	longer := func(kind Kind, what string, then, now float64) {
		if now < 1.3*then || now-then < 10 {
			return
		}
		work := rate * (now - then)
		w.add(Cause{
			Kind: kind, Agents: model.FigureOf(work), Then: model.FigureOf(then), Now: model.FigureOf(now), Unit: Seconds,
			Text:  fmt.Sprintf("%s takes %s, %s before.", what, clock(now), clock(then)),
			Steps: []string{fmt.Sprintf("%s contacts a minute, each %s longer: the work of %s agents", decimal(rate*60), clock(now-then), decimal(work))},
		})
	}
	longer(LongerHandling, "A conversation", talkThen, talkNow)
	longer(LongerWrapUp, "The work after a contact", wrapThen, wrapNow)
}

// agents are those who went: to a break or home, and to other work.
func (w *weigher) agents(t *track.Track, since time.Time) {
	b, p := &w.base.Heads, &w.present
	away, bound := p.Away-b.Away, (p.Bound+p.OnPhone)-(b.Bound+b.OnPhone)
	home := b.Logged() - p.Logged()
	who := t.Left(w.in.Key, since)
	var went, other []track.Gone
	for _, g := range who {
		if g.Status == "" || g.Status == model.NotReady {
			went = append(went, g)
		} else {
			other = append(other, g)
		}
	}
	if fewer := away + max(0, home); fewer >= leastHeads {
		then := b.Logged() - b.Away
		w.add(Cause{
			Kind: FewerAgents, Agents: model.FigureOf(fewer), Then: model.FigureOf(then), Now: model.FigureOf(p.Logged() - p.Away), Unit: Agents, Who: went,
			Text:  w.wentTo(went, p),
			Steps: []string{fmt.Sprintf("%s at work then, %s now", decimal(then), decimal(p.Logged()-p.Away))},
		})
	}
	if bound >= leastHeads {
		w.add(Cause{
			Kind: BoundElsewhere, Agents: model.FigureOf(bound), Then: model.FigureOf(b.Bound + b.OnPhone), Now: model.FigureOf(p.Bound + p.OnPhone), Unit: Agents, Who: other,
			Text:  w.boundBy(other, p),
			Steps: []string{fmt.Sprintf("%s busy elsewhere then, %s now", decimal(b.Bound+b.OnPhone), decimal(p.Bound+p.OnPhone))},
		})
	}
}

// wentTo says where agents went who are not ready or not there.
func (w *weigher) wentTo(who []track.Gone, p *track.Heads) string {
	if len(who) == 0 {
		return fmt.Sprintf("Fewer agents are at work than before: %s.", decimal(p.Logged()-p.Away))
	}
	places := make(map[string]int)
	for _, g := range who {
		where := "logged out"
		if g.Status != "" {
			where = "went not ready"
			if g.Activity != "" {
				where = "went to " + w.in.Activity(g.Activity)
			}
		}
		places[where]++
	}
	home := places["logged out"]
	return fmt.Sprintf("Of %s, %s.", count(int(p.Logged()+0.5)+home, "agent", "agents"), list(places)+", the last at "+w.in.Clock(who[0].At))
}

// boundBy says with what agents are busy instead.
func (w *weigher) boundBy(who []track.Gone, p *track.Heads) string {
	works := make(map[string]int)
	for _, g := range who {
		switch {
		case g.Status == model.BusyDNCallIn, g.Status == model.BusyDNCallOut, g.Status == model.BusyDNCallOutPrivate:
			works["on calls of their own"]++
		case g.Service != "":
			works["busy with "+w.in.Service(g.Service)]++
		default:
			works["busy on another channel"]++
		}
	}
	if len(works) == 0 {
		return fmt.Sprintf("%s of its agents are busy elsewhere.", decimal(p.Bound+p.OnPhone))
	}
	return fmt.Sprintf("Of its %s, %s.", count(int(p.Logged()+0.5), "agent", "agents"), list(works))
}

// list writes counted things, the most frequent first.
func list(counts map[string]int) string {
	var names []string
	for n := range counts {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	for i, n := range names {
		names[i] = fmt.Sprintf("%d %s", counts[n], n)
	}
	if len(names) > 3 {
		names = append(names[:3], "others elsewhere")
	}
	return strings.Join(names, ", ")
}

func (w *weigher) add(c Cause) {
	if n, ok := c.Agents.Get(); ok && n > 0 {
		c.Basis = w.basis
		w.out = append(w.out, c)
	}
}

// result gives each its share of the lack, and leaves out what hardly counts.
func (w *weigher) result() ([]Cause, string) {
	total := 0.0
	for i := range w.out {
		n, _ := w.out[i].Agents.Get()
		total += n
	}
	var out []Cause
	for _, c := range w.out {
		n, _ := c.Agents.Get()
		if share := n / total; share >= leastPart {
			c.Share = model.FigureOf(share)
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Cause) int {
		x, _ := a.Share.Get()
		y, _ := b.Share.Get()
		return cmp.Compare(y, x)
	})
	if len(out) == 0 {
		return nil, "As many contacts come and as many agents are there as before: the figures do not tell why."
	}
	return out, ""
}

// count writes a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// decimal writes a small number.
func decimal(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

// clock writes a length of time as the board does.
func clock(seconds float64) string {
	s := int(seconds + 0.5)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
