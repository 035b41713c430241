package cli

import (
	"log/slog"
	"sync"

	"wallboard/audit"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/sshd"
)

// visitors is the book of who came, went and was refused: the record of actions. What
// a stranger does at the door is in the log only, or they could fill the disk.
type visitors struct {
	file *audit.Log
	log  *slog.Logger

	events  chan sshd.Event
	writing sync.WaitGroup
}

// waitingVisitors is how many wait to be written down; those who are more are in the
// log only.
const waitingVisitors = 1000

// openVisitors opens the book until close, when nobody comes any more.
func openVisitors(c *config.Config, log *slog.Logger) (*visitors, error) {
	file, err := wiring.AuditFile(c, log)
	if err != nil {
		return nil, err
	}
	v := &visitors{file: file, log: log, events: make(chan sshd.Event, waitingVisitors)}
	v.writing.Go(v.write)
	return v, nil
}

func (v *visitors) close() {
	close(v.events)
	v.writing.Wait()
	_ = v.file.Close() // every line is on the disk
}

// note notes what somebody did at the door. A disk that is slow or full keeps nobody
// waiting.
func (v *visitors) note(e sshd.Event) {
	if e.User == "" {
		return
	}
	select {
	case v.events <- e:
	default:
		v.log.Warn("not in the record of actions", "user", e.User, "what", e.What)
	}
}

func (v *visitors) write() {
	for e := range v.events {
		if err := v.put(&e); err != nil {
			v.log.Error("the audit file could not be written", "user", e.User, "what", e.What, "error", err)
		}
	}
}

func (v *visitors) put(e *sshd.Event) error {
	finish, err := v.file.Begin(audit.Intent{Person: e.User, Action: viewerActions + e.What, Target: "from " + e.Remote})
	if err != nil {
		return err //nolint:wrapcheck // it is logged
	}
	outcome := "confirmed"
	if e.What == "refused" {
		outcome = "rejected"
	}
	return finish(audit.Result{Outcome: outcome, Sentence: e.Why})
}
