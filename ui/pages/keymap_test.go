package pages

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestKeyProblems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		changed map[string]string
		at      string
		want    string // expected error; "": none
	}{
		"none":              {nil, "chart", ""},
		"another":           {map[string]string{"chart": "T ctrl+g"}, "chart", ""},
		"two swap":          {map[string]string{"chart": "m", "take_over": "t"}, "chart", ""},
		"taken":             {map[string]string{"chart": "m"}, "chart", "take_over"},
		"both take one":     {map[string]string{"chart": "T", "usual": "T"}, "usual", "chart"},
		"of a table":        {map[string]string{"chart": "j"}, "chart", "down"},
		"of a page":         {map[string]string{"chart": "3"}, "chart", "go to a page"},
		"of the history":    {map[string]string{"chart": "E"}, "chart", "Page History"},
		"of a recording":    {map[string]string{"chart": "("}, "chart", "During a replay"},
		"of both":           {map[string]string{"chart": ","}, "chart", "Page History"},
		"no action":         {map[string]string{"chrt": "T"}, "chrt", "no action"},
		"no key":            {map[string]string{"chart": "hyper+t"}, "chart", "is no key"},
		"nothing":           {map[string]string{"chart": " "}, "chart", "has no key"},
		"it ends the board": {map[string]string{"chart": "ctrl+c"}, "chart", "is no key"},
		"very long":         {map[string]string{"chart": strings.Repeat("x", 1<<20)}, "chart", "is no key"},
	} {
		got := fmt.Sprint(KeyProblems(tt.changed)[tt.at])
		if tt.want == "" && got != "<nil>" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %.80q, want %q", name, got, tt.want)
		}
	}
}

// TestEveryDefaultKeyMayBeWrittenDown checks that the default keys are valid in a
// configuration.
func TestEveryDefaultKeyMayBeWrittenDown(t *testing.T) {
	t.Parallel()
	k := DefaultKeyMap(nil)
	same := make(map[string]string)
	for name, b := range k.bindingsByName() {
		if name != "quit" { // ctrl+c must not be configured, because it always ends the board
			same[name] = strings.Join(b.Keys(), " ")
		}
	}
	for name, problem := range KeyProblems(same) {
		t.Errorf("%s %v", name, problem)
	}
}

// TestActionsAreListed checks that the example configuration lists all actions.
func TestActionsAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "# Actions: ")
	list, _, _ = strings.Cut(list, ".\n[keys]")
	listed := strings.Fields(strings.ReplaceAll(list, "#", ""))
	k := DefaultKeyMap(nil)
	for name := range k.bindingsByName() {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is not listed in %v", name, listed)
		}
	}
	if len(listed) != len(k.bindingsByName()) {
		t.Errorf("%d actions are listed, there are %d", len(listed), len(k.bindingsByName()))
	}
}

// TestPagesTakeNoKeyOfOthers checks that a page cannot have a key of the page History or of
// the replay.
func TestPagesTakeNoKeyOfOthers(t *testing.T) {
	t.Parallel()
	k, free := DefaultKeyMap(nil), PageKeys()
	for where, keys := range k.localBindings() {
		for _, b := range keys {
			for _, one := range b.Keys() {
				if slices.Contains(free, one) {
					t.Errorf("%q is a key %s", one, where)
				}
			}
		}
	}
	if len(free) < 20 {
		t.Errorf("only %q are left", free)
	}
}
