package restclient

import (
	"context"
	"errors"
	"net/http"

	"wallboard/model/resource"
)

// CheckCredentials returns nil if the platform accepts the credentials of AuthBearer or
// AuthBasic. It requests data that every user may read, without logging in, because service
// accounts cannot log in.
//
// If the platform lacks the data or does not show it to this account, the answer does not
// reveal whether the credentials are accepted, and CheckCredentials requests other data. If no
// request succeeds, it returns the error of the first one.
func (c *Client) CheckCredentials(ctx context.Context) error {
	var first error
	for _, read := range []func() error{
		func() error { _, err := c.Campaigns.SearchCampaigns(ctx, CampaignTerm{}, Page{1, 1}); return err },
		func() error { _, err := c.Lists.SearchLists(ctx, "", Page{1, 1}); return err },
		func() error { _, err := c.Session.getBool(ctx, request{op: resource.OpValidSession}); return err },
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
