package graphqlws

import (
	"slices"
	"testing"

	"wallboard/internal/linear"
)

func TestFramesTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	frames := slices.Concat(linear.JSON("payload"), linear.JSON("type"), linear.JSON("id"), linear.JSON("errors"), []linear.Pattern{
		{Before: `{"type":"next","payload":{"errors":`, Again: "[", After: ""},
		{Before: `{"type":"next","payload":{`, Again: `"errors":[],`, After: `"data":0}}`},
		{Before: `{`, Again: `"payload":{"errors":[{}]},`, After: `"type":""}`},
	})
	linear.Check(t, frames, func(s string) { parseFrame([]byte(s)) })
	linear.Check(t, slices.Concat(frames, linear.JSON("message"), []linear.Pattern{
		{Before: "", Again: `{"errors":[`, After: ""},
		{Before: `[`, Again: `{"errors":[{"errors":{}}]},`, After: "{}]"},
		{Before: `{"errors":{"errors":{"errors":{`, Again: `"a":{"b":[]},`, After: `"c":0}}}}`},
	}), func(s string) { ParseErrors([]byte(s)) })
}
