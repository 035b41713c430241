package history

import (
	"context"
	"encoding/json"
	"fmt"

	"wallboard/model/contact"
)

// Document 3 mentions the support operations (Advanced edition), but does not show them. They are:
// one record by its ID, a paged search, a count, and a count by groups. Their names come from
// [Options.Names] or from the server's schema. The fields of a record come from the schema. Without
// a schema, the fields id, startTime and endTime are read.

// Support returns the support record with an ID. The error is [ErrNotFound] if there is no such
// record.
func (c *Client) Support(ctx context.Context, id string) (contact.Record, error) {
	name, fields, err := c.supportFields(ctx, OpSupport)
	if err != nil {
		return nil, err
	}
	raw, err := c.fetch(ctx, query{op: OpSupport, text: fmt.Sprintf("%s(id: %s) %s", name, stringLiteral(id), fields.selection())})
	if err != nil {
		return nil, err
	}
	if isNull(raw[0]) {
		return nil, &Error{Operation: OpSupport, Err: ErrNotFound}
	}
	return fields.read(raw[0])
}

// Supports returns the support records that began in a range. Each month that the range may touch is
// searched separately, with at most limit records a page. 0 means 1000, which is also the maximum.
func (c *Client) Supports(ctx context.Context, r contact.Range, limit int) ([]contact.Record, error) {
	if err := c.checkRange(OpSupports, r); err != nil {
		return nil, err
	}
	name, fields, err := c.supportFields(ctx, OpSupports)
	if err != nil {
		return nil, err
	}
	if limit <= 0 || limit > maxPage {
		limit = maxPage
	}
	var list []contact.Record
	for _, m := range monthsOf(r, c.location) {
		offset := 0
		for before := -1; before < len(list); {
			before = len(list)
			text := fmt.Sprintf("%s(%s) %s", name, searchArgument(m, r, ", "+paginationArguments("START_TIME", offset, limit)), fields.selection())
			raw, err := c.fetch(ctx, query{op: OpSupports, form: formList, text: text, period: r})
			if err != nil {
				return nil, err
			}
			if list, err = fields.appendAll(list, raw[0]); err != nil {
				return nil, err
			}
			offset += len(list) - before
		}
	}
	return list, nil
}

// appendAll appends the records of an answer to list.
func (f recordFields) appendAll(list []contact.Record, answer json.RawMessage) ([]contact.Record, error) {
	var rows []json.RawMessage
	if err := json.Unmarshal(answer, &rows); err != nil {
		return nil, &Error{Operation: OpSupports, Err: ErrAnswer, Message: "the records are not a list"}
	}
	for _, row := range rows {
		record, err := f.read(row)
		if err != nil {
			return nil, err
		}
		list = append(list, record)
	}
	return list, nil
}

// SupportCount returns the number of support records that began in a range. The error is
// [ErrNoData] if the platform returns no number.
func (c *Client) SupportCount(ctx context.Context, r contact.Range) (int, error) {
	if err := c.checkRange(OpSupportCount, r); err != nil {
		return 0, err
	}
	name, err := c.serverName(ctx, OpSupportCount)
	if err != nil {
		return 0, err
	}
	var fields []query
	for _, m := range monthsOf(r, c.location) {
		fields = append(fields, query{op: OpSupportCount, form: formCount, text: fmt.Sprintf("%s(%s)", name, searchArgument(m, r, "")), period: r})
	}
	raw, err := c.fetch(ctx, fields...)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, value := range raw {
		n, known, err := readCount(value)
		if err == nil && !known {
			err = &Error{Err: ErrNoData}
		}
		if err != nil {
			return 0, withOperation(err, OpSupportCount)
		}
		total += n
	}
	return total, nil
}

// SupportGroups returns the number of support records that began in a range for each group, largest
// group first. by is the value by which records are grouped, as in [contact.GroupQuery].
func (c *Client) SupportGroups(ctx context.Context, by string, r contact.Range) ([]contact.Group, error) {
	return c.countGroups(ctx, OpSupportCountGroup, by, r)
}

// recordFields holds the names of the fields of a support record that are read, in order.
type recordFields []string

func (f recordFields) selection() string {
	text := "{"
	for _, name := range f {
		text += " " + name
	}
	return text + " }"
}

func (f recordFields) read(raw json.RawMessage) (contact.Record, error) {
	var m jsonObject
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, &Error{Err: ErrAnswer, Message: "a record is not an object"}
	}
	record := make(contact.Record, 0, len(f))
	for _, name := range f {
		record = append(record, contact.RecordField{Name: name, Value: readText(m[name])})
	}
	return record, nil
}

// supportFields returns the name of an operation on the server, and those fields of its result that
// have plain values.
func (c *Client) supportFields(ctx context.Context, op string) (string, recordFields, error) {
	name, err := c.serverName(ctx, op)
	if err != nil {
		return "", nil, err
	}
	s, err := c.schema(ctx)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	if err == nil {
		if f := s.typeNamed(s.QueryType.Name).field(name); f != nil {
			base, _ := f.Type.base()
			if plain := s.typeNamed(base.Name).scalarFields(); len(plain) > 0 {
				return name, plain, nil
			}
		}
	}
	return name, recordFields{"id", "startTime", "endTime"}, nil
}

// scalarFields returns the names of the fields of a type that have plain values and no required
// argument.
func (t *schemaType) scalarFields() recordFields {
	var names recordFields
	for _, f := range t.Fields {
		if base, list := f.Type.base(); !list && (base.Kind == "SCALAR" || base.Kind == "ENUM") && len(f.Args) == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}
