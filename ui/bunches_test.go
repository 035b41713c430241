package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// inGroups returns a board whose agents are grouped.
func inGroups(t *testing.T, w, h int) (*board, string) {
	t.Helper()
	f, who := late(t)
	u := *f.Users.Get(who)
	u.Skillsets = []string{"GRP1", "GRP4"}
	u.Version++
	f.Users.Put(&u)
	b := newBoardOn(t, f, w, h, wrapUpLimit)
	b.pass(time.Second)
	b.press("4", "b")
	return b, who
}

// TestGroupsFold folds a group and all groups: the header counts the states and names the
// worst agent, and the cursor returns to its record.
func TestGroupsFold(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.shows("by group: 12 in 5")
	b.shows("▾ Technical")
	b.shows("▾ Italian", "1 wrap-up", "3 ready", "wrap-up +3:01") // who serves two groups is in both
	if got := b.selected(); got != who {
		t.Fatalf("the cursor went from %s to %q", who, got)
	}
	b.press("n")
	if got := b.selected(); !strings.HasPrefix(got, "\x00") {
		t.Errorf("the cursor is on %q, want the folded group", got)
	}
	b.shows("▸ Italian", "1 wrap-up", "3 ready")
	b.press("n")
	if got := b.selected(); got != who {
		t.Errorf("unfolded, the cursor is on %q, want %s", got, who)
	}
	b.press("*")
	_, n, _ := b.pages.page().Focused().Table.Position()
	if n != 5 {
		t.Errorf("all folded leave %d lines, want one for each of 5 groups", n)
	}
	b.press("enter")
	b.shows("▾ Italian")
	b.press("n", "*")
	if got := b.selected(); got != who {
		t.Errorf("all unfolded, the cursor is on %q, want %s", got, who)
	}
	b.press("enter")
	b.shows("Agents › ")
	b.press("esc", "b")
	b.shows("by state: 12 in 2")
	b.press("b", "b", "b")
	b.shows("row ")
	if got := b.selected(); got != who {
		t.Errorf("without groups the cursor is on %q, want %s", got, who)
	}
	b.press("n")
	b.shows("There are no groups to fold: b groups the agents.")
	b.press("2", "b")
	b.shows("Only agents stand in groups.")
}

// TestFoldedGroupsAreFiltered checks that a filter applies to folded groups, that groups
// without a match disappear, and that each group is sorted.
func TestFoldedGroupsAreFiltered(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.press("*", "!")
	b.shows("rows with an alert: 1 of 12")
	b.shows("▸ Italian    1")
	b.shows("▸ Technical  1")
	b.hides("▸ German")
	b.press("*")
	if rows := b.pages.page().Focused().Table; rows != nil {
		if _, n, _ := rows.Position(); n != 4 {
			t.Errorf("%d lines, want two groups with %s in each", n, who)
		}
	}
	b.press("!")
	for _, desc := range []bool{true, false} {
		b.pages.page().Focused().SortBy("name", desc)
		b.pass(time.Second)
		names := b.namesUnder("Italian")
		if len(names) != 4 || (strings.Compare(names[0], names[3]) > 0) != desc {
			t.Errorf("sorted by name, descending %v, the group has %v", desc, names)
		}
	}
}

// TestManyAgentsBeginFolded checks that groups of many agents start folded, with aligned
// figures, and that the selected agent's group unfolds.
func TestManyAgentsBeginFolded(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	for i := range 300 {
		f.putAgent(i, 0)
	}
	b := newBoardOn(t, f, 120, 40)
	b.pass(time.Second)
	b.press("4", "down", "down")
	who := b.selected()
	b.press("b")
	_, groups, _ := b.pages.page().Focused().Table.Position()
	if groups > 20 || !strings.HasPrefix(b.selected(), "\x00") {
		t.Fatalf("%d lines, the cursor is on %q", groups, b.selected())
	}
	b.press("n")
	if got := b.selected(); got != who {
		t.Errorf("unfolded, the cursor is on %q, want %s", got, who)
	}
	b.press("n")
	ends := map[int]int{}
	for _, l := range strings.Split(b.text(), "\n") {
		if _, after, is := strings.Cut(l, "▸ "); is {
			ends[len([]rune(after[:strings.LastIndexAny(after, "●○×◇")]))]++
		}
	}
	if len(ends) > 3 {
		t.Errorf("the last states of the groups are in %d places: %v\n%s", len(ends), ends, b.text())
	}
	b.fits()
}

// TestGroupFollowsItsAgents checks that each snapshot updates the counts of a folded group.
func TestGroupFollowsItsAgents(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.press("*")
	r := *b.floor.UserStats.Get(model.UserStatKey{Username: who, Channel: model.Call})
	r.Status, r.TimeInState = model.Busy, model.InstantOf(b.Now)
	b.floor.UserStats.Put(&r)
	b.publish()
	b.pass(time.Second)
	b.shows("▸ Italian", "1 talking", "3 ready")
	b.hides("wrap-up +")
	b.fits()
}

// namesUnder returns the first words of a group's rows.
func (b *board) namesUnder(group string) (out []string) {
	in := false
	for _, l := range strings.Split(b.text(), "\n") {
		switch {
		case strings.Contains(l, "▾ "):
			in = strings.Contains(l, group)
		case in && strings.TrimSpace(l) != "" && !strings.HasPrefix(l, "─"):
			out = append(out, strings.Fields(strings.TrimLeft(l, "▌▲△ "))[0])
		case in:
			return out
		}
	}
	return out
}
