package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/model"
	"wallboard/model/resource"
)

// Column is a column of a printed table.
type Column struct {
	Head string
	Path string // path in the JSON of a row: names separated by dots; alternatives separated by |
}

// printFound prints rows as a table or as JSON. If rows are missing, it adds a note to the
// JSON or, for a table, writes it to standard error.
func printFound[T any](s *invocation, found model.Found[T], hint incompleteHint, columns ...Column) error {
	rows, incomplete := found.Items, incompleteText(found.Short, hint)
	if s.json {
		if rows == nil {
			rows = []T{}
		}
		r := resultDocument{Outcome: resource.Confirmed.String(), Warning: incomplete, Result: rows}
		if found.Short != nil && found.Short.Total >= 0 {
			r.Total = &found.Short.Total
		}
		return s.writeJSON(r)
	}
	if len(rows) == 0 && incomplete == "" {
		incomplete = "Nothing found."
	}
	if len(rows) > 0 {
		if err := writeRows(s, rows, columns); err != nil {
			return err
		}
	}
	if incomplete == "" {
		return nil
	}
	return cmdutil.WriteText(s.streams.Err, incomplete+"\n")
}

// printRows is like printFound for a complete list of rows.
func printRows[T any](s *invocation, rows []T, columns ...Column) error {
	return printFound(s, model.Found[T]{Items: rows}, hintRunAgain, columns...)
}

// PrintList prints rows that do not come from the platform, as a table or as JSON. name is the
// name of the command.
func PrintList[T any](set *cmdutil.Setup, name string, rows []T, columns ...Column) error {
	return printRows(&invocation{streams: set.Streams, command: name, json: set.JSON}, rows, columns...)
}

// writeRows writes rows as a table with a heading.
func writeRows[T any](s *invocation, rows []T, columns []Column) error {
	lines := make([][]string, 1, len(rows)+1)
	for _, c := range columns {
		lines[0] = append(lines[0], c.Head)
	}
	for _, row := range rows {
		raw, err := json.Marshal(row)
		if err != nil {
			return fmt.Errorf("format the result: %w", err)
		}
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = c.cellText(raw)
		}
		lines = append(lines, cells)
	}
	return cmdutil.WriteTable(s.streams.Out, lines)
}

// cellText returns the content of the column for a row, which is given as JSON.
func (c Column) cellText(row []byte) string {
	for path := range strings.SplitSeq(c.Path, "|") {
		value := json.RawMessage(row)
		for name := range strings.SplitSeq(path, ".") {
			var members map[string]json.RawMessage
			if json.Unmarshal(value, &members) != nil {
				members = nil
			}
			value = members[name]
		}
		if text := formatValue(value); text != "" {
			return text
		}
	}
	return ""
}

// formatValue formats a JSON value for a table. Strings have no quotes, times are in UTC, and
// bools become yes or no. The elements of a list are joined with commas, but a list of objects
// becomes their number. An object stays JSON. null and a missing value become "".
func formatValue(value json.RawMessage) string {
	var v any
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return ""
	}
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case map[string]any:
		return string(cmdutil.EscapeJSON(value))
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			if _, ok := e.(map[string]any); ok {
				return strconv.Itoa(len(v))
			}
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, ", ")
	case string:
		if instant, err := time.Parse(time.RFC3339, v); err == nil {
			return instant.UTC().Format("2006-01-02 15:04:05Z")
		}
		return v
	default:
		return fmt.Sprint(v)
	}
}

// printResource prints a resource as JSON, or as a table with a row for each field.
func printResource(s *invocation, v any) error {
	if s.json {
		return s.writeJSON(resultDocument{Outcome: resource.Confirmed.String(), Result: v})
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("format the result: %w", err)
	}
	fields, err := fieldRows(raw)
	if err != nil {
		return err
	}
	return cmdutil.WriteTable(s.streams.Out, fields)
}

// fieldRows returns a row with the name and the value of each field of a JSON object, in the
// same order. It skips fields with an empty value. Objects and lists stay JSON.
func fieldRows(raw []byte) ([][]string, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return [][]string{{formatValue(raw)}}, nil //nolint:nilerr // a value that is no object is shown alone
	}
	var rows [][]string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("format the result: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("format the result: %w", err)
		}
		text := formatValue(value)
		if value[0] == '[' {
			text = string(cmdutil.EscapeJSON(value))
		}
		if text != "" {
			rows = append(rows, []string{fmt.Sprint(name), text})
		}
	}
	if rows == nil {
		rows = [][]string{{"nothing is given"}}
	}
	return rows, nil
}
