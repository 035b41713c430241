package graphql

import (
	"slices"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestFramesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	frames := slices.Concat(testkit.JSONPatterns("payload"), testkit.JSONPatterns("type"), testkit.JSONPatterns("id"), testkit.JSONPatterns("errors"), []testkit.Pattern{
		{Before: `{"type":"next","payload":{"errors":`, Repeated: "[", After: ""},
		{Before: `{"type":"next","payload":{`, Repeated: `"errors":[],`, After: `"data":0}}`},
		{Before: `{`, Repeated: `"payload":{"errors":[{}]},`, After: `"type":""}`},
	})
	testkit.CheckLinear(t, frames, func(s string) { parseFrame([]byte(s)) })
	testkit.CheckLinear(t, slices.Concat(frames, testkit.JSONPatterns("message"), []testkit.Pattern{
		{Before: "", Repeated: `{"errors":[`, After: ""},
		{Before: `[`, Repeated: `{"errors":[{"errors":{}}]},`, After: "{}]"},
		{Before: `{"errors":{"errors":{"errors":{`, Repeated: `"a":{"b":[]},`, After: `"c":0}}}}`},
	}), func(s string) { ParseErrors([]byte(s)) })
}
