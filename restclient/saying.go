package restclient

import (
	"encoding/json"
	"slices"
	"strings"
)

// The members of objects by which servers tell what is wrong. Document 1 shows
// no shape; these are those of the frameworks in the field.
var (
	messageNames = []string{"message", "errorMessage", "defaultMessage", "error_description", "description", "detail", "reason", "title", "error"}
	fieldNames   = []string{"field", "fieldName", "property", "propertyPath", "parameter", "param", "path", "pointer", "name"}
	listNames    = []string{"errors", "fieldErrors", "violations", "constraintViolations", "invalid-params", "invalidParams", "details", "parameterViolations"}
)

// saying is what the values of a JSON text that are meant for people say.
type saying struct {
	dec   *json.Decoder
	whole string   // what it is about altogether
	parts []string // one for each field
}

// inJSON returns what a JSON text says to people. One that is cut off is read
// as far as it goes. What is not JSON, or says nothing to people, is returned as
// it is.
func inJSON(text string) string {
	if text == "" || !strings.ContainsAny(text[:1], `{["`) {
		return text
	}
	s := &saying{dec: json.NewDecoder(strings.NewReader(text))}
	s.whole, _ = s.value("", 0)
	if s.whole != "" && !slices.Contains(s.parts, s.whole) {
		s.parts = append([]string{s.whole}, s.parts...)
	}
	if len(s.parts) == 0 {
		return text
	}
	return strings.Join(s.parts, "; ")
}

// deepest is how deep a value is looked into.
const deepest = 6

// value reads a value and returns its text, of an object that of the member
// that is meant for people. under is the name of the nearest list around it.
// ok is false where the text ends or is not JSON any more.
func (s *saying) value(under string, depth int) (text string, ok bool) {
	if depth > deepest {
		var skipped json.RawMessage
		return "", s.dec.Decode(&skipped) == nil
	}
	token, err := s.dec.Token()
	if err != nil {
		return "", false
	}
	switch token := token.(type) {
	case string:
		return token, true
	case json.Delim:
		if token == '[' {
			return "", s.list(under, depth)
		}
		return s.object(under, depth)
	}
	return "", true
}

// list reads the elements of a list of problems, or of any other.
func (s *saying) list(under string, depth int) (ok bool) {
	for s.dec.More() {
		text, ok := s.value("", depth+1)
		switch {
		case slices.Contains(listNames, under), depth == 0:
			s.add(text)
		case under != "":
			s.add(join(under, text))
		}
		if !ok {
			return false
		}
	}
	_, err := s.dec.Token()
	return err == nil
}

func (s *saying) object(under string, depth int) (text string, ok bool) {
	said := map[string]string{}
	for s.dec.More() {
		token, err := s.dec.Token()
		if err != nil {
			return s.sentence(said), false
		}
		name, _ := token.(string)
		inner := ""
		if under != "" || slices.Contains(listNames, name) {
			inner = name
		}
		text, ok := s.value(inner, depth+1)
		switch {
		case under != "": // a map of fields to what is wrong with them
			s.add(join(name, text))
		case inner != "":
			s.add(text)
		case slices.Contains(messageNames, name), slices.Contains(fieldNames, name):
			said[name] = text
		}
		if !ok {
			return s.sentence(said), false
		}
	}
	_, err := s.dec.Token()
	return s.sentence(said), err == nil
}

// sentence is what an object says, after the field that it is about.
func (s *saying) sentence(said map[string]string) string {
	return join(firstOf(said, fieldNames), firstOf(said, messageNames))
}

func firstOf(said map[string]string, names []string) string {
	for _, name := range names {
		if said[name] != "" {
			return said[name]
		}
	}
	return ""
}

// join puts a field before what is wrong with it, unless that names it.
func join(field, text string) string {
	if field == "" || text == "" || strings.HasPrefix(field, "/") || strings.Contains(text, field) {
		return text
	}
	return field + ": " + text
}

// add adds what is wrong with a field.
func (s *saying) add(text string) {
	const most = 20 // more than an excerpt can hold
	if text != "" && len(s.parts) < most {
		s.parts = append(s.parts, text)
	}
}
