package restclient

import (
	"context"
	"errors"
	"net/http"

	"wallboard/model/resource"
)

// Prove checks that the platform takes the credentials of AuthBearer or
// AuthBasic: by reading what every login may read, and never by a login, which a
// service account has not. What one platform does not have, or does not let this
// account see, says nothing of the credentials: something else is read then.
func (c *Client) Prove(ctx context.Context) error {
	var first error
	for _, read := range []func() error{
		func() error { _, err := c.Campaigns.SearchCampaigns(ctx, CampaignTerm{}, Page{1, 1}); return err },
		func() error { _, err := c.Lists.SearchLists(ctx, "", Page{1, 1}); return err },
		func() error { _, err := c.Session.truth(ctx, request{op: resource.OpValidSession}); return err },
	} {
		err := read()
		var e *Error
		switch {
		case err == nil:
			return nil
		case first == nil:
			first = err
		}
		if !errors.As(err, &e) || e.Status == 0 || e.Status == http.StatusUnauthorized {
			return first
		}
	}
	return first
}
