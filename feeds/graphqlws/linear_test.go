package graphqlws

import (
	"slices"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestFramesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	frames := slices.Concat(testkit.JSON("payload"), testkit.JSON("type"), testkit.JSON("id"), testkit.JSON("errors"), []testkit.Pattern{
		{Before: `{"type":"next","payload":{"errors":`, Again: "[", After: ""},
		{Before: `{"type":"next","payload":{`, Again: `"errors":[],`, After: `"data":0}}`},
		{Before: `{`, Again: `"payload":{"errors":[{}]},`, After: `"type":""}`},
	})
	testkit.Check(t, frames, func(s string) { parseFrame([]byte(s)) })
	testkit.Check(t, slices.Concat(frames, testkit.JSON("message"), []testkit.Pattern{
		{Before: "", Again: `{"errors":[`, After: ""},
		{Before: `[`, Again: `{"errors":[{"errors":{}}]},`, After: "{}]"},
		{Before: `{"errors":{"errors":{"errors":{`, Again: `"a":{"b":[]},`, After: `"c":0}}}}`},
	}), func(s string) { ParseErrors([]byte(s)) })
}
