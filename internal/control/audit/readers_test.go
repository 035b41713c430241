package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestReadMemory measures the memory for reading audit files whose lines need much memory.
func TestReadMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	const begin = `{"time":"2026-01-01T00:00:00.000Z","id":"1","phase":"intent"`
	numbered := func(s string) string { return strings.ReplaceAll(s, `"id":"1"`, `"id":"2"`) }
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	testkit.CheckMemory(t, []testkit.Pattern{
		{Repeated: begin + "}\n"},
		{Repeated: strings.Replace(begin, "intent", "outcome", 1) + "}\n"},
		{Repeated: begin + `,"target":"` + strings.Repeat("\\u0000", 4000) + "\"}\n"},
		{Repeated: "\n"},
		{Repeated: "{}\n"},
		{Repeated: "x"},
		{Repeated: numbered(begin) + `,"parameters":{` + strings.TrimSuffix(strings.Repeat(`"a":"",`, 10000), ",") + "}}\n"},
		{Repeated: begin + `,"parameters":{` + manyParameters() + "}}\n"},
		{Repeated: "[", After: "\n"},
		{Repeated: `{"a":`, After: "\n"},
	}, 60, func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, err := range Read(path, Filter{}) {
			_ = err
		}
	})
}

// manyParameters returns the maximum number of parameters that fit into a line.
func manyParameters() string {
	var b strings.Builder
	for i := range maxLine / 16 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + string(rune('a'+i/17576%26)) + `":""`)
	}
	return b.String()
}

// TestLeastLine checks that the shortest valid line is at least as long as the minimum length of a line.
func TestLeastLine(t *testing.T) {
	t.Parallel()
	const shortest = `{"time":"2026-01-01T00:00:00.000Z","id":"1","phase":"intent"}`
	if _, _, ok := decodeIfLong([]byte(shortest)); !ok {
		t.Errorf("a line of %d bytes is not decoded", len(shortest))
	}
}
