package dialect

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"wallboard/feeds/graphql"
)

// A restriction learned in an earlier run may have been wrong, or may no longer apply: a missing
// field may exist now. After each start, once the feed works, each restriction is tested with a
// query for one record that ignores the restriction. If the server accepts the query, the
// restriction is dropped. A maximum number of keys is tested with twice as many keys, repeatedly,
// until a query is refused or the whole filter is accepted.

// trials holds the learned restrictions that are still to be tested.
type trials struct {
	waiting []trial   // trials that were not run yet
	current trial     // the trial that runs or ran last
	queryID string    // ID of the query of the current trial; "": none is running
	keys    int       // number of keys in the filter of this query
	askedAt time.Time // when this query was sent
}

// trial is a test of a restriction that was loaded from the saved profile.
type trial struct {
	kind trialKind
	op   string // operation; "": the restriction applies to all operations
}

type trialKind int

const (
	trialFields  trialKind = iota // tests whether the server has the fields and types of document 2
	trialFilters                  // tests whether the server accepts filters as literals
	trialKeys                     // tests whether the server accepts more keys in a filter
)

// trialsFor returns the trials of the restrictions in a saved profile.
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

// dropRestriction removes from the profile the restriction that a trial tests.
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

// failKeysTrial ends a running trial of more keys because the connection was lost. The limit
// remains. It returns false if no such trial was running.
func (t *trials) failKeysTrial() bool {
	was := t.queryID != "" && t.current.kind == trialKeys
	if was {
		t.queryID = ""
	}
	return was
}

// trialTimeout is how long a trial waits for the answer to its query.
const trialTimeout = 15 * time.Second

// TrialDue reports whether a trial is waiting and none is running. It ends a running trial that has
// lasted longer than trialTimeout.
func (d *Dialect) TrialDue(now time.Time) bool {
	t := &d.trials
	if t.queryID != "" && now.Sub(t.askedAt) > trialTimeout {
		t.queryID = ""
	}
	return len(t.waiting) > 0 && t.queryID == ""
}

// NextTrial makes the next waiting trial the current one. There must be one. It returns the
// operation that the trial tests, or "" if the trial can use any operation.
func (d *Dialect) NextTrial() (op string) {
	t := &d.trials
	t.current, t.waiting = t.waiting[0], t.waiting[1:]
	return t.current.op
}

// TrialRequest renders the query of the current trial. doc is the operation to test. filter is the
// operation's current filter, and keys the number of keys in it. ok is false if there is nothing to
// test.
func (d *Dialect) TrialRequest(doc *graphql.Document, filter string, keys int) (text string, vars map[string]any, ok bool) {
	t, was := &d.trials, *d
	was.profile = was.profile.clone()
	most := 1
	if t.current.kind == trialKeys {
		most = min(2*d.profile.MaxKeys[t.current.op], keys)
		if d.pinned.MaxKeys > 0 || most <= d.profile.MaxKeys[t.current.op] {
			return "", nil, false // the operation does not request more keys than the limit allows
		}
	} else {
		was.dropRestriction(t.current)
	}
	if some := graphql.SplitFilter(filter, most); keys > most && len(some) > 0 {
		filter = some[0]
	}
	t.keys = most
	text, vars, _ = was.Request(doc, graphql.KindQuery, "", filter)
	return text, vars, true
}

// RecordTrialSent records that the query of the current trial was sent, with the connection ID.
func (d *Dialect) RecordTrialSent(id string, now time.Time) {
	d.trials.queryID, d.trials.askedAt = id, now
}

// TrialOutcome is the result of a trial.
type TrialOutcome int

// The outcomes of trials.
const (
	NotATrial      TrialOutcome = iota // the answer does not belong to a trial
	trialUnchanged                     // the restriction remains
	TrialMoreKeys                      // more keys than before are allowed; even more will be tested
	TrialLifted                        // the restriction is dropped
)

// ApplyTrialAnswer evaluates an answer. If the answer belongs to the running trial, op is the
// tested operation. Otherwise out is [NotATrial]. keys returns how many keys an operation requests.
func (d *Dialect) ApplyTrialAnswer(id string, payload []byte, keys func(op string) int) (op string, out TrialOutcome) {
	t := &d.trials
	if id == "" || id != t.queryID {
		return "", NotATrial
	}
	t.queryID, op = "", t.current.op
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
		t.waiting = append(t.waiting, t.current) // test even more keys
		return op, TrialMoreKeys
	}
	d.dropRestriction(t.current)
	maps.DeleteFunc(d.evidence, func(c claim, _ int) bool { return c.kind == claimFieldFails && c.op == op })
	return op, TrialLifted
}
