package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"wallboard/model"
)

// forms collects how a server writes values. The feed calls see for every payload, also
// while report runs.
type forms struct {
	mu             sync.Mutex
	numbers, dates string
	nulls, absent  bool // form of unchanged fields in updates
	first          map[string]bool
	version        bool           // the version arrived without a change
	whole          bool           // the first message of a subscription contains whole records
	lengths        map[string]int // lengths of lists in the full state, by record
	partial        bool           // an update contained only some elements of a list
	updates        int
	fields         map[string]int // number of fields of a record, by operation
}

// examine examines one payload: an answer to a query, or a message of a subscription.
func (f *forms) examine(op string, answer bool, payload []byte) {
	var m struct {
		Data map[string]any `json:"data"`
	}
	dec := json.NewDecoder(bytes.NewReader(payload))
	dec.UseNumber()
	if dec.Decode(&m) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == nil {
		f.first, f.fields, f.lengths = make(map[string]bool), make(map[string]int), make(map[string]int)
	}
	opening := !answer && !f.first[op]
	if !answer {
		f.first[op] = true
		f.version = f.version || op == string(model.OpVersion)
	}
	records, _ := m.Data[op].([]any)
	for _, e := range records {
		if record, ok := e.(map[string]any); ok {
			f.record(op, record, answer, opening)
		}
	}
}

func (f *forms) record(op string, record map[string]any, answer, opening bool) {
	if op == string(model.OpUserStats) && opening {
		f.whole = record["name"] != nil && record["numberCallIn"] != nil
	}
	f.value("", record)
	if answer {
		f.fields[op] = max(f.fields[op], len(record))
	} else if !opening {
		f.updates++
		f.nulls = f.nulls || hasNull(record)
		f.absent = f.absent || len(record) < f.fields[op]
	}
	f.list(op, record, answer)
}

// list compares the length of a record's lists with the full state.
func (f *forms) list(op string, record map[string]any, answer bool) {
	users, _ := record["userStats"].(map[string]any)
	for name, v := range map[string]any{
		"times": record["timeInActivityCode"], "custom": record["customStats"], "codes": users["notReadyUsersOnActivityCode"],
	} {
		elements, ok := v.([]any)
		key := fmt.Sprint(op, name, record["code"], record["username"], record["channel"])
		switch {
		case !ok || record["channel"] == nil:
		case answer:
			f.lengths[key] = len(elements)
		case len(elements) < f.lengths[key]:
			f.partial = true
		}
	}
}

// hasNull reports whether a field of an update is null.
func hasNull(record map[string]any) bool {
	for _, v := range record {
		if v == nil {
			return true
		}
	}
	return false
}

// value records the forms of numbers and dates.
func (f *forms) value(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			f.value(k, e)
		}
	case []any:
		for _, e := range v {
			f.value(name, e)
		}
	case json.Number:
		switch {
		case name == "timeInState":
			f.dates = "as a number"
		case name == "count" && strings.Contains(v.String(), "."):
			f.numbers = "with a fraction (5.0)"
		case name == "count":
			f.numbers = "whole (5)"
		}
	case string:
		switch name {
		case "timeInState":
			f.dates = "as a text (ISO 8601)"
		case "count":
			f.numbers = `quoted ("5")`
		}
	}
}

// report adds the findings to the report.
func (f *forms) report(r *Report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	add := func(about, text string, plain bool) {
		if text == "" {
			return
		}
		v := Note
		if plain {
			v = OK
		}
		r.add(realTime, about, v, text, "")
	}
	add("Numbers", f.numbers, strings.HasPrefix(f.numbers, "whole"))
	add("Dates", f.dates, strings.HasPrefix(f.dates, "as a text"))
	if len(f.first) == 0 {
		return // no subscription delivered any data
	}
	switch {
	case !f.version:
		add("First message", "none before something changes", false)
	case f.whole:
		add("First message", "whole records", true)
	default:
		add("First message", "at once, but only what changed", false)
	}
	switch {
	case f.updates == 0:
	case f.absent && !f.nulls:
		add("Unchanged fields", "are left out of an update", false)
	case f.nulls:
		add("Unchanged fields", "are null in an update", true)
	}
	switch {
	case f.partial:
		add("Lists", "an update holds the changed elements only", false)
	case f.updates > 0:
		add("Lists", "an update holds the whole list", true)
	}
}
