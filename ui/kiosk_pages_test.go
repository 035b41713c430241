package ui

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/ui/kiosk"
)

// TestKioskPagesThroughCards checks that services that do not fit are shown in turns, with
// a page number on the last card.
func TestKioskPagesThroughCards(t *testing.T) {
	t.Parallel()
	const services = 90
	for _, size := range [][2]int{{120, 40}, {160, 45}} {
		f := quietFloor()
		for i := range services {
			f.waitAt(i, 0, 0)
		}
		b := newBoardOn(t, f, size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Services", "Agents"} }))
		seen := map[string]bool{}
		for range 900 {
			b.seconds(1)
			text := b.text()
			if b.pages.NameOf(b.pages.Current) != "Services" {
				continue
			}
			if !strings.Contains(text, "╭ Page ") || !strings.Contains(text, " services ") {
				t.Fatalf("no card says which page this is:\n%s", text)
			}
			for i := range services {
				if name := fmt.Sprintf("S%05d", i); strings.Contains(text, name) {
					seen[name] = true
				}
			}
		}
		if len(seen) < services {
			t.Errorf("at %v only %d of %d services are shown:\n%s", size, len(seen), services, b.text())
		}
	}
}
