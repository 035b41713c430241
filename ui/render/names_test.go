package render

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
	"wallboard/ui/table"
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

	put("Zola", "Adam") // after a change of name, the rows are sorted again
	r.Update(s.Publish(now, model.Health{}), view(model.Call))
	if got := order(r, "name", false)[0]; got != "Zola" {
		t.Errorf("%q is first", got)
	}
}

// TestNamesakes checks that agents with the same name are distinguished by their keys, and that the keys
// disappear when one of the agents is renamed.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	s, v, rows := floor(), view(model.Call), NewAgents()
	name := func(width int) (string, uint64) {
		t.Helper()
		rows.Update(s.Publish(now, health()), v)
		i, c := at(t, rows, "rossi"), table.Cell{Width: width}
		rows.Cell(i, columnOf(t, rows, "name"), &c)
		return string(c.Text), rows.Version(i)
	}
	alone, version := name(20)
	if alone != "Rossi Anna" {
		t.Errorf("%q", alone)
	}
	other := &model.User{Username: text("arossi2"), Surname: text("Rossi"), Name: text("Anna"), Statuses: model.ChannelStatuses{Call: model.Ready}}
	s.Users.Put(other)
	both, newVersion := name(20)
	if both != "Rossi Anna (rossi)" || newVersion == version {
		t.Errorf("%q, version %d before, %d now", both, version, newVersion)
	}
	if narrow, _ := name(12); narrow != "rossi" {
		t.Errorf("%q", narrow)
	}
	if cut, _ := name(4); cut != "ro…i" {
		t.Errorf("%q", cut)
	}
	renamed := *other
	renamed.Name = text("Bea")
	s.Users.Put(&renamed)
	if again, _ := name(20); again != alone {
		t.Errorf("%q", again)
	}
}

// TestLongNamesStayDifferent checks that names that begin alike are cut in the middle.
func TestLongNamesStayDifferent(t *testing.T) {
	t.Parallel()
	s, v, rows := model.NewStore(), view(model.Call), NewServices()
	names := model.Names{}
	for code, name := range map[string]string{"1": "Kundenrückgewinnung Nord", "2": "Kundenrückgewinnung Süd", "3": "Beschwerdemanagement"} {
		names.Add(model.NameService, code, name)
		s.Services.Put(&model.Service{Code: text(code), Channel: model.Call})
	}
	o := *v.Options
	o.Names, v.Options = names, &o
	rows.Update(s.Publish(now, health()), v)
	var got []string
	for _, key := range []string{"1", "2", "3"} {
		c := table.Cell{Width: 16}
		rows.Cell(at(t, rows, key), columnOf(t, rows, "name"), &c)
		got = append(got, string(c.Text))
	}
	want := []string{"Kundenrü…ng Nord", "Kundenrü…ung Süd", "Beschwerdemanagement"} // the table then cuts the last name at its end
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLimitSortsByTime checks that agents without an alert are sorted by the time to their limit.
func TestLimitSortsByTime(t *testing.T) {
	t.Parallel()
	s, v, rows := model.NewStore(), view(model.Call), NewAgents()
	o := *v.Options
	o.StateLimit = func(a *model.AgentFigures) (time.Duration, bool) { return 10 * time.Minute, a.Status == model.NotReady }
	v.Options, v.Alerts = &o, nil
	for name, in := range map[string]time.Duration{"a": time.Minute, "b": 9 * time.Minute, "c": 5 * time.Minute, "d": 12 * time.Minute} {
		s.UserStats.Put(&model.UserStat{Username: text(name), AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: model.NotReady, TimeInState: ago(in),
		}})
	}
	s.UserStats.Put(&model.UserStat{Username: text("ready"), AgentFigures: model.AgentFigures{Channel: model.Call, Status: model.Ready, TimeInState: ago(time.Hour)}})
	rows.Update(s.Publish(now, health()), v)
	for _, desc := range []bool{true, false} {
		rows.SetDescending(desc)
		m := table.New(table.WithColumns(rows.Columns()...))
		m.SetSource(rows)
		m.SortBy(LimitColumnID, desc)
		got := ""
		for _, i := range m.ListedRows() {
			got += rows.Key(int(i)) + " "
		}
		if want := map[bool]string{true: "d b c a ready ", false: "a c b d ready "}[desc]; got != want {
			t.Errorf("descending %v: %s, want %s", desc, got, want)
		}
	}
}
