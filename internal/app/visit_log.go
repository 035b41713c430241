package app

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/serve/sshterminal"
)

// VisitLog writes logins, logouts and refusals to a separate file, so that they do not displace
// actions in the audit log. If an account exceeds the limit of visitBurst and visitInterval, its
// further events are only counted, and the counts are written once a minute. Attempts of unknown
// users are only in the program's log, because they could fill the disk.
type VisitLog struct {
	file      *audit.Log
	openAudit func() (*audit.Log, error) // opens the audit log
	log       *slog.Logger

	limiter    *rateLimit
	eventQueue chan sshterminal.Event
	writing    sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	unwritten map[string]map[string]int // number of events that were only counted, by user and kind
}

const (
	// eventQueueLength limits the number of events that wait to be written. If the queue is full,
	// further events are only counted.
	eventQueueLength = 1000
	// visitBurst and visitInterval limit how many events of an account are written as separate
	// lines.
	visitBurst    = 30
	visitInterval = 10 * time.Second
	// countInterval is the interval at which the numbers of counted events are written.
	countInterval = time.Minute
)

// openVisitLog opens the log. It is open until Close.
func openVisitLog(c *config.Config, log *slog.Logger) (*VisitLog, error) {
	file, err := OpenVisitsFile(c, log)
	if err != nil {
		return nil, err
	}
	actions := func() (*audit.Log, error) { return OpenAuditFile(c, log) }
	v := &VisitLog{file: file, openAudit: actions, log: log, limiter: newRateLimit(visitBurst, visitInterval), eventQueue: make(chan sshterminal.Event, eventQueueLength), unwritten: make(map[string]map[string]int)}
	v.writing.Go(v.run)
	return v, nil
}

// Close writes the remaining events and closes the log. Later events are lost. They are possible if
// the server has stopped waiting for a viewer whose terminal does not end.
func (v *VisitLog) Close() {
	v.mu.Lock()
	v.closed = true
	close(v.eventQueue)
	v.mu.Unlock()
	v.writing.Wait()
	_ = v.file.Close() // every line is flushed
}

// Add logs an event. It never blocks, even if the disk is slow or full.
func (v *VisitLog) Add(e sshterminal.Event) {
	if e.User == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return
	}
	if v.limiter.allow(e.User) {
		select {
		case v.eventQueue <- e:
			return
		default:
		}
	}
	if v.unwritten[e.User] == nil {
		v.unwritten[e.User] = make(map[string]int)
	}
	v.unwritten[e.User][e.Kind]++
}

// AddKick logs that an admin has ended the sessions of a user. admin is the name of the admin, or
// "" for the user who runs the server. v may be nil.
func (v *VisitLog) AddKick(admin, user string, sessions int) {
	if v == nil {
		return
	}
	if err := v.recordKick(admin, user, sessions); err != nil {
		v.log.Error("cannot write the audit log", "user", user, "what", "kick", "error", err)
	}
	v.log.Info("sessions ended", "user", user, "by", admin, "sessions", sessions)
}

// recordKick writes to the audit log that an admin has ended the sessions of a user.
func (v *VisitLog) recordKick(admin, user string, sessions int) error {
	file, err := v.openAudit()
	if err != nil {
		return err
	}
	finish, err := file.Begin(audit.Intent{
		Person: admin, Action: viewerActions + "kick", Target: user, Parameters: map[string]string{"sessions": strconv.Itoa(sessions)},
	})
	if err == nil {
		err = finish(audit.Result{Outcome: "confirmed"})
	}
	return errors.Join(err, file.Close())
}

func (v *VisitLog) run() {
	tick := time.NewTicker(countInterval)
	defer tick.Stop()
	defer v.writeCounts()
	for {
		select {
		case e, ok := <-v.eventQueue:
			if !ok {
				return
			}
			v.writeEntry(&e, nil)
		case <-tick.C:
			v.writeCounts()
		}
	}
}

// writeCounts writes a line for each account whose events were only counted.
func (v *VisitLog) writeCounts() {
	v.mu.Lock()
	uncounted := v.unwritten
	v.unwritten = make(map[string]map[string]int)
	v.mu.Unlock()
	for user, events := range uncounted {
		counts := make(map[string]string, len(events))
		for what, n := range events {
			counts[what] = strconv.Itoa(n)
		}
		v.writeEntry(&sshterminal.Event{Kind: "more", User: user}, counts)
	}
}

func (v *VisitLog) writeEntry(e *sshterminal.Event, counts map[string]string) {
	in := audit.Intent{Person: e.User, Action: viewerActions + e.Kind, Parameters: counts}
	if e.Remote != "" {
		in.Target = "from " + e.Remote
	}
	finish, err := v.file.Begin(in)
	if err == nil {
		outcome := "confirmed"
		if e.Kind == "refused" {
			outcome = "rejected"
		}
		err = finish(audit.Result{Outcome: outcome, Sentence: e.Reason})
	}
	if err != nil {
		v.log.Error("cannot write the log of visits", "user", e.User, "what", e.Kind, "error", err)
	}
}

// Prefixes of the entries in the audit log about visits, alerts and reports. These entries are not
// about actions on the platform.
const (
	viewerActions = "viewer-"
	alertActions  = "alert-"
	reportActions = "report-"
)

// isOffPlatform reports whether an audit entry is not an action on the platform.
func isOffPlatform(name string) bool {
	return strings.HasPrefix(name, viewerActions) || strings.HasPrefix(name, alertActions) || strings.HasPrefix(name, reportActions)
}
