package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rest"
)

// readers returns the commands that list something.
func readers(t *testing.T, s *scripts) []string {
	t.Helper()
	return []string{
		"campaign list",
		"list search",
		"ticket search --all",
		"messages templates --all",
		"messages search --all",
		"ticket customers",
		"chat show chat-2001",
		"call list " + agents(t, s.srv)[0],
		"history contacts",
	}
}

// rowsIn returns the number of rows in the output of a command. Tickets count, but their articles do not.
func rowsIn(t *testing.T, doc document) (n int, ids map[string]int) {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal(doc.Result, &rows); err != nil {
		t.Fatalf("%v: %.200s", err, doc.Result)
	}
	ids = make(map[string]int)
	for _, r := range rows {
		id := r["id"]
		if a, ok := r["article"].(map[string]any); ok && id == nil {
			id = a["ticket_id"]
		}
		for _, name := range []string{"messageId", "uid", "uuid", "name"} {
			if id == nil {
				id = r[name]
			}
		}
		ids[fmt.Sprint(id, r["language"])]++
	}
	if len(rows) > 0 && (rows[0]["article"] != nil || rows[0]["articles"] != nil) {
		return len(ids), ids
	}
	return len(rows), ids
}

// TestListsComeWhole checks that every list is complete for each kind of paging and each format that
// document 1 shows.
func TestListsComeWhole(t *testing.T) {
	t.Parallel()
	plain := newScripts(t, func(o *simulator.Options) { o.World.Campaigns = 8 })
	want := make(map[string]int)
	for _, args := range readers(t, plain) {
		want[args], _ = rowsIn(t, plain.json(cmdutil.ExitOK, "", strings.Fields(args)...))
		if want[args] < 2 && !strings.HasPrefix(args, "call ") {
			t.Errorf("%s: %d rows are no list", args, want[args])
		}
	}
	pages := map[string]int{"small pages": 7, "small pages, as asked": 100} // page sizes of the statistical data service
	for name, lists := range map[string]rest.ListOptions{
		"small pages":                 {MaxRows: 5},
		"small pages, as asked":       {MaxRows: 5, OffsetByRequestedSize: true},
		"as other lists":              {Form: rest.ListsPaged},
		"as other lists, small pages": {Form: rest.ListsPaged, MaxRows: 3},
		"as arrays":                   {Form: rest.ListsArray},
		"as arrays, small pages":      {Form: rest.ListsArray, MaxRows: 4, OffsetByRequestedSize: true},
		"moved":                       {MovedPaths: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, func(o *simulator.Options) { o.REST.Lists, o.Stat.MaxRows, o.World.Campaigns = lists, pages[name], 8 })
			for _, args := range readers(t, s) {
				if strings.HasPrefix(args, "call ") {
					continue
				}
				doc := s.json(cmdutil.ExitOK, "", strings.Fields(args)...)
				if n, _ := rowsIn(t, doc); n != want[args] || doc.Warning != "" {
					t.Errorf("%s: %d of %d rows, warning %q", args, n, want[args], doc.Warning)
				}
			}
		})
	}
}

// TestListsSayWhatIsMissing checks that an incomplete list says so and says how to get the rest.
func TestListsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) {
		o.REST.Lists, o.World.Campaigns = rest.ListOptions{Form: rest.ListsPaged, MaxRows: 10}, 8
	})
	for args, want := range map[string]string{
		"ticket search":                      "10 of 24. --all reads all of them.",
		"ticket search --page-size 2":        "2 of 24. --all reads all of them.",
		"messages templates --number 1":      "10 of 12. --all reads all of them.",
		"messages templates --all":           "",
		"ticket customers --size 3":          "3 of 48. Without --index and --size all of them are read.",
		"ticket customers":                   "",
		"list search --page 1 --page-size 1": "1 of 6. Without --page and --page-size all of them are read.",
		"history contacts --limit 5":         "5, perhaps not all: the platform does not say how many there are. Without --limit all of them are read.",
		"history contacts --limit 5 --csv":   "5, perhaps not all: the platform does not say how many there are. Without --limit all of them are read.",
	} {
		if strings.Contains(args, "list search") {
			n, _ := rowsIn(t, s.json(cmdutil.ExitOK, "", "list", "search"))
			want = strings.Replace(want, "of 6", fmt.Sprint("of ", n), 1)
		}
		code, out, errs := s.run("", strings.Fields(args)...)
		if code != cmdutil.ExitOK || strings.TrimSpace(errs) != want || out == "" {
			t.Errorf("%s: exit %d, %q, want %q", args, code, errs, want)
		}
		if !strings.Contains(args, "--csv") {
			if doc := s.json(cmdutil.ExitOK, "", strings.Fields(args)...); doc.Warning != want {
				t.Errorf("%s: warning %q, want %q", args, doc.Warning, want)
			}
		}
	}
}

// TestListsOfUnknownForm checks that an unknown list format is an error, not an empty list.
func TestListsOfUnknownForm(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.REST.Lists.Form = rest.ListsOther })
	for _, args := range readers(t, s) {
		if strings.HasPrefix(args, "history") {
			continue
		}
		code, out, errs := s.run("", strings.Fields(args)...)
		const came = `is not a list that this board can read, but an object with "hits" (an object), "took" (a number)`
		if code == cmdutil.ExitOK || out != "" || !strings.Contains(errs, came) {
			t.Errorf("%s: exit %d, %q %q", args, code, out, errs)
		}
	}
}

// TestListsThatChangeWhileTheyAreRead checks that a list that changes while it is read has no duplicate
// rows and says so. If the session ends between two pages, there is one login more. If the platform
// limits the rate, the command waits as requested.
func TestListsThatChangeWhileTheyAreRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trouble func(*simulator.Faults)
		short   string
		times   time.Duration
		session bool
	}{
		"a row comes": {trouble: func(f *simulator.Faults) { f.REST.ChangeLists(rest.RowAppears) }, short: "the list changed while it was read"},
		"a row goes":  {trouble: func(f *simulator.Faults) { f.REST.ChangeLists(rest.RowDisappears) }, short: "the list changed while it was read"},
		"the session ends": {session: true, trouble: func(f *simulator.Faults) {
			f.REST.OnlyRequests("GET /rest/support")
			f.REST.AnswerWithStatus(http.StatusUnauthorized, "", 1)
			f.REST.ExecuteFirst(2)
		}},
		"too many requests": {trouble: func(f *simulator.Faults) {
			f.REST.OnlyRequests("GET /rest/support")
			f.REST.RateLimit(time.Second, 1)
			f.REST.ExecuteFirst(2)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, func(o *simulator.Options) { o.REST.Lists.MaxRows, o.Stat.MaxRows = 10, 10 })
			commands := []string{"ticket customers"}
			if tt.short != "" {
				// The customers are read again for their total after the change.
				commands = []string{"messages templates --all", "history contacts", "chat show chat-2001"}
			}
			for _, args := range commands {
				tt.trouble(s.srv.Faults())
				doc := s.json(cmdutil.ExitOK, "", strings.Fields(args)...)
				s.srv.Faults().REST.ChangeLists("")
				n, ids := rowsIn(t, doc)
				for id, times := range ids {
					if times > 1 {
						t.Errorf("%s: %s came %d times", args, id, times)
					}
				}
				if strings.Contains(doc.Warning, "changed while it was read") != (tt.short != "") || n == 0 {
					t.Errorf("%s: %d rows, warning %q", args, n, doc.Warning)
				}
				if tt.short == "" && n != 48 {
					t.Errorf("%s: %d rows", args, n)
				}
			}
		})
	}
}
