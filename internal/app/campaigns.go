package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"wallboard/feeds"
	"wallboard/internal/config"
	"wallboard/restclient"
)

// loginRetryDelay is how long the board waits after the configuration service has refused a login,
// because more frequent attempts could lock the account.
const loginRetryDelay = 5 * time.Minute

// campaignSearch reads the campaigns from the configuration service.
type campaignSearch struct {
	config      *config.Config
	lastRefusal error
	refusedAt   time.Time
}

// findCampaigns returns the names of all campaigns by campaign ID. After a refused login it returns
// the same error for loginRetryDelay.
func (s *campaignSearch) findCampaigns(ctx context.Context) (map[int64]string, error) {
	if s.lastRefusal != nil && time.Since(s.refusedAt) < loginRetryDelay {
		return nil, s.lastRefusal
	}
	client, err := NewRESTClient(s.config, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer EndSession(client)
	s.lastRefusal = nil
	found := make(map[int64]string)
	for campaign, err := range client.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{}) {
		if err != nil {
			if errors.Is(err, restclient.ErrUnauthorized) || errors.Is(err, restclient.ErrPasswordExpired) || errors.Is(err, restclient.ErrCredentialsRefused) {
				err = feeds.SearchRefusal{Err: err}
				s.lastRefusal, s.refusedAt = err, time.Now()
			}
			return nil, err
		}
		if campaign.ID != nil {
			found[int64(*campaign.ID)] = campaign.Name
		}
	}
	return found, nil
}
