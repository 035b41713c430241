package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"wallboard/model"
)

// valueForms records the forms in which a server sends values. It is safe for concurrent use,
// because the feed calls examine while the report is written.
type valueForms struct {
	mu                         sync.Mutex
	numbers, dates             string
	sendsNulls, omitsUnchanged bool // whether updates send unchanged fields as null, and whether they omit them
	started                    map[string]bool
	versionUnchanged           bool           // an update contained the version although it had not changed
	firstMessageIsComplete     bool           // the first message of a subscription contains whole records
	listLengths                map[string]int // lengths of lists in the full state, by record
	sendsPartialLists          bool           // an update contained only some elements of a list
	updateCount                int
	fieldCounts                map[string]int // number of fields of a record, by operation
}

// examine records the forms of the values in a payload. isAnswer is true for the answer to a
// query and false for a message of a subscription.
func (f *valueForms) examine(op string, isAnswer bool, payload []byte) {
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
	if f.started == nil {
		f.started, f.fieldCounts, f.listLengths = make(map[string]bool), make(map[string]int), make(map[string]int)
	}
	isFirst := !isAnswer && !f.started[op]
	if !isAnswer {
		f.started[op] = true
		f.versionUnchanged = f.versionUnchanged || op == string(model.OpVersion)
	}
	records, _ := m.Data[op].([]any)
	for _, e := range records {
		if record, ok := e.(map[string]any); ok {
			f.examineRecord(op, record, isAnswer, isFirst)
		}
	}
}

func (f *valueForms) examineRecord(op string, record map[string]any, isAnswer, isFirst bool) {
	if op == string(model.OpUserStats) && isFirst {
		f.firstMessageIsComplete = record["name"] != nil && record["numberCallIn"] != nil
	}
	f.recordValue("", record)
	if isAnswer {
		f.fieldCounts[op] = max(f.fieldCounts[op], len(record))
	} else if !isFirst {
		f.updateCount++
		f.sendsNulls = f.sendsNulls || hasNull(record)
		f.omitsUnchanged = f.omitsUnchanged || len(record) < f.fieldCounts[op]
	}
	f.compareLists(op, record, isAnswer)
}

// compareLists records whether a list in an update is shorter than the same list in the full
// state. isAnswer means that record is part of the full state; compareLists then stores the
// lengths of its lists.
func (f *valueForms) compareLists(op string, record map[string]any, isAnswer bool) {
	users, _ := record["userStats"].(map[string]any)
	for name, v := range map[string]any{
		"times": record["timeInActivityCode"], "custom": record["customStats"], "codes": users["notReadyUsersOnActivityCode"],
	} {
		elements, ok := v.([]any)
		key := fmt.Sprint(op, name, record["code"], record["username"], record["channel"])
		switch {
		case !ok || record["channel"] == nil:
		case isAnswer:
			f.listLengths[key] = len(elements)
		case len(elements) < f.listLengths[key]:
			f.sendsPartialLists = true
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

// recordValue records the forms of the numbers and dates in v. name is the name of the field
// that contains v.
func (f *valueForms) recordValue(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			f.recordValue(k, e)
		}
	case []any:
		for _, e := range v {
			f.recordValue(name, e)
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

// addTo adds the collected forms to the report.
func (f *valueForms) addTo(r *Report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	add := func(about, text string, plain bool) {
		if text == "" {
			return
		}
		v := VerdictNote
		if plain {
			v = VerdictOK
		}
		r.addFinding(realTimeService, about, v, text, "")
	}
	add("Numbers", f.numbers, strings.HasPrefix(f.numbers, "whole"))
	add("Dates", f.dates, strings.HasPrefix(f.dates, "as a text"))
	if len(f.started) == 0 {
		return // no subscription delivered any data
	}
	switch {
	case !f.versionUnchanged:
		add("First message", "none before something changes", false)
	case f.firstMessageIsComplete:
		add("First message", "whole records", true)
	default:
		add("First message", "at once, but only what changed", false)
	}
	switch {
	case f.updateCount == 0:
	case f.omitsUnchanged && !f.sendsNulls:
		add("Unchanged fields", "are left out of an update", false)
	case f.sendsNulls:
		add("Unchanged fields", "are null in an update", true)
	}
	switch {
	case f.sendsPartialLists:
		add("Lists", "an update holds the changed elements only", false)
	case f.updateCount > 0:
		add("Lists", "an update holds the whole list", true)
	}
}
