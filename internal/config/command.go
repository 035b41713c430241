package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/config/usercommand"
	"wallboard/internal/lib/textnorm"
)

// Command runs a program or opens a link with the selected record. Words in braces are
// replaced by values of the record: {user}, {service}, {group}, {campaign}, {channel} and
// {name}. Changes to commands apply after a restart.
type Command struct {
	Name    string        `toml:"name"`    // Name in the palette and in the menu of actions.
	Run     []string      `toml:"run"`     // Program and arguments; not run by a shell.
	Open    string        `toml:"open"`    // Address to open in the browser: https://host/… or http://host/…
	Key     string        `toml:"key"`     // Key that runs it; "": none.
	Timeout time.Duration `toml:"timeout"` // Time limit of the program; 0: 15s.
}

// mostCommands is the maximum number of commands.
const mostCommands = 50

// LaunchCommands returns the commands for package launch.
func (c *Config) LaunchCommands() []usercommand.Command {
	out := make([]usercommand.Command, len(c.Commands))
	for i := range c.Commands {
		out[i] = c.Commands[i].launched()
	}
	return out
}

func (c *Command) launched() usercommand.Command {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	return usercommand.Command{Name: c.Name, Program: c.Run, Link: c.Open, Key: c.Key, Timeout: timeout}
}

// checkCommands checks the commands and whether their keys are free.
func (c *Config) checkCommands(r *report, o Options) {
	for i := range c.Commands {
		one, path := &c.Commands[i], element("command", i)
		same := func(b Command) bool { return textnorm.Same(b.Name, one.Name) }
		switch {
		case i == mostCommands:
			r.add(path, "is over the maximum number", "allowed: "+strconv.Itoa(mostCommands))
		case one.Name == "":
			r.add(join(path, "name"), "is missing", "every [[command]] needs a name for the palette")
		case slices.ContainsFunc(c.Commands[:i], same):
			r.add(join(path, "name"), quoted(one.Name)+" is used twice", "choose another name")
		}
		checkPrintable(r, join(path, "name"), one.Name)
		if l := one.launched(); l.Problem() != "" {
			r.add(path, l.Problem(), `write it like run = ["/usr/local/bin/crm", "--user={user}"] or open = "https://crm.example.com/{user}"`)
		}
		if one.Timeout != 0 {
			checkRange(r, join(path, "timeout"), one.Timeout, time.Second, longestNotify)
		}
		c.checkCommandKey(r, o, i)
	}
}

// checkCommandKey checks that the key of a command has no other function.
func (c *Config) checkCommandKey(r *report, o Options, i int) {
	name, path := c.Commands[i].Key, join(element("command", i), "key")
	if name == "" {
		return
	}
	if len(o.PageKeys) > 0 && !slices.Contains(o.PageKeys, name) {
		r.add(path, quoted(name)+" cannot run a command: it is not a key, or the board uses it", "allowed: "+strings.Join(o.PageKeys, " "))
	}
	for j := range c.Pages {
		if c.Pages[j].Key == name {
			r.add(path, quoted(name)+" is the key of a page"+r.alsoAt(element("page", j)), "choose another key")
		}
	}
	for j := range c.Commands[:i] {
		if c.Commands[j].Key == name {
			r.add(path, quoted(name)+" is the key of another command"+r.alsoAt(element("command", j)), "choose another key")
		}
	}
	for _, action := range slices.Sorted(maps.Keys(c.Keys)) {
		if slices.Contains(strings.Fields(c.Keys[action]), name) {
			r.add(path, quoted(name)+" is the key of an action"+r.alsoAt(join("keys", action)), "choose another key")
		}
	}
}
