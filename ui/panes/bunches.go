package panes

import (
	"wallboard/model"
	"wallboard/ui/grouped"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// bunched is how the rows of a table of agents stand in groups.
type bunched struct {
	agents *render.Agents // nil: they are no agents, and stand in none
	lines  *table.Model
	by     grouped.By    // "": they do not
	groups *grouped.Rows // nil: they do not
	want   string        // the key to be selected once the rows are drawn; "": as it is
	folds  bool          // the groups begin folded, once they are known
}

// foldedFrom is how many agents stand in folded groups to begin with: one group of them is
// longer than a screen.
const foldedFrom = 200

// Groups reports whether the rows can stand in groups.
func (b *bunched) Groups() bool { return b.agents != nil }

// GroupNext groups the rows by something else, by nothing after the last.
func (b *bunched) GroupNext() { b.groupBy(b.by.Next()) }

// groupBy groups the rows; the cursor stays on its record.
func (b *bunched) groupBy(by grouped.By) {
	if b.agents == nil {
		return
	}
	if key, ok := b.lines.Selected(); ok {
		b.want, _ = grouped.Record(key)
	}
	_, _, all := b.lines.Position()
	b.folds = b.groups == nil && all > foldedFrom
	if b.by, b.groups = by, nil; by != "" {
		b.groups = grouped.New()
	}
}

// Fold folds the group under the cursor, or unfolds it; all: every group. It reports whether
// there are any.
func (b *bunched) Fold(all bool) bool {
	key, ok := b.lines.Selected()
	if b.groups == nil || !ok {
		return false
	}
	if all {
		b.want = b.groups.ToggleAll(key)
	} else {
		b.want = b.groups.Toggle(key)
	}
	b.lines.Select(b.want) // the line of a group is there already
	return true
}

// bunch puts rows, of which some match a filter, into their groups.
func (b *bunched) bunch(sc *Scene, of table.RowSource, filter string) table.Source {
	if b.groups == nil {
		return of
	}
	_, desc := b.lines.Sort()
	b.groups.SetDescending(desc)
	states := grouped.States{Among: b.agents.States(), On: sc.Floor.Channel}
	kind := grouped.Kind{
		Places: func(i int) []grouped.Place {
			var r *model.UserStat // of an agent of another instant nothing is known
			if i < b.agents.Len() {
				r = b.agents.Record(i)
			}
			var u *model.User
			if sc.Floor.Shown != nil {
				u = sc.Floor.Shown.Users.Get(of.Key(i))
			}
			return b.by.Places(sc.Floor.Names, r, u)
		},
		Draw: func(g *grouped.Group, dst *table.Row) {
			crew := b.agents.Crew(g.Rows, dst)
			in := &states
			if in.Of = crew.States; b.by == grouped.ByState {
				in = nil
			}
			g.Line(sc.Look.Render, crew, in, dst)
		},
		Salt: states.Salt(),
	}
	b.groups.Update(of, filter, kind)
	if b.folds {
		b.folds = false
		b.want = b.groups.ToggleAll(b.want)
		b.groups.Update(of, filter, kind)
	}
	return b.groups
}

// position is where the viewer is in the lines of the table, how many records match and how
// many there are, each counted once, and in how many groups; 0: they stand in none.
func (b *bunched) position() (at, matching, all, groups int) {
	at, matching, all = b.lines.Position()
	if b.groups != nil {
		groups, all, matching = b.groups.Counts()
	}
	return at, matching, all, groups
}

// count is how many lines so many rows take.
func (b *bunched) count(rows int) int {
	if b.groups == nil {
		return rows
	}
	return b.groups.Len()
}

// settle selects what is to be selected now that the rows are what they are.
func (b *bunched) settle() {
	if b.want != "" {
		b.lines.Select(b.want)
		b.want = ""
	}
}

// record is the key of the record that a row of the table shows; ok is false for the line of
// a group.
func (b *bunched) record(row string) (key string, ok bool) {
	if b.groups == nil {
		return row, true
	}
	return grouped.Record(row)
}

// carry takes over the groups of other rows, and where the cursor was in them.
func (b *bunched) carry(from *bunched, at string) {
	if from.groups != nil && b.agents != nil {
		b.groupBy(from.by)
		b.groups.Carry(from.groups)
	}
	if at != "" && !b.lines.Select(at) {
		b.want = at
	}
}
