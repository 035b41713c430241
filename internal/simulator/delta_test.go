package simulator_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

// isKeyField reports whether a field identifies a record.
func isKeyField(name string) bool {
	return slices.Contains([]string{"code", "username", "id", "campaignId", "channel", "component", "loggedProfileId"}, name)
}

// keyedBy returns the key field of a keyed list's elements, or "" for other fields.
func keyedBy(name string) string {
	switch name {
	case "customStats":
		return "key"
	case "notReadyUsersOnActivityCode", "activityCodeIndicators",
		"timeInActivityCode", "timeInActivityCodeStateBusy", "timeInActivityCodeStateNotReady":
		return "activityCode"
	}
	return ""
}

// picture is a client's state of one operation. A null keeps a field; lists are
// replaced, or merged by key if the server sends parts of them.
type picture struct {
	t       *testing.T
	partial bool
	records map[string]map[string]any
	updates int
	created int
	deleted int
}

func keyOf(r map[string]any) string {
	// The profile id of an operator or user can change, other keys cannot.
	var b strings.Builder
	for _, f := range []string{"code", "username", "id", "campaignId"} {
		if v, ok := r[f]; ok {
			fmt.Fprintf(&b, "%v", v)
			break
		}
	}
	return b.String() + fmt.Sprint("|", r["channel"], "|", r["component"])
}

func (p *picture) apply(list []any) {
	for _, e := range list {
		r := e.(map[string]any)
		mutation := r["mutation"]
		delete(r, "mutation")
		k := keyOf(r)
		old, known := p.records[k]
		switch {
		case mutation == "DELETED":
			p.deleted++
			delete(p.records, k)
		case !known || mutation == "CREATED" || mutation == nil && r["userSite"] != nil:
			// The last case is a user who logged in again; a site does not change.
			p.created++
			p.records[k] = r
		default:
			p.updates++
			if n := p.merge(old, r, true); n == 0 {
				p.t.Errorf("update of %s without a change: %v", k, r)
			}
		}
	}
}

// merge merges an update and returns the number of changed fields. An unchanged
// field in the update is an error.
func (p *picture) merge(old, update map[string]any, top bool) int {
	changed := 0
	for name, v := range update {
		if v == nil || top && isKeyField(name) || name == "__typename" {
			continue
		}
		oldObject, isObject := old[name].(map[string]any)
		oldList, isList := old[name].([]any)
		switch {
		case isObject:
			n := p.merge(oldObject, v.(map[string]any), false)
			if n == 0 {
				p.t.Errorf("%s is in the update but did not change", name)
			}
			changed += n
			continue
		case isList && p.partial && keyedBy(name) != "":
			v = mergeKeyed(oldList, v.([]any), keyedBy(name))
		}
		if reflect.DeepEqual(old[name], v) {
			p.t.Errorf("%s is in the update but did not change: %v", name, v)
		}
		old[name] = v
		changed++
	}
	return changed
}

// mergeKeyed merges the elements of a keyed list.
func mergeKeyed(old, update []any, name string) []any {
	merged := slices.Clone(old)
	for _, e := range update {
		key := e.(map[string]any)[name]
		i := slices.IndexFunc(merged, func(m any) bool { return m.(map[string]any)[name] == key })
		if i >= 0 {
			merged[i] = e
		} else {
			merged = append(merged, e)
		}
	}
	slices.SortFunc(merged, func(a, b any) int {
		return cmp.Compare(fmt.Sprint(a.(map[string]any)[name]), fmt.Sprint(b.(map[string]any)[name]))
	})
	return merged
}

// against returns the truth and the picture of an operation by key. If users log in
// and out, it compares only the records that both have: there is no message for the
// records of users who logged out, and the filter does not include users who logged
// in later.
func (p *picture) against(operation string, list []any) (want, got map[string]map[string]any) {
	want, got = make(map[string]map[string]any), maps.Clone(p.records)
	for _, e := range list {
		r := e.(map[string]any)
		want[keyOf(r)] = r
	}
	if operation == "userStats" || operation == "userProfileStats" {
		maps.DeleteFunc(got, func(k string, _ map[string]any) bool { return want[k] == nil })
		maps.DeleteFunc(want, func(k string, _ map[string]any) bool { return got[k] == nil })
	}
	return want, got
}

// follow subscribes to every operation, runs the world, pauses it, and reads until
// the pictures match the truth.
func follow(t *testing.T, o simulator.Options, protocol string) map[string]*picture {
	t.Helper()
	s := start(t, o)
	filters := listed(t, s)
	c := open(t, s, protocol)
	pictures := make(map[string]*picture)
	for operation, filter := range filters {
		pictures[operation] = &picture{t: t, partial: o.Switches.PartialLists, records: make(map[string]map[string]any)}
		c.subscribe(operation, text(t, "subscription", operation, operation, filter))
	}
	take := func() {
		m := c.read()
		var r response
		if err := json.Unmarshal(m.Payload, &r); err != nil {
			t.Fatal(err)
		}
		list, ok := r.Data[m.ID].([]any)
		if !ok {
			t.Fatalf("%s: %.300s", m.ID, m.Payload)
		}
		pictures[m.ID].apply(list)
	}
	for range 300 {
		take()
	}
	s.Pause()
	want := truth(t, s)
	defer func() { // read fails if no more messages arrive
		for operation, p := range pictures {
			want, got := p.against(operation, want[operation])
			if diff := gocmp.Diff(want, got); t.Failed() && diff != "" {
				t.Errorf("%s: truth (-) and picture (+):\n%.2000s", operation, diff)
			}
		}
	}()
	// After the pause the pending messages must complete the pictures. Compare with
	// the truth, not a query, whose answer may overtake them.
	for {
		same := true
		for operation, p := range pictures {
			want, got := p.against(operation, want[operation])
			same = same && reflect.DeepEqual(want, got)
		}
		if same {
			return pictures
		}
		take()
	}
}

func TestDeltasAddUpToTruth(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{rtd.SubprotocolLegacy, rtd.SubprotocolTransport} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			pictures := follow(t, simulator.Options{Speed: 30, Tick: 30 * time.Millisecond}, protocol)
			for _, operation := range []string{"users", "serviceStats", "groupStats", "userStats", "userProfileStats", "pdCampaignStats"} {
				if pictures[operation].updates == 0 {
					t.Errorf("%s never changed", operation)
				}
			}
		})
	}
}

func TestDeltasWithPartialLists(t *testing.T) {
	t.Parallel()
	follow(t, simulator.Options{
		Speed: 30, Tick: 30 * time.Millisecond, Switches: rtd.Switches{PartialLists: true},
	}, rtd.SubprotocolTransport)
}

func TestLoginsAndLogouts(t *testing.T) {
	t.Parallel()
	w := small()
	w.Agents = 60
	pictures := follow(t, simulator.Options{World: w, Speed: 1500, Tick: 20 * time.Millisecond}, rtd.SubprotocolTransport)
	if p := pictures["users"]; p.deleted == 0 {
		t.Errorf("no user logged out: %d created, %d deleted", p.created, p.deleted)
	}
}
