package panes_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/uitest"
)

// inGroups returns a board whose agents are grouped.
func inGroups(t *testing.T, w, h int) (*uitest.Board, string) {
	t.Helper()
	f, who := late(t)
	u := *f.Users.Get(who)
	u.Skillsets = []string{"GRP1", "GRP4"}
	u.Version++
	f.Users.Put(&u)
	b := newBoardOn(t, f, w, h, wrapUpLimit)
	b.AdvanceClock(time.Second)
	b.Press("4", "b")
	return b, who
}

// TestGroupsFold folds a group and all groups: the header counts the states and names the
// worst agent, and the cursor returns to its record.
func TestGroupsFold(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.CheckShows("by group: 12 in 5")
	b.CheckShows("▾ Technical")
	b.CheckShows("▾ Italian", "1 wrap-up", "3 ready", "wrap-up +3:01") // an agent who serves two groups is listed in both
	if got := b.Selected(); got != who {
		t.Fatalf("the cursor went from %s to %q", who, got)
	}
	b.Press("n")
	if got := b.Selected(); !strings.HasPrefix(got, "\x00") {
		t.Errorf("the cursor is on %q, want the folded group", got)
	}
	b.CheckShows("▸ Italian", "1 wrap-up", "3 ready")
	b.Press("n")
	if got := b.Selected(); got != who {
		t.Errorf("unfolded, the cursor is on %q, want %s", got, who)
	}
	b.Press("*")
	_, n, _ := b.Page().Focused().Table.Position()
	if n != 5 {
		t.Errorf("all folded leave %d lines, want one for each of 5 groups", n)
	}
	b.Press("enter")
	b.CheckShows("▾ Italian")
	b.Press("n", "*")
	if got := b.Selected(); got != who {
		t.Errorf("all unfolded, the cursor is on %q, want %s", got, who)
	}
	b.Press("enter")
	b.CheckShows("Agents › ")
	b.Press("esc", "b")
	b.CheckShows("by state: 12 in 2")
	b.Press("b", "b", "b")
	b.CheckShows("row ")
	if got := b.Selected(); got != who {
		t.Errorf("without groups the cursor is on %q, want %s", got, who)
	}
	b.Press("n")
	b.CheckShows("There are no groups to fold: b groups the agents.")
	b.Press("2", "b")
	b.CheckShows("Only agents can be grouped.")
}

// TestFoldedGroupsAreFiltered checks that a filter applies to folded groups, that groups
// without a match disappear, and that each group is sorted.
func TestFoldedGroupsAreFiltered(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.Press("*", "!")
	b.CheckShows("rows with an alert: 1 of 12")
	b.CheckShows("▸ Italian    1")
	b.CheckShows("▸ Technical  1")
	b.CheckHides("▸ German")
	b.Press("*")
	if rows := b.Page().Focused().Table; rows != nil {
		if _, n, _ := rows.Position(); n != 4 {
			t.Errorf("%d lines, want two groups with %s in each", n, who)
		}
	}
	b.Press("!")
	for _, desc := range []bool{true, false} {
		b.Page().Focused().SortBy("name", desc)
		b.AdvanceClock(time.Second)
		names := namesUnder(b, "Italian")
		if len(names) != 4 || (strings.Compare(names[0], names[3]) > 0) != desc {
			t.Errorf("sorted by name, descending %v, the group has %v", desc, names)
		}
	}
}

// TestManyAgentsBeginFolded checks that groups of many agents start folded, with aligned
// figures, and that the selected agent's group unfolds.
func TestManyAgentsBeginFolded(t *testing.T) {
	t.Parallel()
	f := uitest.NewQuietFloor()
	for i := range 300 {
		f.PutAgent(i, 0)
	}
	b := newBoardOn(t, f, 120, 40)
	b.AdvanceClock(time.Second)
	b.Press("4", "down", "down")
	who := b.Selected()
	b.Press("b")
	_, groups, _ := b.Page().Focused().Table.Position()
	if groups > 20 || !strings.HasPrefix(b.Selected(), "\x00") {
		t.Fatalf("%d lines, the cursor is on %q", groups, b.Selected())
	}
	b.Press("n")
	if got := b.Selected(); got != who {
		t.Errorf("unfolded, the cursor is on %q, want %s", got, who)
	}
	b.Press("n")
	ends := map[int]int{}
	for _, l := range strings.Split(b.Text(), "\n") {
		if _, after, is := strings.Cut(l, "▸ "); is {
			ends[len([]rune(after[:strings.LastIndexAny(after, "●○×◇")]))]++
		}
	}
	if len(ends) > 3 {
		t.Errorf("the last states of the groups are in %d places: %v\n%s", len(ends), ends, b.Text())
	}
	b.CheckFits()
}

// TestGroupFollowsItsAgents checks that each snapshot updates the counts of a folded group.
func TestGroupFollowsItsAgents(t *testing.T) {
	t.Parallel()
	b, who := inGroups(t, 120, 40)
	b.Press("*")
	r := *b.Floor.UserStats.Get(model.UserStatKey{Username: who, Channel: model.Call})
	r.Status, r.TimeInState = model.Busy, model.InstantOf(b.Now)
	b.Floor.UserStats.Put(&r)
	b.Publish()
	b.AdvanceClock(time.Second)
	b.CheckShows("▸ Italian", "1 talking", "3 ready")
	b.CheckHides("wrap-up +")
	b.CheckFits()
}

// namesUnder returns the first words of a group's rows.
func namesUnder(b *uitest.Board, group string) (out []string) {
	in := false
	for _, l := range strings.Split(b.Text(), "\n") {
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
