package checks

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	// sentenceLimits holds the limit of each package. Limits may only fall, see docs/dev/words.md. If
	// code moves to another package, a part of its limit moves with it.
	sentenceLimits = "internal/checks/testdata/sentences.txt"

	// sentenceSlack is how far a limit may be above the number of sentences.
	sentenceSlack = 10
)

// notForSupervisors returns the trees of packages whose texts supervisors do not read, by reason: these
// texts stay in English.
func notForSupervisors() map[string][]string {
	return map[string][]string{
		"commands, flags, and what they write for administrators": {"internal/cli", "internal/app/admin", "internal/doctor", "internal/config", "internal/tools", "docs"},
		"the catalogue itself":                                   {"internal/words"},
		"the platform's protocols, and logs about them":          {"feeds", "restclient", "internal/history", "internal/serve/cluster", "internal/serve/sshterminal"},
		"helpers without domain knowledge, files, audit":         {"internal/lib", "internal/record", "internal/control/audit", "internal/alert/statefile"},
		"the simulator and tests":                                {"internal/simulator", "internal/checks", "ui/uitest"},
		"headers of HTTP; the texts of its pages are templates":  {"internal/serve/web"},
		"names of colours, and of fields in conditions of rules": {"themes", "internal/alert/backtest"},
	}
}

// isExempt reports whether supervisors do not read the texts of a package.
func isExempt(pkg string) bool {
	for _, trees := range notForSupervisors() {
		for _, tree := range trees {
			if pkg == tree || pkg == "." || strings.HasPrefix(pkg, tree+"/") {
				return true
			}
		}
	}
	return false
}

var (
	verb     = regexp.MustCompile(`%[-+# 0-9.*\[\]]*[a-zA-Z%]`)
	sentence = regexp.MustCompile(`[A-Za-z']{2,}[,.:;)]* +[(“"]?[A-Za-z']{2,}|^ [a-z]{2,}|[a-z]{2,} $`)
)

// isSentence reports whether a text is a sentence or a part of one: it has two words in a row, or a
// blank at one end of a word.
func isSentence(text string) bool {
	return sentence.MatchString(verb.ReplaceAllString(text, "0"))
}

// isForDevelopers reports whether the arguments of a call are read by administrators or developers: errors, logs,
// panics, and patterns.
func isForDevelopers(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		if f.Sel.Name == "Errorf" || f.Sel.Name == "MustCompile" {
			return true
		}
		var on string
		switch x := f.X.(type) {
		case *ast.Ident:
			on = x.Name
		case *ast.SelectorExpr:
			on = x.Sel.Name
		}
		return on == "errors" || isLogger(on)
	}
	return false
}

// isLogger reports whether a name is that of a log, such as "slog" or "feedLog", but not "dialog".
func isLogger(name string) bool {
	return slices.Contains([]string{"log", "slog", "logger"}, name) || strings.HasSuffix(name, "Log") || strings.HasSuffix(name, "Logger")
}

// sentencesOf returns the positions of the sentences of a file.
func sentencesOf(set *token.FileSet, file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field: // leave out the tag
			x.Tag = nil
		case *ast.CallExpr:
			return !isForDevelopers(x)
		case *ast.BasicLit:
			if text, err := strconv.Unquote(x.Value); x.Kind == token.STRING && err == nil && isSentence(text) {
				found = append(found, set.Position(x.Pos()).String()+": "+x.Value)
			}
		}
		return true
	})
	return found
}

// TestSentencesAreInTheCatalogue limits the sentences outside of the catalogue for each package whose
// texts supervisors read.
func TestSentencesAreInTheCatalogue(t *testing.T) {
	t.Parallel()
	found := make(map[string][]string)
	sources(t, func(file string, _ []byte, set *token.FileSet, parsed *ast.File) {
		pkg := path.Dir(file)
		if isExempt(pkg) {
			return
		}
		found[pkg] = append(found[pkg], sentencesOf(set, parsed)...)
	})
	limits := readSentenceLimits(t)
	total := 0
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		n, most := len(found[pkg]), limits[pkg]
		total += n
		if n > most {
			t.Errorf("%s has %d sentences that are not in the catalogue, at most %d are allowed: see docs/dev/words.md. All of them:\n%s", pkg, n, most, strings.Join(found[pkg], "\n"))
		}
	}
	t.Logf("%d sentences in %d packages are not in the catalogue", total, len(found))
	for _, pkg := range slices.Sorted(maps.Keys(limits)) {
		n := len(found[pkg])
		switch {
		case *update && n < limits[pkg]:
			if limits[pkg] = n; n == 0 {
				delete(limits, pkg)
			}
		case n+sentenceSlack < limits[pkg]:
			t.Errorf("%s: the limit of %s is %d, but it has only %d sentences: lower it with go test ./internal/checks -run Sentences -update", sentenceLimits, pkg, limits[pkg], n)
		}
	}
	if *update {
		writeSentenceLimits(t, limits)
	}
}

func readSentenceLimits(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(sentenceLimits)
	if err != nil {
		t.Fatal(err)
	}
	limits := make(map[string]int)
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for lines.Scan() {
		var pkg string
		var most int
		if _, err := fmt.Sscanf(lines.Text(), "%s %d", &pkg, &most); err != nil {
			t.Fatalf("%s: %q: %v", sentenceLimits, lines.Text(), err)
		}
		limits[pkg] = most
	}
	return limits
}

func writeSentenceLimits(t *testing.T, limits map[string]int) {
	t.Helper()
	var b strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(limits)) {
		fmt.Fprintf(&b, "%s %d\n", pkg, limits[pkg])
	}
	if err := os.WriteFile(sentenceLimits, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsASentence checks the criterion.
func TestWhatIsASentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"No one waiting now.": true, " waiting": true, "longest ": true, "%d of %d answered": false, "%d calls waiting": true, "since %s, open": false,
		"queuedCalls": false, "": false, "application/json": false, "Waiting": false, "15:04": false, "2 Jan 15:04": false, "SELECT *": false, "\x1b[0m ": false,
	} {
		if got := isSentence(text); got != want {
			t.Errorf("%q is a sentence: %v, want %v", text, got, want)
		}
	}
}

// TestWhatIsALog checks that the texts of dialogs are not taken for those of a log.
func TestWhatIsALog(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"log": true, "slog": true, "logger": true, "feedLog": true, "Logger": true, "dialog": false, "Dialog": false, "backlog": false} {
		if got := isLogger(name); got != want {
			t.Errorf("%q is a log: %v, want %v", name, got, want)
		}
	}
}
