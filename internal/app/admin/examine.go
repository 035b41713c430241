package admin

import (
	"context"
	"fmt"
	"log/slog"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
)

// DoctorOptions returns the options for examining the configured services of a platform.
func DoctorOptions(c *config.Config, log *slog.Logger) doctor.Options {
	o := doctor.Options{Feed: app.FeedOptions(c)}
	o.Feed.Profiles = nil // the doctor detects the dialect itself
	o.Feed.Logger = log
	if c.REST.IsConfigured() {
		o.ConfigurationURL, o.Configuration = c.REST.URL, newRESTCheck(c, log)
	}
	if c.History.IsConfigured() {
		historyOptions := app.HistoryOptions(c, log)
		o.Statistics = &historyOptions
	}
	return o
}

// newRESTCheck returns a check that requests the version of the configuration service and then
// logs in. If the service is used without a login, it tests the credentials instead.
func newRESTCheck(c *config.Config, log *slog.Logger) doctor.Check {
	return func(ctx context.Context) (string, string, error) {
		client, err := app.NewRESTClient(c, log)
		if err != nil {
			return "", "", err
		}
		defer app.EndSession(client)
		edition, err := client.Session.Edition(ctx)
		if err != nil {
			return "", "", err
		}
		if c.REST.Auth != config.AuthSession {
			if err := client.CheckCredentials(ctx); err != nil {
				return "", string(edition), err
			}
			return fmt.Sprintf("edition %s, it takes %s", edition, DescribeCredentials(c)), string(edition), nil
		}
		profile, err := client.Session.Login(ctx)
		if err != nil {
			return "", string(edition), err
		}
		return fmt.Sprintf("edition %s, logged in as %s", edition, profile.Username), string(edition), nil
	}
}

// DescribeCredentials describes the credentials that are sent with every request to a service
// without a login.
func DescribeCredentials(c *config.Config) string {
	if c.REST.Auth == config.AuthBearer {
		return "the access token"
	}
	return "the name and the password of " + c.REST.Username
}
