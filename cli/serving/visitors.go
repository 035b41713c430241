package serving

import (
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"wallboard/audit"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/sshd"
)

// Visitors is the book of who came, went and was refused: the record of actions. What
// a stranger does at the door is in the log only, or they could fill the disk.
type Visitors struct {
	file *audit.Log
	log  *slog.Logger

	events  chan sshd.Event
	writing sync.WaitGroup
}

// waitingVisitors is how many wait to be written down; those who are more are in the
// log only.
const waitingVisitors = 1000

// OpenVisitors opens the book until Close, when nobody comes any more.
func OpenVisitors(c *config.Config, log *slog.Logger) (*Visitors, error) {
	file, err := wiring.AuditFile(c, log)
	if err != nil {
		return nil, err
	}
	v := &Visitors{file: file, log: log, events: make(chan sshd.Event, waitingVisitors)}
	v.writing.Go(v.write)
	return v, nil
}

// Close writes down who has come and gone. Nobody comes any more.
func (v *Visitors) Close() {
	close(v.events)
	v.writing.Wait()
	_ = v.file.Close() // every line is on the disk
}

// Note notes what somebody did at the door. A disk that is slow or full keeps nobody
// waiting.
func (v *Visitors) Note(e sshd.Event) {
	if e.User == "" {
		return
	}
	select {
	case v.events <- e:
	default:
		v.log.Warn("not in the record of actions", "user", e.User, "what", e.What)
	}
}

// NoteKick notes that sessions of a user were ended, by whom: "" is who runs the server.
func (v *Visitors) NoteKick(by, user string, sessions int) {
	if v == nil {
		return
	}
	finish, err := v.file.Begin(audit.Intent{
		Person: by, Action: viewerActions + "kick", Target: user, Parameters: map[string]string{"sessions": strconv.Itoa(sessions)},
	})
	if err == nil {
		err = finish(audit.Result{Outcome: "confirmed"})
	}
	if err != nil {
		v.log.Error("the audit file could not be written", "user", user, "what", "kick", "error", err)
	}
	v.log.Info("sessions were ended", "user", user, "by", by, "sessions", sessions)
}

func (v *Visitors) write() {
	for e := range v.events {
		if err := v.put(&e); err != nil {
			v.log.Error("the audit file could not be written", "user", e.User, "what", e.What, "error", err)
		}
	}
}

func (v *Visitors) put(e *sshd.Event) error {
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

// viewerActions begin the names of what the record of actions holds about those who
// look: nothing of it was done on the platform.
const viewerActions = "viewer-"

// IsViewerAction reports whether an action of the record is one of them.
func IsViewerAction(name string) bool { return strings.HasPrefix(name, viewerActions) }
