package restclient

import (
	"context"
	"encoding/json"
	"errors"

	"wallboard/model/resource"
)

// Version returns the versions of the platform and of its interface (document
// 1, section Auth). It needs no login.
func (s *Session) Version(ctx context.Context) (resource.Version, error) {
	return get[resource.Version](ctx, s, request{op: resource.OpVersion})
}

// ValidSession reports whether there is a session that the platform takes. It
// never logs in.
func (s *Session) ValidSession(ctx context.Context) (bool, error) {
	valid, err := s.truth(ctx, request{op: resource.OpValidSession})
	if errors.Is(err, ErrNoSession) || errors.Is(err, ErrUnauthorized) && !errors.Is(err, ErrRefused) {
		return false, nil
	}
	return valid, err
}

// Login logs in by password, or by access token when that is all there is, and
// returns who that is. A login under way is waited for instead. Other requests
// log in by themselves; after [Session.Logout] this is the way back.
func (s *Session) Login(ctx context.Context) (resource.Profile, error) {
	return profileOf(s.logIn(ctx))
}

// EnsureSession logs in as [Session.Login] does, but only where there is no
// session, and by the rule for logins that nobody asked for: at most one in half
// a minute ([ErrTooSoon], [ErrLoginFailed]), and none after [Session.Logout].
func (s *Session) EnsureSession(ctx context.Context) (resource.Profile, error) {
	return profileOf(s.ensure(ctx))
}

func profileOf(document json.RawMessage, err error) (resource.Profile, error) {
	if err != nil {
		return resource.Profile{}, err
	}
	var profile resource.Profile
	if err := json.Unmarshal(document, &profile); err != nil {
		return resource.Profile{}, nil //nolint:nilerr // the session is there, by its cookie
	}
	return profile, nil
}

// Logout ends the session, and one that a login under way brings. It returns
// what the platform answered.
func (s *Session) Logout(ctx context.Context) (bool, error) {
	s.auth.mu.Lock()
	s.auth.ended = true // first, so that no login under way brings another session
	s.auth.mu.Unlock()
	return s.truth(ctx, request{op: resource.OpLogout})
}
