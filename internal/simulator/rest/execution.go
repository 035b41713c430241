package rest

import (
	"slices"
	"sync"
	"time"
)

// Execution is a REST request that changed something, independently of the status
// and the delivery of its answer.
type Execution struct {
	Operation string    `json:"operation"`          // for example "dial" or "campaign-start"
	Target    string    `json:"target,omitempty"`   // user or extension of a call, number of an SMS, otherwise the changed ids, separated by commas
	CallID    string    `json:"callId,omitempty"`   // for operations on calls
	CallData  string    `json:"callData,omitempty"` // for dial
	Status    int       `json:"status"`             // status of the answer
	At        time.Time `json:"at"`                 // by the platform's clock
}

// executions records all executions for tests. It is safe for concurrent use.
type executions struct {
	mu   sync.Mutex
	list []Execution
}

func (x *executions) add(e Execution) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, e)
}

// Executions returns all executions so far in order.
func (s *Service) Executions() []Execution {
	s.executions.mu.Lock()
	defer s.executions.mu.Unlock()
	return slices.Clone(s.executions.list)
}
