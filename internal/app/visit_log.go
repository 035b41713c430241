package app

import (
	"cmp"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/netconn"
	"wallboard/internal/serve/sshterminal"
	"wallboard/ui/replay"
)

// VisitLog writes logins, logouts, refusals and the opening of recordings to a separate file, so that they
// do not displace actions in the audit log. If an account exceeds the limit of visitBurst and visitInterval,
// further events are only counted, and the counts are written once a minute. Attempts of unknown
// users are only in the program's log, because they could fill the disk.
type VisitLog struct {
	file  *audit.Log
	audit audit.Options // options of the audit log
	log   *slog.Logger

	// nameModeOf returns how a user sees the names of agents, for the log of a login. It may be
	// nil.
	nameModeOf func(user string) string

	limiter    *netconn.Failures
	eventQueue chan visit
	writing    sync.WaitGroup

	mu          sync.Mutex
	closed      bool
	eventCounts map[string]map[string]int // number of events that are only counted, by user and kind
}

const (
	// eventQueueLength limits the number of events that wait to be written. If the queue is full,
	// further events are only counted.
	eventQueueLength = 1000
	// visitBurst and visitInterval limit how many events of an account get a line of their own.
	visitBurst    = 30
	visitInterval = 10 * time.Second
	// maxSeparateCounts limits the number of separate counts for an account in countInterval. Beyond it,
	// views of the shifts of further agents are counted together.
	maxSeparateCounts = 500
	// countInterval is how often the numbers of counted events are written.
	countInterval = time.Minute
)

func openVisitLog(c *config.Config, log *slog.Logger) (*VisitLog, error) {
	file, err := audit.Open(c.Audit.VisitsOptions(c, log))
	if err != nil {
		return nil, fmt.Errorf("log of visits: %w", err)
	}
	v := &VisitLog{file: file, audit: c.Audit.LogOptions(c, log), log: log, limiter: netconn.NewFailures(visitBurst, 1/visitInterval.Seconds(), time.Now), eventQueue: make(chan visit, eventQueueLength), eventCounts: make(map[string]map[string]int)}
	v.writing.Go(v.run)
	return v, nil
}

// Close writes the remaining events and closes the log. Later events are lost. They can occur if
// the server has stopped waiting for a viewer whose terminal does not end.
func (v *VisitLog) Close() {
	v.mu.Lock()
	v.closed = true
	close(v.eventQueue)
	v.mu.Unlock()
	v.writing.Wait()
	_ = v.file.Close() // every line is flushed
}

// visit is an event of a viewer.
type visit struct {
	kind          string // the last part of the action's name
	user          string
	platform      string            // address of the platform; "": the first one
	target        string            // the viewer's address, or what the viewer looked at
	refusalReason string            // reason of a refusal
	counts        map[string]string // numbers of events that were only counted, by kind
}

// Add logs an event of the server. It never blocks, even if the disk is slow or full.
func (v *VisitLog) Add(e sshterminal.Event) {
	x := visit{kind: e.Kind, user: e.User, refusalReason: e.Reason}
	if e.Remote != "" {
		x.target = "from " + e.Remote
	}
	v.add(x)
}

func (v *VisitLog) add(x visit) {
	if x.user == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return
	}
	if v.limiter.Take(x.user) {
		select {
		case v.eventQueue <- x:
			return
		default:
		}
	}
	counts := v.eventCounts[x.user]
	if counts == nil {
		counts = make(map[string]int)
		v.eventCounts[x.user] = counts
	}
	if looked := x.kind + ": " + x.target; x.kind == "shift" && len(counts) < maxSeparateCounts {
		counts[looked]++
	} else {
		counts[x.kind]++
	}
}

// logAccess makes the archive a write to v what a user opens in the archive. platform is the address of
// the platform. usernameOf returns the user name of the agent whom the user sees under another name, or
// "" if it is unknown. v may be nil.
func (v *VisitLog) logAccess(a *replay.Archive, user, platform string, usernameOf func(shown string) string) {
	if v == nil {
		return
	}
	a.LogAccess = replay.NewAccessLog(time.Now, func(a replay.RecordingAccess) {
		a.ShiftUser = cmp.Or(usernameOf(a.ShiftUser), a.ShiftUser)
		v.add(visit{kind: a.Kind(), user: user, platform: platform, target: a.Subject()})
	})
}

// AddSessionEnd logs that an admin has ended the sessions of a user. admin is the name of the admin, or
// "" for the user who runs the server. v may be nil.
func (v *VisitLog) AddSessionEnd(admin, user string, sessions int) {
	if v == nil {
		return
	}
	in := audit.Intent{Person: admin, Action: audit.ViewerActionPrefix + "kick", Target: user, Parameters: map[string]string{"sessions": strconv.Itoa(sessions)}}
	if err := audit.Append(v.audit, in); err != nil {
		v.log.Error("cannot write the audit log", "user", user, "what", "kick", "error", err)
	}
	v.log.Info("sessions ended", "user", user, "by", admin, "sessions", sessions)
}

func (v *VisitLog) run() {
	tick := time.NewTicker(countInterval)
	defer tick.Stop()
	defer v.writeCounts()
	for {
		select {
		case x, ok := <-v.eventQueue:
			if !ok {
				return
			}
			v.writeEntry(x)
		case <-tick.C:
			v.writeCounts()
		}
	}
}

// writeCounts writes a line for each account with events that were only counted.
func (v *VisitLog) writeCounts() {
	v.mu.Lock()
	uncounted := v.eventCounts
	v.eventCounts = make(map[string]map[string]int)
	v.mu.Unlock()
	for user, events := range uncounted {
		counts := make(map[string]string, len(events))
		for what, n := range events {
			counts[what] = strconv.Itoa(n)
		}
		v.writeEntry(visit{kind: "more", user: user, counts: counts})
	}
}

func (v *VisitLog) writeEntry(x visit) {
	in := audit.Intent{Person: x.user, Platform: x.platform, Action: audit.ViewerActionPrefix + x.kind, Target: x.target, Parameters: x.counts}
	if x.kind == "login" && v.nameModeOf != nil {
		in.Parameters = map[string]string{"names": v.nameModeOf(x.user)}
	}
	finish, err := v.file.Begin(in)
	if err == nil {
		outcome := "confirmed"
		if x.kind == "refused" {
			outcome = "rejected"
		}
		err = finish(audit.Result{Outcome: outcome, Sentence: x.refusalReason})
	}
	if err != nil {
		v.log.Error("cannot write the log of visits", "user", x.user, "what", x.kind, "error", err)
	}
}

// Prefixes of the audit log's names for actions on alerts and reports. Like visits, they are not
// actions on the platform.
const (
	alertActionPrefix  = "alert-"
	reportActionPrefix = "report-"
)

func isBoardAction(name string) bool {
	return strings.HasPrefix(name, audit.ViewerActionPrefix) || strings.HasPrefix(name, alertActionPrefix) || strings.HasPrefix(name, reportActionPrefix)
}
