package sshd

import "time"

// Limits on the logins of one account. The burst is at least the number of sessions that the
// account may have.
const (
	loginBurst = 10
	loginRate  = 1 // a second
	// maxWaiting is how many connections an account may have beyond its sessions.
	maxWaiting = 4
)

// logins tracks the connections and recent logins of an account.
type logins struct {
	open  int     // connections
	spent float64 // logins that count against the burst
	last  time.Time
}

// arrive counts a login of an account. ok is false if the account has too many connections,
// soon is true if it logs in too often. The caller calls left when the connection ends.
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

// room returns the maximum number of sessions of users who are not admins. If there are
// admins, one place is reserved for them. The caller holds mu.
func (s *Server) room() int {
	for i := range s.access.Accounts {
		if s.access.Accounts[i].Admin && s.o.MaxViewers > 1 {
			return s.o.MaxViewers - 1
		}
	}
	return s.o.MaxViewers
}
