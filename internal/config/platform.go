package config

import (
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/textnorm"
)

// Platform is one of several platforms in one board. Each has its own addresses and logins;
// all other settings apply to all of them.
type Platform struct {
	Name    string `toml:"name"`    // Display name, in the header, on the page Sites, and for --platform.
	RTD     Table  `toml:"rtd"`     // Its real-time display service, with the keys of [rtd].
	REST    Table  `toml:"rest"`    // Its configuration service, with the keys of [rest].
	History Table  `toml:"history"` // Its statistical data service, with the keys of [history].
}

// Table is a table that is decoded later, like another one.
type Table map[string]any

// services returns the tables that each platform has for itself.
func services() []string { return []string{"rtd", "rest", "history"} }

// mostPlatforms is the maximum number of platforms in one board.
const mostPlatforms = 20

// platformName matches platform names, which are also used as folder names.
var platformName = regexp.MustCompile(`^[\pL\pN][\pL\pN ._-]{0,39}$`)

// folder returns the platform's name as a folder name.
func (p *Platform) folder() string { return strings.ReplaceAll(strings.ToLower(p.Name), " ", "-") }

// Each returns the configuration of each platform. If there is only one, it returns c.
func (c *Config) Each() []*Config {
	if len(c.each) == 0 {
		return []*Config{c}
	}
	return slices.Clone(c.each)
}

// MultiPlatform reports whether the configuration has more than one platform.
func (c *Config) MultiPlatform() bool { return len(c.each) > 1 }

// PlatformNames returns the names of all platforms in the file, none if it has no
// [[platform]].
func (c *Config) PlatformNames() []string {
	var out []string
	for i := range c.Platforms {
		out = append(out, c.Platforms[i].Name)
	}
	return out
}

// platforms decodes the [[platform]] blocks of a file.
func (r *report) platforms(tree map[string]any) []Platform {
	var out []Platform
	value, some := tree["platform"]
	if !some {
		return nil
	}
	r.decodeValue("platform", value, reflect.ValueOf(&out).Elem())
	if len(out) > mostPlatforms {
		r.add("platform", strconv.Itoa(len(out))+" platforms are more than a board can show", "allowed: "+strconv.Itoa(mostPlatforms))
		out = out[:mostPlatforms]
	}
	if len(out) == 0 {
		return nil
	}
	for _, name := range services() {
		if _, both := tree[name]; both {
			r.add(name, "belongs to no platform although there is a [[platform]]", "move it into one, as [platform."+name+"], or remove it")
		}
	}
	for i := range out {
		p, at := &out[i], element("platform", i)
		if r.seen[at] {
			continue // not a table
		}
		p.Name = textnorm.Line(p.Name)
		switch {
		case p.Name == "":
			r.add(join(at, "name"), "is missing", `write the name to show, for example "Milan"`)
		case !platformName.MatchString(p.Name):
			r.add(join(at, "name"), "is not a valid platform name", "allowed: letters, digits, blanks and . _ -, beginning with a letter or digit, at most 40")
		}
		for j := range out[:i] {
			if p.Name != "" && out[j].folder() == p.folder() {
				r.add(join(at, "name"), quoted(p.Name)+" is the name of another platform"+r.alsoAt(element("platform", j)), "choose another name")
			}
		}
	}
	return out
}

// readEach reads the configuration of each platform and returns the first one, which links
// to all.
func (r *report) readEach(list []Platform, tree map[string]any, from origin, o Options) *Config {
	var each []*Config
	for i := range list {
		p := &list[i]
		own := maps.Clone(tree)
		delete(own, "platform")
		for name, table := range map[string]Table{"rtd": p.RTD, "rest": p.REST, "history": p.History} {
			if delete(own, name); table != nil {
				own[name] = map[string]any(table)
			}
		}
		r.under = element("platform", i)
		c := r.read(own, list, from, o)
		r.under = ""
		c.Platform, c.UI.Site = p.Name, p.Name
		c.Record.Dir = filepath.Join(c.Record.Folder(), p.folder())
		for j, other := range each {
			if c.RTD.URL != "" && c.RTD.URL == other.RTD.URL {
				r.add(join(join(element("platform", i), "rtd"), "url"), "is the address of "+quoted(list[j].Name), "remove one of the two")
			}
		}
		each = append(each, c)
	}
	for _, c := range each {
		c.Platforms = make([]Platform, len(list))
		for i := range list {
			c.Platforms[i].Name = list[i].Name // the tables may hold secrets
		}
	}
	each[0].each = each
	return each[0]
}

// choose returns the requested platform.
func (c *Config) choose(r *report, name string) *Config {
	if name == "" {
		return c
	}
	for _, one := range c.each {
		if textnorm.Same(one.Platform, name) {
			one.each = nil
			return one
		}
	}
	if names := c.PlatformNames(); len(names) > 0 {
		r.add("platform", "no platform is named "+quoted(name), "--platform accepts: "+strings.Join(names, ", "))
	} else {
		r.add("platform", "the file has no [[platform]] named "+quoted(name), "omit --platform")
	}
	return c
}

// at returns the full key in the file: the tables [rtd], [rest] and [history] belong to the
// platform that is being read.
func (r *report) at(key string) string {
	if r.under == "" {
		return key
	}
	for _, name := range services() {
		if rest, is := strings.CutPrefix(key, name); is && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return join(r.under, name) + rest
		}
	}
	return key
}
