package feeds

import (
	"crypto/tls"
)

// Reconnect replaces the connection with one that uses another address, login or dialect. The
// current records stay, marked as old, until the new connection has delivered data. Reconnect uses
// only the options URL, WSURL, Subprotocols, Auth, Credentials, TLS, InsecureTLS, Dialect, Profiles
// and PollEvery. It returns an error if the login is not valid. It is safe for concurrent use.
func (f *Feed) Reconnect(o Options) error {
	if o.TLS == nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	o.DialContext = f.opts.DialContext // DialContext cannot be changed
	lg, err := newLogin(&o, f.timeRequest)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.connection.requestedRedial = &requestedConnection{o, lg}
	hangUp := f.connection.cancelSession
	f.mu.Unlock()
	if hangUp != nil {
		hangUp()
	}
	f.RetryNow()
	return nil
}
