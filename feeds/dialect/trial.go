package dialect

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/queries"
)

// What the board learnt when it ran last may have been a mistake, or may be true
// no longer: a field may be there again. Each start asks once, in a query of one
// record and when all is well, for what document 2 shows; of how many keys a filter may name, for twice as
// many, until that is refused. A server that takes it is spoken to like that from
// then on.

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

// forget unlearns what a trial is about.
func (d *Dialect) forget(what trial) {
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

// tooLong takes the end of a connection for the answer to a trial with more keys:
// the server takes no request as long as that. It reports whether there was one.
func (t *trials) tooLong() bool {
	was := t.id != "" && t.now.about == trialKeys
	if was {
		t.id = ""
	}
	return was
}

// trialPatience is how long the query of a trial may take.
const trialPatience = 15 * time.Second

// TrialDue reports whether something is to be tried again, and nothing is being
// tried.
func (d *Dialect) TrialDue(now time.Time) bool {
	t := &d.trials
	if t.id != "" && now.Sub(t.askedAt) > trialPatience {
		t.id = ""
	}
	return len(t.due) > 0 && t.id == ""
}

// NextTrial takes the next trial that is due, and returns which operation it is
// about, "" for all.
func (d *Dialect) NextTrial() (op string) {
	t := &d.trials
	t.now, t.due = t.due[0], t.due[1:]
	return t.now.op
}

// Trial renders the query of the present trial for an operation that asks for so
// many keys with a filter. It returns false when there is nothing to try.
func (d *Dialect) Trial(doc *queries.Document, filter string, keys int) (text string, vars map[string]any, ok bool) {
	t, was := &d.trials, *d
	was.known = was.known.whole()
	most := 1
	if t.now.about == trialKeys {
		most = min(2*d.known.MaxKeys[t.now.op], keys)
		if d.pinned.MaxKeys > 0 || most <= d.known.MaxKeys[t.now.op] {
			return "", nil, false // it is not known to be too low
		}
	} else {
		was.forget(t.now)
	}
	if some := queries.Split(filter, most); keys > most && len(some) > 0 {
		filter = some[0]
	}
	t.keys = most
	text, vars, _ = was.Request(doc, queries.KindQuery, "", filter)
	return text, vars, true
}

// TrialSent notes the id of the query of the present trial.
func (d *Dialect) TrialSent(id string, now time.Time) { d.trials.id, d.trials.askedAt = id, now }

// Outcome is what the answer to a trial tells.
type Outcome int

// The outcomes of trials.
const (
	NoTrial   Outcome = iota // it answers something else
	trialSame                // it is as it was
	TrialMore                // a filter may name more keys
	TrialOver                // what was learnt is not so any more, and is forgotten
)

// TrialAnswered takes an answer, if it is that of the trial. keys is how many keys an
// operation asks for.
func (d *Dialect) TrialAnswered(id string, payload []byte, keys func(op string) int) (op string, out Outcome) {
	t := &d.trials
	if id == "" || id != t.id {
		return "", NoTrial
	}
	t.id, op = "", t.now.op
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []json.RawMessage          `json:"errors"`
	}
	if json.Unmarshal(payload, &m) != nil || len(m.Data) == 0 || len(m.Errors) > 0 {
		return op, trialSame
	}
	d.dirty = true
	if t.now.about == trialKeys && t.keys < keys(op) {
		d.known.MaxKeys[op] = t.keys
		t.due = append(t.due, t.now) // perhaps it takes still more
		return op, TrialMore
	}
	d.forget(t.now)
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimFails && c.op == op })
	return op, TrialOver
}
