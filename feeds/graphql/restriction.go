package graphql

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/model"
)

// Restriction restricts which users and figures are requested (document 2, section Filters). An
// empty field means no restriction. For a list, one of its elements must match.
type Restriction struct {
	Users UserFilter

	CustomStatKeys []string // custom statistics of services, groups and attendants to request
	ActivityCodes  []string // activity codes to request in the figures of users and profiles
}

// UserFilter holds the members of document 2's UserFilter. Surname and Name match parts of a name.
type UserFilter struct {
	Surname, Name                      string
	Sites                              []int64
	Statuses, Channels, ProfileTypes   []string // enum values
	Skillsets, Services, ActivityCodes []string
}

// UsersRequest returns a request with a UserFilter. userSite is the site to request if the
// restriction lists no sites; 0 means all sites.
func (r *Restriction) UsersRequest(userSite int64) Request {
	u := &r.Users
	var parts []string
	add := func(name, value string) { parts = append(parts, name+":"+value) }
	if u.Surname != "" {
		add("surname", StringLiteral(u.Surname))
	}
	if u.Name != "" {
		add("name", StringLiteral(u.Name))
	}
	if len(u.Sites) > 0 {
		add("sites", integerList(sortedUnique(u.Sites)))
	} else if userSite != 0 {
		add("sites", integerList([]int64{userSite}))
	}
	for _, l := range []struct {
		name string
		list []string
		enum bool
	}{
		{"statuses", u.Statuses, true},
		{"skillsets", u.Skillsets, false},
		{"services", u.Services, false},
		{"activityCodes", u.ActivityCodes, false},
		{"channels", u.Channels, true},
		{"profileTypes", u.ProfileTypes, true},
	} {
		switch {
		case len(l.list) == 0:
		case l.enum:
			add(l.name, "["+strings.Join(sortedUnique(l.list), ",")+"]")
		default:
			add(l.name, stringList(sortedUnique(l.list)))
		}
	}
	return Request{IsWanted: true, Filter: "{" + strings.Join(parts, " ") + "}"}
}

func sortedUnique[T int64 | string](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// customStatKeysMember returns the member customStatKeys of a filter, or "" to request all custom
// statistics.
func (r *Restriction) customStatKeysMember() string {
	return listMember("customStatKeys", r.CustomStatKeys)
}

// activityCodesMember returns the member activityCodes of a filter, or "" to request all activity
// codes.
func (r *Restriction) activityCodesMember() string {
	return listMember("activityCodes", r.ActivityCodes)
}

func listMember(name string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " " + name + ":" + stringList(sortedUnique(list))
}

// OperatorsRequest returns a request with an OperatorStatFilter that names all of users. The answer
// contains only the users who are operators. userSite is the site to request; 0 means all sites.
func (r *Restriction) OperatorsRequest(users []*model.User, userSite int64) Request {
	names := make([]string, 0, len(users))
	for _, u := range users {
		names = append(names, u.Key())
	}
	slices.Sort(names)
	request := Request{IsWanted: len(names) > 0, Keys: len(names), Filter: "{CALL:{users:" + stringList(names) + r.activityCodesMember()}
	if userSite != 0 {
		request.Filter += " sites:[" + strconv.FormatInt(userSite, 10) + "]"
	}
	request.Filter += "}}"
	return request
}
