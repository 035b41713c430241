package notify

import (
	"net/http"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestEndlessAnswers(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	testkit.CheckEndlessAnswers(t, func() *http.Transport {
		return newWebClient(nil).Transport.(*http.Transport) //nolint:forcetypeassert // it is
	})
}
