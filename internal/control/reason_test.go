package control_test

import (
	"strings"
	"testing"

	"wallboard/internal/control"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// TestThePlatformsReasonIsTold checks that the platform's own message follows our text, for every error
// of document 1.
func TestThePlatformsReasonIsTold(t *testing.T) {
	t.Parallel()
	for status, condition := range map[int]error{
		401: restclient.ErrUnauthorized, 403: restclient.ErrPasswordExpired, 404: restclient.ErrNotFound, 406: restclient.ErrInvalidArgument,
		409: restclient.ErrExists, 412: restclient.ErrPreconditionFailed, 502: restclient.ErrDialFailed, 570: restclient.ErrNotAllowed, 580: restclient.ErrRecordingFailed,
	} {
		err := &restclient.Error{
			Operation: resource.OpCampaignCreate, Status: status, Outcome: resource.OutcomeRejected, Err: condition,
			Excerpt: "GenericException: serviceCode is required.",
		}
		if got := control.Explain("It cannot be done", err).Error(); !strings.HasSuffix(got, " (it says: serviceCode is required).") {
			t.Errorf("%d: %q", status, got)
		}
		err.Excerpt = "GenericException"
		if got := control.Explain("It cannot be done", err).Error(); strings.Contains(got, "says") {
			t.Errorf("%d: %q", status, got)
		}
	}
	login := &restclient.Error{Operation: resource.OpLogin, Status: 403, Outcome: resource.OutcomeRejected, Err: restclient.ErrPasswordExpired}
	if got := control.Explain("It cannot be done", login).Error(); !strings.Contains(got, "expired, or is not secure enough") {
		t.Errorf("%q", got)
	}
}
