package rtd

import (
	"encoding/json"

	"wallboard/internal/simulator/endpoint"
)

// refusals counts the subscriptions to refuse by root name. The owner's mutex guards
// it.
type refusals map[string]int

// FailSubscription ends every subscription to a root with an error and refuses the
// next n subscriptions to it. The empty root means all roots. Connections stay open.
func (f *Faults) FailSubscription(root string, n int) {
	f.mu.Lock()
	f.refusals[root] = n
	f.mu.Unlock()
	f.failSubscriptions(root)
}

// takeRefusal reports whether to refuse a new subscription to a root, and counts the refusal.
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

// internalErrorText is the message of a subscription error caused by a fault.
const internalErrorText = "Internal server error"

// SetUnavailable makes queries and subscriptions of a root fail, or ends that fault.
// Connections stay open.
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

// isUnavailable reports whether queries and subscriptions of a root fail.
func (f *Faults) isUnavailable(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unavailable[root]
}

// failSubscriptions ends the subscriptions to a root with an error; "" means all roots.
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

// internalErrorMessage returns the message that ends a subscription with an error.
func (c *conn) internalErrorMessage(id string) message {
	return c.proto.errorMessage(id, internalErrors())
}

func internalErrors() json.RawMessage {
	return endpoint.JSON([]map[string]string{{"message": internalErrorText}})
}
