package history

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"wallboard/model/contact"
)

// Document 3 mentions the support operations (Advanced edition) without describing them: a
// record by its ID, a paged search, a count, and a count by groups. Their names come from
// [Options.Names] or from the server's schema, and the fields of a record from the schema.
// Without a schema, the client reads the fields id, startTime and endTime.

// Support returns the support record with the given ID. The error is [ErrNotFound] if there is
// no such record.
func (c *Client) Support(ctx context.Context, id string) (contact.Record, error) {
	name, fields, err := c.supportFields(ctx, OpSupport)
	if err != nil {
		return nil, err
	}
	raw, err := c.fetch(ctx, rootField{op: OpSupport, text: fmt.Sprintf("%s(id: %s) %s", name, stringLiteral(id), fields.selection())})
	if err != nil {
		return nil, err
	}
	if isNull(raw[0]) {
		return nil, &Error{Operation: OpSupport, Err: ErrNotFound}
	}
	return fields.read(raw[0])
}

// Supports yields the support records that began in r, ordered by their start. It handles
// pages and errors like [Client.Calls].
func (c *Client) Supports(ctx context.Context, r contact.Range) iter.Seq2[contact.Record, error] {
	return func(yield func(contact.Record, error) bool) {
		if err := readSupports(ctx, c, r, yield); err != nil {
			yield(nil, withOperation(err, OpSupports))
		}
	}
}

func readSupports(ctx context.Context, c *Client, within contact.Range, yield func(contact.Record, error) bool) error {
	if err := c.checkRange(OpSupports, within); err != nil {
		return err
	}
	name, fields, err := c.supportFields(ctx, OpSupports)
	if err != nil {
		return err
	}
	r := pageReader[contact.Record]{client: c, decode: fields.readAll, id: fields.id}
	end := endOfList
	for _, m := range monthsOf(within, c.location) {
		end, err = r.readList(ctx, optionalCount{}, yield, func(offset, limit int) rootField {
			text := fmt.Sprintf("%s(%s) %s", name, searchArgument(m, within, ", "+paginationArguments("START_TIME", offset, limit)), fields.selection())
			return rootField{op: OpSupports, form: formList, text: text, period: within}
		})
		if err != nil {
			return err
		}
		if end != endOfList {
			break
		}
	}
	return r.incompleteError(end)
}

// readAll parses the records of a page. n is the number of rows.
func (f recordFields) readAll(raw json.RawMessage) (records []contact.Record, n int, err error) {
	rows, err := decodeList(raw, maxRows, "the records are not a list")
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		record, err := f.read(row)
		if err != nil {
			return nil, 0, err
		}
		records = append(records, record)
	}
	return records, len(rows), nil
}

// id returns the ID of a record, or "" if the field id is not read.
func (f recordFields) id(r contact.Record) string {
	if i := slices.Index(f, "id"); i >= 0 {
		return r[i].Value
	}
	return ""
}

// SupportCount returns the number of support records that began in r. The error is [ErrNoData]
// if the platform returns no number.
func (c *Client) SupportCount(ctx context.Context, r contact.Range) (int, error) {
	if err := c.checkRange(OpSupportCount, r); err != nil {
		return 0, err
	}
	name, err := c.serverName(ctx, OpSupportCount)
	if err != nil {
		return 0, err
	}
	var fields []rootField
	for _, m := range monthsOf(r, c.location) {
		fields = append(fields, rootField{op: OpSupportCount, form: formCount, text: fmt.Sprintf("%s(%s)", name, searchArgument(m, r, "")), period: r})
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

// SupportGroups returns the number of support records that began in r for each group, grouped
// by the value by (see [contact.GroupQuery]). The largest group comes first.
func (c *Client) SupportGroups(ctx context.Context, by string, r contact.Range) ([]contact.Group, error) {
	return c.countGroups(ctx, OpSupportCountGroup, by, r)
}

// recordFields holds the names of the fields to read from a support record, in order.
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
		return nil, &Error{Err: ErrInvalidAnswer, Message: "a record is not an object"}
	}
	record := make(contact.Record, 0, len(f))
	for _, name := range f {
		record = append(record, contact.RecordField{Name: name, Value: readText(m[name])})
	}
	return record, nil
}

// supportFields returns the name of an operation on the server, and the fields of its result
// that have plain values.
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
