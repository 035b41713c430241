package rtd

import (
	"encoding/json"

	"wallboard/simulator/wire"
)

// refusals are the subscriptions that a fault makes the server refuse. Its
// owner guards it.
type refusals map[string]int // how many, by root name

// FailSubscription ends every subscription to a root with an error, and refuses
// the next n to it in the same way; "" is every root. The connection stays.
func (f *Faults) FailSubscription(root string, n int) {
	f.mu.Lock()
	f.refused[root] = n
	f.mu.Unlock()
	f.fail(root)
}

// refuses reports whether a subscription to a root is to be refused.
func (f *Faults) refuses(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range []string{root, ""} {
		if f.refused[r] > 0 {
			f.refused[r]--
			return true
		}
	}
	return false
}

// brokenSubscription is what a subscription ends with that a fault ends.
const brokenSubscription = "Internal server error"

// Cease has the platform tell nothing of a root, or does so no more: subscriptions to it
// end with an error, and so does whatever asks for it. The connection stays.
func (f *Faults) Cease(root string, on bool) {
	for _, name := range []string{root, renamedRoot(root)} {
		f.mu.Lock()
		f.ceased[name] = on
		f.mu.Unlock()
		if on {
			f.fail(name)
		}
	}
}

// hasCeased reports whether nothing is told of a root.
func (f *Faults) hasCeased(root string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ceased[root]
}

// failAll ends the subscriptions to a root, "" for all, with an error.
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

// failed is the message that ends a subscription with an error.
func (c *conn) failed(id string) message { return c.proto.failure(id, broken()) }

func broken() json.RawMessage {
	return wire.JSON([]map[string]string{{"message": brokenSubscription}})
}
