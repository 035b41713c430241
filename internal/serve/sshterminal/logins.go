package sshterminal

import "time"

// Limits on the logins of an account. An account that may have more than loginBurst sessions
// may log in as often in a row as its number of sessions.
const (
	loginBurst = 10
	loginRate  = 1 // logins regained per second
	// maxExtraConnections is the number of connections that an account may have beyond its
	// number of sessions.
	maxExtraConnections = 4
)

// loginCounts counts the connections and the recent logins of an account.
type loginCounts struct {
	connections int     // number of open connections
	usedBurst   float64 // recent logins that still count against the burst
	lastLogin   time.Time
}

// countLogin counts a login of an account. ok is false if the account has too many
// connections. tooOften reports whether the account logs in too often. In any case, the caller
// must call release when the connection ends.
func (s *Server) countLogin(name string) (release func(), ok, tooOften bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sessions := s.options.MaxViewers
	if a := s.access.accountNamed(name); a != nil && a.MaxSessions > 0 {
		sessions = a.MaxSessions
	}
	l := s.logins[name]
	if l == nil {
		l = &loginCounts{lastLogin: time.Now()}
		s.logins[name] = l
	}
	now := time.Now()
	l.usedBurst = max(0, l.usedBurst-loginRate*max(0, now.Sub(l.lastLogin).Seconds()))
	l.lastLogin = now
	if tooOften = l.usedBurst+1 > float64(max(loginBurst, sessions)); !tooOften {
		l.usedBurst++
	}
	ok = l.connections < sessions+maxExtraConnections
	l.connections++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		l.connections--
	}, ok, tooOften
}

// sessionLimit returns the maximum number of sessions of users who are not admins. If there are
// admins, one session is reserved for them, unless MaxViewers is 1. The caller must hold mu.
func (s *Server) sessionLimit() int {
	for i := range s.access.Accounts {
		if s.access.Accounts[i].Admin && s.options.MaxViewers > 1 {
			return s.options.MaxViewers - 1
		}
	}
	return s.options.MaxViewers
}
