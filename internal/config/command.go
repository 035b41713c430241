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
// {name}; for the call of an agent, {number}, {callId}, {callData} and {callInfo.KEY}.
type Command struct {
	Name    string        `toml:"name"`    // Name in the palette and in the menu of actions.
	Run     []string      `toml:"run"`     // Program and arguments; not run by a shell.
	Open    string        `toml:"open"`    // Address to open in the browser: https://host/… or http://host/…
	Key     string        `toml:"key"`     // Key that runs it; "": none.
	Timeout time.Duration `toml:"timeout"` // Time limit of the program; 0: 15s.
}

const maxCommands = 50

// UserCommands converts the configured commands to commands of package usercommand.
func (c *Config) UserCommands() []usercommand.Command {
	out := make([]usercommand.Command, len(c.Commands))
	for i := range c.Commands {
		out[i] = c.Commands[i].toUserCommand()
	}
	return out
}

func (c *Command) toUserCommand() usercommand.Command {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	return usercommand.Command{Name: c.Name, Program: c.Run, Link: c.Open, Key: c.Key, Timeout: timeout}
}

// checkCommands adds the problems of the commands, including conflicts of their keys with other
// keys.
func (c *Config) checkCommands(r *report, o Options) {
	for i := range c.Commands {
		command, path := &c.Commands[i], elementKey("command", i)
		hasSameName := func(b Command) bool { return textnorm.SameName(b.Name, command.Name) }
		switch {
		case i == maxCommands:
			r.add(path, "is over the maximum number", "allowed: "+strconv.Itoa(maxCommands))
		case command.Name == "":
			r.add(joinKey(path, "name"), "is missing", "every [[command]] needs a name for the palette")
		case slices.ContainsFunc(c.Commands[:i], hasSameName):
			r.add(joinKey(path, "name"), quoteValue(command.Name)+" is used twice", "choose another name")
		}
		checkPrintable(r, joinKey(path, "name"), command.Name)
		if l := command.toUserCommand(); l.Problem() != "" {
			r.add(path, l.Problem(), `write it like run = ["/usr/local/bin/crm", "--user={user}"] or open = "https://crm.example.com/{user}"`)
		}
		if command.Timeout != 0 {
			checkRange(r, joinKey(path, "timeout"), command.Timeout, time.Second, maxNotifyTimeout)
		}
		c.checkCommandKey(r, o, i)
	}
}

// checkCommandKey adds a problem if the key of the command at index i cannot be used or already
// belongs to a page, another command or an action.
func (c *Config) checkCommandKey(r *report, o Options, i int) {
	name, path := c.Commands[i].Key, joinKey(elementKey("command", i), "key")
	if name == "" {
		return
	}
	if len(o.PageKeys) > 0 && !slices.Contains(o.PageKeys, name) {
		r.add(path, quoteValue(name)+" cannot run a command: it is not a key, or the board uses it", "allowed: "+strings.Join(o.PageKeys, " "))
	}
	for j := range c.Pages {
		if c.Pages[j].Key == name {
			r.add(path, quoteValue(name)+" is the key of a page"+r.lineSuffix(elementKey("page", j), path), "choose another key")
		}
	}
	for j := range c.Commands[:i] {
		if c.Commands[j].Key == name {
			r.add(path, quoteValue(name)+" is the key of another command"+r.lineSuffix(elementKey("command", j), path), "choose another key")
		}
	}
	for _, action := range slices.Sorted(maps.Keys(c.Keys)) {
		if slices.Contains(strings.Fields(c.Keys[action]), name) {
			r.add(path, quoteValue(name)+" is the key of an action"+r.lineSuffix(joinKey("keys", action), path), "choose another key")
		}
	}
}
