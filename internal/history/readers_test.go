package history

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

// TestAnswersMemory reads answers that take much memory to read.
func TestAnswersMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	w := &transport{key: secret.New("key-of-the-platform")}
	testkit.CheckMemory(t, slices.Concat(testkit.JSONPatterns("errors"), testkit.JSONPatterns("data"), []testkit.Pattern{
		{Before: `{"data":{`, Repeated: `"a":0,`, After: `"b":0}}`}, {Before: `{"errors":[{"message":"`, Repeated: "limit ", After: `"}]}`},
	}), 60, func(text string) { _, _ = w.parseAnswer(http.StatusOK, []byte(text)) })
}

// TestDocumentsMemory reads contacts and groups that take much memory to read.
func TestDocumentsMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	all := []testkit.Pattern{
		{Before: "[", Repeated: "[{}],", After: "[]]"},
		{Before: "[[", Repeated: "{},", After: "{}]]"},
		{Before: "[", Repeated: "{},", After: "{}]"},
		{Before: `[{"count":1,"groupByEntity":{`, Repeated: `"idx":"a",`, After: `"name":"b"}}]`},
		{Before: "[", Repeated: `{"count":1},`, After: "{}]"},
		{Before: `{"mail":[`, Repeated: `{"value":"a"},`, After: "{}]}"},
		{Before: `{"name":"`, Repeated: "é", After: `"}`},
		{Before: `{"name":"`, Repeated: `\u0301`, After: `"}`},
	}
	testkit.CheckMemory(t, all, 120, func(text string) {
		_, _, _ = readCalls([]byte(text))
		_, _ = readGroups([]byte(text))
		_, _, _ = readContact([]byte(text))
	})
}
