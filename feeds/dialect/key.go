package dialect

import (
	"bytes"
	"encoding/json"
	"slices"

	"wallboard/feeds/graphql"
	"wallboard/feeds/records"
	"wallboard/model"
)

// recordKey is the key of a record, with the names of document 2.
type recordKey struct {
	field     string // key field: code, username, id or campaignId
	name      string // value of the key field, as a GraphQL literal
	channel   string
	component string
}

// recordKeyOf returns the recordKey for key, a key of a record of package model. It returns the
// zero value if filters cannot name the record.
func recordKeyOf(key any) recordKey {
	r := recordKey{name: graphql.StringLiteral(records.FilterName(key)), channel: records.KeyChannel(key)}
	switch k := key.(type) {
	case model.ServiceKey, model.GroupKey:
		r.field = "code"
	case model.AttendantKey:
		r.field, r.component = "code", string(k.Component)
	case model.UserStatKey:
		r.field = "username"
	case model.ProfileKey:
		r.field, r.name = "id", records.FilterName(key)
	case int64:
		r.field, r.name = "campaignId", records.FilterName(key)
	default:
		return recordKey{} // a user: filters cannot name a single user
	}
	return r
}

func recordKeysOf(keys []any) []recordKey {
	out := make([]recordKey, len(keys))
	for i, k := range keys {
		out[i] = recordKeyOf(k)
	}
	return out
}

// member is a member of a JSON object.
type member struct {
	name  string
	value string // as JSON
}

// members returns the members that a JSON object of the record must contain to identify it.
func (k recordKey) members() []member {
	all := []member{{k.field, k.name}}
	if k.channel != "" {
		all = append(all, member{"channel", graphql.StringLiteral(k.channel)})
	}
	if k.component != "" {
		all = append(all, member{"component", graphql.StringLiteral(k.component)})
	}
	return all
}

// withKey returns an update in which the members of key are added to the records that lack them. It
// does not change members that are present, as in the first message of a subscription or in a new
// record. If the update contains no list of records or key is nil, withKey returns it unchanged.
func withKey(payload []byte, root string, key []member) []byte {
	if key == nil {
		return payload
	}
	records, errs, ok := splitPayload(payload, root)
	if !ok {
		return payload
	}
	for i, r := range records {
		records[i] = fillKey(r, key)
	}
	return joinPayload(root, records, errs)
}

// hasKey reports whether an update contains records and all of them contain all members of key.
func hasKey(payload []byte, root string, key []member) bool {
	records, _, ok := splitPayload(payload, root)
	for _, r := range records {
		var fields map[string]json.RawMessage
		ok = ok && json.Unmarshal(r, &fields) == nil
		for _, k := range key {
			ok = ok && len(fields[k.name]) > 0 && string(fields[k.name]) != "null"
		}
	}
	return ok && len(records) > 0
}

// fillKey returns the record with the missing members of key added at the beginning. A member that
// is null counts as missing and is dropped, because a duplicate member would make the record
// unreadable. If record is not an object, fillKey returns it unchanged.
func fillKey(record json.RawMessage, key []member) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(record))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return record
	}
	missing := slices.Clone(key)
	var rest []byte
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return record
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return record
		}
		text, _ := name.(string) // a member name is a string
		if i := slices.IndexFunc(missing, func(m member) bool { return m.name == text }); i >= 0 {
			if string(value) == "null" {
				continue
			}
			missing = slices.Delete(missing, i, i+1)
		}
		rest = append(append(append(append(rest, ','), graphql.StringLiteral(text)...), ':'), value...)
	}
	var filled []byte
	for _, m := range missing {
		filled = append(append(append(append(filled, ','), graphql.StringLiteral(m.name)...), ':'), m.value...)
	}
	filled = append(filled, rest...)
	filled[0] = '{' // filled is not empty and begins with a comma, because key is not empty
	return append(filled, '}')
}
