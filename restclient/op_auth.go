package restclient

import (
	"context"
	"encoding/json"
	"errors"

	"wallboard/model/resource"
)

// Version returns the versions of the platform and of its interface (document 1, section
// Auth). It needs no login.
func (s *Session) Version(ctx context.Context) (resource.Version, error) {
	return getObject[resource.Version](ctx, s, request{op: resource.OpVersion})
}

// ValidSession reports whether the platform accepts the current session. It does not log in.
func (s *Session) ValidSession(ctx context.Context) (bool, error) {
	valid, err := s.getBool(ctx, request{op: resource.OpValidSession})
	if errors.Is(err, ErrNoSession) || errors.Is(err, ErrUnauthorized) && !errors.Is(err, ErrCredentialsRefused) {
		return false, nil
	}
	return valid, err
}

// Login logs in with the password, or with the access token if there is no password, and returns
// the profile of the user. If a login is already running, Login waits for its result. Other
// requests log in automatically, except after [Session.Logout], when a call of Login is required.
func (s *Session) Login(ctx context.Context) (resource.Profile, error) {
	return decodeProfile(s.logIn(ctx))
}

// EnsureSession logs in like [Session.Login], but only if there is no session and the limits for automatic
// logins allow it: usually one login in half a minute ([ErrRepeatedLogin], [ErrLoginFailed]), and none after
// [Session.Logout]. It returns the profile of the user.
func (s *Session) EnsureSession(ctx context.Context) (resource.Profile, error) {
	return decodeProfile(s.ensureSession(ctx))
}

func decodeProfile(document json.RawMessage, err error) (resource.Profile, error) {
	if err != nil {
		return resource.Profile{}, err
	}
	var profile resource.Profile
	if err := json.Unmarshal(document, &profile); err != nil {
		return resource.Profile{}, nil //nolint:nilerr // the session exists, because of its cookie
	}
	return profile, nil
}

// Logout ends the session, including a session that a running login creates. It returns the
// platform's answer.
func (s *Session) Logout(ctx context.Context) (bool, error) {
	s.auth.mu.Lock()
	s.auth.loggedOut = true // set first, so that a running login cannot create another session
	s.auth.mu.Unlock()
	return s.getBool(ctx, request{op: resource.OpLogout})
}
