package rtd

import (
	"errors"
	"strconv"
	"time"
)

// number is the scalar Int. graphql-go requires int32 for Int; a separate type lets
// views point directly at the world's int64 fields.
type number int64

// ImplementsGraphQLType reports whether name is the schema's name of the scalar.
func (number) ImplementsGraphQLType(name string) bool { return name == "Int" }

// UnmarshalGraphQL returns an error: number is never an input.
func (*number) UnmarshalGraphQL(any) error { return errors.New("number is not an input type") }

// instant is the scalar Date.
type instant time.Time

// dateMark starts the JSON string of an encoded instant. The dialect replaces the
// whole string, so clients never receive the mark.
const dateMark = `"\u0001`

// ImplementsGraphQLType reports whether name is the schema's name of the scalar.
func (instant) ImplementsGraphQLType(name string) bool { return name == "Date" }

// UnmarshalGraphQL returns an error: instant is never an input.
func (*instant) UnmarshalGraphQL(any) error { return errors.New("instant is not an input type") }

// neverMark replaces the number for an instant that never occurred, which is a zero
// time.
const neverMark = "never"

// MarshalJSON encodes the mark and the milliseconds since 1970.
func (t instant) MarshalJSON() ([]byte, error) {
	return t.AppendJSON(make([]byte, 0, 24)), nil
}

// AppendJSON appends the JSON encoding of the instant to b.
func (t instant) AppendJSON(b []byte) []byte {
	b = append(b, dateMark...)
	if time.Time(t).IsZero() {
		return append(b, neverMark+`"`...)
	}
	b = strconv.AppendInt(b, time.Time(t).UnixMilli(), 10)
	return append(b, '"')
}
