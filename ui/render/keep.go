package render

import (
	"slices"
	"strconv"

	"wallboard/model"
)

// Keep narrows what rows are shown. It must not be changed once it is in use,
// so that scopes stay comparable. A nil Keep shows all.
type Keep struct {
	// Codes are those of services, groups or campaigns, whichever the rows are;
	// empty: all.
	Codes []string
	// Services and Groups keep the agents who serve one of them; both empty: all.
	Services, Groups []string
	// Site keeps the agents and operators of one site; 0: all.
	Site int64
}

// code reports whether the rows of a code are shown.
func (k *Keep) code(code string) bool {
	return k == nil || len(k.Codes) == 0 || slices.Contains(k.Codes, code)
}

// site reports whether the people of a site are shown. What their figures do not
// tell, the user may.
func (k *Keep) site(figures model.Int, u *model.User) bool {
	if k == nil || k.Site == 0 {
		return true
	}
	if n, ok := figures.Get(); ok {
		return n == k.Site
	}
	return u != nil && u.Site.String() == strconv.FormatInt(k.Site, 10)
}

// moves reports whether an agent may come into what is shown, or leave it, with
// every change of their record.
func (s Scope) moves() bool {
	k := s.Keep
	return s.Service != "" || s.Group != "" || k != nil && (len(k.Services) > 0 || len(k.Groups) > 0 || k.Site != 0)
}

// serves reports whether an agent is in the scope: assigned to its services and
// groups or busy with them now, and on its site.
func (s Scope) serves(r *model.UserStat, users *model.Table[string, model.User]) bool {
	if !s.moves() {
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
	k := s.Keep
	if k == nil {
		return true
	}
	among := len(k.Services)+len(k.Groups) == 0 ||
		slices.ContainsFunc(k.Services, service) || slices.ContainsFunc(k.Groups, group)
	return among && k.site(r.UserSite, u)
}

// pick makes the columns with the given IDs the only ones, in that order: the
// first is the last to give way.
func (d *definition[R]) pick(ids []string) {
	if d.usual == nil {
		d.usual = d.columns
	}
	all := d.every()
	picked := make([]column[R], 0, len(ids))
	for _, id := range ids {
		at := slices.IndexFunc(all, func(c column[R]) bool { return c.ID == id })
		if at < 0 {
			continue
		}
		c := all[at]
		c.Priority = len(ids) - len(picked)
		picked = append(picked, c)
	}
	if d.columns = picked; len(picked) == 0 {
		d.columns = d.usual
	}
}

// every returns the columns that there are, whatever was picked.
func (d *definition[R]) every() []column[R] {
	if d.usual == nil {
		return slices.Concat(d.columns, d.extra)
	}
	return slices.Concat(d.usual, d.extra)
}

// Pick implements [Rows].
func (s *source[R]) Pick(ids ...string) { s.def.pick(ids) }
