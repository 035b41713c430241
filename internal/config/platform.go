package config

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wallboard/internal/lib/textnorm"
)

// Platform is one of several platforms in one board. Each has its own addresses and logins, and
// may have its own limits, targets and times. All other settings apply to all of them.
type Platform struct {
	Name    string `toml:"name"`    // Display name, in the header, on the page Sites, and for --platform.
	RTD     Table  `toml:"rtd"`     // Its real-time display service, with the keys of [rtd].
	REST    Table  `toml:"rest"`    // Its configuration service, with the keys of [rest].
	History Table  `toml:"history"` // Its statistical data service, with the keys of [history].

	ServiceLevels Blocks `toml:"service_level"` // Replaces the common [[service_level]] blocks on this platform.
	Hours         Blocks `toml:"hours"`         // Replaces the common [[hours]] blocks on this platform.
	Holidays      Blocks `toml:"holiday"`       // Replaces the common [[holiday]] blocks on this platform.
	Calendars     Blocks `toml:"calendar"`      // Replaces the common [[calendar]] blocks on this platform.
	Thresholds    Blocks `toml:"threshold"`     // Replaces the common [[threshold]] blocks on this platform.
	Builtin       Blocks `toml:"builtin"`       // Replaces the common [[builtin]] blocks on this platform.
	Breaks        Blocks `toml:"break"`         // Replaces the common [[break]] blocks on this platform.
	Silences      Blocks `toml:"silence"`       // Replaces the common [[silence]] blocks on this platform.
}

// Table is a table of the file that has not been decoded.
type Table map[string]any

// serviceTables returns the names of the tables that each platform has of its own.
func serviceTables() []string { return []string{"rtd", "rest", "history"} }

const maxPlatforms = 100

// platformNamePattern matches valid names of platforms. They are restricted because a name is also
// used for a folder.
var platformNamePattern = textnorm.NewPattern(`^[\pL\pN][\pL\pN ._-]*$`)

// maxPlatformName limits the length of the name of a platform in characters. It is not a part of the
// pattern, because repeating the letters of all scripts takes 1 MB of memory.
const maxPlatformName = 40

// blocks returns the arrays of tables that the platform may have of its own, by name.
func (p *Platform) blocks() map[string]Blocks {
	return map[string]Blocks{
		"service_level": p.ServiceLevels, "hours": p.Hours, "holiday": p.Holidays, "calendar": p.Calendars,
		"threshold": p.Thresholds, "builtin": p.Builtin, "break": p.Breaks, "silence": p.Silences,
	}
}

// folder returns the name of the platform's directory, derived from the platform's name.
func (p *Platform) folder() string { return strings.ReplaceAll(strings.ToLower(p.Name), " ", "-") }

// PlatformConfigs returns the configurations of all platforms, or only c if there is only one.
func (c *Config) PlatformConfigs() []*Config {
	if len(c.loaded.perPlatform) == 0 {
		return []*Config{c}
	}
	return slices.Clone(c.loaded.perPlatform)
}

// MultiPlatform reports whether the configuration has several platforms.
func (c *Config) MultiPlatform() bool { return len(c.loaded.perPlatform) > 1 }

// PlatformNames returns the names of all platforms in the file. If the file has no [[platform]],
// the result is empty.
func (c *Config) PlatformNames() []string {
	var out []string
	for i := range c.Platforms {
		out = append(out, c.Platforms[i].Name)
	}
	return out
}

// decodePlatforms decodes the [[platform]] blocks of a file and adds their problems. If there are
// none, it returns nil.
func (r *report) decodePlatforms(tree map[string]any) []Platform {
	var out []Platform
	value, exists := tree["platform"]
	if !exists {
		return nil
	}
	r.decodeValue("platform", value, reflect.ValueOf(&out).Elem())
	if len(out) > maxPlatforms {
		r.add("platform", strconv.Itoa(len(out))+" platforms are more than a board can show", "allowed: "+strconv.Itoa(maxPlatforms))
		out = out[:maxPlatforms]
	}
	if len(out) == 0 {
		return nil
	}
	for _, name := range serviceTables() {
		if _, isSet := tree[name]; isSet {
			r.add(name, "belongs to no platform although there is a [[platform]]", "move it into one, as [platform."+name+"], or remove it")
		}
	}
	for i := range out {
		p, path := &out[i], elementKey("platform", i)
		if r.reportedKeys[path] {
			continue // decodeTables has already reported an element that is not a table
		}
		p.Name = textnorm.NormalizeLine(p.Name)
		switch {
		case p.Name == "":
			r.add(joinKey(path, "name"), "is missing", `write the name to show, for example "Milan"`)
		case !platformNamePattern().MatchString(p.Name), utf8.RuneCountInString(p.Name) > maxPlatformName:
			r.add(joinKey(path, "name"), "is not a valid platform name", "allowed: letters, digits, blanks and . _ -, beginning with a letter or digit, at most 40")
		}
		for j := range out[:i] {
			if p.Name != "" && out[j].folder() == p.folder() {
				r.add(joinKey(path, "name"), quoteValue(p.Name)+" is the name of another platform"+r.lineSuffix(elementKey("platform", j), path), "choose another name")
			}
		}
	}
	return out
}

// readPlatforms reads the configurations of all platforms and returns the first one.
// loaded.perPlatform of the result holds all of them.
func (r *report) readPlatforms(list []Platform, tree map[string]any, file configFile, o Options) *Config {
	var configs []*Config
	for i := range list {
		p := &list[i]
		tables := maps.Clone(tree)
		delete(tables, "platform")
		for name, table := range map[string]Table{"rtd": p.RTD, "rest": p.REST, "history": p.History} {
			if delete(tables, name); table != nil {
				tables[name] = map[string]any(table)
			}
		}
		r.platformTables = serviceTables()
		for name, blocks := range p.blocks() {
			if blocks != nil {
				tables[name] = []map[string]any(blocks)
				r.platformTables = append(r.platformTables, name)
			}
		}
		r.platformPath = elementKey("platform", i)
		c := r.readPlatform(tables, list, file, o)
		r.platformPath = ""
		c.Platform, c.UI.Site = p.Name, p.Name
		c.Record.Dir = filepath.Join(c.Record.Folder(), p.folder())
		for j, other := range configs {
			if c.RTD.URL != "" && c.RTD.URL == other.RTD.URL {
				r.add(joinKey(joinKey(elementKey("platform", i), "rtd"), "url"), "is the address of "+quoteValue(list[j].Name), "remove one of the two")
			}
		}
		configs = append(configs, c)
	}
	for _, c := range configs {
		c.Platforms = make([]Platform, len(list))
		for i := range list {
			c.Platforms[i].Name = list[i].Name // without the tables, which may contain secrets
		}
	}
	configs[0].loaded.perPlatform = configs
	configs[0].checkSites(r)
	return configs[0]
}

// selectPlatform returns the configuration of the platform with the given name, or c if name is "".
// If the platform does not exist, it adds a problem.
func (c *Config) selectPlatform(r *report, name string) *Config {
	if name == "" {
		return c
	}
	for _, platform := range c.loaded.perPlatform {
		if textnorm.SameName(platform.Platform, name) {
			platform.loaded.perPlatform = nil
			return platform
		}
	}
	if names := c.PlatformNames(); len(names) > 0 {
		r.add("platform", "no platform is named "+quoteValue(name), "--platform accepts: "+strings.Join(names, ", "))
	} else {
		r.add("platform", "the file has no [[platform]] named "+quoteValue(name), "omit --platform")
	}
	return c
}

// keyInFile returns the full name of a key in the file. While a [[platform]] block is being read,
// keys of [rtd], [rest] and [history], and of blocks of the platform's own, are in this block.
func (r *report) keyInFile(key string) string {
	if r.platformPath == "" {
		return key
	}
	for _, name := range r.platformTables {
		if rest, found := strings.CutPrefix(key, name); found && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return joinKey(r.platformPath, name) + rest
		}
	}
	return key
}
