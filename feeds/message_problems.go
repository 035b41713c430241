package feeds

import (
	"fmt"
	"log/slog"
	"time"

	"wallboard/model"
)

// warnInterval is the shortest interval between two log lines about one kind of problem. It keeps
// the log short, because a server that sends one bad message usually sends many.
const warnInterval = time.Minute

// messageProblems logs and counts bad messages. The feed's mutex guards it.
type messageProblems struct {
	log    *slog.Logger
	now    func() time.Time
	redact func(string) string

	logged             map[string]problemLog // by operation and kind of problem
	badFrames          uint64                // number of unreadable frames
	lastBadFrameReason string                // why the newest bad frame was unreadable
}

// problemLog records when a kind of problem was last logged, and how often it has occurred since.
type problemLog struct {
	loggedAt   time.Time
	suppressed int
}

// warn logs a problem with a message of the operation op. It logs each kind of problem at most once
// per warnInterval.
func (p *messageProblems) warn(op, problem string, err error) {
	one, now := p.logged[op+problem], p.now()
	if !one.loggedAt.IsZero() && now.Sub(one.loggedAt) < warnInterval {
		one.suppressed++
		p.logged[op+problem] = one
		return
	}
	p.log.Warn("problem with a message from the server", "operation", op, "what", problem,
		"error", model.CleanText(p.redact(err.Error()), model.MaxBody), "since_last", one.suppressed)
	p.logged[op+problem] = problemLog{loggedAt: now}
}

// countBadFrame counts and logs a frame that could not be read.
func (p *messageProblems) countBadFrame(reason string, frame []byte) {
	p.badFrames++
	p.lastBadFrameReason = model.CleanText(p.redact(reason), model.MaxName)
	p.warn("-", "unreadable frame", fmt.Errorf("%s: %.80q", reason, frame))
}
