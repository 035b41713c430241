package control

import (
	"context"
	"errors"
	"strings"
	"time"

	"wallboard/restclient"
)

// How often Watch looks after the service: every minute, and after a failure at
// once, and then in steps that grow.
const (
	lookEvery    = time.Minute
	firstBackoff = 5 * time.Second
)

// Watch looks after the service until the context ends, so that [Standing.State] and
// [Standing.Refusal] are true without an action. It logs in where there are
// sessions. A login that was refused is not tried again before [Standing.Retry].
func (s *Standing) Watch(ctx context.Context) {
	backoff := firstBackoff
	for ctx.Err() == nil {
		wait := lookEvery
		if s.look(ctx) {
			backoff = firstBackoff
		} else {
			wait, backoff = backoff, min(2*backoff, lookEvery)
			select { // the nudge of our own failure
			case <-s.nudge:
			default:
			}
		}
		select {
		case <-ctx.Done():
		case <-s.nudge:
		case <-s.after(wait):
		}
	}
}

// Retry allows a login that was refused to be tried again, and forgets what the
// profile was not allowed: somebody says that it was put right.
func (s *Standing) Retry() {
	s.service.Retry()
	s.mu.Lock()
	s.login, s.denied = "", nil
	s.mu.Unlock()
	select {
	case s.nudge <- struct{}{}:
	default:
	}
}

// look looks after the service once; it returns false when the service does
// not answer.
func (s *Standing) look(ctx context.Context) bool {
	err := s.ask(ctx)
	s.heard("", err)
	s.mu.Lock()
	up, known := s.down.IsZero(), s.edition != ""
	s.mu.Unlock()
	if up && !known {
		if edition, err := s.service.Edition(ctx); err == nil {
			s.mu.Lock()
			s.edition = edition
			s.mu.Unlock()
		}
	}
	return up
}

// ask asks the cheapest question there is. That the version is told proves
// nothing about a login, so a session is asked for itself, and had renewed when
// it is over.
func (s *Standing) ask(ctx context.Context) error {
	s.mu.Lock()
	loggedIn, refused := s.loggedIn, s.login != ""
	s.mu.Unlock()
	if !s.session || refused {
		_, err := s.service.Version(ctx)
		return err //nolint:wrapcheck // heard looks at what the client said
	}
	if loggedIn {
		valid, err := s.service.ValidSession(ctx)
		ended := errors.Is(err, restclient.ErrUnauthorized) || errors.Is(err, restclient.ErrNoSession)
		if err == nil && valid || err != nil && !ended {
			return err //nolint:wrapcheck // heard looks at what the client said
		}
	}
	return s.logIn(ctx)
}

func (s *Standing) logIn(ctx context.Context) error {
	profile, err := s.service.EnsureSession(ctx)
	if err != nil {
		return err //nolint:wrapcheck // heard looks at what the client said
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loggedIn, s.login, s.denied = true, "", nil
	if profile.Username != "" {
		s.user = profile.Username
	}
	s.person = strings.TrimSpace(profile.Name + " " + profile.Surname)
	return nil
}
