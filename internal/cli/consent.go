package cli

import (
	"slices"
	"strings"
	"sync"

	"wallboard/internal/config"
	"wallboard/model"
	"wallboard/ui"
)

// consent holds the viewer's permission to send secrets to changed addresses. The zero
// value permits none.
type consent struct {
	mu     sync.Mutex
	agreed []config.Redirect
	again  chan struct{} // permission was given: read the configuration again
}

func newConsent() *consent { return &consent{again: make(chan struct{}, 1)} }

// to reports whether secrets may be sent to the addresses. A permission is valid once.
func (c *consent) to(where []config.Redirect) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ok := slices.Equal(where, c.agreed)
	c.agreed = nil
	return ok || len(where) == 0
}

// give permits sending secrets to the addresses. It is safe for concurrent use.
func (c *consent) give(where []config.Redirect) {
	c.mu.Lock()
	c.agreed = where
	c.mu.Unlock()
	c.look()
}

// look requests that the configuration is read again.
func (c *consent) look() {
	select {
	case c.again <- struct{}{}:
	default: // a request is pending
	}
}

// redirectText returns the message that a changed configuration is rejected because secrets
// would be sent to another address.
func redirectText(where []config.Redirect, remedy string) string {
	keys := make([]string, len(where))
	for i, r := range where {
		keys[i] = r.Key
	}
	return "The changed configuration is not followed, because the password or the token would go to somebody else (" +
		strings.Join(keys, ", ") + "): " + remedy
}

// restartRemedy is the remedy if no viewer can give permission.
const restartRemedy = "that needs a new start."

// ask asks the viewer for permission; a kiosk rejects the configuration.
func (c *consent) ask(where []config.Redirect, kiosk bool) ui.Reload {
	if kiosk {
		return ui.Reload{Problem: redirectText(where, restartRemedy)}
	}
	q := &ui.Question{
		Title: "Another address",
		Text: "The configuration has changed, and what the board logs in with would go to somebody else. " +
			"If it was not you who changed it, leave it as it is.",
		Yes: "Send it there", No: "Leave it", Word: where[0].Host, OnYes: func() { c.give(where) },
	}
	for _, r := range where {
		const longest = 200
		clean := func(s string) string {
			if s == "" {
				return "not set"
			}
			return model.CleanText(s, longest)
		}
		q.Lines = append(q.Lines, r.Key+": "+clean(r.To), "  before: "+clean(r.From))
	}
	return ui.Reload{Problem: redirectText(where, "somebody has to agree, now or at a new start."), Question: q}
}
