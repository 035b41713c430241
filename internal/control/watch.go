package control

import (
	"context"
	"errors"
	"strings"
	"time"

	"wallboard/restclient"
)

// Watch checks the service every checkInterval. After a failure, the interval is firstBackoff and
// doubles up to checkInterval.
const (
	checkInterval = time.Minute
	firstBackoff  = 5 * time.Second
)

// Watch checks the service until ctx ends, so that [Status.State] and [Status.Refusal] stay up to
// date. If the service has sessions, Watch logs in. After a refused login it waits for
// [Status.Retry].
func (s *Status) Watch(ctx context.Context) {
	backoff := firstBackoff
	for ctx.Err() == nil {
		wait := checkInterval
		if s.check(ctx) {
			backoff = firstBackoff
		} else {
			wait, backoff = backoff, min(2*backoff, checkInterval)
			select { // discard the signal that the failed check caused
			case <-s.checkNow:
			default:
			}
		}
		select {
		case <-ctx.Done():
		case <-s.checkNow:
		case <-s.after(wait):
		}
	}
}

// Retry is called when a user says that a problem is solved. It makes Watch try a refused login
// again and forgets which permissions were missing.
func (s *Status) Retry() {
	s.service.AllowRefusedCredentials()
	s.mu.Lock()
	s.loginRefusal, s.deniedOperations = refusalReason{}, nil
	s.mu.Unlock()
	select {
	case s.checkNow <- struct{}{}:
	default:
	}
}

// check sends one request to check the service and updates the state. If the service does not
// answer, check returns false.
func (s *Status) check(ctx context.Context) bool {
	err := s.sendCheck(ctx)
	s.recordResult("", err)
	s.mu.Lock()
	up, known := s.downSince.IsZero(), s.edition != ""
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

// sendCheck sends the cheapest request that tests the service. With sessions, it checks the session
// instead of reading the version, which would not test the login, and logs in again if the session
// has ended.
func (s *Status) sendCheck(ctx context.Context) error {
	s.mu.Lock()
	loggedIn, refused := s.loggedIn, !s.loginRefusal.isZero()
	s.mu.Unlock()
	if !s.usesSession || refused {
		_, err := s.service.Version(ctx)
		return err
	}
	if loggedIn {
		valid, err := s.service.ValidSession(ctx)
		ended := errors.Is(err, restclient.ErrUnauthorized) || errors.Is(err, restclient.ErrNoSession)
		if err == nil && valid || err != nil && !ended {
			return err
		}
	}
	return s.logIn(ctx)
}

func (s *Status) logIn(ctx context.Context) error {
	profile, err := s.service.EnsureSession(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loggedIn, s.loginRefusal, s.deniedOperations = true, refusalReason{}, nil
	if profile.Username != "" {
		s.user = profile.Username
	}
	s.person = strings.TrimSpace(profile.Name + " " + profile.Surname)
	return nil
}
