package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// maxDropIns limits the number of files in conf.d.
const maxDropIns = 200

// DropInDir returns the directory of further configuration files: conf.d beside the configuration
// file at path.
func DropInDir(path string) string { return filepath.Join(filepath.Dir(path), "conf.d") }

// DropInPaths returns the paths of the *.toml files in conf.d beside the configuration file at
// path, sorted by name. It skips hidden files. The error is of type [Errors]. A missing directory
// is not an error.
func DropInPaths(path string) ([]string, error) {
	dir := DropInDir(path)
	entries, err := os.ReadDir(dir) // sorted by name
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotFolder(dir):
		return nil, nil
	case err != nil:
		return nil, Errors{{File: dir, Problem: "cannot be read: " + securefile.WithoutPath(err).Error(), Remedy: "make it readable, or remove it"}}
	}
	var out []string
	for _, e := range entries {
		if name := e.Name(); isDropInName(name) && !e.IsDir() {
			out = append(out, filepath.Join(dir, name))
		}
	}
	if len(out) > maxDropIns {
		return nil, Errors{{File: dir, Problem: "has " + strconv.Itoa(len(out)) + " files", Remedy: "allowed: " + strconv.Itoa(maxDropIns)}}
	}
	return out, nil
}

func isDropInName(name string) bool { return strings.HasSuffix(name, ".toml") && name[0] != '.' }

// IsDropIn reports whether file is in conf.d beside the configuration file at path.
func IsDropIn(path, file string) bool {
	return filepath.Dir(file) == DropInDir(path) && isDropInName(filepath.Base(file))
}

func isNotFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// sourceFile is one of the files of a configuration.
type sourceFile struct {
	configFile
	text string
}

// mergedFiles is the content of all files of a configuration.
type mergedFiles struct {
	tree  map[string]any
	lines safedecode.KeyLines
	files map[string]*configFile // file of each key that is not from the first file
}

// mergeFiles decodes the files and merges them. Tables are merged key by key. Any other value
// replaces the value of an earlier file. A [[platform]] with a new name is added. A [[platform]]
// with the name of an earlier one changes that platform. The error is of type [Errors] and holds
// the first syntax error of each file.
func mergeFiles(list []sourceFile) (*mergedFiles, error) {
	m := &mergedFiles{tree: make(map[string]any), lines: make(safedecode.KeyLines), files: make(map[string]*configFile)}
	var problems Errors
	for i := range list {
		f := &list[i]
		var tree map[string]any
		if err := safedecode.DecodeTOML(f.text, &tree); err != nil {
			problems = append(problems, syntaxProblem(f.path, err))
			continue
		}
		lines := safedecode.FindKeyLines(f.text)
		if i == 0 {
			m.tree, m.lines = tree, lines
			continue
		}
		added := &dropIn{mergedFiles: m, from: lines, file: &f.configFile}
		added.mergeTable("", "", m.tree, tree)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return m, nil
}

// dropIn is a file that is being merged with earlier ones.
type dropIn struct {
	*mergedFiles
	from safedecode.KeyLines
	file *configFile
}

// mergeTable merges the table src into the table dst. from is the full key of src in this file, and
// to is the full key of dst.
func (d *dropIn) mergeTable(from, to string, dst, src map[string]any) {
	for key, value := range src {
		fromKey, toKey := joinKey(from, key), joinKey(to, key)
		if from == "" && key == "platform" {
			if elements, ok := tableList(value); ok {
				d.mergePlatforms(elements)
				continue
			}
		}
		old, oldIsTable := dst[key].(map[string]any)
		table, isTable := value.(map[string]any)
		if oldIsTable && isTable {
			d.mergeTable(fromKey, toKey, old, table)
			continue
		}
		dst[key] = value
		d.moveKeyPlaces(fromKey, toKey)
	}
}

func (d *dropIn) mergePlatforms(elements []map[string]any) {
	list, ok := tableList(d.tree["platform"])
	if !ok && d.tree["platform"] != nil {
		return // the earlier value is not a list: this is reported elsewhere
	}
	earlier := slices.Clone(list)
	for i, element := range elements {
		from := elementKey("platform", i)
		name, _ := element["name"].(string)
		j := slices.IndexFunc(earlier, func(p map[string]any) bool {
			other, _ := p["name"].(string)
			return name != "" && textnorm.SameName(textnorm.NormalizeLine(other), textnorm.NormalizeLine(name))
		})
		if j >= 0 {
			delete(element, "name") // keep the spelling of the first file
			d.mergeTable(from, elementKey("platform", j), earlier[j], element)
			continue
		}
		d.moveKeyPlaces(from, elementKey("platform", len(list)))
		list = append(list, element)
	}
	d.tree["platform"] = list
}

// moveKeyPlaces records that the key to and the keys below it are in this file, at the places of the key
// from and the keys below from.
func (d *dropIn) moveKeyPlaces(from, to string) {
	isBelow := func(key, parent string) bool {
		rest, found := strings.CutPrefix(key, parent)
		return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	maps.DeleteFunc(d.lines, func(key string, _ int) bool { return isBelow(key, to) })
	maps.DeleteFunc(d.files, func(key string, _ *configFile) bool { return isBelow(key, to) })
	for key, line := range d.from {
		if isBelow(key, from) {
			d.lines[to+key[len(from):]], d.files[to+key[len(from):]] = line, d.file
		}
	}
}

// tableList returns an array of tables, or a list of inline tables, as tables. For any other value,
// ok is false.
func tableList(value any) (tables []map[string]any, ok bool) {
	if tables, ok = value.([]map[string]any); ok {
		return tables, true
	}
	list, ok := value.([]any)
	tables = make([]map[string]any, 0, len(list))
	for _, v := range list {
		table, isTable := v.(map[string]any)
		if !isTable {
			return nil, false
		}
		tables = append(tables, table)
	}
	return tables, ok
}

// Files returns the paths of the files of the configuration: the configuration file and the files
// in conf.d.
func (c *Config) Files() []string { return slices.Clone(c.loaded.files) }

// Place returns the file and the line of a key. If no file sets the key or a table around it, line
// is 0.
func (c *Config) Place(key string) (file string, line int) { return c.loaded.place(key) }

// place returns the file and the line of a key or, if no file sets the key, of the closest table
// around it.
func (p *places) place(key string) (file string, line int) {
	found := p.lines.NearestKey(key)
	if f := p.files[found]; f != nil {
		return f.path, p.lines[found]
	}
	return p.file, p.lines[found]
}

// places holds the places in the files at which keys are set.
type places struct {
	file  string // path of the first file
	lines safedecode.KeyLines
	files map[string]*configFile // file of each key that is not from the first file
}

// sourceOf returns the file that sets a key. main is the first file.
func (r *report) sourceOf(key string, main configFile) configFile {
	if f := r.files[r.lines.NearestKey(r.keyInFile(key))]; f != nil {
		return *f
	}
	return main
}

// lineSuffix returns the end of a message, with the place of another key. of is the key that the
// message is about. If the place is unknown, lineSuffix returns "".
func (r *report) lineSuffix(key, of string) string {
	file, line := r.place(r.keyInFile(key))
	if line == 0 {
		return ""
	}
	if here, _ := r.place(r.keyInFile(of)); here != file {
		return fmt.Sprintf(", that in %s at line %d", file, line)
	}
	return fmt.Sprintf(", that at line %d", line)
}

// Blocks is an array of tables of the file that has not been decoded.
type Blocks []map[string]any
