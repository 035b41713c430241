package history

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
)

func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	w := &transport{key: secret.New("key-of-the-platform")}
	bodies := slices.Concat(testkit.JSONPatterns("errors"), testkit.JSONPatterns("data"), testkit.HTMLPatterns(), testkit.TextPatterns(), []testkit.Pattern{
		{Before: `{"errors":[{"message":"`, Repeated: "limit ", After: `"}]}`},
		{Before: `{"errors":[`, Repeated: `{"code":0},`, After: `{"message":"a"}]}`},
	})
	testkit.CheckLinear(t, bodies, func(s string) {
		_, _ = w.parseAnswer(http.StatusOK, []byte(s))
		_, _ = w.parseAnswer(http.StatusBadGateway, []byte(s))
	})
}
