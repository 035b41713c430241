package dialect

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/queries"
)

// A restriction learnt in an earlier run may have been wrong, or may no longer apply: a missing
// field may exist now. After each start, once everything works, each restriction is tested by a
// query for one record in document 2's form. The maximum number of keys is tested with twice as
// many keys, until a query is refused. If the server accepts the query, the restriction is dropped.

// trials tracks the restrictions to test again.
type trials struct {
	waiting []trial   // trials to run
	current trial     // the trial taken last
	id      string    // id of its query; "": none is running
	keys    int       // number of keys in its filter
	askedAt time.Time // when the query was sent
}

// trial tests a restriction loaded from the saved profile.
type trial struct {
	kind trialKind
	op   string // "" for one that all operations share
}

type trialKind int

const (
	trialFields  trialKind = iota // fields and types are as in document 2
	trialFilters                  // filters can be literals
	trialKeys                     // a filter can have more keys
)

// trialsFor returns the trials for a saved profile.
func trialsFor(p *Profile) trials {
	ops := make(map[string]bool)
	for _, lists := range []map[string][]string{p.MissingFields, p.ObjectMembers, p.Types} {
		for op, l := range lists {
			ops[op] = ops[op] || len(l) > 0
		}
	}
	var t trials
	if p.Filters != FiltersAuto {
		t.waiting = append(t.waiting, trial{kind: trialFilters})
	}
	for _, op := range slices.Sorted(maps.Keys(ops)) {
		if ops[op] {
			t.waiting = append(t.waiting, trial{trialFields, op})
		}
	}
	for _, op := range slices.Sorted(maps.Keys(p.MaxKeys)) {
		t.waiting = append(t.waiting, trial{trialKeys, op})
	}
	return t
}

// dropRestriction drops the restriction that a trial tests.
func (d *Dialect) dropRestriction(tested trial) {
	switch tested.kind {
	case trialFilters:
		d.profile.Filters = FiltersAuto
	case trialFields:
		delete(d.profile.MissingFields, tested.op)
		delete(d.profile.ObjectMembers, tested.op)
		delete(d.profile.Types, tested.op)
	case trialKeys:
		delete(d.profile.MaxKeys, tested.op)
	}
}

// failKeysTrial ends a running trial of more keys as failed, because the connection
// was lost. It reports whether there was one.
func (t *trials) failKeysTrial() bool {
	was := t.id != "" && t.current.kind == trialKeys
	if was {
		t.id = ""
	}
	return was
}

// trialPatience is how long the query of a trial may take.
const trialPatience = 15 * time.Second

// TrialDue reports whether a trial is waiting and none is running. A running trial
// ends after trialPatience.
func (d *Dialect) TrialDue(now time.Time) bool {
	t := &d.trials
	if t.id != "" && now.Sub(t.askedAt) > trialPatience {
		t.id = ""
	}
	return len(t.waiting) > 0 && t.id == ""
}

// NextTrial takes the next trial and returns its operation, "" if it concerns all
// operations.
func (d *Dialect) NextTrial() (op string) {
	t := &d.trials
	t.current, t.waiting = t.waiting[0], t.waiting[1:]
	return t.current.op
}

// TrialRequest renders the query of the current trial. filter and keys are those of the operation.
// It returns false if there is nothing to test.
func (d *Dialect) TrialRequest(doc *queries.Document, filter string, keys int) (text string, vars map[string]any, ok bool) {
	t, was := &d.trials, *d
	was.profile = was.profile.clone()
	most := 1
	if t.current.kind == trialKeys {
		most = min(2*d.profile.MaxKeys[t.current.op], keys)
		if d.pinned.MaxKeys > 0 || most <= d.profile.MaxKeys[t.current.op] {
			return "", nil, false // fewer keys are requested than the limit allows
		}
	} else {
		was.dropRestriction(t.current)
	}
	if some := queries.SplitFilter(filter, most); keys > most && len(some) > 0 {
		filter = some[0]
	}
	t.keys = most
	text, vars, _ = was.Request(doc, queries.KindQuery, "", filter)
	return text, vars, true
}

// RecordTrialSent records the id of the current trial's query.
func (d *Dialect) RecordTrialSent(id string, now time.Time) { d.trials.id, d.trials.askedAt = id, now }

// TrialOutcome is the result of a trial.
type TrialOutcome int

// The outcomes of trials.
const (
	NotATrial      TrialOutcome = iota // the answer is to something else
	trialUnchanged                     // the restriction remains
	TrialMoreKeys                      // a filter can have more keys
	TrialLifted                        // the restriction is dropped
)

// ApplyTrialAnswer evaluates an answer if it belongs to the running trial. keys
// returns how many keys an operation requests.
func (d *Dialect) ApplyTrialAnswer(id string, payload []byte, keys func(op string) int) (op string, out TrialOutcome) {
	t := &d.trials
	if id == "" || id != t.id {
		return "", NotATrial
	}
	t.id, op = "", t.current.op
	var m struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors []json.RawMessage          `json:"errors"`
	}
	if json.Unmarshal(payload, &m) != nil || len(m.Data) == 0 || len(m.Errors) > 0 {
		return op, trialUnchanged
	}
	d.hasUnsavedChanges = true
	if t.current.kind == trialKeys && t.keys < keys(op) {
		d.profile.MaxKeys[op] = t.keys
		t.waiting = append(t.waiting, t.current) // try still more keys
		return op, TrialMoreKeys
	}
	d.dropRestriction(t.current)
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimFails && c.op == op })
	return op, TrialLifted
}
