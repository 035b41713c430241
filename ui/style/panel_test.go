package style_test

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestCriticalPanelStandsOut checks that critical panels have a distinct frame and a bold name, also
// without colors.
func TestCriticalPanelStandsOut(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		for _, ascii := range []bool{false, true} {
			theme, err := themes.LoadEmbedded(name)
			if err != nil {
				t.Fatal(err)
			}
			lk := style.New(style.Options{Theme: theme, ASCII: ascii, NamedTheme: true}, render.Options{})
			frame := func(t themes.Token) string {
				return strings.Join(lk.Frame(20, style.Panel{Title: "Sales", TitleToken: t, EdgeToken: t, FooterText: "why"}, []string{"8"}), "\n")
			}
			critical := frame(themes.GaugeCritical)
			for _, sign := range strings.Split(map[bool]string{false: "┏ ┓ ┗ ┛ ━ ┃", true: "# ="}[ascii], " ") {
				if !strings.Contains(ansi.Strip(critical), sign) || strings.Contains(ansi.Strip(frame(themes.GaugeWarn)), sign) {
					t.Errorf("%s, ascii %v: no %s, or not only critical panels have it:\n%s", name, ascii, sign, ansi.Strip(critical))
				}
			}
			first, _, _ := strings.Cut(critical, "\n")
			if c := cellsOf(first)[2]; c.Content != "S" || c.Style.Attrs&uv.AttrBold == 0 {
				t.Errorf("%s, ascii %v: the name is not bold: %+v", name, ascii, c)
			}
		}
	}
}
