package sshd

import (
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/sshlib"
)

// How often one account may log in: at first as often as it may have sessions, but a few
// times at least.
const (
	loginBurst = 10
	loginRate  = 1 // a second
	// maxWaiting is how many connections of an account may be without a terminal.
	maxWaiting = 4
)

// logins are those of an account.
type logins struct {
	open  int // connections
	spent float64
	last  time.Time
}

// arrive notes that an account has logged in. ok is false if it has too many connections,
// soon is true if it logs in too often; left is called when the connection ends.
func (s *Server) arrive(name string) (left func(), ok, soon bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sessions := s.o.MaxViewers
	if a := s.access.account(name); a != nil && a.Sessions > 0 {
		sessions = a.Sessions
	}
	l := s.logins[name]
	if l == nil {
		l = &logins{last: time.Now()}
		s.logins[name] = l
	}
	now := time.Now()
	l.spent = max(0, l.spent-loginRate*max(0, now.Sub(l.last).Seconds()))
	l.last = now
	if soon = l.spent+1 > float64(max(loginBurst, sessions)); !soon {
		l.spent++
	}
	ok = l.open < sessions+maxWaiting
	l.open++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		l.open--
	}, ok, soon
}

// room is how many sessions there may be of people who are no admins: one place is left
// for those, if there are any. The caller holds mu.
func (s *Server) room() int {
	for i := range s.access.Accounts {
		if s.access.Accounts[i].Admin && s.o.MaxViewers > 1 {
			return s.o.MaxViewers - 1
		}
	}
	return s.o.MaxViewers
}

// shut ends a connection at once.
func shut(c ssh.Conn, channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	_ = sshlib.Close(c)
	go ssh.DiscardRequests(requests)
	go func() {
		for range channels {
		}
	}()
}
