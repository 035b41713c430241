package restclient

import (
	"encoding/json"
	"slices"
	"strings"
)

// Names of JSON members that hold error messages, fields and lists of errors. Document 1 shows
// no format of errors, so these are the names that common frameworks use.
var (
	messageNames   = []string{"message", "errorMessage", "defaultMessage", "error_description", "description", "detail", "reason", "title", "error"}
	fieldNames     = []string{"field", "fieldName", "property", "propertyPath", "parameter", "param", "path", "pointer", "name"}
	errorListNames = []string{"errors", "fieldErrors", "violations", "constraintViolations", "invalid-params", "invalidParams", "details", "parameterViolations"}
)

// messageReader reads a JSON value and collects the error messages in it.
type messageReader struct {
	dec           *json.Decoder
	message       string   // the message of the whole value
	fieldMessages []string // the messages about fields
}

// messagesInJSON returns the error messages in a JSON document, separated by semicolons. It
// reads a truncated document as far as possible. If text is not JSON or has no error messages,
// messagesInJSON returns it unchanged.
func messagesInJSON(text string) string {
	if text == "" || !strings.ContainsAny(text[:1], `{["`) {
		return text
	}
	s := &messageReader{dec: json.NewDecoder(strings.NewReader(text))}
	s.message, _ = s.readValue("", 0)
	if s.message != "" && !slices.Contains(s.fieldMessages, s.message) {
		s.fieldMessages = append([]string{s.message}, s.fieldMessages...)
	}
	if len(s.fieldMessages) == 0 {
		return text
	}
	return strings.Join(s.fieldMessages, "; ")
}

// maxDepth is the maximum nesting depth at which messages are found. Deeper values are skipped.
const maxDepth = 6

// readValue reads a value. It returns the content of a string, the message of an object, or ""
// for other values. enclosing is the name of the error list that contains the value, or "". ok
// is false if the JSON document ends early or is invalid.
func (r *messageReader) readValue(enclosing string, depth int) (text string, ok bool) {
	if depth > maxDepth {
		var skipped json.RawMessage
		return "", r.dec.Decode(&skipped) == nil
	}
	token, err := r.dec.Token()
	if err != nil {
		return "", false
	}
	switch token := token.(type) {
	case string:
		return token, true
	case json.Delim:
		if token == '[' {
			return "", r.readList(enclosing, depth)
		}
		return r.readObject(enclosing, depth)
	}
	return "", true
}

// readList reads a list and adds the messages of its elements. enclosing is the name of the
// list. ok is false if the JSON document ends early or is invalid.
func (r *messageReader) readList(enclosing string, depth int) (ok bool) {
	for r.dec.More() {
		text, ok := r.readValue("", depth+1)
		switch {
		case slices.Contains(errorListNames, enclosing), depth == 0:
			r.addMessage(text)
		case enclosing != "":
			r.addMessage(joinField(enclosing, text))
		}
		if !ok {
			return false
		}
	}
	_, err := r.dec.Token()
	return err == nil
}

func (r *messageReader) readObject(enclosing string, depth int) (text string, ok bool) {
	said := map[string]string{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return r.formatMessage(said), false
		}
		name, _ := token.(string)
		inner := ""
		if enclosing != "" || slices.Contains(errorListNames, name) {
			inner = name
		}
		text, ok := r.readValue(inner, depth+1)
		switch {
		case enclosing != "": // an object that maps fields to problems
			r.addMessage(joinField(name, text))
		case inner != "":
			r.addMessage(text)
		case slices.Contains(messageNames, name), slices.Contains(fieldNames, name):
			said[name] = text
		}
		if !ok {
			return r.formatMessage(said), false
		}
	}
	_, err := r.dec.Token()
	return r.formatMessage(said), err == nil
}

// formatMessage returns the message of an object as "field: message", or the message alone if no
// field is named. texts maps the names of members to their strings.
func (r *messageReader) formatMessage(texts map[string]string) string {
	return joinField(firstText(texts, fieldNames), firstText(texts, messageNames))
}

func firstText(texts map[string]string, names []string) string {
	for _, name := range names {
		if texts[name] != "" {
			return texts[name]
		}
	}
	return ""
}

// joinField returns "field: text". It returns text alone if text is empty or already contains
// field, or if field is empty or a JSON pointer.
func joinField(field, text string) string {
	if field == "" || text == "" || strings.HasPrefix(field, "/") || strings.Contains(text, field) {
		return text
	}
	return field + ": " + text
}

// addMessage adds a message unless it is empty or the maximum number of messages is reached.
func (r *messageReader) addMessage(text string) {
	const most = 20 // more than fit into an excerpt
	if text != "" && len(r.fieldMessages) < most {
		r.fieldMessages = append(r.fieldMessages, text)
	}
}
