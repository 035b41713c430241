package rtd

import (
	"encoding/json"
	"regexp"
	"strings"

	"wallboard/internal/simulator/webservice"
)

// ErrorWords is the GraphQL library whose wording the service uses in its error messages.
type ErrorWords string

// Values of ErrorWords.
const (
	WordsGo           ErrorWords = "graphql-go" // with locations; nothing is reworded
	WordsJS           ErrorWords = "graphql-js" // with suggestions
	WordsJava         ErrorWords = "graphql-java"
	WordsHotChocolate ErrorWords = "hot-chocolate"
	WordsPython       ErrorWords = "graphql-core"
	WordsRust         ErrorWords = "async-graphql"
	WordsNone         ErrorWords = "none" // only "Bad request": a gateway hides the reason
)

// AllErrorWords returns all values of ErrorWords.
func AllErrorWords() []ErrorWords {
	return []ErrorWords{WordsGo, WordsJS, WordsJava, WordsHotChocolate, WordsPython, WordsRust, WordsNone}
}

// validationError is a kind of error in a request, with its wording in GraphQL libraries.
// pattern matches the message of graphql-go. messages holds the messages of the other
// libraries, in which $1 and $2 stand for the groups of pattern.
type validationError struct {
	pattern  *regexp.Regexp
	messages map[ErrorWords]string
}

func validationErrors() []validationError {
	return []validationError{
		{regexp.MustCompile(`^Cannot query field "(\w+)" on type "(\w+)"`), map[ErrorWords]string{
			WordsJS:           `Cannot query field "$1" on type "$2".`,
			WordsJava:         `Validation error (FieldUndefined@[$1]) : Field '$1' in type '$2' is undefined`,
			WordsHotChocolate: "The field `$1` does not exist on the type `$2`.",
			WordsPython:       `Cannot query field '$1' on type '$2'.`,
			WordsRust:         `Unknown field "$1" on type "$2".`,
		}},
		{regexp.MustCompile(`^Field "(\w+)" of type "(\S+)" must have a selection of subfields`), map[ErrorWords]string{
			WordsJS:           `Field "$1" of type "$2" must have a selection of subfields. Did you mean "$1 { ... }"?`,
			WordsJava:         `Validation error (SubselectionRequired@[$1]) : Subselection required for type '$2' of field '$1'`,
			WordsHotChocolate: "`$1` is an object, interface or union type field. Leaf selections on objects, interfaces, and unions without subfields are disallowed.",
			WordsPython:       `Field '$1' of type '$2' must have a selection of subfields. Did you mean '$1 { ... }'?`,
			WordsRust:         `Field "$1" of type "$2" must have a selection of subfields`,
		}},
		{regexp.MustCompile(`^Field "(\w+)" must not have a selection since type "(\S+)" has no subfields`), map[ErrorWords]string{
			WordsJS:           `Field "$1" must not have a selection since type "$2" has no subfields.`,
			WordsJava:         `Validation error (SubselectionNotAllowed@[$1]) : Subselection not allowed on leaf type '$2' of field '$1'`,
			WordsHotChocolate: "`$1` returns a scalar value. Selections on scalars or enums, because they are the leaf nodes of any GraphQL operation are disallowed.",
			WordsPython:       `Field '$1' must not have a selection since type '$2' has no subfields.`,
			WordsRust:         `Field "$1" must not have a selection since type "$2" has no subfields`,
		}},
		{regexp.MustCompile(`^Field "(\w+)" argument "(\w+)" of type "\S+" is required`), map[ErrorWords]string{
			WordsJS:           `Field "$1" argument "$2" of type "String!" is required, but it was not provided.`,
			WordsJava:         `Validation error (MissingFieldArgument@[$1]) : Missing field argument '$2'`,
			WordsHotChocolate: "The argument `$2` is required.",
			WordsPython:       `Field '$1' argument '$2' of type 'String!' is required, but it was not provided.`,
			WordsRust:         `Field "$1" argument "$2" of type "String" is required but not provided`,
		}},
		{regexp.MustCompile(`^Unknown argument "(\w+)" on field "(?:\w+\.)?(\w+)"`), map[ErrorWords]string{
			WordsJS:           `Unknown argument "$1" on field "Query.$2".`,
			WordsJava:         `Validation error (UnknownArgument@[$2]) : Unknown field argument '$1'`,
			WordsHotChocolate: "The argument `$1` does not exist.",
			WordsPython:       `Unknown argument '$1' on field 'Query.$2'.`,
			WordsRust:         `Unknown argument "$1" on field "$2" of type "Query".`,
		}},
		{regexp.MustCompile(`^Unknown type "(\w+)"`), map[ErrorWords]string{
			WordsJS:           `Unknown type "$1".`,
			WordsJava:         `Validation error (UnknownType) : Unknown type '$1'`,
			WordsHotChocolate: "Unknown type `$1`.",
			WordsPython:       `Unknown type '$1'.`,
			WordsRust:         `Unknown type "$1"`,
		}},
		{regexp.MustCompile(`^Fragment cannot be spread here as objects of type "(\w+)" can never be of type "(\w+)"`), map[ErrorWords]string{
			WordsJS:           `Fragment cannot be spread here as objects of type "$1" can never be of type "$2".`,
			WordsJava:         `Validation error (InvalidFragmentType) : Fragment cannot be spread here as objects of type '$1' can never be of type '$2'`,
			WordsHotChocolate: "The parent type does not match the type condition on the fragment.",
			WordsPython:       `Fragment cannot be spread here as objects of type '$1' can never be of type '$2'.`,
			WordsRust:         `Fragment cannot be spread here as objects of type "$1" can never be of type "$2"`,
		}},
	}
}

// reword returns errors with the messages of the selected library.
func (s *Switches) reword(errs json.RawMessage) json.RawMessage {
	var list []map[string]any
	if s.ErrorWords == WordsGo || s.ErrorWords == "" || json.Unmarshal(errs, &list) != nil {
		return errs
	}
	for _, e := range list {
		if e["extensions"] != nil { // a gateway passes on errors with a code
			return errs
		}
	}
	if s.ErrorWords == WordsNone {
		return webservice.JSON([]map[string]string{{"message": "Bad request"}})
	}
	for _, e := range list {
		text, _ := e["message"].(string)
		for _, c := range validationErrors() {
			m := c.pattern.FindStringSubmatchIndex(text)
			if m == nil {
				continue
			}
			message := string(c.pattern.ExpandString(nil, c.messages[s.ErrorWords], text, m))
			e["message"] = message + s.suggestion(text[m[2]:m[3]], text)
			if s.ErrorWords != WordsHotChocolate {
				delete(e, "locations") // some gateways remove them
			}
			break
		}
	}
	return webservice.JSON(list)
}

// suggestion returns the suggestion of a name similar to name that the selected library would
// append to the message text. It returns "" if there is none.
func (s *Switches) suggestion(name, text string) string {
	quote := map[ErrorWords]string{WordsJS: `"`, WordsPython: `'`, WordsRust: `"`}[s.ErrorWords]
	if quote == "" || !s.RenamedRoots || !strings.Contains(text, `on type "Subscription"`) {
		return ""
	}
	return " Did you mean " + quote + renamedRoot(name) + quote + "?"
}
