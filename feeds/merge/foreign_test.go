package merge_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// TestForeignShapes reads wrapped single values and aliased fields.
func TestForeignShapes(t *testing.T) {
	t.Parallel()
	set, err := merge.ParseSelection(`{ users { username activeProfile site services } }`)
	if err != nil {
		t.Fatal(err)
	}
	type user struct {
		Username      model.Text `json:"username"`
		ActiveProfile model.Int  `json:"activeProfile"`
		Site          model.Int  `json:"site"`
		Services      []string   `json:"services"`
	}
	plan, err := merge.NewPlan[user](set[0].Fields, "username")
	if err != nil {
		t.Fatal(err)
	}
	var got user
	read := func(record string) error {
		_, err := plan.Read([]byte(`{"data":{"users":[`+record+`]}}`), "users", &merge.Env{}, func(it *merge.Item[user]) error {
			if !it.Keyed {
				return merge.ErrNoKey
			}
			return it.Merge(&got)
		})
		return err
	}
	if err := read(`{"username":{"id":"anna"},"activeProfile":{"__typename":"Profile","id":7},"site":[3],"services":[{"code":"S1"},{"code":null},"S2"]}`); err != nil {
		t.Fatal(err)
	}
	if got.Username.String() != "anna" || got.ActiveProfile != model.IntOf(7) || got.Site != model.IntOf(3) || len(got.Services) != 2 {
		t.Errorf("%+v", got)
	}
	if err := read(`{"username":"anna","activeProfile":{"id":null},"` + merge.Alias("site", "UserOfBolzano") + `":4}`); err != nil || got.ActiveProfile != model.IntOf(7) || got.Site != model.IntOf(4) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{`"site":[1,2]`, `"site":[]`, `"site":{}`, `"site":{"a":1,"b":2}`, `"site":{"a":{"b":1}}`, `"site":[[1]]`} {
		if err := read(`{"username":"anna",` + bad + `}`); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
	if err := read(`{"username":{"id":null},"site":9}`); err == nil {
		t.Error("a record with a null name was taken for the previous one")
	}
}

// TestAliasesTakeLinearTime reads a hostile record with many unknown names.
func TestAliasesTakeLinearTime(t *testing.T) {
	t.Parallel()
	set, _ := merge.ParseSelection(`{ users { username } }`)
	type user struct {
		Username model.Text `json:"username"`
	}
	plan, err := merge.NewPlan[user](set[0].Fields, "username")
	if err != nil {
		t.Fatal(err)
	}
	payload := `{"data":{"users":[{"username":"x"` + strings.Repeat(`,"a__b__c__d":{"__":[{}]}`, 50_000) + `}]}}`
	began := time.Now()
	if _, err := plan.Read([]byte(payload), "users", &merge.Env{}, func(it *merge.Item[user]) error { return it.Merge(new(user)) }); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("1 MB took %v", took)
	}
}
