package rtd

import (
	"errors"
	"strconv"
	"time"
)

// intScalar is the scalar Int of the schema. It is an int64, because views point to the world's
// int64 fields. graphql-go would require int32 for Int.
type intScalar int64

// ImplementsGraphQLType reports whether name is the name of this scalar in the schema.
func (intScalar) ImplementsGraphQLType(name string) bool { return name == "Int" }

// UnmarshalGraphQL returns an error, because the schema uses the scalar only for output.
func (*intScalar) UnmarshalGraphQL(any) error { return errors.New("number is not an input type") }

// dateScalar is the scalar Date of the schema. It is encoded as a marked string, which the
// dialect replaces.
type dateScalar time.Time

// dateMark is the beginning of the JSON string that encodes an instant. The dialect replaces
// the whole string, so clients do not receive the mark.
const dateMark = `"\u0001`

// ImplementsGraphQLType reports whether name is the name of this scalar in the schema.
func (dateScalar) ImplementsGraphQLType(name string) bool { return name == "Date" }

// UnmarshalGraphQL returns an error, because the schema uses the scalar only for output.
func (*dateScalar) UnmarshalGraphQL(any) error { return errors.New("instant is not an input type") }

// neverMark follows dateMark in place of a number if the instant is zero, which means that it
// has not occurred.
const neverMark = "never"

// MarshalJSON encodes the instant as a string: dateMark, followed by the milliseconds since
// 1970 or, for a zero instant, by neverMark.
func (t dateScalar) MarshalJSON() ([]byte, error) {
	return t.AppendJSON(make([]byte, 0, 24)), nil
}

// AppendJSON appends the JSON encoding of the instant to b.
func (t dateScalar) AppendJSON(b []byte) []byte {
	b = append(b, dateMark...)
	if time.Time(t).IsZero() {
		return append(b, neverMark+`"`...)
	}
	b = strconv.AppendInt(b, time.Time(t).UnixMilli(), 10)
	return append(b, '"')
}
