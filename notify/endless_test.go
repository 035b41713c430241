package notify

import (
	"net/http"
	"testing"

	"wallboard/internal/endless"
)

func TestEndlessAnswers(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	endless.Answers(t, func() *http.Transport {
		return webClient(nil).Transport.(*http.Transport) //nolint:forcetypeassert // it is
	})
}
