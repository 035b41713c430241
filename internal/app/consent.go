package app

import (
	"slices"
	"strings"
	"sync"

	"wallboard/internal/config"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui"
)

// redirectConsent holds the viewer's consent to send secrets to changed addresses. At first there
// is none.
type redirectConsent struct {
	mu      sync.Mutex
	allowed []config.ServerChange
	reread  chan struct{} // receives a request to read the configuration again
}

// isAllowed reports whether the viewer has permitted sending secrets to exactly these addresses.
// The permission ends with this call. If redirects is empty, no permission is needed.
func (c *redirectConsent) isAllowed(redirects []config.ServerChange) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ok := slices.Equal(redirects, c.allowed)
	c.allowed = nil
	return ok || len(redirects) == 0
}

// allow stores the viewer's permission to send secrets to these addresses, and requests that the
// configuration is read again. It is safe for concurrent use.
func (c *redirectConsent) allow(redirects []config.ServerChange) {
	c.mu.Lock()
	c.allowed = redirects
	c.mu.Unlock()
	c.requestReread()
}

// requestReread requests that the configuration is read again. It does not wait.
func (c *redirectConsent) requestReread() {
	select {
	case c.reread <- struct{}{}:
	default: // a request is pending
	}
}

// redirectKeys lists the keys of changed addresses.
func redirectKeys(redirects []config.ServerChange) string {
	keys := make([]string, len(redirects))
	for i, r := range redirects {
		keys[i] = r.Key
	}
	return strings.Join(keys, ", ")
}

// newConsentRequest returns the result of a reload that asks the viewer for permission to send
// secrets to these addresses.
func (c *redirectConsent) newConsentRequest(redirects []config.ServerChange) ui.Reload {
	q := &ui.Question{
		Title: words.AppRedirectTitle(), Text: words.AppRedirectQuestion(),
		Yes: words.AppRedirectYes(), No: words.AppRedirectNo(), ConfirmWord: redirects[0].Host, OnYes: func() { c.allow(redirects) },
	}
	for _, r := range redirects {
		const longest = 200
		clean := func(s string) words.Text {
			if s == "" {
				return words.DialogNotSet()
			}
			return words.Name(model.CleanText(s, longest))
		}
		q.Lines = append(q.Lines, words.AppRedirectTo(r.Key, clean(r.To)), words.AppRedirectFrom(clean(r.From)))
	}
	return ui.Reload{Problem: words.AppRedirectConfirm(redirectKeys(redirects)), Question: q}
}
