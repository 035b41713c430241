package model_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

// crowd is a floor whose users are added and removed and change their services.
type crowd struct {
	st  *model.Store
	rnd *rand.Rand
}

func (c *crowd) change() *model.Snapshot {
	pick := func(list ...string) string { return list[c.rnd.IntN(len(list))] }
	some := func(list ...string) []string {
		return slices.DeleteFunc(list, func(string) bool { return c.rnd.IntN(2) == 0 })
	}
	who := fmt.Sprint("user", c.rnd.IntN(8))
	switch c.rnd.IntN(6) {
	case 0:
		c.st.Users.Delete(who)
	case 1:
		c.st.Services.Put(&model.Service{Code: model.TextOf(pick("SRVA", "SRVB", "SRVC")), Channel: model.Call})
		c.st.Groups.Put(&model.Group{Code: model.TextOf(pick("GRPA", "GRPB")), Channel: model.Call})
		c.st.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(7)})
	default:
		c.st.Users.Put(&model.User{
			Username: model.TextOf(who), Surname: model.TextOf("Surname" + who), Services: some("SRVA", "SRVB", "SRVC"), Skillsets: some("GRPA", "GRPB"),
		})
		u := model.UserStat{Username: model.TextOf(who), Surname: model.TextOf("Surname" + who)}
		u.Channel, u.UserSite = model.Call, model.IntOf(int64(c.rnd.IntN(3)))
		u.CurrentService, u.CurrentGroup = model.TextOf(pick("SRVA", "SRVB", "SRVC")), model.TextOf(pick("GRPA", "GRPB"))
		c.st.UserStats.Put(&u)
	}
	return c.st.Publish(time.Unix(1, 0), model.Health{Notice: who + " of SRVB left SRVA and " + pick("GRPA", "GRPB")})
}

// hidden returns the users for whom may returns false. It fails if part does not contain exactly the
// other users.
func hidden(t *testing.T, all, part *model.Snapshot, may func(*model.User, *model.UserStat) bool) (names []string) {
	t.Helper()
	for u := range all.Users.All() {
		seen := may(u, all.UserStats.Get(model.UserStatKey{Username: u.Key(), Channel: model.Call}))
		if (part.Users.Get(u.Key()) != nil) != seen {
			t.Fatalf("%s is seen: %v, want %v", u.Key(), !seen, seen)
		}
		if !seen {
			names = append(names, u.Key())
		}
	}
	return names
}

// samePlaces checks the guarantee of a generation for two tables.
func samePlaces(t *testing.T, before, now *model.Snapshot) {
	t.Helper()
	if before == nil || before.UserStats.Generation() != now.UserStats.Generation() {
		return
	}
	for i, r := range before.UserStats.Rows() {
		if now.UserStats.Rows()[i].Key() != r.Key() {
			t.Fatal("another one is in a place of the same generation")
		}
	}
}

// TestPartHoldsNothingElse narrows a floor that changes continuously: the result equals
// that of a new Narrower, contains nothing outside the part, and keeps the guarantees of
// its tables.
func TestPartHoldsNothingElse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		part    model.FloorPart
		outside []string
		keeps   func(*model.User, *model.UserStat) bool
	}{
		"a service": {model.FloorPart{Services: []string{"SRVA"}}, []string{"SRVB", "SRVC"}, func(u *model.User, _ *model.UserStat) bool { return slices.Contains(u.Services, "SRVA") }},
		"a group":   {model.FloorPart{Groups: []string{"GRPB"}}, []string{"GRPA"}, func(u *model.User, _ *model.UserStat) bool { return slices.Contains(u.Skillsets, "GRPB") }},
		"a site":    {model.FloorPart{Sites: []int64{2}}, nil, func(_ *model.User, s *model.UserStat) bool { return s != nil && s.UserSite == model.IntOf(2) }},
		"of each": {model.FloorPart{Services: []string{"SRVA", "SRVC"}, Groups: []string{"GRPA"}, Sites: []int64{1, 2}}, []string{"SRVB", "GRPB"}, func(u *model.User, s *model.UserStat) bool {
			return (slices.Contains(u.Services, "SRVA") || slices.Contains(u.Services, "SRVC")) && slices.Contains(u.Skillsets, "GRPA") && s != nil && s.UserSite != model.IntOf(0)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &crowd{model.NewStore(), rand.New(rand.NewPCG(1, 2))}
			n := model.NewPartFilter(tt.part)
			var before *model.Snapshot
			for range 3000 {
				all := c.change()
				s := n.Apply(all)
				if n.Apply(all) != s {
					t.Fatal("the same snapshot is narrowed twice")
				}
				got, err := json.Marshal(s)
				if err != nil {
					t.Fatal(err)
				}
				fresh, _ := json.Marshal(model.NewPartFilter(tt.part).Apply(all))
				if string(got) != string(fresh) {
					t.Fatal(cmp.Diff(string(fresh), string(got)))
				}
				for _, word := range append(hidden(t, all, s, tt.keeps), tt.outside...) {
					if strings.Contains(string(got), word) {
						t.Fatalf("%s is in %s", word, got)
					}
				}
				if s.Campaigns.Len() > 0 {
					t.Fatal("there is a campaign")
				}
				samePlaces(t, before, s)
				before = s
			}
		})
	}
	if s := model.NewStore().Publish(time.Unix(1, 0), model.Health{}); model.NewPartFilter(model.FloorPart{}).Apply(s) != s {
		t.Error("the whole floor is changed")
	}
}

// TestDerivedGroups checks that a viewer of some services sees the groups whose members all
// serve one of them, and no text of other groups.
func TestDerivedGroups(t *testing.T) {
	t.Parallel()
	st := model.NewStore()
	for _, code := range []string{"GRPA", "GRPB", "GRPC", "GRPD"} {
		st.Groups.Put(&model.Group{Code: model.TextOf(code), Channel: model.Call})
	}
	put := func(who string, services, groups []string) {
		st.Users.Put(&model.User{Username: model.TextOf(who), Services: services, Skillsets: groups})
	}
	put("a", []string{"SRVA"}, []string{"GRPA", "GRPB"})
	put("b", []string{"SRVA", "SRVB"}, []string{"GRPA"})
	put("c", []string{"SRVB"}, []string{"GRPB", "GRPC"})
	n := model.NewPartFilter(model.FloorPart{Services: []string{"SRVA"}})
	check := func(want ...string) {
		t.Helper()
		s := n.Apply(st.Publish(time.Unix(1, 0), model.Health{}))
		var got []string
		for r := range s.Groups.All() {
			code, _ := r.Code.Get()
			got = append(got, code)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the groups %q are seen, want %q", got, want)
		}
		for _, code := range []string{"GRPA", "GRPB", "GRPC", "GRPD"} {
			if seen := strings.Contains(n.Text("group "+code), code); seen != slices.Contains(want, code) {
				t.Errorf("a text with %s is shown: %v", code, seen)
			}
		}
		if u := s.Users.Get("a"); u != nil && slices.Contains(u.Skillsets, "GRPB") != slices.Contains(want, "GRPB") {
			t.Errorf("somebody is in the groups %q", u.Skillsets)
		}
	}
	check("GRPA")
	put("c", []string{"SRVB"}, []string{"GRPC"})
	check("GRPA", "GRPB")
	put("c", []string{"SRVB"}, []string{"GRPA"})
	check("GRPB")
}
