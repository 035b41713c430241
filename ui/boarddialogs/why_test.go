package boarddialogs

import (
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestUnknownCause checks that the dialog says so if the board knows no cause of a problem,
// except for agents, whose headline already says what they do.
func TestUnknownCause(t *testing.T) {
	t.Parallel()
	theme, err := themes.LoadEmbedded(themes.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	for scope, says := range map[alert.Scope]bool{alert.Campaign: true, alert.Floor: true, alert.User: false} {
		p := &situationWriter{TextBuilder: dialog.TextBuilder{Look: style.New(style.Options{Theme: theme, Mono: true}, render.Options{}), Width: 60}}
		p.writeCauses(&situation.Situation{Place: situation.Place{Key: alert.Key{Scope: scope, Code: "1"}}})
		if got := strings.Contains(strings.Join(p.Lines, "\n"), words.DialogNoCause().In(nil)); got != says {
			t.Errorf("%s: %q", scope, p.Lines)
		}
	}
}
