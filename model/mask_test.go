package model_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// people lists names that no masked snapshot may contain.
func people() []string {
	return []string{"m.rossi", "Mario", "Rossi", "Ωmega", "O'Brien", "Seán", "x9", "Boss of all"}
}

func peopled() *model.Store {
	st := model.NewStore()
	add := func(username, name, surname string) {
		u, n, s := model.TextOf(username), model.TextOf(name), model.TextOf(surname)
		st.Users.Put(&model.User{Username: u, Name: n, Surname: s})
		st.UserStats.Put(&model.UserStat{Username: u, Name: n, Surname: s, AgentFigures: model.AgentFigures{Channel: model.Call}})
		st.Operators.Put(&model.Operator{Username: u, Name: n, Surname: s, Channel: model.Call})
	}
	add("m.rossi", "Mario", "Rossi")
	add("Ωmega", "Seán", "O'Brien")
	add("x9", "", "")
	return st
}

func peopleNames() model.Names {
	n := model.Names{}
	n.Add(model.NameUser, "x9", "Boss of all")
	return n
}

func TestMaskHidesEveryName(t *testing.T) {
	t.Parallel()
	st := peopled()
	s := st.Publish(time.Now(), model.Health{
		Notice:        `login refused for "M.ROSSI"`,
		Link:          model.Link{Reason: "the user x9 is known as Boss of all, or (Ωmega)"},
		Subscriptions: []model.Subscription{{Name: "users", Reason: "Seán O'Brien has no permission for Rossi-Mario"}},
		LastBadFrame:  "supervisor sent rubbish",
	})
	mask := model.NewMask(model.NamesHidden, "salt", peopleNames(), "supervisor")
	got := mask.Apply(s)
	var text []string
	for _, part := range []any{got.Users.Rows(), got.UserStats.Rows(), got.Operators.Rows(), got.Health} {
		b, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, string(b))
	}
	all := strings.ToLower(strings.Join(text, "\n"))
	for _, name := range append(people(), "supervisor", "Brien") {
		if strings.Contains(all, strings.ToLower(name)) {
			t.Errorf("%q is still there:\n%s", name, all)
		}
	}
	if !strings.Contains(all, "has no permission for") {
		t.Errorf("more than the names is gone:\n%s", all)
	}
	if s.Users.Get("m.rossi") == nil || s.Health.LastBadFrame != "supervisor sent rubbish" {
		t.Error("the snapshot itself was changed")
	}
	for r := range got.UserStats.All() {
		if got.UserStats.Get(r.Key()) != r || got.Users.Get(r.Username.String()) == nil || got.Operators.Get(r.Key()) == nil {
			t.Errorf("%v is not one and the same in all tables", r.Key())
		}
	}
}

func TestMaskLeavesInitials(t *testing.T) {
	t.Parallel()
	got := model.NewMask(model.NamesInitials, "", peopleNames()).Apply(peopled().Publish(time.Now(), model.Health{}))
	have := map[string]bool{}
	for u := range got.Users.All() {
		have[u.Name.String()+u.Surname.String()] = true
	}
	for _, want := range []string{"M. R.", "S. O.", "B. O. A."} {
		if !have[want] {
			t.Errorf("%q is missing in %v", want, have)
		}
	}
}

// TestInitialsTellNoName checks that initials never reveal the whole name.
func TestInitialsTellNoName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"静 王", "王静", "김 민", "さ くら", "X Y"} {
		st := model.NewStore()
		st.Users.Put(&model.User{Username: model.TextOf("u"), Name: model.TextOf(name)})
		s := model.NewMask(model.NamesInitials, "", nil).Apply(st.Publish(time.Now(), model.Health{}))
		for u := range s.Users.All() {
			if got := u.Surname.String(); strings.ContainsAny(got, strings.ReplaceAll(name, " ", "")) || got == "" {
				t.Errorf("the initials of %s are %q", name, got)
			}
		}
	}
}

// TestMaskKeepsWhatHasNotChanged checks that unchanged records keep their identity, so that nothing is
// redrawn, and that users keep their numbers while others are added and removed.
func TestMaskKeepsWhatHasNotChanged(t *testing.T) {
	t.Parallel()
	st := peopled()
	mask := model.NewMask(model.NamesHidden, "salt", nil)
	before := mask.Apply(st.Publish(time.Now(), model.Health{}))
	idle := mask.Apply(st.Publish(time.Now(), model.Health{}))
	if idle.Users != before.Users || idle.UserStats != before.UserStats {
		t.Error("tables without a change are others")
	}

	numbers := map[uint64]string{}
	for u := range before.Users.All() {
		numbers[u.Version] = u.Username.String()
	}
	st.UserStats.Put(&model.UserStat{Username: model.TextOf("x9"), AgentFigures: model.AgentFigures{Channel: model.Call, Status: model.Ready}})
	st.Users.Delete("m.rossi")
	st.Users.Put(&model.User{Username: model.TextOf("new")})
	after := mask.Apply(st.Publish(time.Now(), model.Health{}))
	for u := range after.Users.All() {
		if was, ok := numbers[u.Version]; ok && was != u.Username.String() {
			t.Errorf("%s is now %s", was, u.Username)
		}
	}
	same := 0
	for i, r := range after.UserStats.Rows() {
		if r == before.UserStats.Rows()[i] {
			same++
		}
	}
	if same != 2 {
		t.Errorf("%d of 3 records are the same, want the 2 that have not changed", same)
	}
}

// TestMaskFollows checks that another name mode does not change the number of a user, and that hidden
// names stay hidden.
func TestMaskFollows(t *testing.T) {
	t.Parallel()
	st := peopled()
	mask := model.NewMask(model.NamesHidden, "salt", peopleNames(), "supervisor")
	s := st.Publish(time.Now(), model.Health{Notice: "supervisor, chief and x9 are refused"})
	numbers := map[uint64]string{}
	for u := range mask.Apply(s).Users.All() {
		numbers[u.Version] = u.Username.String()
	}
	mask.Reconfigure(model.NamesInitials, nil, "chief")
	after := mask.Apply(s)
	for u := range after.Users.All() {
		if numbers[u.Version] != u.Username.String() {
			t.Errorf("%s is now %s", numbers[u.Version], u.Username)
		}
	}
	if u := after.Users.Get(numbers[st.Users.Get("m.rossi").Version]); u == nil || u.Surname.String() != "M. R." {
		t.Errorf("the initials are missing: %+v", u)
	}
	if got := after.Health.Notice; got != "…, … and … are refused" {
		t.Errorf("the notice says %q", got)
	}
}

func TestMaskOfFullNamesIsNone(t *testing.T) {
	t.Parallel()
	s := peopled().Publish(time.Now(), model.Health{})
	if got := model.NewMask(model.NamesFull, "", nil).Apply(s); got != s {
		t.Error("the snapshot is another")
	}
}
