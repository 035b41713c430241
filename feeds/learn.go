package feeds

import (
	"log/slog"
	"maps"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/requests"
)

// learner adapts the dialect to the server: from refusals and from other
// messages, and it resends what was refused. The feed's mutex guards it.
type learner struct {
	opts   *Options
	log    *slog.Logger
	now    func() time.Time
	clean  func(string) string
	subs   subs
	speech *dialect.Dialect
	conn   requests.Connection // nil while the link is down
	schema inquiry
}

// inquiry is the state of the schema query.
type inquiry struct {
	done bool   // sent on this connection
	id   string // id of the running query
	at   time.Time
}

// introspectionPatience is how long a refused operation waits for the schema.
const introspectionPatience = 5 * time.Second

// connects resets the learner for a new connection; nil means no connection.
func (l *learner) connects(conn requests.Connection) {
	if l.conn = conn; conn != nil {
		l.schema = inquiry{}
		l.speech.Connects()
	}
}

// askSchema queries the server's schema, once per connection.
func (l *learner) askSchema() {
	if l.schema.done || l.conn == nil {
		return
	}
	l.schema.done = true
	if id, err := l.conn.Subscribe(dialect.Introspection, nil); err == nil {
		l.schema.id, l.schema.at = id, l.now()
	}
}

// awaitsSchema reports whether the schema may still arrive.
func (l *learner) awaitsSchema() bool {
	return !l.schema.done || l.schema.id != "" && l.now().Sub(l.schema.at) < introspectionPatience
}

// learnSchema handles the introspection result, nil if refused, and retries the
// operations that waited for it.
func (l *learner) learnSchema(payload []byte) {
	l.schema.id = ""
	if err := l.speech.ReadSchema(payload); err != nil {
		l.log.Info("server does not show its schema", "reason", l.clean(err.Error()))
	}
	now := l.now()
	for _, s := range l.subs {
		if l.schemaSays(s) || s.requests.Connected() && s.retry.waits(now) {
			s.retry.at = time.Time{}
			s.step(now)
		}
	}
}

// schemaSays adapts a subscription to the schema and reports whether that
// changed anything.
func (l *learner) schemaSays(s *sub) bool {
	root, news := l.speech.FitSchema(&s.doc, s.requests.Root())
	if root != "" {
		l.log.Info("subscription root found", "operation", s.doc.Root, "root", root)
		s.requests.Rename(root)
	}
	if news {
		l.sayFields(s)
	}
	return news || root != ""
}

// lacking notes fields that the server says it lacks and reports whether that
// is new.
func (l *learner) lacking(s *sub, r *dialect.Complaint) bool {
	news := l.speech.Heed(&s.doc, r)
	if news {
		l.sayFields(s)
	}
	return news
}

// sayFields shows and logs the fields that are left out of an operation.
func (l *learner) sayFields(s *sub) {
	op := s.doc.Root
	s.status.Lacks = l.lackText(op)
	l.log.Info("fields left out because the server lacks them", "operation", op, "lacks", s.status.Lacks, "types", strings.Join(l.speech.Types(op), ", "))
}

// lackText lists the fields of an operation that the server lacks.
func (l *learner) lackText(op string) string {
	return l.clean(strings.Join(dialect.Missing(l.speech.Lacks(op), l.speech.Types(op)), ", "))
}

// trialAfter is how long a connection must be up before learnt restrictions are
// tested again.
const trialAfter = time.Minute

// tryAgain sends the next due trial of a learnt restriction.
func (l *learner) tryAgain(now time.Time) {
	d := l.speech
	op := d.NextTrial()
	if op == "" {
		op = opServices
	}
	s := l.subs.named(op)
	if s == nil || s.active == "" {
		return
	}
	text, vars, ok := d.Trial(&s.doc, s.filter.have.Filter, s.filter.have.Keys)
	if !ok {
		return
	}
	if id, err := s.requests.Text(text, vars); err == nil {
		d.TrialSent(id, now)
	}
}

// triedAgain handles the answer to a trial and reports whether id belongs to
// one.
func (l *learner) triedAgain(id string, payload []byte) bool {
	op, out := l.speech.TrialAnswered(id, payload, func(op string) int {
		if s := l.subs.named(op); s != nil {
			return s.filter.have.Keys
		}
		return 0
	})
	if out == dialect.TrialMore || out == dialect.TrialOver {
		l.log.Info("a learnt restriction of the server is gone", "operation", op)
	}
	if s := l.subs.named(op); s != nil && out == dialect.TrialOver {
		s.status.Lacks = l.lackText(op)
		s.renew, s.losses.resync = true, true
	}
	return out != dialect.NoTrial
}

// begin starts from the configuration and the saved profile.
func (l *learner) begin() {
	pinned := l.opts.Dialect
	pinned.Roots = maps.Clone(pinned.Roots)
	if pinned.Roots == nil {
		pinned.Roots = make(map[string]string)
	}
	maps.Copy(pinned.Roots, l.opts.Roots)
	*l.speech = *dialect.New(pinned)
	if l.opts.Profiles != nil {
		if p, ok := l.opts.Profiles.Load(); ok {
			l.speech.Recall(p)
		}
	}
	l.speakAnew()
}

// speakAnew applies the dialect to the subscriptions.
func (l *learner) speakAnew() {
	for _, s := range l.subs {
		s.requests.Rename(l.speech.Root(s.doc.Root))
		s.status.Lacks = l.lackText(s.doc.Root)
	}
}

// speaksTo sets the server's version and reports whether it changed; the learnt
// profile is then discarded and a new connection learns it again.
func (l *learner) speaksTo(version string) bool {
	before := l.speech.SpeaksTo(version)
	if before == "" {
		return false
	}
	l.log.Info("server version changed, discarding the learnt profile", "before", before, "now", version)
	l.speakAnew()
	return true
}
