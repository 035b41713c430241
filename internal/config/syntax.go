package config

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"

	"wallboard/internal/lib/safedecode"
)

// syntaxMessages lists parts of messages of the TOML library. Each part is followed by the problem
// and the remedy to report instead, because the library's messages quote the file, which may
// contain a secret. The first part that occurs in a message applies.
func syntaxMessages() [][3]string {
	const quotes = `a text stands in quotes: key = "text"`
	return [][3]string{
		{"has already been defined", "is set twice", "keep one of them"},
		{"was already created", "is set twice", "keep one of them"},
		{"is not a table", "is used as a value and as a table", "keep one of them"},
		{"expected value", "has no value, or one that is not valid TOML", quotes},
		{"top-level item to end", "something follows the value", "one setting per line; " + quotes},
		{"strings cannot contain newlines", "the quotes are not closed on this line", quotes},
		{"unexpected EOF; expected '\"", "the quotes are not closed", quotes},
		{"unexpected EOF; expected \"'", "the quotes are not closed", quotes},
		{"key separator '='", "has no value", "write key = value"},
		{"expected '.' or '='", "= is missing after the key", "write key = value"},
		{"expected a comma", "a comma or the closing bracket of the list is missing", `write ["one", "two"]`},
		{"inline table", "a comma or the closing brace is missing", `write { key = "text" }`},
		{"table name", "the name of the table is not closed or empty", "write [name] or [[name]]"},
		{"escape", "a \\ in double quotes starts an escape sequence", "write it in single quotes, or \\\\ for each \\"},
		{"UTF-8", "the file is not UTF-8", "save it as UTF-8"},
		{"NULL bytes", "the file is not UTF-8", "save it as UTF-8"},
		{"control characters", "contains a control character", "remove it"},
		{"out of range", "the number is out of range", ""},
		{"", "is not valid TOML", "see https://toml.io; " + quotes},
	}
}

// syntaxProblem converts an error of the TOML library to a problem.
func syntaxProblem(file string, err error) Problem {
	var parse toml.ParseError
	if tooMuch, isLimit := errors.AsType[*safedecode.TOMLError](err); isLimit {
		return Problem{File: file, Line: tooMuch.Line, Problem: "has " + tooMuch.Text, Remedy: "no configuration needs this"}
	}
	if !errors.As(err, &parse) {
		return Problem{File: file, Problem: "is not valid TOML", Remedy: "see https://toml.io"}
	}
	p := Problem{File: file, Line: parse.Position.Line, Key: parse.LastKey}
	for _, m := range syntaxMessages() {
		if strings.Contains(parse.Message, m[0]) {
			p.Problem, p.Remedy = m[1], m[2]
			break
		}
	}
	return p
}
