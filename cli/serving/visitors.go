package serving

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/audit"
	"wallboard/cli/wiring"
	"wallboard/config"
	"wallboard/sshd"
)

// Visitors is the book of who came, went and was refused, in a file of its own: visits must
// not push actions out of the record of those. Of somebody who comes more often than
// visitBurst and visitEvery allow, a line each minute counts the visits. What a stranger does
// at the door is in the log only, or they could fill the disk.
type Visitors struct {
	file    *audit.Log
	actions func() (*audit.Log, error) // opens the record of actions
	log     *slog.Logger

	visits  *allowance
	events  chan sshd.Event
	writing sync.WaitGroup

	mu   sync.Mutex
	more map[string]map[string]int // by user and event: those that have no line
}

const (
	// waitingVisitors is how many wait to be written down; those who are more are counted.
	waitingVisitors = 1000
	// Of one account so many events have a line of their own.
	visitBurst = 30
	visitEvery = 10 * time.Second
	// countEvery is how often the others are counted in a line.
	countEvery = time.Minute
)

// OpenVisitors opens the book until Close, when nobody comes any more.
func OpenVisitors(c *config.Config, log *slog.Logger) (*Visitors, error) {
	file, err := wiring.VisitsFile(c, log)
	if err != nil {
		return nil, err
	}
	actions := func() (*audit.Log, error) { return wiring.AuditFile(c, log) }
	v := &Visitors{file: file, actions: actions, log: log, visits: newAllowance(visitBurst, visitEvery), events: make(chan sshd.Event, waitingVisitors), more: make(map[string]map[string]int)}
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
	if v.visits.take(e.User) {
		select {
		case v.events <- e:
			return
		default:
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.more[e.User] == nil {
		v.more[e.User] = make(map[string]int)
	}
	v.more[e.User][e.What]++
}

// NoteKick notes that sessions of a user were ended, by whom: "" is who runs the server.
func (v *Visitors) NoteKick(by, user string, sessions int) {
	if v == nil {
		return
	}
	if err := v.recordKick(by, user, sessions); err != nil {
		v.log.Error("the audit file could not be written", "user", user, "what", "kick", "error", err)
	}
	v.log.Info("sessions were ended", "user", user, "by", by, "sessions", sessions)
}

// recordKick writes into the record of actions, which visits must not displace.
func (v *Visitors) recordKick(by, user string, sessions int) error {
	file, err := v.actions()
	if err != nil {
		return err
	}
	finish, err := file.Begin(audit.Intent{
		Person: by, Action: viewerActions + "kick", Target: user, Parameters: map[string]string{"sessions": strconv.Itoa(sessions)},
	})
	if err == nil {
		err = finish(audit.Result{Outcome: "confirmed"})
	}
	return errors.Join(err, file.Close())
}

func (v *Visitors) write() {
	tick := time.NewTicker(countEvery)
	defer tick.Stop()
	defer v.count()
	for {
		select {
		case e, ok := <-v.events:
			if !ok {
				return
			}
			v.put(&e, nil)
		case <-tick.C:
			v.count()
		}
	}
}

// count writes down how many events of each account had no line.
func (v *Visitors) count() {
	v.mu.Lock()
	more := v.more
	v.more = make(map[string]map[string]int)
	v.mu.Unlock()
	for user, events := range more {
		counts := make(map[string]string, len(events))
		for what, n := range events {
			counts[what] = strconv.Itoa(n)
		}
		v.put(&sshd.Event{What: "more", User: user}, counts)
	}
}

func (v *Visitors) put(e *sshd.Event, counts map[string]string) {
	in := audit.Intent{Person: e.User, Action: viewerActions + e.What, Parameters: counts}
	if e.Remote != "" {
		in.Target = "from " + e.Remote
	}
	finish, err := v.file.Begin(in)
	if err == nil {
		outcome := "confirmed"
		if e.What == "refused" {
			outcome = "rejected"
		}
		err = finish(audit.Result{Outcome: outcome, Sentence: e.Why})
	}
	if err != nil {
		v.log.Error("the file of visits could not be written", "user", e.User, "what", e.What, "error", err)
	}
}

// viewerActions begin the names of visits, alertActions those of what was done about alerts:
// nothing of it was done on the platform.
const (
	viewerActions = "viewer-"
	alertActions  = "alert-"
)

// OffPlatform reports whether an action of a record was not done on the platform.
func OffPlatform(name string) bool {
	return strings.HasPrefix(name, viewerActions) || strings.HasPrefix(name, alertActions)
}
