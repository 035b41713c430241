package config

import (
	"errors"
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
)

func paneOptions() Options {
	return Options{
		Demo: true, Pages: []string{"Overview", "Agents", "Alerts", "Feed"}, PageKeys: []string{"1", "2", "f2", "n"},
		Panes: []PaneKind{
			{
				Name: "services", Settings: []string{"channel", "services", "filter", "columns", "sort", "descending"},
				Columns: []string{"name", "waiting", "sl"}, CustomKPIScope: alert.Service,
			},
			{Name: "tiles", Settings: []string{"channel", "services", "groups", "campaigns", "kpis", "digits"}},
			{Name: "clock", Settings: []string{"zone"}},
			{Name: "text", Settings: []string{"text", "speed"}},
		},
	}
}

// Every problem of a page is reported with its line and remedy, all at once.
func TestPageProblems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"no name":        {"[[page]]\nbuiltin = \"\"", ":1: page[0].name: is missing; every page needs a name, or builtin"},
		"nothing":        {"[[page]]\nname = \"A\"", ":1: page[0]: shows nothing; add [[page.row]]"},
		"twice":          {"[[page]]\nbuiltin = \"Agents\"\n[[page]]\nname = \"agents\"\nbuiltin = \"Overview\"", `:4: page[1].name: "agents" is the name of another page, that at line 1`},
		"key":            {"[[page]]\nbuiltin = \"Agents\"\nkey = \"q\"", `:3: page[0].key: "q" cannot open a page`},
		"key twice":      {"[[page]]\nbuiltin = \"Agents\"\nkey = \"n\"\n[[page]]\nbuiltin = \"Feed\"\nkey = \"n\"", `:6: page[1].key: "n" is the key of another page, that at line 1`},
		"builtin":        {"[[page]]\nbuiltin = \"Agnets\"", `:2: page[0].builtin: "Agnets" is not allowed; did you mean "Agents"?`},
		"both":           {"[[page]]\nbuiltin = \"Agents\"\n[[page.row]]\n[[page.row.pane]]\nkind = \"clock\"", ":2: page[0].builtin: cannot be used with rows"},
		"empty row":      {"[[page]]\nname = \"A\"\n[[page.row]]\nweight = 2", ":3: page[0].row[0]: is empty; add [[page.row.pane]]"},
		"weight":         {"[[page]]\nname = \"A\"\n[[page.row]]\nweight = 101\n[[page.row.pane]]\nkind = \"clock\"", ":4: page[0].row[0].weight: 101 is out of range"},
		"kind":           {pane("kind = \"servces\""), `:5: page[0].row[0].pane[0].kind: "servces" is not allowed; did you mean "services"?`},
		"unknown key":    {pane("kind = \"clock\"\nzon = \"UTC\""), "did you mean page[0].row[0].pane[0].zone?"},
		"not its own":    {pane("kind = \"clock\"\nfilter = \"x\""), ":6: page[0].row[0].pane[0].filter: is not a key of a pane of the kind clock; remove it; this kind has title, weight, priority, zone"},
		"column":         {pane("kind = \"services\"\ncolumns = [\"name\", \"watiing\"]"), `columns[1]: "watiing" is not allowed; did you mean "waiting"?`},
		"sort elsewhere": {pane("kind = \"services\"\ncolumns = [\"name\"]\nsort = \"sl\""), `:7: page[0].row[0].pane[0].sort: "sl" is not among the columns`},
		"kpi":            {pane("kind = \"tiles\"\nkpis = [\"queudCalls\"]"), `kpis[0]: "queudCalls" is not allowed; did you mean "queuedCalls"?`},
		"two records":    {pane("kind = \"tiles\"\nservices = [\"A\"]\ngroups = [\"B\"]"), ":7: page[0].row[0].pane[0].groups: cannot be used with another list of records"},
		"zone":           {pane("kind = \"clock\"\nzone = \"Rome\""), `zone: "Rome" is not a time zone of this machine`},
		"speed":          {pane("kind = \"text\"\ntext = \"a\"\nspeed = \"10ms\""), "speed: 10ms is out of range; allowed: 250ms to 5s"},
		"no text":        {pane("kind = \"text\""), "text: is missing"},
		"page at start":  {"[ui]\npage = \"Overview\"\n[[page]]\nbuiltin = \"Agents\"", `:2: ui.page: "Overview" is not allowed`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(write(t, testkit.PrivateDir(t), "config.toml", tt.text+"\n", 0o600), paneOptions())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the problems are\n%v\nwant %s", err, tt.want)
			}
		})
	}
}

// pane is a configuration with one pane, whose first key is on line 5.
func pane(keys string) string {
	return "[[page]]\nname = \"A\"\n[[page.row]]\n[[page.row.pane]]\n" + keys
}

// A custom figure can be a column.
func TestPageTakesOwnFigures(t *testing.T) {
	t.Parallel()
	text := pane("kind = \"services\"\ncolumns = [\"name\", \"kpi.missed\"]\ndescending = false\n") +
		"[[kpi]]\nname = \"missed\"\nexpr = \"receivedCalls - answeredCalls\"\n"
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", text, 0o600), paneOptions())
	if err != nil {
		t.Fatal(err)
	}
	if d := c.Pages[0].Rows[0].Panes[0].Descending; d == nil || *d {
		t.Errorf("descending is %v", d)
	}
}

// TestKeysAreHeldAgainstEachOther checks that conflicts of changed keys and page keys are
// reported at the line of the action.
func TestKeysAreHeldAgainstEachOther(t *testing.T) {
	t.Parallel()
	o := testOptions()
	o.Demo = true
	o.CheckKeys = func(changed map[string]string) map[string]error {
		if changed["chart"] == "m" {
			return map[string]error{"chart": errors.New("\"m\" is the key of another action: take_over")}
		}
		return nil
	}
	path := write(t, testkit.PrivateDir(t), "config.toml", "[keys]\nchart = \"m\"\nusual = \"n f2\"\n[[page]]\nbuiltin = \"Overview\"\nkey = \"f2\"\n", 0o600)
	_, err := Load(path, o)
	for _, want := range []string{
		"config.toml:2: keys.chart: \"m\" is the key of another action: take_over", "config.toml:3: keys.usual: \"f2\" is the key of a page",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
