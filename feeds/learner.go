package feeds

import (
	"log/slog"
	"strings"
	"time"

	"wallboard/feeds/dialect"
)

// learner adapts the dialect, that is, the form of the requests, to the refusals and messages of
// the server. It then sends refused operations again. The feed's mutex guards it.
type learner struct {
	opts    *Options
	log     *slog.Logger
	now     func() time.Time
	clean   func(string) string
	subs    subscriptionList
	dialect *dialect.Dialect
	conn    dialect.Connection // nil while the link is down
	schema  schemaQuery
}

type schemaQuery struct {
	sent   bool   // the query was sent on this connection
	id     string // ID of the running query; "": none
	sentAt time.Time
}

// schemaQueryTimeout is how long a refused operation waits for the answer to the schema query before it
// is sent again.
const schemaQueryTimeout = 5 * time.Second

// setConnection sets the connection and resets what was tried on the previous one. A nil conn means
// that the link is down.
func (l *learner) setConnection(conn dialect.Connection) {
	if l.conn = conn; conn != nil {
		l.schema = schemaQuery{}
		l.dialect.ResetConnection()
	}
}

// querySchema sends the query for the server's schema, once per connection.
func (l *learner) querySchema() {
	if l.schema.sent || l.conn == nil {
		return
	}
	l.schema.sent = true
	if id, err := l.conn.Subscribe(dialect.Introspection, nil); err == nil {
		l.schema.id, l.schema.sentAt = id, l.now()
	}
}

// awaitsSchema reports whether the schema can still arrive: it has not been queried on this
// connection, or the query is still running.
func (l *learner) awaitsSchema() bool {
	return !l.schema.sent || l.schema.id != "" && l.now().Sub(l.schema.sentAt) < schemaQueryTimeout
}

// learnSchema handles the answer to the schema query. It then repeats the operations that waited
// for the schema. A nil payload means that the server refused the query.
func (l *learner) learnSchema(payload []byte) {
	l.schema.id = ""
	if err := l.dialect.ReadSchema(payload); err != nil {
		l.log.Info("server refused schema introspection", "reason", l.clean(err.Error()))
	}
	now := l.now()
	for _, s := range l.subs {
		if l.applySchema(s) || s.requests.Connected() && s.retry.mustWait(now) {
			s.retry.notBefore = time.Time{}
			s.step(now)
		}
	}
}

// applySchema adapts the requests of a subscription to the server's schema. It reports whether it
// changed the requests.
func (l *learner) applySchema(s *subscription) bool {
	root, changed := l.dialect.AdaptToSchema(&s.doc, s.requests.Root())
	if root != "" {
		l.log.Info("subscription root found", "operation", s.doc.Root, "root", root)
		s.requests.SetRoot(root)
	}
	if changed {
		l.showMissingFields(s)
	}
	return changed || root != ""
}

// learnMissingFields records the fields that the server lacks according to its error message r. It
// returns true if it found a field that was not known to be missing.
func (l *learner) learnMissingFields(s *subscription, r *dialect.RequestFaults) bool {
	changed := l.dialect.ApplyFaults(&s.doc, r)
	if changed {
		l.showMissingFields(s)
	}
	return changed
}

// showMissingFields shows and logs which fields are left out of the operation of s.
func (l *learner) showMissingFields(s *subscription) {
	op := s.doc.Root
	s.status.showMissingFields(l.dialect)
	l.log.Info("fields left out because the server lacks them", "operation", op, "lacks", s.status.Lacks, "types", strings.Join(l.dialect.Types(op), ", "))
}

// trialDelay is how long a connection must be up before the learner tests whether the restrictions
// learned about the server still apply.
const trialDelay = time.Minute

// sendTrial sends the next due trial: a query that tests whether a restriction learned about the
// server still applies.
func (l *learner) sendTrial(now time.Time) {
	d := l.dialect
	op := d.NextTrial()
	if op == "" {
		op = opServices
	}
	s := l.subs.byOperation(op)
	if s == nil || s.activeID == "" {
		return
	}
	text, vars, ok := d.TrialRequest(&s.doc, s.filter.activeRequest.Filter, s.filter.activeRequest.Keys)
	if !ok {
		return
	}
	if id, err := s.requests.SendText(text, vars); err == nil {
		d.RecordTrialSent(id, now)
	}
}

// handleTrial handles the answer to a trial. It returns false if id is not the ID of a trial.
func (l *learner) handleTrial(id string, payload []byte) bool {
	op, out := l.dialect.ApplyTrialAnswer(id, payload, func(op string) int {
		if s := l.subs.byOperation(op); s != nil {
			return s.filter.activeRequest.Keys
		}
		return 0
	})
	if out == dialect.TrialMoreKeys || out == dialect.TrialLifted {
		l.log.Info("a learnt restriction of the server is gone", "operation", op)
	}
	if s := l.subs.byOperation(op); s != nil && out == dialect.TrialLifted {
		s.status.showMissingFields(l.dialect)
		s.needsResubscribe, s.losses.needsResync = true, true
	}
	return out != dialect.NotATrial
}

// resetDialect resets the dialect to the configuration and the saved profile.
func (l *learner) resetDialect() {
	*l.dialect = *dialect.New(l.opts.Dialect)
	if l.opts.Profiles != nil {
		if p, ok := l.opts.Profiles.Load(); ok {
			l.dialect.LoadProfile(p)
		}
	}
	l.applyDialect()
}

// applyDialect passes the root names and the missing fields of the dialect to all subscriptions.
func (l *learner) applyDialect() {
	for _, s := range l.subs {
		s.requests.SetRoot(l.dialect.Root(s.doc.Root))
		s.status.showMissingFields(l.dialect)
	}
}

// setServerVersion sets the server's version and reports whether it changed. If so, it discards the
// learned profile. The caller must then end the connection, so that the next one learns the profile
// of the new version.
func (l *learner) setServerVersion(version string) bool {
	before := l.dialect.SetServerVersion(version)
	if before == "" {
		return false
	}
	l.log.Info("server version changed, discarding the learnt profile", "before", before, "now", version)
	l.applyDialect()
	return true
}
