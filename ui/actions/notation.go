package actions

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// notation converts between a list and text with a line for each element of the list.
type notation[T any] struct {
	format func(T) string
	parse  func(line string) (T, error)
}

// formatLines returns text with one line per element of list.
func (n notation[T]) formatLines(list []T) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = n.format(v)
	}
	return strings.Join(out, "\n")
}

// parseLines parses text with one line per element. An error contains the number of its line. A line that
// equals an element of oldItems in this notation yields that element, with the fields that it does not show.
func (n notation[T]) parseLines(text string, oldItems []T) ([]T, error) {
	oldItems = slices.Clone(oldItems)
	var out []T
	index := 0
	for line := range strings.SplitSeq(text, "\n") {
		index++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		previous := slices.IndexFunc(oldItems, func(b T) bool { return strings.TrimSpace(n.format(b)) == line })
		if previous >= 0 {
			out = append(out, oldItems[previous])
			oldItems = slices.Delete(oldItems, previous, previous+1)
			continue
		}
		v, err := n.parse(line)
		if err != nil {
			return nil, words.NewError(words.ActFieldErrorLine(index, words.TextOf(err)), err)
		}
		out = append(out, v)
	}
	return out, nil
}

// checkFor returns a function that checks the text of a form field by parsing it. previous is the
// list before the viewer's changes.
func (n notation[T]) checkFor(previous []T) func(string) error {
	return func(text string) error {
		_, err := n.parseLines(text, previous)
		return err
	}
}

// lineNotation is the notation for strings. Each line is a string.
func lineNotation() notation[string] {
	same := func(s string) string { return s }
	return notation[string]{same, func(line string) (string, error) { return line, nil }}
}

var errAddress = words.NewError(words.ActFieldErrorAddress(), nil)

// addressNotation is the notation for addresses. Each line has the form "TYPE value".
func addressNotation() notation[resource.TypedValue] {
	return notation[resource.TypedValue]{
		func(v resource.TypedValue) string { return v.Type + " " + v.Value },
		func(line string) (resource.TypedValue, error) {
			kind, value, ok := splitFirstWord(line)
			if !ok {
				return resource.TypedValue{}, errAddress
			}
			return resource.TypedValue{Type: kind, Value: value}, nil
		},
	}
}

var errKey = words.NewError(words.ActFieldErrorKey(), nil)

// customFieldNotation is the notation for custom fields. Each line has the form "KEY value".
func customFieldNotation() notation[resource.KeyValue] {
	return notation[resource.KeyValue]{
		func(v resource.KeyValue) string { return v.Key + " " + v.Value },
		func(line string) (resource.KeyValue, error) {
			k, value, ok := splitFirstWord(line)
			if !ok {
				return resource.KeyValue{}, errKey
			}
			return resource.KeyValue{Key: k, Value: value}, nil
		},
	}
}

// splitFirstWord splits a line at its first space. ok is false if there is no text after the space.
func splitFirstWord(line string) (first, rest string, ok bool) {
	first, rest, _ = strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	return first, rest, rest != ""
}

var errItem = words.NewError(words.ActFieldErrorItem(), nil)

// itemNotation is the notation for items of a list. Each line has the form "number;data;data".
func itemNotation() notation[resource.Item] {
	return notation[resource.Item]{
		func(v resource.Item) string { return strings.Join(append([]string{v.PhoneNumber}, v.Data...), ";") },
		func(line string) (resource.Item, error) {
			parts := strings.Split(line, ";")
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			parts[0] = textnorm.PhoneNumber(parts[0])
			if !strings.ContainsAny(parts[0], "0123456789") {
				return resource.Item{}, errItem
			}
			return resource.Item{PhoneNumber: parts[0], Data: parts[1:]}, nil
		},
	}
}

var errRunContact = words.NewError(words.ActFieldErrorRunContact(), nil)

// runContactNotation is the notation for contacts of a run. Each line has the form
// "value;name=value;name=value".
func runContactNotation() notation[resource.RunContact] {
	return notation[resource.RunContact]{formatRunContact, parseRunContact}
}

func formatRunContact(c resource.RunContact) string {
	parts := []string{c.Value}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	add("type", c.ItemContactType)
	add("language", c.TemplateLanguage)
	add("item", resource.IntText(c.ItemNumber))
	add("campaign", resource.IntText(c.CampaignID))
	add("id", c.ID)
	for _, k := range slices.Sorted(maps.Keys(c.CustomFields)) {
		add("custom."+k, c.CustomFields[k])
	}
	return strings.Join(parts, "; ") // the space allows the form to wrap the line
}

func parseRunContact(line string) (resource.RunContact, error) {
	var c resource.RunContact
	for i, part := range strings.Split(line, ";") {
		part = strings.TrimSpace(part)
		if i == 0 {
			c.Value = part
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok || !setRunContactField(&c, strings.TrimSpace(name), strings.TrimSpace(value)) {
			return c, errRunContact
		}
	}
	if c.Value == "" && c.ID == "" {
		return c, errRunContact
	}
	return c, nil
}

// setRunContactField sets the field of c with the given name to a value. It reports whether the
// name is known and the value valid.
func setRunContactField(c *resource.RunContact, name, value string) bool {
	var err error
	switch name {
	case "type":
		c.ItemContactType = value
	case "language":
		c.TemplateLanguage = value
	case "id":
		c.ID = value
	case "item":
		c.ItemNumber, err = parseWholeNumber(value)
	case "campaign":
		c.CampaignID, err = parseWholeNumber(value)
	default:
		custom, ok := strings.CutPrefix(name, "custom.")
		if !ok || custom == "" {
			return false
		}
		if c.CustomFields == nil {
			c.CustomFields = map[string]string{}
		}
		c.CustomFields[custom] = value
	}
	return err == nil
}

var errNumber = words.NewError(words.ActFieldErrorNumber(), nil)

func parseWholeNumber(s string) (*int, error) {
	n64, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return nil, errNumber
	}
	n := int(n64)
	return &n, nil
}

var errIDs = words.NewError(words.ActFieldErrorIds(), nil)

// parseIDs parses IDs that are separated as in [splitValues]. It returns each ID once.
func parseIDs(text string) ([]int, error) {
	var out []int
	for _, word := range splitValues(text) {
		n, err := parseWholeNumber(word)
		if err != nil {
			return nil, errIDs
		}
		if !slices.Contains(out, *n) {
			out = append(out, *n)
		}
	}
	return out, nil
}

// splitValues splits text at spaces, commas, semicolons and line breaks. The result is nil if the
// text has no values.
func splitValues(text string) []string {
	values := strings.FieldsFunc(text, func(r rune) bool {
		return r == ',' || r == ';' || r == ' ' || r == '\n'
	})
	if len(values) == 0 {
		return nil
	}
	return values
}

var errPair = words.NewError(words.ActFieldErrorPair(), nil)

// parsePairs parses lines of the form "key=value". A key may be on several lines. Its values are in
// the order of the lines.
func parsePairs(text string) (map[string][]string, error) {
	var out map[string][]string
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		k, value, ok := strings.Cut(line, "=")
		if k = strings.TrimSpace(k); !ok || k == "" {
			return nil, errPair
		}
		if out == nil {
			out = map[string][]string{}
		}
		out[k] = append(out[k], strings.TrimSpace(value))
	}
	return out, nil
}

// checkParsed returns a function that checks the text of a form field by calling parse and
// returning its error.
func checkParsed[T any](parse func(string) (T, error)) func(string) error {
	return func(s string) error {
		_, err := parse(s)
		return err
	}
}
