package render

import (
	"slices"
	"strconv"

	"wallboard/model"
)

// Restriction restricts the rows of a table. It must not be changed once it is in use, because
// scopes with the same Restriction count as equal. A nil Restriction shows all rows.
type Restriction struct {
	// Codes lists the codes of the records to show. They are codes of services, groups or
	// campaigns, depending on the table; empty: all.
	Codes []string
	// Services and Groups restrict agents to those assigned to one of them; both empty: all.
	Services, Groups []string
	// Site restricts agents and operators to those of one site; 0: all.
	Site int64
}

// includesCode reports whether records with a code are shown.
func (k *Restriction) includesCode(code string) bool {
	return k == nil || len(k.Codes) == 0 || slices.Contains(k.Codes, code)
}

// includesSite reports whether an agent is shown, judging by the site in the agent's figures. If
// the figures contain no site, that of the user counts.
func (k *Restriction) includesSite(figures model.Int, u *model.User) bool {
	if k == nil || k.Site == 0 {
		return true
	}
	if n, ok := figures.Get(); ok {
		return n == k.Site
	}
	return u != nil && u.Site.String() == strconv.FormatInt(k.Site, 10)
}

// mayChange reports whether an agent can enter or leave the scope when a record changes.
func (s Scope) mayChange() bool {
	k := s.Restriction
	return s.Service != "" || s.Group != "" || k != nil && (len(k.Services) > 0 || len(k.Groups) > 0 || k.Site != 0)
}

// includes reports whether an agent is in the scope. The agent must be assigned to its services and
// groups, or busy with them now, and belong to its site.
func (s Scope) includes(r *model.UserStat, users *model.Table[string, model.User]) bool {
	if !s.mayChange() {
		return true
	}
	u := users.Get(r.Key().Username)
	if u == nil {
		u = &model.User{}
	}
	one := func(now model.Text, all []string) func(string) bool {
		return func(code string) bool { return now.String() == code || slices.Contains(all, code) }
	}
	service, group := one(r.CurrentService, u.Services), one(r.CurrentGroup, u.Skillsets)
	if s.Service != "" && !service(s.Service) || s.Group != "" && !group(s.Group) {
		return false
	}
	k := s.Restriction
	if k == nil {
		return true
	}
	among := len(k.Services)+len(k.Groups) == 0 ||
		slices.ContainsFunc(k.Services, service) || slices.ContainsFunc(k.Groups, group)
	return among && k.includesSite(r.UserSite, u)
}

// pickColumns selects the columns with the given IDs, in that order, with descending priority. If
// it finds none, it restores the default columns.
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

// allColumns returns all available columns, including those that are not selected.
func (d *sourceSpec[R]) allColumns() []column[R] {
	if d.defaults == nil {
		return slices.Concat(d.columns, d.optionalColumns)
	}
	return slices.Concat(d.defaults, d.optionalColumns)
}

// Pick implements [Rows].
func (s *source[R]) Pick(ids ...string) { s.spec.pickColumns(ids) }
