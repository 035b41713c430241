package rest

import (
	"slices"
	"sync"
	"time"
)

// Execution records a REST request that changed something, even if the answer reported an
// error or the client did not receive the answer.
type Execution struct {
	Operation string    `json:"operation"`          // name of the operation, for example "dial" or "campaign-start"
	Target    string    `json:"target,omitempty"`   // user or extension of a call, number of an SMS, otherwise the changed ids, separated by commas
	CallID    string    `json:"callId,omitempty"`   // only for operations on calls
	CallData  string    `json:"callData,omitempty"` // only for dial
	Status    int       `json:"status"`             // status of the answer
	At        time.Time `json:"at"`                 // on the platform's clock
}

// executions holds the records of all executions. It is safe for concurrent use.
type executions struct {
	mu   sync.Mutex
	list []Execution
}

func (x *executions) add(e Execution) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, e)
}

// Executions returns the records of all executions so far, oldest first.
func (s *Service) Executions() []Execution {
	s.executions.mu.Lock()
	defer s.executions.mu.Unlock()
	return slices.Clone(s.executions.list)
}
