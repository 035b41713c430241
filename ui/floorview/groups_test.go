package floorview_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/ui/floorview"
	"wallboard/ui/table"
)

// numbers are rows named by numbers, with their groups.
type numbers []struct {
	n  int
	in []floorview.GroupKey
}

func (s numbers) Len() int                     { return len(s) }
func (s numbers) Key(i int) string             { return strconv.Itoa(s[i].n) }
func (s numbers) Version(i int) uint64         { return uint64(s[i].n) }
func (s numbers) Cell(i, _ int, c *table.Cell) { c.AppendString(s.Key(i)) }
func (s numbers) Compare(i, j, _ int) int      { return cmp.Compare(s[i].n, s[j].n) }
func (s numbers) Matches(i int, f string) bool { return strings.Contains(s.Key(i), f) }
func (s numbers) Row(int, *table.Row)          {}
func (s numbers) Value(i, _ int) table.Value   { return table.Value{Known: true, Text: s.Key(i)} }

func (s numbers) kind() floorview.Grouping {
	return floorview.Grouping{
		GroupsOf: func(i int) []floorview.GroupKey { return s[i].in },
		DrawLine: func(g *floorview.RowGroup, dst *table.Row) {
			dst.Text = fmt.Sprintf("%s %d", g.Title, len(g.Rows))
		},
	}
}

func shown(rows *floorview.GroupedRows) (out []string) {
	for i := range rows.Len() {
		var row table.Row
		rows.Row(i, &row)
		if key, ok := floorview.RecordKey(rows.Key(i)); ok {
			out = append(out, key)
		} else {
			out = append(out, row.Text)
		}
	}
	return out
}

// TestGroupsOfOneName checks that groups with equal names are separate, sorted, and
// fold individually.
func TestGroupsOfOneName(t *testing.T) {
	t.Parallel()
	a, b, none := floorview.GroupKey{Title: "Sales", Code: "1"}, floorview.GroupKey{Title: "Sales", Code: "2"}, floorview.GroupKey{Rank: 1, Title: "None"}
	s := numbers{{1, []floorview.GroupKey{none}}, {2, []floorview.GroupKey{b, a}}, {3, []floorview.GroupKey{b}}}
	rows := floorview.NewGroupedRows()
	rows.Update(s, "", s.kind())
	if diff := gocmp.Diff([]string{"Sales 1", "2", "Sales 2", "2", "3", "None 1", "1"}, shown(rows)); diff != "" {
		t.Error(diff)
	}
	rows.ToggleFold(rows.Key(4)) // folds the group "3"
	rows.Update(s, "2", s.kind())
	if diff := gocmp.Diff([]string{"Sales 1", "2", "Sales 1", "None 0", "1"}, shown(rows)); diff != "" {
		t.Error(diff)
	}
	groups, all, matching := rows.Counts()
	if groups != 3 || all != 3 || matching != 1 {
		t.Errorf("%d groups, %d rows, of which %d match", groups, all, matching)
	}
}

// TestOrderInATable checks a table of groups after random folding, filtering and
// sorting: keys are unique, each row is below the line of its group, and rows are
// sorted.
func TestOrderInATable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := make(numbers, rapid.IntRange(0, 12).Draw(t, "rows"))
		for i := range s {
			s[i].n = i
			for _, g := range rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 1, 3, rapid.ID).Draw(t, "groups") {
				s[i].in = append(s[i].in, floorview.GroupKey{Rank: g % 2, Title: strconv.Itoa(g)})
			}
		}
		rows := floorview.NewGroupedRows()
		tab := table.New(table.WithColumns(table.Column{ID: "n", Min: 4}))
		tab.SetSize(20, 40)
		desc := rapid.Bool().Draw(t, "descending")
		filter := rapid.SampledFrom([]string{"", "1", "9"}).Draw(t, "filter")
		rows.SetDescending(desc)
		tab.SortBy("n", desc)
		tab.SetFilter(filter)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			rows.Update(s, filter, s.kind())
			tab.SetSource(rows)
			check(t, s, rows, tab, desc, filter)
			if len(s) > 0 { // the viewer goes to another group
				s[rapid.IntRange(0, len(s)-1).Draw(t, "who")].in = []floorview.GroupKey{{Title: "4"}}
				rows.Update(s, filter, s.kind())
				tab.SetSource(rows)
				check(t, s, rows, tab, desc, filter)
			}
			if key, ok := tab.Selected(); ok {
				want := ""
				if rapid.Bool().Draw(t, "all") {
					want = rows.ToggleAllFolds(key)
				} else {
					want = rows.ToggleFold(key)
				}
				tab.Select(want)
				rows.Update(s, filter, s.kind())
				tab.SetSource(rows)
				tab.Select(want) // a row of a folded group appears only after unfolding, as on the board
				there := slices.ContainsFunc(tab.ListedRows(), func(i int32) bool { return rows.Key(int(i)) == want })
				if got, _ := tab.Selected(); there && got != want {
					t.Fatalf("the cursor is on %q, want %q", got, want)
				}
			}
		}
	})
}

func check(t *rapid.T, s numbers, rows *floorview.GroupedRows, tab *table.Model, desc bool, filter string) {
	seen := make(map[string]bool)
	group, last := "", -1
	for _, i := range tab.ListedRows() {
		key := rows.Key(int(i))
		if seen[key] {
			t.Fatalf("%q is a duplicate", key)
		}
		seen[key] = true
		record, ok := floorview.RecordKey(key)
		if !ok {
			group, last = key, -1
			continue
		}
		n, err := strconv.Atoi(record)
		if err != nil || group == "" || !strings.Contains(record, filter) {
			t.Fatalf("%q is under %q, filter %q", key, group, filter)
		}
		in := false
		for _, p := range s[n].in {
			in = in || group == "\x00"+p.Title
		}
		if !in || last >= 0 && (last < n) == desc {
			t.Fatalf("%d comes after %d in %q, descending %v", n, last, group, desc)
		}
		last = n
	}
}
