package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestOpenLayoutsMemory opens layouts files that would need much memory, or that are too long.
func TestOpenLayoutsMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	path := filepath.Join(testkit.PrivateDir(t), "tables.json")
	testkit.CheckMemory(t, testkit.JSONPatterns("tables"), 1, func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m := OpenLayouts(path).TakeMessages(); len(m) != 1 || !strings.Contains(m[0].Err.Error(), "larger") {
			t.Errorf("a file of %d bytes is read", len(text))
		}
	})
}
