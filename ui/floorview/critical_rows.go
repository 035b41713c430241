package floorview

import (
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// CriticalRows finds the critical rows of a table. It searches again when an input changes, but
// otherwise only once a second, because there may be thousands of agents. The zero value is ready
// to use.
type CriticalRows struct {
	keys    map[string]bool // result of the last search; the other fields are its inputs
	second  int64
	rows    int
	filter  string
	scope   render.Scope
	options *render.Options
}

// Keys returns the keys of the critical rows that match a filter. An empty filter matches all
// rows. v is the view of the rows. The caller must not change the result.
func (r *CriticalRows) Keys(rows render.Rows, v *render.View, filter string) map[string]bool {
	second, n := v.Now.Unix(), rows.Len()
	if r.second == second && r.rows == n && r.filter == filter && r.scope == v.Scope && r.options == v.Options {
		return r.keys
	}
	*r = CriticalRows{nil, second, n, filter, v.Scope, v.Options}
	r.keys, _ = rows.Memoize(criticalFilter(filter), func() any {
		return findCritical(rows, render.Critical.Glyph(v.Options.ASCII), filter)
	}).(map[string]bool)
	return r.keys
}

// criticalFilter is the key under which [render.Rows.Memoize] caches the critical rows that match a
// filter.
type criticalFilter string

// findCritical returns the keys of the critical rows that match a filter. A row is critical if its
// marker is mark, the glyph of critical alerts. An empty filter matches all rows.
func findCritical(rows render.Rows, mark, filter string) map[string]bool {
	critical := make(map[string]bool)
	var row table.Row
	for i := range rows.Len() {
		row = table.Row{}
		rows.Row(i, &row)
		if row.Marker == mark && (filter == "" || rows.Matches(i, filter)) {
			critical[rows.Key(i)] = true
		}
	}
	return critical
}
