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
	f.fail(root)
}

// refuses reports whether to refuse the next subscription to a root.
func (f *Faults) refuses(root string) bool {
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

// SetUnavailable turns the service of a root off or on. While it is off, queries and
// subscriptions of the root fail. Connections stay open.
func (f *Faults) SetUnavailable(root string, isOn bool) {
	for _, name := range []string{root, renamedRoot(root)} {
		f.mu.Lock()
		f.unavailable[name] = isOn
		f.mu.Unlock()
		if isOn {
			f.fail(name)
		}
	}
}

// isUnavailable reports whether the service of a root is off.
func (f *Faults) isUnavailable(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unavailable[root]
}

// failAll ends the subscriptions to a root with an error; "" means all roots.
func (s *Service) failAll(root string) {
	for _, c := range s.sockets.all() {
		for _, op := range c.running() {
			if op.root == "" || root != "" && op.root != root {
				continue
			}
			c.stop(op.id)
			s.sockets.track(func() { c.sendJSON(c.failed(op.id)) })
		}
	}
}

// failed returns the message that ends a subscription with an error.
func (c *conn) failed(id string) message { return c.proto.failure(id, internalError()) }

func internalError() json.RawMessage {
	return endpoint.JSON([]map[string]string{{"message": internalErrorText}})
}
