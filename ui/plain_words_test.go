package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// unplain maps words that a supervisor does not use to their replacements, as found in
// reviews of the screen.
func unplain() map[string]string {
	return map[string]string{
		`nuisance est\b`:                "Dropped calls (est.)",
		`long abandons`:                 "Abandoned (excl. short)",
		`look closer`:                   "Inspect",
		`cuts? (healed|ended)`:          "back after loss",
		`none known`:                    "(no organization)",
		`\bdrift \d`:                    "corrected",
		`\bbackoff\b`:                   "RETRYING",
		`\bthaws?\b`:                    "resumes",
		`\bask again\b`:                 "refresh",
		`\bwho went\b`:                  "who left the queue",
		`well again`:                    "clears at, resolved",
		`it stands on`:                  "based on",
		`judged from`:                   "judged only with",
		`hand the shift over`:           "shift handover",
		`none too long`:                 "within the limit",
		`within chance`:                 "too few to judge",
		`\bmostly\b`:                    "typically",
		`takes? for granted`:            "assumes",
		`taken to give up`:              "the forecast assumes",
		`\bis lacking\b`:                "is missing",
		`\bas a mean\b`:                 "on average",
		`\bno more\.$`:                  "no longer",
		`not even %?d`:                  "even so many would not",
		`sees to`:                       "is taking care of",
		`bound elsewhere`:               "busy elsewhere",
		`\bshrink\b`:                    "Away",
		`\bpenetration\b`:               "List called",
		`\bresyncs?\b`:                  "Reloads",
		`\babilitation\b`:               "Permission",
		`hear of it`:                    "end the snooze",
		`^dry$|\bghost\b`:               "empty, rows too many",
		`\b(bef|est|resp|approx)\. `:    "the whole word",
		`\b(queuedcalls|loggedusers)\b`: "what people call it",
		`\b(nil|null|nan)\b`:            "what is not known",
		`\bgave up\b`:                   "abandoned",
		`\boff target\b`:                "missing target",
		`callers? waits?[,.]`:           "callers waiting, longest 0:20",
		`\bbefore it was\b`:             "up from",
		`\bclears? it in\b`:             "add 2 agents: clear in 3 min",
		`\bin system\b`:                 "in progress",
		`busy not ready`:                "busy, then break",
		`\blarger screen\b`:             "enlarge the window",
		`\bneeds? you\b`:                "needs action",
		`^(who looks|let them)$`:        "viewers, allow",
		`nobody (is|has|waits|looks)`:   "no one",
	}
}

// TestPlainEnglish checks all texts of packages that draw, and all golden files.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	texts := map[string][]string{} // by the place where the text was found
	for _, root := range []string{".", "../internal/alert", "../internal/textformat", "../internal/report/handover", "../internal/report/headless", "../internal/report/notify", "../internal/words/catalogue/en"} {
		for at, said := range spoken(t, root) {
			if !strings.HasPrefix(at, "render/former_words.go") { // words of earlier versions, which filters find
				texts[at] = said
			}
		}
	}
	const least = 2000 // minimum number of texts; fewer mean that the walk has missed some
	if n := len(texts); n < least {
		t.Fatalf("%d texts and pictures were walked", n)
	}
	var all []string
	for pattern := range unplain() {
		all = append(all, pattern)
	}
	one := regexp.MustCompile(strings.Join(all, "|"))
	for at, said := range texts {
		for _, text := range said {
			for hit := range strings.SplitSeq(strings.ToLower(text), "\n") {
				if !one.MatchString(hit) {
					continue
				}
				for pattern, instead := range unplain() {
					if bad := regexp.MustCompile(pattern).FindString(hit); bad != "" {
						t.Errorf("%s says %q: write %q", at, bad, instead)
					}
				}
			}
		}
	}
}

// spoken returns the texts below a directory: literals in sources, and golden files.
func spoken(t *testing.T, root string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(path, ".golden"):
			data, err := os.ReadFile(path)
			out[path] = []string{ansi.Strip(string(data))}
			return err
		case strings.HasSuffix(path, ".txt") && strings.Contains(path, "/catalogue/"):
			data, err := os.ReadFile(path)
			for i, line := range strings.Split(string(data), "\n") {
				if _, text, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
					out[path+":"+strconv.Itoa(i+1)] = []string{text}
				}
			}
			return err
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && isSaid(s) {
					at := path + ":" + strconv.Itoa(set.Position(n.Pos()).Line)
					out[at] = append(out[at], s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// isSaid reports whether a literal is text for people. Such a text contains a space or a capital letter
// and is not the expression of a rule.
func isSaid(s string) bool {
	expression := strings.ContainsAny(s, "<>=?{") || strings.Contains(s, " * ") || strings.Contains(s, " / ")
	return !expression && (strings.Contains(strings.TrimSpace(s), " ") || s != "" && s[0] >= 'A' && s[0] <= 'Z')
}

// TestUnplainIsFound checks the search itself.
func TestUnplainIsFound(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"Nuisance est.": true, "cuts healed 0/0": true, "a sentence": true, "queuedCalls > 0 and readyUsers > 0": false, "status": false,
	} {
		if isSaid(s) != want {
			t.Errorf("%q is said: %v", s, !want)
		}
	}
	for _, s := range []string{"Nuisance est. 3 %", "cuts healed 0/0", "drift 0", "none known 90.5 %", "Look closer"} {
		found := false
		for pattern := range unplain() {
			found = found || regexp.MustCompile(pattern).MatchString(strings.ToLower(s))
		}
		if !found {
			t.Errorf("%q passes", s)
		}
	}
}
