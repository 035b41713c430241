package feeds

import (
	"crypto/tls"
)

// Redial connects anew with another address, another login, or by other rules,
// and keeps the picture, marked as old, until the new connection has brought its
// own. Of the options it takes URL, WSURL, Subprotocols, Auth, Credentials, TLS,
// InsecureTLS, Dialect, Profiles and PollEvery. It may be called from any goroutine; its errors are
// those of [New].
func (f *Feed) Redial(o Options) error {
	if o.TLS == nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	o.DialContext = f.opts.DialContext // which nobody changes
	lg, err := f.newLogin(&o)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.line.next = &redial{o, lg}
	hangUp := f.line.hangUp
	f.mu.Unlock()
	if hangUp != nil {
		hangUp()
	}
	f.Retry()
	return nil
}
