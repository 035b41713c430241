package operations

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// newAuthCommand returns the commands for the login (document 1, section Auth). Each command logs out
// when it ends, so no session needs to be stored.
func newAuthCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("auth", "Check the login to the configuration service, and its version",
		newAuthVersion(set), newAuthLogin(set), newAuthCheck(set), newAuthLogout(set))
}

func newAuthVersion(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "version", short: "Show the versions of the platform and of its interface",
		run: func(ctx context.Context, s *invocation, _ []string) error {
			v, err := s.client.Session.Version(ctx)
			if err != nil {
				return s.queryError("The version cannot be read", err)
			}
			return printResource(s, v)
		},
	})
}

func newAuthLogin(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "login", short: "Log in, and show the profile of the user",
		long: "Login logs in, shows the profile of the user and logs out again. With auth = \"bearer\" there is no login:\n" +
			"that the service takes the token is all that can be checked.",
		run: func(ctx context.Context, s *invocation, _ []string) error {
			if s.config.REST.Auth == config.AuthBearer {
				return s.checkCredentials(ctx) // with an access token in every request, there is no login
			}
			p, err := s.client.Session.Login(ctx)
			if err != nil {
				return s.queryError("The login failed", err)
			}
			return printResource(s, p)
		},
	})
}

func newAuthCheck(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "check", short: "Check that the service accepts the configured login",
		long: "Check logs in and asks the service whether the session is valid. With auth = \"bearer\" or \"basic\" there is no login:\n" +
			"a page of the campaigns or lists is read. The exit code is 0 if the login is good.",
		run: func(ctx context.Context, s *invocation, _ []string) error {
			if s.config.REST.Auth != config.AuthSession {
				return s.checkCredentials(ctx)
			}
			if _, err := s.client.Session.Login(ctx); err != nil {
				return s.queryError("The login failed", err)
			}
			valid, err := s.client.Session.ValidSession(ctx)
			if err != nil {
				return s.queryError("The session cannot be checked", err)
			}
			return s.printYesNo(valid, "The session is valid.", "The service says that the session is not valid.")
		},
	})
}

func newAuthLogout(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "logout", short: "Log in and out again, to check that sessions end",
		run: func(ctx context.Context, s *invocation, _ []string) error {
			if s.config.REST.Auth == config.AuthBearer {
				return cmdutil.NewUsageError(errors.New("there is no session to end: with auth = \"bearer\" every request carries the token"))
			}
			if _, err := s.client.Session.Login(ctx); err != nil {
				return s.queryError("The login failed", err)
			}
			wasOpen, err := s.client.Session.Logout(ctx)
			if err != nil {
				return s.queryError("The session was not ended", err)
			}
			return s.printYesNo(wasOpen, "The session was ended.", "The service did not end the session.")
		},
	})
}

// checkCredentials checks whether a service without a login accepts the configured credentials, and
// prints the result.
func (s *invocation) checkCredentials(ctx context.Context) error {
	if err := s.client.CheckCredentials(ctx); err != nil {
		return s.queryError("It cannot be confirmed that the service takes "+admin.DescribeCredentials(s.config), err)
	}
	return s.printYesNo(true, "The service takes "+admin.DescribeCredentials(s.config)+".", "")
}

// printYesNo prints the message yes or no, depending on the service's answer isYes. It reports
// a no as a rejected action.
func (s *invocation) printYesNo(isYes bool, yes, no string) error {
	if isYes {
		return s.printReport(words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: words.Name(yes)})
	}
	return s.printReport(words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name(no)})
}
