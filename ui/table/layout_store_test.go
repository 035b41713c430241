package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
)

func waitingLayout() *Layout {
	return &Layout{Columns: []ColumnLayout{{ID: "name", Width: 30}, {ID: "waiting"}}, Sort: "waiting", Descending: true}
}

// TestPinnedRows checks that pinned rows are kept beside layouts that another board saves.
func TestPinnedRows(t *testing.T) {
	t.Parallel()
	path := LayoutPath(filepath.Join(privateFolder(t), "config.toml"))
	one, other := OpenLayouts(path), OpenLayouts(path)
	if pinned, ok := one.TogglePinned("agents", "ross"); !pinned || !ok {
		t.Fatal("not pinned")
	}
	if err := one.SavePinned("agents")(); err != nil {
		t.Fatal(err)
	}
	other.SetLayout("services", waitingLayout())
	if err := other.SaveLayout("services")(); err != nil {
		t.Fatal(err)
	}
	again := OpenLayouts(path)
	if diff := cmp.Diff([]string{"ross"}, again.Pinned("agents")); diff != "" || again.Layout("services") == nil {
		t.Error(diff)
	}
	for i := range MaxPinned {
		if _, ok := again.TogglePinned("agents", strings.Repeat("x", i+1)); ok != (i < MaxPinned-1) {
			t.Errorf("row %d: %v", i, ok)
		}
	}
	if pinned, ok := again.TogglePinned("agents", "ross"); pinned || !ok {
		t.Error("it is still pinned")
	}
}

// privateFolder returns a private folder.
func privateFolder(t *testing.T) string {
	t.Helper()
	dir := testkit.PrivateDir(t)
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestBookIsReadAgain(t *testing.T) {
	t.Parallel()
	path := LayoutPath(filepath.Join(privateFolder(t), "config.toml"))
	one, other := OpenLayouts(path), OpenLayouts(path)
	one.SetLayout("services", waitingLayout())
	if err := one.SaveLayout("services")(); err != nil {
		t.Fatal(err)
	}
	other.SetLayout("agents", &Layout{Columns: []ColumnLayout{{ID: "name"}}})
	if err := other.SaveLayout("agents")(); err != nil { // this store has not read what the first one has written
		t.Fatal(err)
	}
	again := OpenLayouts(path)
	if diff := cmp.Diff(waitingLayout(), again.Layout("services")); diff != "" || again.Layout("agents") == nil || len(again.TakeMessages()) > 0 {
		t.Errorf("services: %s, agents: %v, messages %v", diff, again.Layout("agents"), again.TakeMessages())
	}
	again.SetLayout("services", nil)
	if err := again.SaveLayout("services")(); err != nil {
		t.Fatal(err)
	}
	if got := OpenLayouts(path).Layout("services"); got != nil {
		t.Errorf("the table that is to be as it was made is kept: %v", got)
	}
}

func TestBrokenBookIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON":      "tables: services",
		"more":         `{"tables":{}} {}`,
		"no columns":   `{"tables":{"services":{"columns":[]}}}`,
		"twice":        `{"tables":{"services":{"columns":[{"id":"a"},{"id":"a"}]}}}`,
		"too wide":     `{"tables":{"services":{"columns":[{"id":"a","width":201}]}}}`,
		"negative":     `{"tables":{"services":{"columns":[{"id":"a","width":-1}]}}}`,
		"escape":       `{"tables":{"services":{"columns":[{"id":"a\u001b[2J"}]}}}`,
		"escape, pin":  `{"tables":{},"pinned":{"agents":["a\u001b[2J"]}}`,
		"escape, name": `{"tables":{"a\u001b[2J":{"columns":[{"id":"a"}]}}}`,
		"too many":     `{"tables":{"services":{"columns":[` + strings.Repeat(`{"id":"a"},`, maxColumns) + `{"id":"b"}]}}}`,
		"too large":    `{"tables":{}}` + strings.Repeat(" ", maxLayoutFile),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(privateFolder(t), "tables.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			b := OpenLayouts(path)
			word := ""
			for _, m := range b.TakeMessages() {
				word += m.Err.Error()
			}
			if b.Layout("services") != nil || !strings.Contains(word, path) || strings.Contains(word, "\x1b") {
				t.Errorf("table %v, word %q", b.Layout("services"), word)
			}
			b.SetLayout("services", waitingLayout())
			if err := b.SaveLayout("services")(); err == nil {
				t.Error("it is written over")
			}
			if now, _ := os.ReadFile(path); string(now) != text {
				t.Error("the file has changed")
			}
		})
	}
}

func FuzzDecodeLayouts(f *testing.F) {
	f.Add([]byte(`{"tables":{"services":{"columns":[{"id":"name","width":3}],"sort":"name"}}}`))
	f.Add([]byte(`{"tables":{"services":null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		f, err := decodeLayouts(text)
		if err != nil {
			return
		}
		for name, l := range f.Tables {
			if err := l.check(name); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestDecodeLayoutsIsLinear(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, testkit.JSONPatterns("tables"), func(text string) { _, _ = decodeLayouts([]byte(text)) })
}
