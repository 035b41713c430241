package feeds

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"wallboard/model"
)

// What the board learnt when it ran last may have been a mistake, or may be true
// no longer: a field may be there again. Each start asks once, in a query of one
// record and when all is well, for what document 2 shows. A server that takes it
// is spoken to like that from then on.

// trialAfter is how long a connection has to be up before that is tried.
const trialAfter = time.Minute

// trials are what is to be tried again.
type trials struct {
	due     []string // operations of which something was recalled; "" is the form of the filters
	op      string   // the one that is tried
	id      string   // its query
	askedAt time.Time
}

// recalled makes the trials of what was learnt when the board ran last.
func recalled(p *Profile) trials {
	due := make(map[string]bool)
	for _, lists := range []map[string][]string{p.Lacks, p.Inside, p.Types} {
		for op := range lists {
			due[op] = len(lists[op]) > 0
		}
	}
	if p.Filters != FiltersAuto {
		due[""] = true
	}
	maps.DeleteFunc(due, func(_ string, is bool) bool { return !is })
	return trials{due: slices.Sorted(maps.Keys(due))}
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
	t.op, t.due = t.due[0], t.due[1:]
	of := t.op
	if of == "" {
		of = opServices
	}
	s := f.byName[of]
	if s == nil || s.active == "" {
		return
	}
	d := *f.speech
	d.known = d.known.whole()
	d.forget(t.op)
	filter := s.have.filter
	if one := splitFilter(filter, 1); s.have.keys > 1 && len(one) > 0 {
		filter = one[0]
	}
	text, vars, _ := d.request(&s.doc, kindQuery, "", filter)
	if id, err := s.conn.Subscribe(text, vars); err == nil {
		t.id, t.askedAt = id, now
	}
}

// forget unlearns what a trial is about.
func (d *dialect) forget(op string) {
	if op == "" {
		d.known.Filters = FiltersAuto
		return
	}
	delete(d.known.Lacks, op)
	delete(d.known.Inside, op)
	delete(d.known.Types, op)
}

// tried takes the answer to a trial, and reports whether an id is of one.
func (f *Feed) triedAgain(id string, payload []byte) bool {
	t := &f.speech.trials
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
	f.log.Info("what was learnt is not so any more", "operation", t.op)
	f.speech.forget(t.op)
	f.speech.dirty = true
	maps.DeleteFunc(f.speech.evidence, func(c claim, _ int) bool { return c.kind == claimFails && c.op == t.op })
	if s := f.byName[t.op]; s != nil {
		s.status.Lacks = f.lackText(t.op)
		s.renew, s.resync = true, true
	}
	return true
}
