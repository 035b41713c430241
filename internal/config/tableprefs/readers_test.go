package tableprefs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestOpenMemory opens files of tables that are hard on memory, or too long.
func TestOpenMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	path := filepath.Join(testkit.PrivateDir(t), "tables.json")
	testkit.CheckMemory(t, testkit.JSON("tables"), 1, func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if b := Open(path); !strings.Contains(b.Message(), "larger") {
			t.Errorf("a file of %d bytes is read", len(text))
		}
	})
}
