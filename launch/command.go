package launch

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Command is a program with its arguments, or a link. Words in braces in them stand for
// the record: see [Words].
type Command struct {
	Name    string        // what it is called on the screen
	Program []string      // the program and its arguments; empty: there is a link
	Link    string        // an address of the web, for the system's browser
	Key     string        // runs it; "" is none
	Timeout time.Duration // ends it
}

// Record is what the viewer points at: the value of each word that it has.
type Record map[string]string

// Words are what may stand in braces: the user name of an agent, the codes of a service
// and a group, the id of a campaign; the channel and the name of any of them.
func Words() []string { return []string{"user", "service", "group", "campaign", "channel", "name"} }

// word is a word in braces.
var word = regexp.MustCompile(`\{([^{}]*)\}`)

// linkStart is what a link begins with: where it leads is never up to a record.
var linkStart = regexp.MustCompile(`^https?://[^/?#{}@\s]+(/|$)`)

// Problem says what is wrong with a command, "" for nothing.
func (c *Command) Problem() string {
	switch {
	case len(c.Program) > 0 == (c.Link != ""):
		return "needs either a program to run or a link to open"
	case len(c.Program) > 0 && (strings.TrimSpace(c.Program[0]) == "" || word.MatchString(c.Program[0])):
		return "names no program: its first text is the program, without words in braces"
	case c.Link != "" && !linkStart.MatchString(c.Link):
		return "is no address: write http:// or https:// and a host, and words in braces only behind them"
	}
	for _, t := range c.texts() {
		if strings.ContainsFunc(t, unicode.IsControl) || !utf8.ValidString(t) {
			return "has a character that no program can be given"
		}
		for _, m := range word.FindAllStringSubmatch(t, -1) {
			if !slices.Contains(Words(), m[1]) {
				return fmt.Sprintf("has {%s}, which stands for nothing; these do: {%s}", m[1], strings.Join(Words(), "} {"))
			}
		}
	}
	return ""
}

func (c *Command) texts() []string {
	if c.Link != "" {
		return []string{c.Link}
	}
	return c.Program
}

// Fits reports whether a record has all that the command needs to know.
func (c *Command) Fits(r Record) bool {
	for _, t := range c.texts() {
		for _, m := range word.FindAllStringSubmatch(t, -1) {
			if r[m[1]] == "" {
				return false
			}
		}
	}
	return true
}

// About reports whether the command needs a record at all.
func (c *Command) About() bool {
	return slices.ContainsFunc(c.texts(), word.MatchString)
}

// longestValue bounds what a platform's name or code may bring into an argument, in
// bytes.
const longestValue = 500

// Errors of a value that must not be handed on.
var (
	errValue  = errors.New("the record has a name or code that cannot be handed to a program")
	errOption = errors.New("the record has a name or code that the program would take for an option")
	errNone   = errors.New("nothing is selected that it could be about")
)

// args returns the program and its arguments with the record in them.
func (c *Command) args(r Record) ([]string, error) {
	if !c.Fits(r) {
		return nil, errNone
	}
	for _, t := range c.texts() {
		for _, m := range word.FindAllStringSubmatch(t, -1) {
			if v := r[m[1]]; len(v) > longestValue || !utf8.ValidString(v) || strings.ContainsFunc(v, unhandy) {
				return nil, errValue
			}
		}
	}
	if c.Link != "" {
		link, err := c.link(r)
		return append(opener(), link), err
	}
	out := make([]string, len(c.Program))
	for i, t := range c.Program {
		out[i] = fill(t, r, func(v string) string { return v })
		if option(out[i]) && !option(t) {
			return nil, errOption
		}
	}
	return out, nil
}

// unhandy reports whether a character has no business in an argument: what controls a
// terminal, and what turns the direction of a text round.
func unhandy(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// option reports whether a program may take an argument for an option.
func option(arg string) bool {
	return strings.HasPrefix(arg, "-") || runtime.GOOS == "windows" && strings.HasPrefix(arg, "/")
}

// link returns the address. No value can leave its part of it.
func (c *Command) link(r Record) (string, error) {
	for _, m := range word.FindAllStringSubmatch(c.Link, -1) {
		if v := r[m[1]]; v == "." || v == ".." {
			return "", errValue
		}
	}
	return fill(c.Link, r, func(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") }), nil
}

// fill puts a record into a text.
func fill(text string, r Record, how func(string) string) string {
	return word.ReplaceAllStringFunc(text, func(in string) string { return how(r[in[1:len(in)-1]]) })
}

// opener is the program that opens links.
func opener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
