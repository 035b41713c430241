package merge_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"wallboard/feeds/merge"
)

// anna is the record used by the traps.
const anna = `{"data":{"userStats":[{"username":"anna","channel":"CALL","name":"Anna","numberCallIn":5,` +
	`"status":"READY","timeInActivityCode":[{"activityCode":"a","totalTime":10},{"activityCode":"b","totalTime":20}],` +
	`"timeInState":"2026-11-21T09:00:00Z"}]}}`

const annaKey = `"anna" "CALL" `

// trap is a message and its effect on anna.
type trap struct {
	name    string
	payload string
	change  object // fields that differ afterwards
	shape   string // field of the ShapeError
	err     string // text of another error
}

// update returns a message with one update of anna.
func update(fields string) string {
	return `{"data":{"userStats":[{"username":"anna","channel":"CALL",` + fields + `}]}}`
}

func traps() []trap {
	var all []trap
	all = append(all, valueTraps()...)
	all = append(all, listTraps()...)
	all = append(all, shapeTraps()...)
	all = append(all, syntaxTraps()...)
	return append(all, envelopeTraps()...)
}

func valueTraps() []trap {
	number := func(name, raw string, want int64) trap {
		return trap{name: name, payload: update(`"numberCallIn":` + raw), change: object{"numberCallIn": want}}
	}
	since := func(name, raw string, want instant) trap {
		return trap{name: name, payload: update(`"timeInState":` + raw), change: object{"timeInState": want}}
	}
	const nine = 1795251600000 // 2026-11-21 09:00 UTC
	return []trap{
		{name: "null number", payload: update(`"numberCallIn":null`)},
		{name: "null text", payload: update(`"name":null`)},
		{name: "null state", payload: update(`"status":null`)},
		{name: "null instant", payload: update(`"timeInState":null`)},
		number("zero is a value", `0`, 0),
		number("quoted", `"12"`, 12),
		number("quoted with an escape", `"\u00312"`, 12),
		number("whole float", `3.0`, 3),
		number("exponent", `1e3`, 1000),
		number("rounded up", `2.5`, 3),
		number("rounded down", `2.4999`, 2),
		number("rounded away from zero", `-2.5`, -3),
		number("minus zero", `-0`, 0),
		number("largest", `9223372036854775807`, 9223372036854775807),
		number("smallest", `-9223372036854775807`, -9223372036854775807),
		{name: "empty text is a value", payload: update(`"name":""`), change: object{"name": ""}},
		{name: "not present is a value", payload: update(`"activityCode":"__EMPTY__"`), change: object{"activityCode": "__EMPTY__"}},
		{name: "hostile text", payload: update(`"name":"a\u001b[2J\u202e\u009b"`), change: object{"name": "a␛[2J\ufffd\ufffd"}},
		{name: "bad UTF-8", payload: update("\"name\":\"a\xff\xc3z\""), change: object{"name": "a\ufffd\ufffdz"}},
		{name: "lone surrogate", payload: update(`"name":"\ud800x"`), change: object{"name": "\ufffdx"}},
		{name: "long text", payload: update(`"name":"` + strings.Repeat("ü", 999) + `"`), change: object{"name": strings.Repeat("ü", 255) + "…"}},
		{name: "unlisted state", payload: update(`"status":"ON_THE_MOON"`), change: object{"status": "ON_THE_MOON"}},
		since("zone", `"2026-11-21T10:00:00+01:00"`, nine),
		since("escaped zone", `"2026-11-21T10:00:00\u002b01:00"`, nine),
		since("no zone", `"2026-11-21T09:00:00.001"`, nine+1),
		since("milliseconds", `1795251600000`, nine),
		since("quoted milliseconds", `"1795251600000"`, nine),
		{name: "no instant: 0", payload: update(`"timeInState":0`), change: object{"timeInState": nil}},
		{name: "no instant: quoted 0", payload: update(`"timeInState":"0"`), change: object{"timeInState": nil}},
		{name: "no instant: -1", payload: update(`"timeInState":-1`), change: object{"timeInState": nil}},
		{name: "no instant: empty", payload: update(`"timeInState":""`), change: object{"timeInState": nil}},
		{name: "no instant: the first", payload: update(`"timeInState":"1970-01-01T00:00:00Z"`), change: object{"timeInState": nil}},
		{name: "no instant: the last", payload: update(`"timeInState":"9999-12-31T23:59:59.999Z"`), change: object{"timeInState": nil}},
		{name: "no instant: words", payload: update(`"timeInState":"yesterday"`), change: object{"timeInState": nil}},
		{name: "no instant: beyond all numbers", payload: update(`"timeInState":9223372036854775807`), change: object{"timeInState": nil}},
	}
}

func listTraps() []trap {
	times := func(list ...object) object { return object{"timeInActivityCode": list} }
	a := object{"activityCode": "a", "totalTime": int64(10)}
	b := object{"activityCode": "b", "totalTime": int64(20)}
	return []trap{
		{name: "null list", payload: update(`"timeInActivityCode":null`)},
		{name: "empty list does not shorten", payload: update(`"timeInActivityCode":[]`)},
		{name: "null element", payload: update(`"timeInActivityCode":[null]`)},
		{name: "element keeps what it does not name", payload: update(`"timeInActivityCode":[{"activityCode":"b","totalTime":null}]`)},
		{name: "no ghost of another element", payload: update(`"timeInActivityCode":[{"activityCode":"c"}]`), change: times(a, b, object{"activityCode": "c"})},
		{
			name: "second element alone", payload: update(`"timeInActivityCode":[{"activityCode":"b","totalTime":21}]`),
			change: times(a, object{"activityCode": "b", "totalTime": int64(21)}),
		},
		{
			name: "key behind the value", payload: update(`"timeInActivityCode":[{"totalTime":9,"activityCode":"a"}]`),
			change: times(object{"activityCode": "a", "totalTime": int64(9)}, b),
		},
		{
			name: "object in place of the list", payload: update(`"timeInActivityCode":{"activityCode":"a","totalTime":9}`),
			change: times(object{"activityCode": "a", "totalTime": int64(9)}, b),
		},
		{name: "element without key", payload: update(`"timeInActivityCode":[{"totalTime":9}]`), err: merge.ErrNoKey.Error()},
		{name: "element with two keys", payload: update(`"timeInActivityCode":[{"activityCode":"a","activityCode":"b"}]`), err: "twice"},
	}
}

func shapeTraps() []trap {
	return []trap{
		{name: "below the smallest", payload: update(`"numberCallIn":-9223372036854775808`), shape: "numberCallIn"},
		{name: "beyond int64", payload: update(`"numberCallIn":9223372036854775808`), shape: "numberCallIn"},
		{name: "float beyond what is exact", payload: update(`"numberCallIn":9007199254740992.0`), shape: "numberCallIn"},
		{name: "infinite", payload: update(`"numberCallIn":1e999`), shape: "numberCallIn"},
		{name: "quoted nonsense", payload: update(`"numberCallIn":"12x"`), shape: "numberCallIn"},
		{name: "quoted nothing", payload: update(`"numberCallIn":""`), shape: "numberCallIn"},
		{name: "quoted leading zero", payload: update(`"numberCallIn":"012"`), shape: "numberCallIn"},
		{name: "truth for a number", payload: update(`"numberCallIn":true`), shape: "numberCallIn"},
		{name: "object for a number", payload: update(`"numberCallIn":{}`), shape: "numberCallIn"},
		{name: "number for a text", payload: update(`"name":1`), shape: "name"},
		{name: "list for a state", payload: update(`"status":["READY","READY"]`), shape: "status"},
		{name: "object for a date", payload: update(`"timeInState":{}`), shape: "timeInState"},
		{name: "number for a list", payload: update(`"timeInActivityCode":3`), shape: "timeInActivityCode"},
		{name: "number for an element", payload: update(`"timeInActivityCode":[3]`), shape: "ActivityTime"},
		{name: "number for a record", payload: `{"data":{"userStats":[3]}}`, shape: "UserStat"},
		{name: "number for the records", payload: `{"data":{"userStats":3}}`, shape: "UserStat"},
		{name: "list for the data", payload: `{"data":[]}`, shape: "data"},
		{name: "list for the payload", payload: `[]`, shape: "payload"},
		{name: "good field, then a bad one", payload: update(`"numberCallIn":6,"name":[]`), shape: "name"},
		{
			name: "good record, then a bad one", shape: "name",
			payload: `{"data":{"userStats":[{"username":"anna","channel":"CALL","numberCallIn":6},{"username":"bob","channel":"CALL","name":{}}]}}`,
		},
	}
}

func syntaxTraps() []trap {
	return []trap{
		{name: "key in another case", payload: update(`"NumberCallIn":6,"NUMBERCALLIN":7`)},
		{name: "key with escapes", payload: update(`"number\u0043allIn":6`), change: object{"numberCallIn": int64(6)}},
		{name: "white space", payload: strings.NewReplacer(":", " :\n", ",", "\t, ", "}", "\r}").Replace(update(`"numberCallIn":6`)) + "\n", change: object{"numberCallIn": int64(6)}},
		{name: "unknown fields", payload: update(`"x":{"username":"bob","y":[[],{}]},"numberCallIn":6,"z":"\"}"`), change: object{"numberCallIn": int64(6)}},
		{name: "key of the record late", payload: `{"data":{"userStats":[{"numberCallIn":6,"x":[1],"channel":"CALL","username":"anna"}]}}`, change: object{"numberCallIn": int64(6)}},
		{name: "field twice", payload: update(`"numberCallIn":6,"numberCallIn":7`), err: "twice"},
		{name: "field twice, once null", payload: update(`"numberCallIn":6,"numberCallIn":null`), err: "twice"},
		{name: "null twice, not in a row", payload: update(`"surname":null,"name":null,"surname":null,"userSite":1`), err: "twice"},
		{name: "null twice in a row of nulls", payload: update(`"surname":"x","name":null,"surname":null,"userSite":null,"name":"y"`), err: "twice"},
		{name: "key again as null", payload: update(`"username":null,"numberCallIn":6`), err: "twice"},
		{name: "null key, then the key", payload: `{"data":{"userStats":[{"username":null,"username":"anna","channel":"CALL"}]}}`, err: "twice"},
		{name: "two names for one record", payload: update(`"username":"bob"`), err: "twice"},
		{name: "name twice instead of the channel", payload: `{"data":{"userStats":[{"username":"anna","username":"anna"}]}}`, err: "twice"},
		{name: "no channel", payload: `{"data":{"userStats":[{"username":"anna","numberCallIn":6}]}}`, err: merge.ErrNoKey.Error()},
		{name: "null channel", payload: `{"data":{"userStats":[{"username":"anna","channel":null,"numberCallIn":6}]}}`, err: merge.ErrNoKey.Error()},
		{name: "empty record", payload: `{"data":{"userStats":[{}]}}`, err: merge.ErrNoKey.Error()},
		{name: "nothing", payload: ``, err: "end of data"},
		{name: "trailing comma", payload: update(`"numberCallIn":6,`), err: "a string is expected"},
		{name: "bare key", payload: update(`numberCallIn:6`), err: "a string is expected"},
		{name: "no colon", payload: update(`"numberCallIn" 6`), err: "':' is expected"},
		{name: "no comma", payload: update(`"numberCallIn":6 "name":"x"`), err: "',' or '}' is expected"},
		{name: "leading zero", payload: update(`"numberCallIn":06`), shape: "numberCallIn"},
		{name: "bad number in an unknown field", payload: update(`"x":1.`), err: "bad number"},
		{name: "bad literal in an unknown field", payload: update(`"x":nul`), err: "bad literal"},
		{name: "bad escape in an unknown field", payload: update(`"x":"\q"`), err: "bad escape"},
		{name: "short escape", payload: update(`"x":"\u12"`), err: "bad escape"},
		{name: "control character in a string", payload: update("\"x\":\"\n\""), err: "control character"},
		{name: "something behind the end", payload: update(`"numberCallIn":6`) + "{}", err: "after the end"},
		{name: "NUL behind the end", payload: update(`"numberCallIn":6`) + "\x00", err: "after the end"},
	}
}

func envelopeTraps() []trap {
	const six = `{"userStats":[{"username":"anna","channel":"CALL","numberCallIn":6}]}`
	changed := object{"numberCallIn": int64(6)}
	return []trap{
		{name: "no data", payload: `{}`},
		{name: "null data", payload: `{"data":null}`},
		{name: "null data, errors", payload: `{"errors":[{"message":"no"}],"data":null}`},
		{name: "null records", payload: `{"data":{"userStats":null}}`},
		{name: "no records", payload: `{"data":{"userStats":[]}}`},
		{name: "null record", payload: `{"data":{"userStats":[null]}}`},
		{name: "other records", payload: `{"data":{"users":[{"username":3}]}}`},
		{name: "errors behind data", payload: `{"data":` + six + `,"errors":[{"message":"part"}]}`, change: changed},
		{name: "errors before data", payload: `{"errors":[{"message":"part"}],"extensions":{},"data":` + six + `}`, change: changed},
		{name: "escaped envelope", payload: `{"\u0064ata":{"user\u0053tats":[{"username":"anna","channel":"CALL","numberCallIn":6}]}}`, change: changed},
		{name: "object in place of the records", payload: `{"data":{"userStats":{"username":"anna","channel":"CALL","numberCallIn":6}}}`, change: changed},
		{
			name: "the same record twice", change: object{"numberCallIn": int64(7), "name": "A"},
			payload: `{"data":{"userStats":[{"username":"anna","channel":"CALL","numberCallIn":6,"name":"A"},{"username":"anna","channel":"CALL","numberCallIn":7}]}}`,
		},
	}
}

func TestTraps(t *testing.T) {
	t.Parallel()
	s := subjectNamed(t, "userStats")
	for _, c := range traps() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := s.open(t)
			mustApply(t, p, anna)
			published := p.freeze()
			before := published.state()
			want := maps.Clone(before[annaKey].(object))
			maps.Copy(want, c.change)
			maps.DeleteFunc(want, func(_ string, v any) bool { return v == nil })

			_, err := p.apply(c.payload)

			checkError(t, err, c)
			same(t, "records", p, map[string]any{annaKey: want})
			same(t, "what was published before", published, before)
		})
	}
}

func checkError(t *testing.T, err error, c trap) {
	t.Helper()
	var shape *merge.ShapeError
	switch {
	case c.shape != "":
		if !errors.As(err, &shape) || shape.Field != c.shape {
			t.Errorf("error %v, want a ShapeError of %q", err, c.shape)
		}
	case c.err != "":
		if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "userStats") {
			t.Errorf("error %v, want one of userStats with %q", err, c.err)
		}
	case err != nil:
		t.Error(err)
	}
}
