package history

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/internal/linear"
	"wallboard/secret"
)

func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	w := &wire{key: secret.New("key-of-the-platform")}
	bodies := slices.Concat(linear.JSON("errors"), linear.JSON("data"), linear.Pages(), linear.Texts(), []linear.Pattern{
		{Before: `{"errors":[{"message":"`, Again: "limit ", After: `"}]}`},
		{Before: `{"errors":[`, Again: `{"code":0},`, After: `{"message":"a"}]}`},
	})
	linear.Check(t, bodies, func(s string) {
		_, _ = w.answer(http.StatusOK, []byte(s))
		_, _ = w.answer(http.StatusBadGateway, []byte(s))
	})
}
