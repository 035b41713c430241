package admin

import (
	"os"
	"strings"
	"testing"

	"wallboard/internal/config"
)

// TestDraftHeader checks that the header of a new file, which several commands write, names none of them.
func TestDraftHeader(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile("../../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := configDraft{Example: string(example), Values: map[string]string{"rtd.url": `"https://host.example/rtd"`}}.Text()
	if err != nil {
		t.Fatal(err)
	}
	if header, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(header, "# Configuration of the wallboard") || strings.Contains(header, "config init") {
		t.Error(header)
	}
	if c, err := config.Parse(text, "c.toml", config.Options{Demo: true}); err != nil || c.RTD.URL != "https://host.example/rtd" {
		t.Errorf("%v", err)
	}
}
