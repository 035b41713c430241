package rtd

import (
	"errors"
	"strconv"
	"time"
)

// number is an Int of the schema. graphql-go insists on int32 for Int; a type
// of its own lets views point straight at the world's int64 fields.
type number int64

// ImplementsGraphQLType tells graphql-go which scalar this is.
func (number) ImplementsGraphQLType(name string) bool { return name == "Int" }

// UnmarshalGraphQL refuses: number is never an input.
func (*number) UnmarshalGraphQL(any) error { return errors.New("number is no input type") }

// instant is a Date of the schema.
type instant time.Time

// dateMark opens the JSON string that an instant marshals to. The dialect
// rewrites the whole string, so the mark never reaches a client.
const dateMark = `"\u0001`

// ImplementsGraphQLType tells graphql-go which scalar this is.
func (instant) ImplementsGraphQLType(name string) bool { return name == "Date" }

// UnmarshalGraphQL refuses: instant is never an input.
func (*instant) UnmarshalGraphQL(any) error { return errors.New("instant is no input type") }

// neverMark stands for an instant that never was in the place of a number. The
// zero instant is one.
const neverMark = "never"

// MarshalJSON writes the mark and the milliseconds since 1970.
func (t instant) MarshalJSON() ([]byte, error) {
	return t.AppendJSON(make([]byte, 0, 24)), nil
}

// AppendJSON appends what the instant marshals to.
func (t instant) AppendJSON(b []byte) []byte {
	b = append(b, dateMark...)
	if time.Time(t).IsZero() {
		return append(b, neverMark+`"`...)
	}
	b = strconv.AppendInt(b, time.Time(t).UnixMilli(), 10)
	return append(b, '"')
}
