package rtd

import (
	"encoding/json"

	"wallboard/internal/simulator/webservice"
)

// refusals holds the number of further subscriptions that the service refuses, by root field.
// The mutex of [Faults] guards it.
type refusals map[string]int

// FailSubscription ends all subscriptions to the root field root with an error, and makes the
// service refuse the next n subscriptions to root. An empty root means all root fields. The
// connections stay open.
func (f *Faults) FailSubscription(root string, n int) {
	f.mu.Lock()
	f.refusals[root] = n
	f.mu.Unlock()
	f.failSubscriptions(root)
}

// takeRefusal reports whether a new subscription to a root field must be refused and, if so,
// counts the refusal.
func (f *Faults) takeRefusal(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range []string{root, ""} {
		if f.refusals[r] > 0 {
			f.refusals[r]--
			return true
		}
	}
	return false
}

// internalErrorText is the message of errors caused by faults.
const internalErrorText = "Internal server error"

// SetUnavailable makes all queries and subscriptions of a root field fail, or ends this fault
// if isOn is false. Running subscriptions end with an error. The connections stay open.
func (f *Faults) SetUnavailable(root string, isOn bool) {
	for _, name := range []string{root, renamedRoot(root)} {
		f.mu.Lock()
		f.unavailable[name] = isOn
		f.mu.Unlock()
		if isOn {
			f.failSubscriptions(name)
		}
	}
}

// isUnavailable reports whether [Faults.SetUnavailable] makes a root field fail.
func (f *Faults) isUnavailable(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unavailable[root]
}

// failSubscriptions ends all subscriptions to a root field with an error. An empty root means
// all root fields.
func (s *Service) failSubscriptions(root string) {
	for _, c := range s.sockets.openConns() {
		for _, op := range c.runningOps() {
			if op.root == "" || root != "" && op.root != root {
				continue
			}
			c.stopOperation(op.id)
			s.sockets.runTracked(func() { c.sendJSON(c.internalErrorMessage(op.id)) })
		}
	}
}

// internalErrorMessage returns the message that ends the subscription with the given ID with
// an error.
func (c *conn) internalErrorMessage(id string) message {
	return c.proto.errorMessage(id, internalErrors())
}

func internalErrors() json.RawMessage {
	return webservice.JSON([]map[string]string{{"message": internalErrorText}})
}
