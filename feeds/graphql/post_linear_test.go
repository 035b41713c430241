package graphql

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestAnswersTakeTimeInProportion: responses of proxies are read in linear
// time.
func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	testkit.CheckLinear(t, slices.Concat(testkit.HTMLPatterns(), testkit.JSONPatterns("message"), testkit.JSONPatterns("errors")), func(s string) {
		ErrorMessages([]byte(s))
		_ = versionRefusal([]byte(s))
		_ = checkAnswer(&http.Response{StatusCode: http.StatusBadGateway}, []byte(s))
	})
}
