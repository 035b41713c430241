package render

import (
	"slices"
	"strconv"

	"wallboard/model"
)

// Restriction restricts the rows of a table. A Restriction in use must not be changed, because
// scopes with the same pointer are considered equal. A nil Restriction does not restrict the rows.
type Restriction struct {
	// RecordCodes lists the codes of the services, groups or campaigns that the table shows. If RecordCodes is
	// empty, the table shows all of them.
	RecordCodes []string
	// Services and Groups restrict agents to those who are assigned to one of them. If both are
	// empty, agents are not restricted.
	Services, Groups []string
	// Site restricts agents and operators to those of one site; 0 means all sites.
	Site int64
}

// includesCode reports whether the table shows records with the given code.
func (k *Restriction) includesCode(code string) bool {
	return k == nil || len(k.RecordCodes) == 0 || slices.Contains(k.RecordCodes, code)
}

// includesSite reports whether an agent is at the site of the restriction, if it names one. figures is
// the site in the agent's figures. If figures is unknown, the site of the user u counts; u may be nil.
func (k *Restriction) includesSite(figures model.Int, u *model.User) bool {
	if k == nil || k.Site == 0 {
		return true
	}
	if n, ok := figures.Get(); ok {
		return n == k.Site
	}
	return u != nil && u.Site.String() == strconv.FormatInt(k.Site, 10)
}

// mayChange reports whether a changed record can move an agent into the scope or out of it.
func (s Scope) mayChange() bool {
	k := s.Restriction
	return s.Service != "" || s.Group != "" || k != nil && (len(k.Services) > 0 || len(k.Groups) > 0 || k.Site != 0)
}

// includes reports whether an agent is in the scope. The agent must be assigned to Service and
// Group, or be busy with them. If the Restriction lists services or groups, the agent must be in one
// of them. If the Restriction names a site, the agent must be at this site.
func (s Scope) includes(r *model.UserStat, users *model.Table[string, model.User]) bool {
	if !s.mayChange() {
		return true
	}
	u := users.Get(r.Key().Username)
	service := func(code string) bool { return r.IsInService(code, u) }
	group := func(code string) bool { return r.IsInGroup(code, u) }
	if s.Service != "" && !service(s.Service) || s.Group != "" && !group(s.Group) {
		return false
	}
	k := s.Restriction
	if k == nil {
		return true
	}
	isAssigned := len(k.Services)+len(k.Groups) == 0 ||
		slices.ContainsFunc(k.Services, service) || slices.ContainsFunc(k.Groups, group)
	return isAssigned && k.includesSite(r.UserSite, u)
}

// pickColumns selects the columns with the given IDs, in the order of ids, with descending
// priority. It ignores unknown IDs. If no ID is known, it restores the default columns.
func (d *sourceSpec[R]) pickColumns(ids []string) {
	if d.defaults == nil {
		d.defaults = d.columns
	}
	all := d.allColumns()
	picked := make([]column[R], 0, len(ids))
	for _, id := range ids {
		index := slices.IndexFunc(all, func(c column[R]) bool { return c.ID == id })
		if index < 0 {
			continue
		}
		c := all[index]
		c.Priority = len(ids) - len(picked)
		picked = append(picked, c)
	}
	if d.columns = picked; len(picked) == 0 {
		d.columns = d.defaults
	}
}

// allColumns returns all available columns, including the columns that are not selected.
func (d *sourceSpec[R]) allColumns() []column[R] {
	if d.defaults == nil {
		return slices.Concat(d.columns, d.optionalColumns)
	}
	return slices.Concat(d.defaults, d.optionalColumns)
}

// Pick implements [Rows].
func (s *source[R]) Pick(ids ...string) { s.spec.pickColumns(ids) }
