package checks

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/admin/licences.md again, lower the limits of sentences")

// licenceOf returns the name of the licence in a text, or "" if the licence is unknown.
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range []struct{ name, says string }{
		{"Apache-2.0", "Apache License Version 2.0"},
		{"MPL-2.0", "Mozilla Public License Version 2.0"},
		{"MIT", "Permission is hereby granted, free of charge"},
		{"BSD-3-Clause", "Neither the name of"},
		{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
		{"ISC", "Permission to use, copy, modify, and/or distribute this software"},
	} {
		if strings.Contains(text, l.says) {
			return l.name
		}
	}
	return ""
}

// TestLicences checks that docs/admin/licences.md lists the licences of everything that the program is built
// from, on each system that it is built for.
func TestLicences(t *testing.T) {
	t.Parallel()
	rows := make(map[string]bool)
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-buildvcs=false", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) != 3 {
				continue
			}
			files, err := filepath.Glob(filepath.Join(f[2], "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
			if err != nil {
				t.Fatal(err)
			}
			more, _ := filepath.Glob(filepath.Join(f[2], "COPYING*")) // the pattern is valid
			name := ""
			for _, file := range append(files, more...) {
				text, err := os.ReadFile(file)
				if err == nil && name == "" {
					name = licenceOf(string(text))
				}
			}
			if name == "" {
				t.Errorf("%s has no licence that is known: look at it", f[0])
			}
			rows[fmt.Sprintf("%s\n- `%s` %s", name, f[0], f[1])] = true
		}
	}
	list := make([]string, 0, len(rows))
	for r := range rows {
		list = append(list, r)
	}
	slices.Sort(list)
	if len(list) < 10 {
		t.Fatalf("only %d modules", len(list))
	}
	want, licence := "# Licences\n\nThe modules in the program, on Linux, macOS and Windows. `go test ./internal/checks -run TestLicences -update` writes this list.\n", ""
	for _, r := range list {
		name, module, _ := strings.Cut(r, "\n")
		if name != licence {
			licence = name
			want += "\n## " + name + "\n\n"
		}
		want += module + "\n"
	}
	const path = "docs/admin/licences.md"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("docs/admin/licences.md is not what the program is built from: run go test ./internal/checks -run TestLicences -update (%v)", err)
	}
}
