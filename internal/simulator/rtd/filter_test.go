package rtd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
)

// usernames returns the users that the filter selects.
func usernames(t *testing.T, s *simulator.Server, filter string) []string {
	t.Helper()
	r := post(t, s, "{users(filter: "+filter+") {username}}")
	if len(r.Errors) > 0 {
		t.Fatalf("%s: %+v", filter, r.Errors)
	}
	names := []string{}
	for _, u := range r.Data["users"].([]any) {
		names = append(names, u.(map[string]any)["username"].(string))
	}
	return names
}

func TestUserFilter(t *testing.T) {
	t.Parallel()
	w := small()
	w.Agents = 60
	s := start(t, simulator.Options{World: w})
	s.Pause()
	type user = map[string]any
	has := func(u user, list, v string) bool { return slices.Contains(u[list].([]any), any(v)) }
	on := func(u user, field string, v ...any) bool {
		for _, e := range u[field].(map[string]any) {
			if e != nil && slices.Contains(v, e) {
				return true
			}
		}
		return false
	}
	for filter, match := range map[string]func(user) bool{
		`{}`:                       func(user) bool { return true },
		`{surname: "er"}`:          func(u user) bool { return strings.Contains(u["surname"].(string), "er") },
		`{name: "a", sites: [2]}`:  func(u user) bool { return strings.Contains(u["name"].(string), "a") && u["site"] == 2.0 },
		`{sites: [1, 2, 99]}`:      func(u user) bool { return u["site"] == 1.0 || u["site"] == 2.0 },
		`{sites: []}`:              func(user) bool { return false },
		`{statuses: [READY, WNR]}`: func(u user) bool { return on(u, "statuses", "READY", "WNR") },
		`{statuses: [BUSY]}`: func(u user) bool {
			return on(u, "statuses", "BUSY", "BUSY_dn_call_in", "BUSY_dn_call_out", "BUSY_dn_call_out_private")
		},
		`{skillsets: ["GRP01"]}`:                func(u user) bool { return has(u, "skillsets", "GRP01") },
		`{services: ["SRV02", "none"]}`:         func(u user) bool { return has(u, "services", "SRV02") },
		`{activityCodes: ["LUNCH"]}`:            func(u user) bool { return on(u, "activityCodes", "LUNCH") },
		`{channels: [CHAT]}`:                    func(u user) bool { return u["statuses"].(user)["CHAT"] != nil },
		`{channels: [CHAT], statuses: [READY]}`: func(u user) bool { return u["statuses"].(user)["CHAT"] == "READY" },
	} {
		want := []string{}
		for _, u := range truth(t, s)["users"] {
			if match(u.(user)) {
				want = append(want, u.(user)["username"].(string))
			}
		}
		if diff := cmp.Diff(want, usernames(t, s, filter)); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", filter, diff)
		}
	}
	agents, operators := usernames(t, s, "{profileTypes: [AGENT]}"), usernames(t, s, "{profileTypes: [OPERATOR]}")
	if len(agents) == 0 || len(agents)+len(operators) != len(usernames(t, s, "{}")) {
		t.Errorf("%d agents, %d operators", len(agents), len(operators))
	}
}

func TestServiceFilter(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	s.Pause()
	ask := func(filter, selection string) []any {
		r := post(t, s, "{serviceStats(filter: "+filter+") {"+selection+"}}")
		if len(r.Errors) > 0 {
			t.Fatalf("%s: %+v", filter, r.Errors)
		}
		return r.Data["serviceStats"].([]any)
	}
	want := []any{map[string]any{"code": "SRV01", "channel": "CALL"}}
	if diff := cmp.Diff(want, ask(`{CALL: {services: ["SRV01", "none"]}}`, "code channel")); diff != "" {
		t.Error(diff)
	}
	got := ask(`{CALL: {services: ["SRV01"], customStatKeys: []}}`, "customStats {key}")
	if diff := cmp.Diff([]any{map[string]any{"customStats": []any{}}}, got); diff != "" {
		t.Error(diff)
	}
	all := ask(`{CALL: {services: ["SRV01"]}}`, "customStats {key} userStats {loggedUsers {count profileIds}}")[0].(map[string]any)
	first := all["customStats"].([]any)[:1]
	key := first[0].(map[string]any)["key"]
	got = ask(fmt.Sprintf(`{CALL: {services: ["SRV01"], customStatKeys: [%q]}}`, key), "customStats {key}")
	if diff := cmp.Diff([]any{map[string]any{"customStats": first}}, got); diff != "" {
		t.Error(diff)
	}
	// Each profile belongs to one site.
	var ids []any
	for site := range 3 {
		r := ask(fmt.Sprintf(`{CALL: {services: ["SRV01"], userSite: %d}}`, site), "userStats {loggedUsers {count profileIds}}")
		logged := r[0].(map[string]any)["userStats"].(map[string]any)["loggedUsers"].(map[string]any)
		list := logged["profileIds"].([]any)
		if logged["count"] != float64(len(list)) {
			t.Errorf("site %d: count %v of %v", site, logged["count"], list)
		}
		ids = append(ids, list...)
	}
	slices.SortFunc(ids, func(a, b any) int { return int(a.(float64) - b.(float64)) })
	if diff := cmp.Diff(all["userStats"].(map[string]any)["loggedUsers"].(map[string]any)["profileIds"], any(ids)); diff != "" {
		t.Error(diff)
	}
}

func TestOperatorFilter(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	s.Pause()
	one := truth(t, s)["operatorStats"][0].(map[string]any)
	name, site := one["username"], one["userSite"]
	for filter, want := range map[string]int{
		fmt.Sprintf(`{CALL: {users: [%q]}}`, name):                                           1,
		fmt.Sprintf(`{CALL: {users: [%q], sites: [%v]}}`, name, site):                        1,
		fmt.Sprintf(`{CALL: {users: [%q], sites: [99]}}`, name):                              0,
		fmt.Sprintf(`{CALL: {users: [%q], services: ["none"]}}`, name):                       0,
		fmt.Sprintf(`{CALL: {users: [%q], activityCodes: [%q]}}`, name, one["activityCode"]): 1,
		fmt.Sprintf(`{CALL: {users: [%q], activityCodes: ["none"]}}`, name):                  0,
		`{}`: 0,
	} {
		r := post(t, s, "{operatorStats(filter: "+filter+") {username}}")
		if list, ok := r.Data["operatorStats"].([]any); !ok || len(list) != want {
			t.Errorf("%s: %+v, want %d", filter, r, want)
		}
	}
}
