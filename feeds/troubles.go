package feeds

import (
	"fmt"
	"log/slog"
	"time"

	"wallboard/model"
)

// warnEvery is how often one kind of problem is logged: a server that sends
// something odd sends it all day.
const warnEvery = time.Minute

// troubles logs and counts bad messages. The feed's mutex guards it.
type troubles struct {
	log    *slog.Logger
	now    func() time.Time
	redact func(string) string

	logged map[string]trouble // by operation and kind
	frames uint64             // unreadable frames
	newest string             // why the newest was unreadable
}

// trouble is the log state of one kind of problem.
type trouble struct {
	at         time.Time
	suppressed int
}

// warn logs a bad message; the Feed page shows the count.
func (t *troubles) warn(op, what string, err error) {
	one, now := t.logged[op+what], t.now()
	if !one.at.IsZero() && now.Sub(one.at) < warnEvery {
		one.suppressed++
		t.logged[op+what] = one
		return
	}
	t.log.Warn("problem with a message from the server", "operation", op, "what", what,
		"error", model.CleanText(t.redact(err.Error()), model.MaxBody), "since_last", one.suppressed)
	t.logged[op+what] = trouble{at: now}
}

// badFrame counts an unreadable frame.
func (t *troubles) badFrame(reason string, frame []byte) {
	t.frames++
	t.newest = model.CleanText(t.redact(reason), model.MaxName)
	t.warn("-", "unreadable frame", fmt.Errorf("%s: %.80q", reason, frame))
}
