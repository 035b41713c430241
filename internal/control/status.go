package control

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Status holds the known facts about the service and about our login to it. It determines which
// actions are possible.
type Status struct {
	service     SessionService
	address     string // display address of the service
	usesSession bool   // the service needs a login and keeps a session
	insecure    bool   // the service's certificate is not verified
	readOnly    bool   // no actions are allowed
	log         *slog.Logger
	now         func() time.Time
	after       func(time.Duration) <-chan time.Time
	checkNow    chan struct{} // tells Watch to check at once

	mu               sync.Mutex // guards the fields below
	hasAnswered      bool       // the service has answered at least once
	downSince        time.Time  // when the service stopped answering; zero: it answers
	downReason       words.Text
	loginRefusal     refusalReason // why the login is refused; zero: it is not
	loggedIn         bool          // Watch has logged in
	deniedOperations map[resource.Operation]bool
	edition          restclient.Edition // "" until it is known
	user             string             // user name of the login
	person           string             // name of the user of the login
}

// Refusal returns the reason why an operation is not possible now, as a sentence, or the zero Text if it
// is possible. It does not block.
func (s *Status) Refusal(v resource.Operation) words.Text {
	why, _ := s.refusal(v)
	return cleanText(why.sentence)
}

// refusal returns why the operation v is not possible, or the zero value. final is false if v is possible, or
// if the only reason is that the service did not answer the last request, because it may answer the next.
func (s *Status) refusal(v resource.Operation) (why refusalReason, final bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.readOnly:
		return readOnlyReason(), true
	case !s.loginRefusal.isZero():
		return s.loginRefusal, true
	case s.edition == restclient.Edition102 && v.Endpoint().Since140:
		return refusalReason{words.ControlEditionLacks(), words.ControlEditionLacksNow()}, true
	case !s.service.HasPath(v):
		return refusalReason{words.ControlNoPath(), words.ControlNoPathNow()}, true
	case s.deniedOperations[v]:
		return refusalReason{words.ControlNotAllowed(), words.ControlNotAllowedNow()}, true
	case !s.downSince.IsZero():
		return s.outageReason(), false
	}
	return refusalReason{}, false
}

// outageReason returns a reason that names the time since which the service has not answered.
func (s *Status) outageReason() refusalReason {
	since := s.downSince.Format(time.TimeOnly)
	return refusalReason{words.ControlDown(since, s.downReason), words.ControlDownNow(since, s.downReason)}
}

// State describes the service in one line. If no action is possible, ok is false and the text is a
// sentence.
func (s *Status) State() (text words.Text, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.readOnly:
		return readOnlyReason().sentence, false
	case !s.loginRefusal.isZero():
		return s.loginRefusal.sentence, false
	case !s.downSince.IsZero():
		return cleanText(s.outageReason().sentence), false
	}
	var parts []words.Text
	if s.address != "" {
		parts = append(parts, words.Name(s.address))
	}
	if s.edition != "" {
		parts = append(parts, words.ControlEdition(string(s.edition)))
	}
	switch {
	case s.person != "":
		parts = append(parts, words.ControlLoggedIn(s.person))
	case s.user != "":
		parts = append(parts, words.ControlLoginAs(s.user))
	}
	if !s.hasAnswered {
		parts = append(parts, words.ControlNotAnsweredYet())
	}
	return cleanText(words.List(parts)), true
}

// LoginRefused reports whether the service refuses the login.
func (s *Status) LoginRefused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.loginRefusal.isZero()
}

// Insecure reports whether the service's certificate is not verified.
func (s *Status) Insecure() bool { return s.insecure }

// username returns the user name of the login, or "" if it is unknown.
func (s *Status) username() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user
}

// recordResult updates the state after a request with the error err. If v is not "" and err means
// that a permission is missing, recordResult remembers that v is not allowed.
func (s *Status) recordResult(v resource.Operation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var e *restclient.Error
	switch {
	case err == nil:
		s.markUp()
	case errors.Is(err, restclient.ErrPasswordExpired):
		s.markUp()
		s.loginRefusal = refusalReason{words.ControlPasswordExpired(), words.ControlPasswordExpiredNow()}
	case errors.Is(err, restclient.ErrUnauthorized), errors.Is(err, restclient.ErrCredentialsRefused):
		s.markUp()
		s.loginRefusal = refusalReason{words.ControlLoginRefused(), words.ControlLoginRefusedNow()}
	case !errors.As(err, &e), failedBeforeSending(err), errors.Is(err, context.Canceled): // the service is not the cause
	case e.Status == 0 || isGatewayStatus(e.Status) && !errors.Is(err, restclient.ErrDialFailed):
		if s.downSince.IsZero() {
			s.downSince = s.now()
			s.log.Warn("the configuration service does not answer", "error", err)
		}
		s.downReason = reasonText(err, nil)
		select {
		case s.checkNow <- struct{}{}:
		default:
		}
	default:
		s.markUp()
		if v != "" && errors.Is(err, restclient.ErrNotAllowed) {
			if s.deniedOperations == nil {
				s.deniedOperations = make(map[resource.Operation]bool)
			}
			s.deniedOperations[v] = true
		}
	}
}

// recordAccepted records that the service answered a request that needs a login, so the login is
// valid.
func (s *Status) recordAccepted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loginRefusal = refusalReason{}
}

// markUp records that the service answers. The caller holds mu.
func (s *Status) markUp() {
	s.hasAnswered, s.downSince, s.downReason = true, time.Time{}, words.Text{}
}

// failedBeforeSending reports whether a request failed before it was sent.
func failedBeforeSending(err error) bool {
	for _, ours := range []error{
		restclient.ErrInvalidRequest, restclient.ErrNoPath, restclient.ErrUnsupportedEdition, restclient.ErrNoSession, restclient.ErrRepeatedLogin, restclient.ErrLoginFailed,
	} {
		if errors.Is(err, ours) {
			return true
		}
	}
	return false
}

// isGatewayStatus reports whether a status comes from a proxy that cannot reach the service: 502, 503 or
// 504.
func isGatewayStatus(status int) bool { return status >= 502 && status <= 504 }
