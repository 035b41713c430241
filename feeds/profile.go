package feeds

import (
	"errors"
	"fmt"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// errVersionChanged is the reason for ending a session after the server's version has changed.
var errVersionChanged = errors.New("the version of the server has changed")

// Profile returns the profile of the server as learned so far. It is safe for concurrent use.
func (f *Feed) Profile() dialect.Profile {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.learner.dialect.Profile()
	p.Server = formatVersion(f.version.Value.Server)
	return p
}

// saveProfile stores the profile of the server if it has changed since the last save and the
// server's version is known. After a change of the version it discards the profile and ends the
// session.
func (f *Feed) saveProfile(now time.Time) {
	f.mu.Lock()
	l, version := &f.learner, formatVersion(f.version.Value.Server)
	if l.setServerVersion(version) {
		f.env.Times = l.dialect.Times
		if f.connection.conn != nil {
			f.connection.conn.Abort(errVersionChanged)
		}
	}
	store := f.opts.Profiles
	if store == nil || version == "" {
		f.mu.Unlock()
		return
	}
	p, changed := l.dialect.UnsavedProfile(now)
	f.mu.Unlock()
	if !changed {
		return
	}
	if err := store.Save(p); err != nil {
		f.log.Warn("cannot save the learnt server profile", "error", err)
	}
}

// formatVersion formats a version as "1.2.3". It returns "" if the version is unknown.
func formatVersion(v model.ServerVersion) string {
	if !v.Major.Known() {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", v.Major.Or(0), v.Minor.Or(0), v.Patch.Or(0))
}
