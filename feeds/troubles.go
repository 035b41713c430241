package feeds

import (
	"fmt"
	"log/slog"
	"time"

	"wallboard/model"
)

// warnEvery is how often one kind of trouble is logged: a server that sends
// something odd sends it all day.
const warnEvery = time.Minute

// troubles are the messages that something was wrong with, as they are logged and
// counted. The feed's mutex guards them.
type troubles struct {
	log    *slog.Logger
	now    func() time.Time
	redact func(string) string

	logged map[string]trouble // by operation and kind
	frames uint64             // that made no sense
	newest string             // why the newest of them did not
}

// trouble is what was logged of one kind of trouble.
type trouble struct {
	at     time.Time
	unsaid int
}

// warn logs what is wrong with a message; the Feed page shows the count.
func (t *troubles) warn(op, what string, err error) {
	one, now := t.logged[op+what], t.now()
	if !one.at.IsZero() && now.Sub(one.at) < warnEvery {
		one.unsaid++
		t.logged[op+what] = one
		return
	}
	t.log.Warn("trouble with a message", "operation", op, "what", what,
		"error", model.CleanText(t.redact(err.Error()), model.MaxBody), "since_last", one.unsaid)
	t.logged[op+what] = trouble{at: now}
}

// badFrame counts a frame that makes no sense.
func (t *troubles) badFrame(reason string, frame []byte) {
	t.frames++
	t.newest = model.CleanText(t.redact(reason), model.MaxName)
	t.warn("-", "frame without meaning", fmt.Errorf("%s: %.80q", reason, frame))
}
