package proof_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oldest is the maximum age of an unmarked figure.
const oldest = 62 * time.Second

// memory is how long the ledger keeps former true values.
const memory = 15 * time.Minute

// id identifies a record by operation and key fields.
type id struct{ operation, key string }

// leaves holds the fields of a record by path: every figure that the board can show.
type leaves map[string]string

// present is a leaf of every record.
const present = "(record)"

// former is a former value of a leaf.
type former struct {
	value string
	until time.Time
}

// version is a record of one side. Records are immutable, so the same pointer means
// the same record.
type version struct {
	record any
	leaves leaves
}

// ledger compares the shown records with the current and former true records.
type ledger struct {
	t       *testing.T
	seconds bool // instants are rounded to seconds
	ids     map[any]id
	truth   map[id]version
	shown   map[id]version
	past    map[id]map[string][]former
	off     map[id]bool // records with a shown figure that is not currently true

	// admitted reports whether the board reports a field as unknown, or the platform does
	// not send it; nil means none.
	admitted func(at id, path string) bool

	// qualified returns how the board marks a figure of a shown record that may differ from the platform's;
	// nil: none is marked.
	qualified func(record any, operation, path string) qualification
	// presumed and decided count the marked figures that are not the platform's.
	presumed, decided differing
}

// qualification is a mark of a figure.
type qualification int

const (
	unqualified  qualification = iota
	presumedUnit               // the unit or zone of the figure is presumed
	decidedState               // the board decides the state from all channels of an agent
)

// differing counts figures that differ from the platform's, once in each comparison.
type differing struct {
	count int
	wrong int    // of count, the figures that have not been true for [oldest]
	what  string // the first wrong figure
}

func (d *differing) add(age time.Duration, what string) {
	if d.count++; age <= oldest {
		return
	}
	if d.wrong++; d.what == "" {
		d.what = what
	}
}

func (d *differing) merge(o differing) {
	d.count, d.wrong, d.what = d.count+o.count, d.wrong+o.wrong, cmp.Or(d.what, o.what)
}

// String returns the counts in words.
func (d *differing) String() string {
	text := fmt.Sprintf("%d differ, %d of them for more than %v", d.count, d.wrong, oldest)
	if d.what != "" {
		text += " (" + d.what + ")"
	}
	return text
}

func newLedger(t *testing.T, seconds bool) *ledger {
	return &ledger{
		t: t, seconds: seconds, ids: make(map[any]id), truth: make(map[id]version), shown: make(map[id]version),
		past: make(map[id]map[string][]former), off: make(map[id]bool),
	}
}

// update takes the current records of one side. It marks the records that have
// changed since the previous call for comparison.
func (l *ledger) update(side map[id]version, now time.Time, records func(func(operation string, record any, tell func() []byte))) {
	seen := make(map[id]bool, len(side))
	old := l.ids
	ids := make(map[any]id, len(old))
	records(func(operation string, record any, tell func() []byte) {
		at, known := old[record]
		if !known {
			fields := l.read(tell())
			at = id{operation, keyOf(fields)}
			l.replace(side, at, version{record, fields}, now)
		}
		ids[record] = at
		seen[at] = true
	})
	for at := range side {
		if !seen[at] {
			l.replace(side, at, version{}, now)
		}
	}
	for record, at := range old {
		if v, ok := l.truth[at]; ok && v.record == record {
			ids[record] = at
		} else if v, ok := l.shown[at]; ok && v.record == record {
			ids[record] = at
		}
	}
	l.ids = ids
}

// replace replaces the version of a record; the zero version means that the record
// is gone. For the true side it keeps the former values.
func (l *ledger) replace(side map[id]version, at id, v version, now time.Time) {
	was := side[at].leaves
	if v.record == nil {
		delete(side, at)
	} else {
		side[at] = v
	}
	l.off[at] = true
	if !sameMap(side, l.truth) {
		return
	}
	past := l.past[at]
	if past == nil {
		past = make(map[string][]former)
		l.past[at] = past
	}
	remember := func(path, value string) {
		keep := slices.DeleteFunc(past[path], func(f former) bool { return now.Sub(f.until) > memory })
		past[path] = append(keep, former{value, now})
	}
	for path, value := range was {
		if v.leaves[path] != value {
			remember(path, value)
		}
	}
	for path := range v.leaves {
		if _, had := was[path]; !had {
			remember(path, "")
		}
	}
}

func sameMap(a, b map[id]version) bool { return fmt.Sprintf("%p", a) == fmt.Sprintf("%p", b) }

// oldestLeaf returns the leaf of a record that differs most from the truth, with the time
// since the shown value was true. It counts marked figures separately; open reports whether
// any of them differ.
func (l *ledger) oldestLeaf(at id, now time.Time) (worst time.Duration, what string, open bool) {
	truth, shown := l.truth[at].leaves, l.shown[at].leaves
	look := func(path string) {
		value := shown[path]
		if value == truth[path] || unknown(value) && path != present && (unknown(truth[path]) || l.admits(at, path)) {
			return
		}
		age := memory
		for _, f := range l.past[at][path] {
			if f.value == value || unknown(f.value) && unknown(value) {
				age = min(age, now.Sub(f.until))
			}
		}
		differs := func() string {
			return fmt.Sprintf("%s %s %s: shown %q, true %q%s", at.operation, at.key, path, value, truth[path], l.formerValue(at, path, now))
		}
		switch l.qualifies(at, path) {
		case presumedUnit:
			l.presumed.add(age, differs())
			open = true
			return
		case decidedState:
			l.decided.add(age, differs())
			open = true
			return
		case unqualified:
		}
		if age > worst || what == "" {
			worst, what = age, differs()
		}
	}
	look(present)
	if shown == nil {
		return worst, what, open
	}
	for path := range truth {
		look(path)
	}
	for path := range shown {
		if _, ok := truth[path]; !ok && truth != nil {
			look(path)
		}
	}
	return worst, what, open
}

// admits reports whether the board reports a field as unknown. For an element of a
// list it checks the list's field.
func (l *ledger) admits(at id, path string) bool {
	return l.admitted != nil && l.admitted(at, element.ReplaceAllString(path, ""))
}

// qualifies returns how the board marks a figure.
func (l *ledger) qualifies(at id, path string) qualification {
	if l.qualified == nil {
		return unqualified
	}
	return l.qualified(l.shown[at].record, at.operation, element.ReplaceAllString(path, ""))
}

// element matches the key of a list element in a path.
var element = regexp.MustCompile(`\[[^\]]*\]`)

// unknown reports whether a value is missing or null.
func unknown(value string) bool { return value == "" || value == "null" }

// formerValue returns the former true value of a leaf.
func (l *ledger) formerValue(at id, path string, now time.Time) string {
	var b strings.Builder
	past := l.past[at][path]
	for _, f := range past[max(0, len(past)-3):] {
		fmt.Fprintf(&b, ", %q until %v ago", f.value, now.Sub(f.until))
	}
	return b.String()
}

// check calls f for every record with a shown figure that is not currently true.
func (l *ledger) check(now time.Time, f func(at id, age time.Duration, what string)) {
	for at := range l.off {
		age, what, open := l.oldestLeaf(at, now)
		if what == "" {
			if !open { // a mark may go although the figure does not change
				delete(l.off, at)
			}
			continue
		}
		f(at, age, what)
	}
}

// read splits the JSON of a record into leaves.
func (l *ledger) read(b []byte) leaves {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		l.t.Fatalf("%v in %s", err, b)
	}
	delete(v, "mutation") // a property of the update, not of the floor
	out := leaves{present: "yes"}
	l.flatten(out, "", "", v)
	return out
}

func (l *ledger) flatten(out leaves, path, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			l.flatten(out, strings.TrimPrefix(path+"."+k, "."), k, e)
		}
	case []any:
		l.list(out, path, name, v)
	case nil:
		out[path] = "null"
	default:
		out[path] = l.normalize(name, fmt.Sprint(v))
	}
}

// list flattens a list: keyed lists by key, other lists as a whole.
func (l *ledger) list(out leaves, path, name string, v []any) {
	whole := make([]string, 0, len(v))
	for _, e := range v {
		m, _ := e.(map[string]any)
		key, _ := cmp.Or(m["activityCode"], m["key"]).(string)
		if key == "" {
			whole = append(whole, l.normalize(name, fmt.Sprint(e)))
			continue
		}
		l.flatten(out, path+"["+key+"]", name, e)
	}
	if len(whole) > 0 || len(v) == 0 {
		out[path] = "[" + strings.Join(whole, " ") + "]"
	}
}

// normalize normalizes values with several representations: instants, which may be
// rounded to seconds, and numbers in fields for which document 2 shows no type,
// which the board keeps as received.
func (l *ledger) normalize(name, s string) string {
	const millis = "2006-01-02T15:04:05.000Z"
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		if l.seconds {
			at = at.Truncate(time.Second)
		}
		return at.UTC().Format(millis)
	}
	switch name {
	case "value", "aggregatedValue", "activeProfile", "site":
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return s
}

// keyOf returns the key of a record within its operation.
func keyOf(l leaves) string {
	var parts []string
	for _, k := range []string{"code", "username", "id", "campaignId", "channel", "component"} {
		if v, ok := l[k]; ok {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, "/")
}
