package alert

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/model"
)

// scopeRows holds the rows of all records of one scope.
type scopeRows struct {
	library       *expressionLibrary
	rules         []*rule
	latestRules   []*rule // rules of the row added last, for reuse by the next row
	rowsByKey     map[Key]*row
	rows          []*row // rows in the order of the table
	table         any    // the current *model.Table; nil: none
	epoch         uint64
	channels      []model.Channel // cached result of usedChannels
	channelsEpoch uint64          // epoch for which channels was computed
	everySecond   bool            // a rule must be judged every second

	isFresh       bool
	startedAt     time.Time // when records first appeared
	lastFresh     time.Time
	observedSince time.Time // start of the uninterrupted observation up to now
	lastTick      instant   // time of the last evaluation of rules that depend on time

	pastRecords []*pastRecords // recorded samples of records that may not have appeared yet; the newest history comes first
}

// row is the state of one record.
type row struct {
	key          Key
	record       any // pointer to the latest record; a changed record has another pointer
	judgedRecord any // the record that was judged last; nil: record itself
	goal         *recordGoal
	rules        []*rule     // rules that cover the record
	states       []ruleState // states of the rules, in the order of rules; nil while all are zero
	samples      *samples
	cache        []cachedWindow // values of the windows, by index of the window

	dirty     bool
	dueAt     instant // earliest due time of the states; 0: never
	changesAt instant // when the result of a rule that depends on time may change; 0: never
	epoch     uint64
}

// newRow returns the row of a new record.
func (e *Engine) newRow(p *scopeRows, k Key) *row {
	r := &row{key: k, goal: e.goals.goalOf(k), rules: p.rulesFor(k)}
	if slices.Equal(r.rules, p.latestRules) {
		r.rules = p.latestRules // most records share one list
	}
	p.latestRules = r.rules
	if len(p.library.series) > 0 {
		r.samples = newSamples(p.library)
		r.cache = make([]cachedWindow, len(p.library.windows))
	}
	return r
}

// rulesFor returns the rules that cover a record. Of several rules with the same name, the rule
// that lists the record's code is used.
func (p *scopeRows) rulesFor(k Key) []*rule {
	var out []*rule
	var taken []string
	for _, r := range p.rules {
		if is, named := r.matches(k); is && named {
			out, taken = append(out, r), append(taken, r.Name)
		}
	}
	for _, r := range p.rules {
		if is, named := r.matches(k); is && !named && !slices.Contains(taken, r.Name) {
			out = append(out, r)
		}
	}
	// Rules with SuppressedBy are judged last, because their results depend on the alerts of other
	// rules.
	slices.SortStableFunc(out, func(a, b *rule) int { return cmp.Compare(min(len(a.SuppressedBy), 1), min(len(b.SuppressedBy), 1)) })
	return out
}

func (r *row) state(index int) ruleState {
	if r.states == nil {
		return ruleState{}
	}
	return r.states[index]
}

func (r *row) setState(index int, s ruleState) {
	switch {
	case r.states != nil:
		r.states[index] = s
		if s == (ruleState{}) && !slices.ContainsFunc(r.states, func(s ruleState) bool { return s != ruleState{} }) {
			r.states = nil
		}
	case s != ruleState{}:
		r.states = make([]ruleState, len(r.rules))
		r.states[index] = s
	}
}

// alertOf returns the active alert of a rule, or nil if it has none or r is nil.
func (r *row) alertOf(rule string) *activeAlert {
	if r == nil {
		return nil
	}
	for i, own := range r.rules {
		if own.Name == rule {
			return r.state(i).alert
		}
	}
	return nil
}

// isSuppressed reports whether the rule at index must not have an alert, because the rule named by its
// SuppressedBy has an alert about the record.
func (r *row) isSuppressed(index int) bool {
	to := r.rules[index].SuppressedBy
	if to == "" {
		return false
	}
	i := slices.IndexFunc(r.rules, func(other *rule) bool { return other.Name == to })
	return i >= 0 && r.state(i).level > Normal
}

// setRecord sets the record of the row. If the record has changed, the row must be judged again.
func (r *row) setRecord(rec any) {
	if r.record != rec {
		if r.judgedRecord == nil {
			r.judgedRecord = r.record
		}
		r.record, r.dirty = rec, true
	}
}

// updateFromTable updates the rows of p from the table t. If records were added, removed or moved, it
// rebuilds the list of rows. key returns the key of a record.
func updateFromTable[K comparable, T any](e *Engine, p *scopeRows, t *model.Table[K, T], key func(*T) Key) {
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
			p.rows[i].setRecord(rec)
		}
		if same {
			return
		}
	}
	p.startRows()
	for _, rec := range records {
		e.putRecord(p, key(rec), rec)
	}
	e.finishRows(p)
}

// startRows starts to rebuild the rows of a scope. Calls of putRecord then add the rows, and
// finishRows ends the rebuilding.
func (p *scopeRows) startRows() {
	p.epoch++
	p.rows = p.rows[:0]
}

func (e *Engine) putRecord(p *scopeRows, k Key, rec any) {
	r := p.rowsByKey[k]
	if r == nil {
		r = e.newRow(p, k)
		for _, m := range p.pastRecords {
			m.addSamples(r)
		}
		e.restoreAcks(r)
		p.rowsByKey[k] = r
	}
	r.setRecord(rec)
	r.epoch = p.epoch
	p.rows = append(p.rows, r)
}

// finishRows removes the rows that putRecord has not added since startRows, and ends their alerts.
func (e *Engine) finishRows(p *scopeRows) {
	if len(p.rows) == len(p.rowsByKey) {
		return
	}
	for k, r := range p.rowsByKey {
		if r.epoch == p.epoch {
			continue
		}
		delete(p.rowsByKey, k)
		for i := range r.states {
			e.endAlert(&r.states[i], ChangeVanished)
		}
	}
}

// JudgedOperations returns the operations whose records the rules judge.
func JudgedOperations() []model.Op {
	return []model.Op{model.OpServices, model.OpGroups, model.OpCampaigns, model.OpUserStats, model.OpUsers}
}

// updateRows updates the rows of a scope from a snapshot.
func (e *Engine) updateRows(p *scopeRows, s *model.Snapshot) {
	switch p.library.scope {
	case Service:
		updateFromTable(e, p, s.Services, func(r *model.Service) Key { return Key{Service, r.Key().Code, r.Channel} })
	case Group:
		updateFromTable(e, p, s.Groups, func(r *model.Group) Key { return Key{Group, r.Key().Code, r.Channel} })
	case User:
		updateFromTable(e, p, s.UserStats, func(r *model.UserStat) Key { return Key{User, r.Key().Username, r.Channel} })
	case Campaign:
		updateFromTable(e, p, s.Campaigns, func(r *model.Campaign) Key {
			return Key{Scope: Campaign, Code: strconv.FormatInt(r.Key(), 10)}
		})
	case Floor:
		e.updateFloor(p, s)
	case Feed:
		e.updateFeed(p, &s.Health)
	}
}

// updateFloor computes the totals of the floor. It does so only once a second, because the totals
// depend on every record.
func (e *Engine) updateFloor(p *scopeRows, s *model.Snapshot) {
	if !e.newSecond && len(p.rows) > 0 {
		return
	}
	p.startRows()
	seen := make(map[model.Channel]bool, model.NumChannels)
	place := func(ch model.Channel) {
		if ch == "" || seen[ch] {
			return
		}
		seen[ch] = true
		if e.floorTallies[ch] == nil {
			e.floorTallies[ch] = &model.FloorTally{}
		}
		e.putRecord(p, Key{Scope: Floor, Channel: ch}, &floorRecord{e.floorTallies[ch].Floor(s, ch), ch})
	}
	for r := range s.Services.All() {
		place(r.Channel)
	}
	for _, ch := range e.rowsByScope[User].usedChannels() {
		place(ch)
	}
	e.finishRows(p)
	maps.DeleteFunc(e.floorTallies, func(ch model.Channel, _ *model.FloorTally) bool { return !seen[ch] })
}

// usedChannels returns the channels that have records. The result is cached until records appear or
// disappear.
func (p *scopeRows) usedChannels() []model.Channel {
	if p.channelsEpoch == p.epoch {
		return p.channels
	}
	p.channels, p.channelsEpoch = p.channels[:0], p.epoch
	var last model.Channel // most records are on the same channel as the previous one
	for _, r := range p.rows {
		if ch := r.key.Channel; ch != last && !slices.Contains(p.channels, ch) {
			p.channels = append(p.channels, ch)
		}
		last = r.key.Channel
	}
	return p.channels
}

// updateFeed updates the rows of the connection and the subscriptions.
func (e *Engine) updateFeed(p *scopeRows, h *model.Health) {
	p.startRows()
	up := h.Link.State == model.LinkUp
	e.putFeedRecord(p, feedRecord{code: linkCode, state: string(h.Link.State), reason: h.Link.Reason, stale: !up})
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		e.putFeedRecord(p, feedRecord{
			code: string(s.Name), state: string(s.State), reason: s.Reason, records: s.Records,
			stale: up && isStale(s), // without a connection, only the connection itself counts as stale
		})
	}
	e.finishRows(p)
}

func (e *Engine) putFeedRecord(p *scopeRows, now feedRecord) {
	k := Key{Scope: Feed, Code: now.code}
	rec := &now
	if r := p.rowsByKey[k]; r != nil {
		if before, ok := r.record.(*feedRecord); ok && *before == now {
			rec = before
		}
	}
	e.putRecord(p, k, rec)
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

// isFresh reports whether the records of the scope are current. The records of the feed always are.
func (l *expressionLibrary) isFresh(h *model.Health) bool {
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
