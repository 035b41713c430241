package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

func TestNamesSortAsInADirectory(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	put := func(username, surname string) {
		s.UserStats.Put(&model.UserStat{
			Username: text(username), Surname: text(surname), AgentFigures: model.AgentFigures{Channel: model.Call},
		})
	}
	for _, name := range []string{"Bruno", "Groß", "Béranger", "greco", "Becker", "Gruber", "Émile", "Zola"} {
		put(name, name)
	}
	put("A10", "Agent 10")
	put("A9", "Agent 9")
	put("2", "Muller")
	put("1", "Müller")
	r := NewAgents()
	r.Update(s.Publish(now, model.Health{}), view(model.Call))
	want := []string{"A9", "A10", "Becker", "Béranger", "Bruno", "Émile", "greco", "Groß", "Gruber", "1", "2", "Zola"}
	if d := cmp.Diff(want, order(r, "name", false)); d != "" {
		t.Error(d)
	}

	put("Zola", "Adam") // a new name is sorted again
	r.Update(s.Publish(now, model.Health{}), view(model.Call))
	if got := order(r, "name", false)[0]; got != "Zola" {
		t.Errorf("%q is first", got)
	}
}

func TestCompareText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"anna", "Bob", -1},
		{"Anna", "anna", -1},
		{"ann", "anna", -1},
		{"Éa", "éb", -1},
		{"", "", 0},
		{"x", "x", 0},
	} {
		if got := compareText(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := compareText(tt.b, tt.a); got != -tt.want {
			t.Errorf("%q, %q: got %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
	if compareText("", "x") != alwaysSecond || compareText("x", "") != alwaysFirst {
		t.Error("an empty text is not unknown")
	}
}
