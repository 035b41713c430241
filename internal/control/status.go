package control

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"wallboard/model"
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

	mu           sync.Mutex // guards the fields below
	everAnswered bool       // the service has answered at least once
	downSince    time.Time  // when the service stopped answering; zero: it answers
	downReason   string
	loginRefusal string // reason why the login is refused; "": it is not
	loggedIn     bool   // Watch has logged in
	denied       map[resource.Operation]bool
	edition      restclient.Edition // "" until it is known
	user         string             // user name of the login
	person       string             // name of the user of the login
}

// Refusal returns the reason why an operation is not possible now, or "" if it is possible. It does
// not block.
func (s *Status) Refusal(v resource.Operation) string {
	why, _ := s.refusal(v)
	if why == "" {
		return ""
	}
	return model.CleanText(capital(why)+".", model.MaxBody)
}

// refusal returns why the operation v is not possible, as the end of a sentence, or "" if it is
// possible. final is false if the only reason is that the service did not answer the last request.
// It may answer the next one.
func (s *Status) refusal(v resource.Operation) (why string, final bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.readOnly:
		return readOnly, true
	case s.loginRefusal != "":
		return s.loginRefusal, true
	case s.edition == restclient.Edition102 && v.Endpoint().Since140:
		return editionLacks, true
	case !s.service.HasPath(v):
		return noPath, true
	case s.denied[v]:
		return notAllowed, true
	case !s.downSince.IsZero():
		return s.downText(), false
	}
	return "", false
}

func (s *Status) downText() string {
	return fmt.Sprintf("no answer since %s from the configuration service: %s", s.downSince.Format(time.TimeOnly), s.downReason)
}

// State describes the service in one line. ok is false if no action is possible.
func (s *Status) State() (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.readOnly:
		text = readOnly
	case s.loginRefusal != "":
		text = s.loginRefusal
	case !s.downSince.IsZero():
		text = s.downText()
	default:
		parts := []string{s.address}
		if s.edition != "" {
			parts = append(parts, "edition "+string(s.edition))
		}
		switch {
		case s.person != "":
			parts = append(parts, s.person+" is logged in")
		case s.user != "":
			parts = append(parts, "as "+s.user)
		}
		if !s.everAnswered {
			parts = append(parts, "not heard of yet")
		}
		return model.CleanText(strings.TrimPrefix(strings.Join(parts, ", "), ", "), model.MaxName), true
	}
	return model.CleanText(capital(text), model.MaxName), false
}

// LoginRefused reports whether the service refuses the login.
func (s *Status) LoginRefused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loginRefusal != ""
}

// Insecure reports whether the service's certificate is not verified.
func (s *Status) Insecure() bool { return s.insecure }

// username returns the user name of the login, or "" if it is unknown.
func (s *Status) username() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.user
}

// noteResult updates the state after a request with the error err. If v is not "" and err means
// that a permission is missing, noteResult remembers that v is not allowed.
func (s *Status) noteResult(v resource.Operation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var e *restclient.Error
	switch {
	case err == nil:
		s.markUp()
	case errors.Is(err, restclient.ErrPasswordExpired):
		s.markUp()
		s.loginRefusal = passwordExpired
	case errors.Is(err, restclient.ErrUnauthorized), errors.Is(err, restclient.ErrRefused):
		s.markUp()
		s.loginRefusal = loginRefused
	case !errors.As(err, &e), isLocal(err), errors.Is(err, context.Canceled): // the service is not the cause
	case e.Status == 0 || isGateway(e.Status) && !errors.Is(err, restclient.ErrDialFailed):
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
			if s.denied == nil {
				s.denied = make(map[resource.Operation]bool)
			}
			s.denied[v] = true
		}
	}
}

// noteAccepted records that the service answered a request that needs a login, so the login is
// valid.
func (s *Status) noteAccepted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loginRefusal = ""
}

// markUp records that the service answers. The caller holds mu.
func (s *Status) markUp() { s.everAnswered, s.downSince, s.downReason = true, time.Time{}, "" }

// isLocal reports whether a request failed before it was sent.
func isLocal(err error) bool {
	for _, ours := range []error{
		restclient.ErrInvalid, restclient.ErrNoPath, restclient.ErrEdition, restclient.ErrNoSession, restclient.ErrTooSoon, restclient.ErrLoginFailed,
	} {
		if errors.Is(err, ours) {
			return true
		}
	}
	return false
}

// isGateway reports whether a status comes from a proxy that cannot reach the service: 502, 503 or
// 504.
func isGateway(status int) bool { return status >= 502 && status <= 504 }
