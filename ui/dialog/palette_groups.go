package dialog

import "wallboard/internal/words"

// CommandGroup is a group of commands in the palette.
type CommandGroup int

// The groups, in the order in which the palette lists them.
const (
	GroupSelected        CommandGroup = iota // about the selected record
	GroupTable                               // about the focused table
	GroupNavigation                          // open pages, platforms and channels
	GroupBoard                               // about the board
	GroupPlatformActions                     // act on the platform
	GroupOpenRecords                         // open records

	groupCount
)

// Title returns the title of the group in the language l.
func (g CommandGroup) Title(l *words.Language) string {
	titles := [groupCount]func() words.Text{
		words.BoardGroupHere, words.BoardGroupTable, words.BoardGroupGo, words.BoardGroupBoard, words.BoardGroupAct, words.BoardGroupOpen,
	}
	return titles[g]().In(l)
}

// GroupedCommands collects commands by their group.
type GroupedCommands [groupCount][]Command

// Add adds commands to a group.
func (c *GroupedCommands) Add(g CommandGroup, list ...Command) { c[g] = append(c[g], list...) }

// All returns all commands in the order of their groups, with the titles of the groups in the
// language l.
func (c *GroupedCommands) All(l *words.Language) []Command {
	var out []Command
	for g, list := range c {
		title := CommandGroup(g).Title(l)
		for _, command := range list {
			command.Group = title
			out = append(out, command)
		}
	}
	return out
}
