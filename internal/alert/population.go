package alert

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/model"
)

// population holds all records of one scope.
type population struct {
	lib           *library
	rules         []*rule
	index         map[Key]*row
	rows          []*row // in the order of the table
	table         any    // the current *model.Table; nil: none
	epoch         uint64
	channels      []model.Channel // result of usedChannels
	channelsEpoch uint64          // epoch of channels
	everySecond   bool            // a rule must be judged each second

	fresh     bool
	begun     time.Time // when records first appeared
	lastFresh time.Time
	unbroken  time.Time // start of uninterrupted observation
	ticked    instant   // last evaluation of rules that depend on time

	past []*pastRecords // records that have not appeared yet, latest history first
}

// row is the state of one record.
type row struct {
	key       Key
	rec       any // the latest record; a changed record has another address
	judgedRec any // the record that was last judged, if it is not rec; else nil
	goal      *Goal
	rules     []*rule // rules that apply to the record
	states    []state // by rule
	samples   *samples
	cache     []cached // by window

	dirty     bool
	due       instant // earliest due time of the states; 0: never
	changesAt instant // time from which time-dependent rules may change; 0: never
	epoch     uint64
}

// newRow returns the row of a new record.
func (e *Engine) newRow(p *population, k Key) *row {
	r := &row{key: k, goal: e.goals.of(k), rules: p.rulesFor(k)}
	r.states = make([]state, len(r.rules))
	if len(p.lib.series) > 0 {
		r.samples = newSamples(p.lib)
		r.cache = make([]cached, len(p.lib.windows))
	}
	return r
}

// rulesFor returns the rules that apply to a record. For each name, a rule that lists
// its code takes precedence.
func (p *population) rulesFor(k Key) []*rule {
	var out []*rule
	var taken []string
	for _, r := range p.rules {
		if is, named := r.isFor(k); is && named {
			out, taken = append(out, r), append(taken, r.Name)
		}
	}
	for _, r := range p.rules {
		if is, named := r.isFor(k); is && !named && !slices.Contains(taken, r.Name) {
			out = append(out, r)
		}
	}
	// Rules that give way are judged last.
	slices.SortStableFunc(out, func(a, b *rule) int { return cmp.Compare(min(len(a.GivesWay), 1), min(len(b.GivesWay), 1)) })
	return out
}

// yields reports whether the rule gives way to one that has an alert.
func (r *row) yields(at int) bool {
	to := r.rules[at].GivesWay
	if to == "" {
		return false
	}
	i := slices.IndexFunc(r.rules, func(other *rule) bool { return other.Name == to })
	return i >= 0 && r.states[i].level > Normal
}

// see sets the current record.
func (r *row) see(rec any) {
	if r.rec != rec {
		if r.judgedRec == nil {
			r.judgedRec = r.rec
		}
		r.rec, r.dirty = rec, true
	}
}

// follow processes the records of a table.
func follow[K comparable, T any](e *Engine, p *population, t *model.Table[K, T], key func(*T) Key) {
	records := t.Rows()
	was, _ := p.table.(*model.Table[K, T])
	p.table = t
	if old := was.Rows(); was != nil && was.Generation() == t.Generation() && len(old) == len(records) {
		same := true
		for i, rec := range records {
			if rec == old[i] {
				continue
			}
			if same = p.rows[i].key == key(rec); !same {
				break // the table belongs to another store
			}
			p.rows[i].see(rec)
		}
		if same {
			return
		}
	}
	p.begin()
	for _, rec := range records {
		e.place(p, key(rec), rec)
	}
	e.finish(p)
}

// begin starts rebuilding the rows of a scope; place adds one.
func (p *population) begin() {
	p.epoch++
	p.rows = p.rows[:0]
}

func (e *Engine) place(p *population, k Key, rec any) {
	r := p.index[k]
	if r == nil {
		r = e.newRow(p, k)
		for _, m := range p.past {
			m.giveSamples(r)
		}
		e.recall(r)
		p.index[k] = r
	}
	r.see(rec)
	r.epoch = p.epoch
	p.rows = append(p.rows, r)
}

// finish removes the records that were not placed.
func (e *Engine) finish(p *population) {
	if len(p.rows) == len(p.index) {
		return
	}
	for k, r := range p.index {
		if r.epoch == p.epoch {
			continue
		}
		delete(p.index, k)
		for i := range r.states {
			e.end(&r.states[i], Vanished)
		}
		if k.Scope == User {
			e.departures.add(k, e.now, e.last)
		}
	}
}

// Tables returns the tables of a snapshot that rules depend on.
func Tables() []model.Op {
	return []model.Op{model.OpServices, model.OpGroups, model.OpCampaigns, model.OpUserStats, model.OpUsers}
}

// update processes the records of a scope.
func (e *Engine) update(p *population, s *model.Snapshot) {
	switch p.lib.scope {
	case Service:
		follow(e, p, s.Services, func(r *model.Service) Key { return Key{Service, r.Key().Code, r.Channel} })
	case Group:
		follow(e, p, s.Groups, func(r *model.Group) Key { return Key{Group, r.Key().Code, r.Channel} })
	case User:
		follow(e, p, s.UserStats, func(r *model.UserStat) Key { return Key{User, r.Key().Username, r.Channel} })
	case Campaign:
		follow(e, p, s.Campaigns, func(r *model.Campaign) Key {
			return Key{Scope: Campaign, Code: strconv.FormatInt(r.Key(), 10)}
		})
	case Floor:
		e.takeFloor(p, s)
	case Feed:
		e.takeFeed(p, &s.Health)
	}
}

// takeFloor sums up the floor, once a second because it depends on every record.
func (e *Engine) takeFloor(p *population, s *model.Snapshot) {
	if !e.tick && len(p.rows) > 0 {
		return
	}
	p.begin()
	seen := make(map[model.Channel]bool, model.NumChannels)
	place := func(ch model.Channel) {
		if ch == "" || seen[ch] {
			return
		}
		seen[ch] = true
		if e.tallies[ch] == nil {
			e.tallies[ch] = &model.Tally{}
		}
		e.place(p, Key{Scope: Floor, Channel: ch}, &floorRecord{e.tallies[ch].Floor(s, ch), ch})
	}
	for r := range s.Services.All() {
		place(r.Channel)
	}
	for _, ch := range e.populations[User].usedChannels() {
		place(ch)
	}
	e.finish(p)
	maps.DeleteFunc(e.tallies, func(ch model.Channel, _ *model.Tally) bool { return !seen[ch] })
}

// usedChannels returns the channels that have records. They are recomputed when records
// appear or disappear.
func (p *population) usedChannels() []model.Channel {
	if p.channelsEpoch == p.epoch {
		return p.channels
	}
	p.channels, p.channelsEpoch = p.channels[:0], p.epoch
	var last model.Channel // most records are on the channel of the one before
	for _, r := range p.rows {
		if ch := r.key.Channel; ch != last && !slices.Contains(p.channels, ch) {
			p.channels = append(p.channels, ch)
		}
		last = r.key.Channel
	}
	return p.channels
}

// takeFeed processes the state of the connection and the subscriptions.
func (e *Engine) takeFeed(p *population, h *model.Health) {
	p.begin()
	up := h.Link.State == model.LinkUp
	e.placeFeed(p, feedRecord{code: link, state: string(h.Link.State), reason: h.Link.Reason, stale: !up})
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		e.placeFeed(p, feedRecord{
			code: string(s.Name), state: string(s.State), reason: s.Reason, records: s.Records,
			stale: up && isStale(s), // without a connection only the link is stale
		})
	}
	e.finish(p)
}

func (e *Engine) placeFeed(p *population, now feedRecord) {
	k := Key{Scope: Feed, Code: now.code}
	rec := &now
	if r := p.index[k]; r != nil {
		if before, ok := r.rec.(*feedRecord); ok && *before == now {
			rec = before
		}
	}
	e.place(p, k, rec)
}

// isStale reports whether the data of a subscription may be outdated.
func isStale(s *model.Subscription) bool {
	switch s.State {
	case model.SubWaiting, model.SubLive, model.SubPolling, model.SubUnverified:
		return false
	case model.SubConnecting, model.SubSyncing, model.SubBackoff, model.SubStale, model.SubRefused:
	}
	return true
}

// isFresh reports whether the records of the scope are current.
func (l *library) isFresh(h *model.Health) bool {
	if l.scope == Feed {
		return true
	}
	if h.Link.State != model.LinkUp {
		return false
	}
	for _, name := range l.subscriptions {
		if sub := h.Subscription(name); sub != nil && isStale(sub) {
			return false
		}
	}
	return true
}
