package feeds

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/queries"
	"wallboard/model"
)

// What the board learnt when it ran last may have been a mistake, or may be true
// no longer: a field may be there again. Each start asks once, in a query of one
// record and when all is well, for what document 2 shows; of how many keys a filter may name, for twice as
// many, until that is refused. A server that takes it is spoken to like that from
// then on.

// trialAfter is how long a connection has to be up before that is tried.
const trialAfter = time.Minute

// trials are what is to be tried again.
type trials struct {
	due     []trial
	now     trial  // the one that is tried
	id      string // its query
	keys    int    // in its filter
	askedAt time.Time
}

// trial is something that was recalled.
type trial struct {
	about trialOf
	op    string // "" for what all operations share
}

type trialOf int

const (
	trialFields  trialOf = iota // fields and types are there as document 2 shows them
	trialFilters                // filters are taken as literals
	trialKeys                   // a filter may name more keys
)

// recalled makes the trials of what was learnt when the board ran last.
func recalled(p *Profile) trials {
	ops := make(map[string]bool)
	for _, lists := range []map[string][]string{p.Lacks, p.Inside, p.Types} {
		for op, l := range lists {
			ops[op] = ops[op] || len(l) > 0
		}
	}
	var t trials
	if p.Filters != FiltersAuto {
		t.due = append(t.due, trial{about: trialFilters})
	}
	for _, op := range slices.Sorted(maps.Keys(ops)) {
		if ops[op] {
			t.due = append(t.due, trial{trialFields, op})
		}
	}
	for _, op := range slices.Sorted(maps.Keys(p.MaxKeys)) {
		t.due = append(t.due, trial{trialKeys, op})
	}
	return t
}

// tryAgain sends the next trial that is due.
func (f *Feed) tryAgain(now time.Time) {
	t := &f.speech.trials
	if t.id != "" && now.Sub(t.askedAt) > searchPatience {
		t.id = ""
	}
	if len(t.due) == 0 || t.id != "" || f.link.State != model.LinkUp || now.Sub(f.link.Since) < trialAfter || !f.live() {
		return
	}
	t.now, t.due = t.due[0], t.due[1:]
	s := f.byName[cmp.Or(t.now.op, opServices)]
	if s == nil || s.active == "" {
		return
	}
	d := *f.speech
	d.known = d.known.whole()
	most := 1
	if t.now.about == trialKeys {
		most = min(2*d.known.MaxKeys[t.now.op], s.have.Keys)
		if d.pinned.MaxKeys > 0 || most <= d.known.MaxKeys[t.now.op] {
			return // it is not known to be too low
		}
	} else {
		d.forget(t.now)
	}
	filter := s.have.Filter
	if some := queries.Split(filter, most); s.have.Keys > most && len(some) > 0 {
		filter = some[0]
	}
	text, vars, _ := d.request(&s.doc, queries.KindQuery, "", filter)
	if id, err := s.conn.Subscribe(text, vars); err == nil {
		t.id, t.keys, t.askedAt = id, most, now
	}
}

// forget unlearns what a trial is about.
func (d *dialect) forget(what trial) {
	switch what.about {
	case trialFilters:
		d.known.Filters = FiltersAuto
	case trialFields:
		delete(d.known.Lacks, what.op)
		delete(d.known.Inside, what.op)
		delete(d.known.Types, what.op)
	case trialKeys:
		delete(d.known.MaxKeys, what.op)
	}
}

// triedAgain takes the answer to a trial, and reports whether an id is of one.
func (f *Feed) triedAgain(id string, payload []byte) bool {
	d := f.speech
	t := &d.trials
	if id == "" || id != t.id {
		return false
	}
	t.id = ""
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []json.RawMessage          `json:"errors"`
	}
	if json.Unmarshal(payload, &m) != nil || len(m.Data) == 0 || len(m.Errors) > 0 {
		return true // it is as it was
	}
	f.log.Info("what was learnt is not so any more", "operation", t.now.op)
	d.dirty = true
	s := f.byName[t.now.op]
	if t.now.about == trialKeys && s != nil && t.keys < s.have.Keys {
		d.known.MaxKeys[t.now.op] = t.keys
		t.due = append(t.due, t.now) // perhaps it takes still more
		return true
	}
	d.forget(t.now)
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimFails && c.op == t.now.op })
	if s != nil {
		s.status.Lacks = f.lackText(t.now.op)
		s.renew, s.resync = true, true
	}
	return true
}

// tooLong takes the end of a connection for the answer to a trial with more keys:
// the server takes no request as long as that. It reports whether there was one.
func (t *trials) tooLong() bool {
	was := t.id != "" && t.now.about == trialKeys
	if was {
		t.id = ""
	}
	return was
}
