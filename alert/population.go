package alert

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/model"
)

// population is all records of one scope.
type population struct {
	lib      *library
	rules    []*rule
	index    map[Key]*row
	rows     []*row // in the order of the table
	table    any    // the *model.Table that they are of; nil: of none, or of none yet
	epoch    uint64
	channels []model.Channel // of population.manned
	mannedAt uint64          // the epoch that they are of
	restless bool            // a rule is judged each second

	fresh     bool
	begun     time.Time // when the records were there for the first time
	lastFresh time.Time
	unbroken  time.Time // since when the records have been looked at without a break
	ticked    instant   // when what goes by the clock was looked at last

	past []*remembered // of records that have not come yet, the latest first
}

// row is what is known of one record.
type row struct {
	key     Key
	rec     any // the record as it was last seen; another one has another address
	was     any // the one that it was judged by last, where that is another one; nil: it is not
	goal    *Goal
	rules   []*rule // that are about it
	states  []state // of the rules
	samples *samples
	cache   []cached // of the windows

	dirty bool
	due   instant // the earliest of its states; none is never
	moves instant // from when on a rule that goes by the clock may find something else; none is never
	epoch uint64
}

// newRow returns the row of a record that was not there before.
func (e *Engine) newRow(p *population, k Key) *row {
	r := &row{key: k, goal: e.goals.of(k), rules: p.rulesFor(k)}
	r.states = make([]state, len(r.rules))
	if len(p.lib.series) > 0 {
		r.samples = newSamples(p.lib)
		r.cache = make([]cached, len(p.lib.windows))
	}
	return r
}

// rulesFor returns the rules about a record: of each name the one that names
// its code, or the one that names none.
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
	// What gives way is judged after what it gives way to.
	slices.SortStableFunc(out, func(a, b *rule) int { return cmp.Compare(min(len(a.GivesWay), 1), min(len(b.GivesWay), 1)) })
	return out
}

// yields reports whether a rule of the record gives way to one that has an alert.
func (r *row) yields(at int) bool {
	to := r.rules[at].GivesWay
	if to == "" {
		return false
	}
	i := slices.IndexFunc(r.rules, func(other *rule) bool { return other.Name == to })
	return i >= 0 && r.states[i].level > Normal
}

// see takes in the present record.
func (r *row) see(rec any) {
	if r.rec != rec {
		if r.was == nil {
			r.was = r.rec
		}
		r.rec, r.dirty = rec, true
	}
}

// follow takes in the records of a table.
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
				break // another store has begun
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

// begin begins to take in the records of a scope anew; place takes in one.
func (p *population) begin() {
	p.epoch++
	p.rows = p.rows[:0]
}

func (e *Engine) place(p *population, k Key, rec any) {
	r := p.index[k]
	if r == nil {
		r = e.newRow(p, k)
		for _, m := range p.past {
			m.tell(r)
		}
		e.recall(r)
		p.index[k] = r
	}
	r.see(rec)
	r.epoch = p.epoch
	p.rows = append(p.rows, r)
}

// finish forgets the records that were not placed.
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

// Tables are those of a picture that rules go by.
func Tables() []model.Op {
	return []model.Op{model.OpServices, model.OpGroups, model.OpCampaigns, model.OpUserStats, model.OpUsers}
}

// take takes in the scope's records of a snapshot.
func (e *Engine) take(p *population, s *model.Snapshot) {
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

// takeFloor sums the floor up, once a second: it stands on every record.
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
	for _, ch := range e.populations[User].manned() {
		place(ch)
	}
	e.finish(p)
	maps.DeleteFunc(e.tallies, func(ch model.Channel, _ *model.Tally) bool { return !seen[ch] })
}

// manned are the channels that there are records on. They are found out when others come or go.
func (p *population) manned() []model.Channel {
	if p.mannedAt == p.epoch {
		return p.channels
	}
	p.channels, p.mannedAt = p.channels[:0], p.epoch
	var last model.Channel // most records are on the channel of the one before
	for _, r := range p.rows {
		if ch := r.key.Channel; ch != last && !slices.Contains(p.channels, ch) {
			p.channels = append(p.channels, ch)
		}
		last = r.key.Channel
	}
	return p.channels
}

// takeFeed takes in the state of the connection and the subscriptions.
func (e *Engine) takeFeed(p *population, h *model.Health) {
	p.begin()
	up := h.Link.State == model.LinkUp
	e.placeFeed(p, feedRecord{code: link, state: string(h.Link.State), reason: h.Link.Reason, stale: !up})
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		e.placeFeed(p, feedRecord{
			code: string(s.Name), state: string(s.State), reason: s.Reason, records: s.Records,
			stale: up && isStale(s), // without a connection that is what is wrong
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

// isStale reports whether what a subscription holds may be old.
func isStale(s *model.Subscription) bool {
	switch s.State {
	case model.SubWaiting, model.SubLive, model.SubPolling, model.SubUnverified:
		return false
	case model.SubConnecting, model.SubSyncing, model.SubBackoff, model.SubStale, model.SubRefused:
	}
	return true
}

// isFresh reports whether the records are the platform's present ones.
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
