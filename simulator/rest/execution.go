package rest

import (
	"slices"
	"sync"
	"time"
)

// Execution is an acting REST request that took effect, be its answer a success
// or not, and whether or not the answer arrived.
type Execution struct {
	Operation string    `json:"operation"`          // as "dial" or "campaign-start"
	Target    string    `json:"target,omitempty"`   // the user of a call; otherwise the id of what was changed
	CallID    string    `json:"callId,omitempty"`   // of operations on calls
	CallData  string    `json:"callData,omitempty"` // of a dial
	Status    int       `json:"status"`             // of the answer
	At        time.Time `json:"at"`                 // on the platform's clock
}

// executions is the list of what was executed. It is safe for concurrent use
// and never forgets: tests count.
type executions struct {
	mu   sync.Mutex
	list []Execution
}

func (x *executions) add(e Execution) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, e)
}

// Executions returns every acting REST request that was executed so far, in
// order.
func (s *Service) Executions() []Execution {
	s.executed.mu.Lock()
	defer s.executed.mu.Unlock()
	return slices.Clone(s.executed.list)
}
