package panes

import (
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// grouping groups the rows of a table of agents. Rows of other tables cannot be grouped.
type grouping struct {
	agents     *render.Agents // nil: the rows are not agents and cannot be grouped
	table      *table.Model
	criterion  floorview.GroupingCriterion // "": not grouped
	groups     *floorview.GroupedRows      // nil: not grouped
	pendingKey string                      // row that is selected after the next refresh; "": the selection stays
	foldsAll   bool                        // the groups are folded as soon as they are known
}

// foldThreshold is the number of agents above which all groups are folded at first, because a
// single group might not fit on the screen.
const foldThreshold = 200

// CanGroup reports whether the rows can be grouped. Only agents can.
func (b *grouping) CanGroup() bool { return b.agents != nil }

// NextGrouping groups the rows by the next criterion. After the last criterion it ungroups them.
func (b *grouping) NextGrouping() { b.groupBy(b.criterion.Next()) }

// groupBy groups the rows by criterion, or ungroups them if criterion is "". The cursor stays on its record.
func (b *grouping) groupBy(criterion floorview.GroupingCriterion) {
	if b.agents == nil {
		return
	}
	if key, ok := b.table.Selected(); ok {
		b.pendingKey, _ = floorview.RecordKey(key)
	}
	_, _, total := b.table.Position()
	b.foldsAll = b.groups == nil && total > foldThreshold
	if b.criterion, b.groups = criterion, nil; criterion != "" {
		b.groups = floorview.NewGroupedRows()
	}
}

// ToggleFold folds or unfolds the group under the cursor, or all groups if all is true. It returns
// false if the rows are not grouped or no row is selected.
func (b *grouping) ToggleFold(all bool) bool {
	key, ok := b.table.Selected()
	if b.groups == nil || !ok {
		return false
	}
	if all {
		b.pendingKey = b.groups.ToggleAllFolds(key)
	} else {
		b.pendingKey = b.groups.ToggleFold(key)
	}
	b.table.Select(b.pendingKey) // the table already has the line of the group
	return true
}

// groupRows returns the source of the table's rows. If the rows are not grouped, it is rows itself.
func (b *grouping) groupRows(sc *Scene, rows table.RowSource, filter string) table.Source {
	b.table.Marks.Prune(rows)
	if b.groups == nil {
		return rows
	}
	_, desc := b.table.Sort()
	b.groups.SetDescending(desc)
	states := floorview.StateCounts{All: b.agents.CountStates(), Channel: sc.Floor.Channel}
	kind := floorview.Grouping{
		GroupsOf: func(i int) []floorview.GroupKey {
			var r *model.UserStat // r stays nil if the agent is not in the snapshot
			if i < b.agents.Len() {
				r = b.agents.Record(i)
			}
			var u *model.User
			if sc.Floor.Shown != nil {
				u = sc.Floor.Shown.Users.Get(rows.Key(i))
			}
			return b.criterion.GroupsOf(sc.Floor.Names, r, u, sc.Look.Format.Words)
		},
		DrawLine: func(g *floorview.RowGroup, dst *table.Row) {
			crew := b.agents.Summarize(g.Rows, dst)
			in := &states
			if in.Group = crew.StateCounts; b.criterion == floorview.ByState {
				in = nil
			}
			g.DrawLine(sc.Look.Render, crew, in, dst)
		},
		DrawVersion: states.RankSet(),
	}
	b.groups.Update(rows, filter, kind)
	if b.foldsAll {
		b.foldsAll = false
		b.pendingKey = b.groups.ToggleAllFolds(b.pendingKey)
		b.groups.Update(rows, filter, kind)
	}
	return b.groups
}

// position returns the line of the cursor, the number of records that match the filter, and the
// number of all records. A record in several groups counts once. groups is the number of groups, or
// 0 if the rows are not grouped.
func (b *grouping) position() (index, matching, total, groups int) {
	index, matching, total = b.table.Position()
	if b.groups != nil {
		groups, total, matching = b.groups.Counts()
	}
	return index, matching, total, groups
}

// lineCount returns the number of lines that the table needs for the given number of rows. If the
// rows are grouped, it returns the number of lines that are not folded.
func (b *grouping) lineCount(rows int) int {
	if b.groups == nil {
		return rows
	}
	return b.groups.Len()
}

// selectPending selects the row with pendingKey. The caller must have updated the rows before.
func (b *grouping) selectPending() {
	if b.pendingKey != "" {
		b.table.Select(b.pendingKey)
		b.pendingKey = ""
	}
}

// recordKey returns the key of the record in a row. ok is false if the row is the line of a group.
func (b *grouping) recordKey(row string) (key string, ok bool) {
	if b.groups == nil {
		return row, true
	}
	return floorview.RecordKey(row)
}

// carry copies the grouping of another table and selects the row with the given key. If the table
// does not have this row yet, it is selected after the next refresh.
func (b *grouping) carry(other *grouping, key string) {
	if other.groups != nil && b.agents != nil {
		b.groupBy(other.criterion)
		b.groups.CopyFoldsFrom(other.groups)
	}
	if key != "" && !b.table.Select(key) {
		b.pendingKey = key
	}
}
