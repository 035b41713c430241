package operations

import (
	"encoding/json"
	"fmt"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/safedecode"
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
func printFound[T any](s *invocation, found model.FetchedList[T], hint incompleteHint, columns ...Column) error {
	rows, incomplete := found.Items, incompleteText(found.Short, hint)
	if s.json {
		if rows == nil {
			rows = []T{}
		}
		r := resultDocument{Outcome: resource.OutcomeConfirmed.String(), Warning: incomplete, Result: rows}
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
	return printFound(s, model.FetchedList[T]{Items: rows}, hintRunAgain, columns...)
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
			cells[i] = safedecode.JSONCell(raw, c.Path)
		}
		lines = append(lines, cells)
	}
	return cmdutil.WriteTable(s.streams.Out, lines)
}

// printResource prints a resource as JSON, or as a table with a row for each field.
func printResource(s *invocation, v any) error {
	if s.json {
		return s.writeJSON(resultDocument{Outcome: resource.OutcomeConfirmed.String(), Result: v})
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("format the result: %w", err)
	}
	fields, err := safedecode.JSONFields(raw)
	if err != nil {
		return err
	}
	return cmdutil.WriteTable(s.streams.Out, fields)
}
