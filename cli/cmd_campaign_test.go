package cli

import (
	"strings"
	"testing"

	"wallboard/simulator"
)

// The field that is wrong is told, in whatever form the platform has said it.
func TestTheFieldThatIsWrongIsTold(t *testing.T) {
	t.Parallel()
	for form, want := range map[simulator.RESTErrors]string{
		simulator.RESTErrorsFields: "(it says: Validation failed; name: is required)",
		simulator.RESTErrorsJSON:   "(it says: name is required)",
		simulator.RESTErrorsText:   "(it says: name is required)",
		simulator.RESTErrorsHTML:   "name is required",
	} {
		s := newScripts(t, func(o *simulator.Options) { o.RESTErrors = form })
		if doc := s.json(exitFailed, "", "campaign", "create", "--service-code", "SRV01"); !strings.Contains(doc.Text, want) {
			t.Errorf("%s: %q", form, doc.Text)
		}
	}
}
