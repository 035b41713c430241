package kpi_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

var update = flag.Bool("update", false, "renew the tables of docs/user/kpis.md")

// scopes lists the scopes whose records have figures.
var scopes = []model.Scope{model.ScopeService, model.ScopeGroup, model.ScopeUser, model.ScopeCampaign, model.ScopeFloor}

func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	names, places := make(map[string]bool), make(map[int]string)
	for _, f := range kpi.Figures() {
		if f.Name == "" || names[f.Name] || len(f.Forms) == 0 || kpi.FigureNamed(f.Name).Name != f.Name {
			t.Errorf("%q is listed twice, or has no name or form", f.Name)
		}
		names[f.Name] = true
		if !f.IsCount && f.Unit == "" {
			t.Errorf("%s has no unit", f.Name)
		}
		if other := places[f.Tile]; f.Tile > 0 {
			if other != "" || f.FormFor(model.ScopeFloor) == nil {
				t.Errorf("the tile of %s has the place of %s, or nothing to show", f.Name, other)
			}
			places[f.Tile] = f.Name
		}
	}
	if kpi.FigureNamed("nps") != nil || kpi.FigureNamed("asa").FormFor(model.ScopeFeed) != nil || kpi.FigureNamed("asa").FormFor(model.ScopeUser) != nil {
		t.Error("a figure that is not there")
	}
}

func TestEveryScopeHasOneForm(t *testing.T) {
	t.Parallel()
	for _, f := range kpi.Figures() {
		taken := make(map[model.Scope]int)
		for i := range f.Forms {
			if form := &f.Forms[i]; !f.IsCount && form.Formula == "" {
				t.Errorf("%s has no formula", f.Name)
			}
			for _, s := range scopes {
				if f.Forms[i].AppliesTo(s) {
					taken[s]++
				}
			}
		}
		for s, n := range taken {
			if n > 1 {
				t.Errorf("%s has %d forms for a %s", f.Name, n, s)
			}
		}
		if len(taken) == 0 {
			t.Errorf("%s is computed of nothing", f.Name)
		}
	}
}

// TestNothingIsKnownOfNothing checks that records without values have no known figures, and that all
// forms of a figure can handle them.
func TestNothingIsKnownOfNothing(t *testing.T) {
	t.Parallel()
	goal := kpi.Goal{}
	for _, f := range kpi.Figures() {
		got := make(map[model.Scope]model.Figure)
		for _, s := range scopes {
			form := f.FormFor(s)
			if form == nil {
				continue
			}
			switch s {
			case model.ScopeService:
				got[s] = form.ServiceValue(&model.Service{}, goal)
			case model.ScopeGroup:
				got[s] = form.Group(&model.Group{})
			case model.ScopeUser:
				got[s] = form.AgentValue(&model.AgentFigures{})
			case model.ScopeCampaign:
				got[s] = form.Campaign(&model.Campaign{})
			case model.ScopeFloor:
				got[s] = form.FloorValue(&model.Floor{}, goal)
			case model.ScopeFeed: // no record of this scope has figures
			}
		}
		for s, v := range got {
			if v.Known() {
				t.Errorf("%s of a %s is %v", f.Name, s, v)
			}
		}
	}
}

func TestFiguresAreDocumented(t *testing.T) {
	t.Parallel()
	const path = "../../docs/user/kpis.md"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, tables := string(b), 0
	text = regexp.MustCompile(`(?s)(<!-- figures: (\w+) -->\n).*?(<!-- end -->)`).ReplaceAllStringFunc(text, func(old string) string {
		tables++
		head, _, _ := strings.Cut(old, "\n")
		scope := strings.TrimSuffix(strings.TrimPrefix(head, "<!-- figures: "), " -->")
		return head + "\n" + table(model.Scope(scope)) + "<!-- end -->"
	})
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text != string(b) || tables != 4 {
		t.Error("docs/user/kpis.md is not what the catalogue says: go test ./model/kpi -run Documented -update")
	}
}

// table returns the table of a scope's figures.
func table(s model.Scope) string {
	var b strings.Builder
	b.WriteString("| Figure | Name | Formula | Unit | Better | Definition | Taken for granted |\n|---|---|---|---|---|---|---|\n")
	units := map[kpi.Unit]string{kpi.Percent: "share", kpi.Duration: "seconds", kpi.Number: "number"}
	for _, f := range kpi.Figures() {
		form := f.FormFor(s)
		if form == nil || f.IsCount {
			continue
		}
		source, ok := definitions[f.Name+" "+string(s)]
		if !ok {
			source = definitions[f.Name]
		}
		cells := []string{
			words.FigureTitle(f.Name, s).In(nil), "`" + f.Name + "`", formula(form.Formula), units[f.Unit], string(f.Better), source.definition, source.assumption,
		}
		for i, c := range cells {
			if c == "" {
				cells[i] = "–"
			}
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// formula formats names of the platform, which contain a capital letter after a small one, as code.
func formula(s string) string {
	return strings.NewReplacer(" - ", " − ", " * ", " × ").Replace(regexp.MustCompile(`\w*[a-z][A-Z]\w*`).ReplaceAllString(s, "`$0`"))
}
