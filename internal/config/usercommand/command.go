package usercommand

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"wallboard/model/resource"
)

// Command is a program with arguments, or a link. A word in braces is replaced with a value of the
// selected record. For the words see [Placeholders].
type Command struct {
	Name    string        // name that the board shows
	Program []string      // program and arguments; empty for a link
	Link    string        // web address for the system's browser
	Key     string        // key that runs it; "": none
	Timeout time.Duration // time limit
}

// Record maps words to values of the selected record. For the words see [Placeholders].
type Record map[string]string

// Placeholders returns the words that may be in braces, except those of the selected agent's call.
// They stand for the user name of an agent, the code of a service or group, the ID of a campaign,
// the channel, and the name of the record.
func Placeholders() []string {
	return []string{"user", "service", "group", "campaign", "channel", "name"}
}

// callPlaceholders lists the words that are replaced with values of the selected agent's call.
// Words of the form {callInfo.KEY} also are.
var callPlaceholders = []string{"number", "callId", "callData"} //nolint:gochecknoglobals // constant

// callInfoPrefix is the beginning of a word that is replaced with a value in the call's callInfo.
const callInfoPrefix = "callInfo."

func isCallPlaceholder(word string) bool {
	return slices.Contains(callPlaceholders, word) || strings.HasPrefix(word, callInfoPrefix) && word != callInfoPrefix
}

// placeholderPattern matches a word in braces.
var placeholderPattern = regexp.MustCompile(`\{([^{}]*)\}`)

// linkStartPattern matches the beginning of a link up to its path. This part must not contain words
// in braces, so a record can never change the host.
var linkStartPattern = regexp.MustCompile(`^https?://[^/?#{}@\s]+(/|$)`)

// Problem returns the reason why a command is invalid, or "" if it is valid.
func (c *Command) Problem() string {
	switch {
	case len(c.Program) > 0 == (c.Link != ""):
		return "needs either a program to run or a link to open"
	case len(c.Program) > 0 && (strings.TrimSpace(c.Program[0]) == "" || placeholderPattern.MatchString(c.Program[0])):
		return "has no program: the first text must be a program, without words in braces"
	case c.Link != "" && !linkStartPattern.MatchString(c.Link):
		return "is not an address: write http:// or https:// and a host, with words in braces only after them"
	}
	for _, t := range c.templates() {
		if strings.ContainsFunc(t, unicode.IsControl) || !utf8.ValidString(t) {
			return "contains a character that is not allowed in an argument"
		}
		for _, m := range placeholderPattern.FindAllStringSubmatch(t, -1) {
			if !slices.Contains(Placeholders(), m[1]) && !isCallPlaceholder(m[1]) {
				return fmt.Sprintf("contains the unknown word {%s}; allowed: {%s} {%sKEY}", m[1], strings.Join(append(Placeholders(), callPlaceholders...), "} {"), callInfoPrefix)
			}
		}
	}
	return ""
}

func (c *Command) templates() []string {
	if c.Link != "" {
		return []string{c.Link}
	}
	return c.Program
}

// everyPlaceholder calls f with each word in braces until f returns false. It reports whether f returned
// true for all words.
func (c *Command) everyPlaceholder(f func(word string) bool) bool {
	for _, t := range c.templates() {
		for _, m := range placeholderPattern.FindAllStringSubmatch(t, -1) {
			if !f(m[1]) {
				return false
			}
		}
	}
	return true
}

// AcceptsRecord reports whether the command can run with a record. The record must have a value for
// each word in braces. For words of the call, it is enough that the record is an agent, because the
// call is read later.
func (c *Command) AcceptsRecord(r Record) bool {
	return c.everyPlaceholder(func(word string) bool { return r[word] != "" || isCallPlaceholder(word) && r["user"] != "" })
}

// NeedsCall reports whether the command contains a word of the selected agent's call.
// [Record.WithCall] adds the values for such words.
func (c *Command) NeedsCall() bool {
	return !c.everyPlaceholder(func(word string) bool { return !isCallPlaceholder(word) })
}

// WithCall returns a copy of the record with the values of a call.
func (r Record) WithCall(call *resource.Call) Record {
	out := maps.Clone(r)
	out["number"], out["callId"], out["callData"] = call.CLID, call.UniqueID, call.CallData
	for k, v := range call.CallInfo {
		out[callInfoPrefix+k] = v
	}
	return out
}

// NeedsRecord reports whether the command contains a word in braces, so that it needs a record.
func (c *Command) NeedsRecord() bool {
	return slices.ContainsFunc(c.templates(), placeholderPattern.MatchString)
}

// maxValueBytes limits the length in bytes of a record's value in an argument.
const maxValueBytes = 500

// Errors for records whose values cannot be used in a command.
var (
	errUnsafeValue = errors.New("the record has a name or code that cannot be passed to a program")
	errOptionValue = errors.New("the record has a name or code that the program would take for an option")
	errNoRecord    = errors.New("no suitable record is selected")
)

// expandArgs returns the program and its arguments with the values of the record inserted. For a
// link, it returns the program that opens links and the link. It returns an error if a value is
// missing or unsafe.
func (c *Command) expandArgs(r Record) ([]string, error) {
	if !c.AcceptsRecord(r) {
		return nil, errNoRecord
	}
	var missing string
	c.everyPlaceholder(func(word string) bool {
		if r[word] == "" {
			missing = word
		}
		return missing == ""
	})
	if missing != "" {
		return nil, fmt.Errorf("the call has no {%s}", missing)
	}
	if !c.everyPlaceholder(func(word string) bool {
		v := r[word]
		return len(v) <= maxValueBytes && utf8.ValidString(v) && !strings.ContainsFunc(v, isUnsafeRune)
	}) {
		return nil, errUnsafeValue
	}
	if c.Link != "" {
		link, err := c.expandLink(r)
		return append(linkOpener(), link), err
	}
	out := make([]string, len(c.Program))
	for i, t := range c.Program {
		out[i] = fillPlaceholders(t, r, func(v string) string { return v })
		if isOption(out[i]) && !isOption(t) {
			return nil, errOptionValue
		}
	}
	return out, nil
}

// isUnsafeRune reports whether a character must not be in an argument. Unsafe are control
// characters and invisible format characters, such as those that change the direction of text.
func isUnsafeRune(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// isOption reports whether a program may interpret an argument as an option.
func isOption(arg string) bool {
	return strings.HasPrefix(arg, "-") || runtime.GOOS == "windows" && strings.HasPrefix(arg, "/")
}

// expandLink returns the address of the link with the values of the record inserted. It escapes the
// values, so they cannot change any other part of the address.
func (c *Command) expandLink(r Record) (string, error) {
	for _, m := range placeholderPattern.FindAllStringSubmatch(c.Link, -1) {
		if v := r[m[1]]; v == "." || v == ".." {
			return "", errUnsafeValue
		}
	}
	return fillPlaceholders(c.Link, r, func(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") }), nil
}

// fillPlaceholders returns text with each word in braces replaced with its value, converted by
// convert.
func fillPlaceholders(text string, r Record, convert func(string) string) string {
	return placeholderPattern.ReplaceAllStringFunc(text, func(in string) string { return convert(r[in[1:len(in)-1]]) })
}

// linkOpener returns the program of the operating system that opens links, followed by its first
// arguments.
func linkOpener() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}
