package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/alert"
)

// recipe is a block of the cookbook.
var recipe = regexp.MustCompile("(?s)```toml\n(.*?)```")

func readCookbook(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/user/alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// Every recipe loads, alone and together with the others, and its rules compile.
func TestRecipes(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	recipes := recipe.FindAllStringSubmatch(readCookbook(t), -1)
	if len(recipes) != 6 {
		t.Errorf("%d recipes, want 6", len(recipes))
	}
	plain, _ := rulesOf(t, "")
	for _, r := range recipes {
		all.WriteString(r[1])
		if o, _ := rulesOf(t, r[1]); len(o.Rules) <= len(plain.Rules) {
			t.Errorf("the recipe adds no rule:\n%s", r[1])
		}
	}
	rulesOf(t, all.String())
}

// The page contains every built-in rule and every name for expressions, and no others.
func TestCookbookNamesEverything(t *testing.T) {
	t.Parallel()
	page := readCookbook(t)
	for _, r := range alert.DefaultRules() {
		if row := regexp.MustCompile("(?m)^\\| `" + r.Name + "` \\|.*\\b" + string(r.Scope) + "\\b"); !row.MatchString(page) {
			t.Errorf("the rule %s of the scope %s is not there", r.Name, r.Scope)
		}
	}
	word := regexp.MustCompile("`(\\w+)`")
	for _, s := range alert.Scopes() {
		_, row, _ := strings.Cut(page, "\n| "+string(s)+" | ")
		row, _, _ = strings.Cut(row, "\n")
		shown := make(map[string]bool)
		for _, m := range word.FindAllStringSubmatch(row, -1) {
			shown[m[1]] = true
		}
		for _, n := range alert.Names(s) {
			if !shown[n.Name] {
				t.Errorf("%s of the scope %s is not there", n.Name, s)
			}
			delete(shown, n.Name)
		}
		for name := range shown {
			t.Errorf("there is no %s in the scope %s", name, s)
		}
	}
}
