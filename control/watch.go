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

// Watch looks after the service until the context ends, so that [Desk.State] and
// [Desk.Refusal] are true without an action. It logs in where there are
// sessions. A login that was refused is not tried again before [Desk.Retry].
func (d *Desk) Watch(ctx context.Context) {
	backoff := firstBackoff
	for ctx.Err() == nil {
		wait := lookEvery
		if d.look(ctx) {
			backoff = firstBackoff
		} else {
			wait, backoff = backoff, min(2*backoff, lookEvery)
			select { // the nudge of our own failure
			case <-d.nudge:
			default:
			}
		}
		select {
		case <-ctx.Done():
		case <-d.nudge:
		case <-d.o.After(wait):
		}
	}
}

// Retry allows a login that was refused to be tried again, and forgets what the
// profile was not allowed: somebody says that it was put right.
func (d *Desk) Retry() {
	d.o.Service.Session.Retry()
	d.standing.mu.Lock()
	d.standing.login, d.standing.denied = "", nil
	d.standing.mu.Unlock()
	select {
	case d.nudge <- struct{}{}:
	default:
	}
}

// look looks after the service once; it returns false when the service does
// not answer.
func (d *Desk) look(ctx context.Context) bool {
	err := d.ask(ctx)
	d.heard("", err)
	d.standing.mu.Lock()
	up, known := d.standing.down.IsZero(), d.standing.edition != ""
	d.standing.mu.Unlock()
	if up && !known {
		if edition, err := d.o.Service.Session.Edition(ctx); err == nil {
			d.standing.mu.Lock()
			d.standing.edition = edition
			d.standing.mu.Unlock()
		}
	}
	return up
}

// ask asks the cheapest question there is. That the version is told proves
// nothing about a login, so a session is asked for itself, and had renewed when
// it is over.
func (d *Desk) ask(ctx context.Context) error {
	d.standing.mu.Lock()
	loggedIn, refused := d.standing.loggedIn, d.standing.login != ""
	d.standing.mu.Unlock()
	if !d.o.Session || refused {
		_, err := d.o.Service.Session.Version(ctx)
		return err //nolint:wrapcheck // heard looks at what the client said
	}
	if loggedIn {
		valid, err := d.o.Service.Session.ValidSession(ctx)
		ended := errors.Is(err, restclient.ErrUnauthorized) || errors.Is(err, restclient.ErrNoSession)
		if err == nil && valid || err != nil && !ended {
			return err //nolint:wrapcheck // heard looks at what the client said
		}
	}
	return d.logIn(ctx)
}

func (d *Desk) logIn(ctx context.Context) error {
	profile, err := d.o.Service.Session.EnsureSession(ctx)
	if err != nil {
		return err //nolint:wrapcheck // heard looks at what the client said
	}
	s := &d.standing
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loggedIn, s.login, s.denied = true, "", nil
	if profile.Username != "" {
		s.user = profile.Username
	}
	s.person = strings.TrimSpace(profile.Name + " " + profile.Surname)
	return nil
}
