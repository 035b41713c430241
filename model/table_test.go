package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"wallboard/model"
)

// TestGeneration makes random writes and checks the guarantee of a generation: while it
// stays the same, the same keys are at the same indexes.
func TestGeneration(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		store := model.NewStore()
		var before *model.Table[string, model.User]
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			size := store.Users.Len()
			switch k := drawKey(t); rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				store.Users.Delete(k)
			case 1:
				store.Users.Replace([]*model.User{drawUser(t, k), drawUser(t, k)})
			default:
				store.Users.Put(drawUser(t, k))
			}
			after := store.Publish(noon, model.Health{}).Users
			if after.Generation() < before.Generation() {
				t.Fatalf("generation %d after %d", after.Generation(), before.Generation())
			}
			if after.Generation() != before.Generation() {
				before = after
				continue
			}
			if after.Len() != size {
				t.Fatalf("%d records after %d, generation %d as before", after.Len(), size, after.Generation())
			}
			for i, r := range after.Rows() {
				if was := before.Rows()[i].Key(); r.Key() != was {
					t.Fatalf("%q in the place of %q, generation %d as before", r.Key(), was, after.Generation())
				}
			}
			before = after
		}
	})
}

func TestGenerationStaysWithTheKeys(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	user := func(name string) *model.User { return &model.User{Username: model.TextOf(name)} }
	generation := func() uint64 { return store.Publish(noon, model.Health{}).Users.Generation() }
	var none *model.Table[string, model.User]
	if g := generation(); g != none.Generation() {
		t.Errorf("an empty table has generation %d, none has %d", g, none.Generation())
	}
	store.Users.Put(user("anna"))
	store.Users.Put(user("bob"))
	g := generation()
	store.Users.Put(user("anna"))
	store.Users.Replace([]*model.User{user("bob"), user("anna")})
	store.Users.Delete("carl")
	if now := generation(); now != g {
		t.Errorf("generation %d after %d, though the keys are the same", now, g)
	}
	store.Users.Delete("bob")
	store.Users.Put(user("carl"))
	if generation() == g {
		t.Error("the generation is the same for other keys")
	}
}
