package polling

import (
	"net/http"
	"slices"
	"testing"

	"wallboard/feeds/graphqlws"
	"wallboard/internal/linear"
)

// TestAnswersTakeTimeInProportion: responses of proxies are read in linear
// time.
func TestAnswersTakeTimeInProportion(t *testing.T) {
	t.Parallel()
	linear.Check(t, slices.Concat(linear.Pages(), linear.JSON("message"), linear.JSON("errors")), func(s string) {
		graphqlws.Reasons([]byte(s))
		_ = refusedVersion([]byte(s))
		_ = judgeAnswer(&http.Response{StatusCode: http.StatusBadGateway}, []byte(s))
	})
}
