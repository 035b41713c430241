package safedecode

import (
	"runtime"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// hard returns texts for which the TOML library would need much memory if they were not checked first.
func hard() map[string]func(n int) string {
	again := func(before, again, after string) func(n int) string {
		return func(n int) string { return before + strings.Repeat(again, n/len(again)) + after }
	}
	return map[string]func(n int) string{
		"a dotted key":       again("x", ".a", " = 1"),
		"a quoted key":       again("x", `."a"`, " = 1"),
		"blanks at the dots": again("x", " . a", " = 1"),
		"a table":            again("[x", ".a", "]"),
		"a list of tables":   again("[[x", ".a", "]]"),
		"inline tables":      again("x = ", "{a=", "1"),
		"lists":              again("x = ", "[", ""),
		"a table with a long name": func(n int) string {
			return "[" + strings.Repeat("a", n/2) + "]\n" + strings.Repeat("b=1\n", n/8)
		},
		"a list of tables with a long name": func(n int) string {
			return " [[ \"" + strings.Repeat("a", n/2) + "\" ]]\n" + strings.Repeat("b=1\n", n/8)
		},
		"a long key with inline tables": func(n int) string {
			return strings.Repeat("a", n/2) + " = {" + strings.Repeat("b={},", n/10) + "}"
		},
	}
}

// easy returns texts for which the TOML library needs memory in proportion to their length. Such texts may be
// long.
func easy() map[string]func(n int) string {
	again := func(before, again, after string) func(n int) string {
		return func(n int) string { return before + strings.Repeat(again, n/len(again)) + after }
	}
	return map[string]func(n int) string{
		"a long text":     again(`x = "`, "a.b=[{", `"`),
		"several lines":   again(`x = """`, "a.b.c\n\\\"", `"""`),
		"literal":         again("x = '''", "a.b'.\n", "'''"),
		"a list":          again("x = [", "1.5, ", "]"),
		"tables":          again("x = [", "{a.b = 1.5}, ", "]"),
		"a comment":       again("# ", "a.b.", "\nx = 1"),
		"heads":           again("", "[[a.b.c]]\nd = \"é\"\n", ""),
		"lines with dots": again("", "#\n", ""),
	}
}

func TestHardTextsAreRefused(t *testing.T) {
	t.Parallel()
	for name, of := range hard() {
		if err := CheckTOML(of(4096)); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

func TestEasyTextsPass(t *testing.T) {
	t.Parallel()
	for name, of := range easy() {
		text := of(1 << 14)
		if err := CheckTOML(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := toml.Decode(text, new(map[string]any)); err != nil {
			t.Errorf("%s is no TOML: %v", name, err)
		}
	}
	if err := CheckTOML("a = 1\nb" + strings.Repeat(".b", 30) + " = 1"); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("%v", err)
	}
}

// TestWhatPassesTakesLinearMemory decodes texts that pass the check, at three lengths.
func TestWhatPassesTakesLinearMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	for name, of := range easy() {
		took := func(n int) uint64 {
			text := of(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_ = CheckTOML(text)
			_, _ = toml.Decode(text, new(map[string]any))
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		n1, n2, n4 := took(8<<10), took(16<<10), took(32<<10)
		if n2 > 3*n1+1<<16 || n4 > 3*n2+1<<16 {
			t.Errorf("%s takes %d, %d, %d bytes", name, n1, n2, n4)
		}
	}
}
