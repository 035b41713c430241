package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// texts returns the license and notice texts of a module, sorted by file name.
func (m module) texts() ([]string, error) {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		isLicence := strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING") || strings.HasPrefix(name, "NOTICE")
		if e.IsDir() || !isLicence || slices.Contains([]string{".GO", ".YML", ".YAML"}, filepath.Ext(name)) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s has no licence text", m.Path)
	}
	return texts, nil
}

// writeLicences writes the license texts of all modules in a program.
func writeLicences(path string, modules []module) error {
	var b strings.Builder
	b.WriteString("Licences of the modules in wallboard\n")
	for _, m := range modules {
		texts, err := m.texts()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n%s %s\n\n%s\n", strings.Repeat("=", 78), m.Path, m.Version, strings.Join(texts, "\n\n"))
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
