package pages

import (
	"testing"

	"wallboard/ui/frame"
)

// TestSplitPanel checks that the parts of a panel fill it without overlapping, and that no part is too
// small to be useful.
func TestSplitPanel(t *testing.T) {
	t.Parallel()
	for _, w := range []int{38, 58, 78, 118, 139, 140, 158, 198} {
		for h := range 50 {
			inner := frame.Area{X: 1, Y: 5, W: w, H: h}
			p := splitPanel(inner, true)
			beside := p.chart.H > 0 && p.chart.X > inner.X
			height := p.text.H + p.services.H
			if !beside {
				height += p.chart.H
			}
			if height != h || p.text.H < 0 || beside && p.chart.H != h {
				t.Errorf("%d x %d: %+v", w, h, p)
			}
			checkParts(t, inner, &p)
			if alone := splitPanel(inner, false); alone.text != inner || alone.services.H+alone.chart.H > 0 {
				t.Errorf("without data: %+v", alone)
			}
		}
	}
}

// checkParts checks the sizes of the services and of the chart in a panel.
func checkParts(t *testing.T, inner frame.Area, p *panelParts) {
	t.Helper()
	if p.services.H > 0 && (p.services.H < minServiceLines || p.services.Y != p.text.Y+p.text.H || p.services.W != p.text.W || p.text.H < fewSiteTextLines) {
		t.Errorf("services in %+v: %+v", inner, p)
	}
	if p.chart.H > 0 && (p.chart.H < minSiteChartLines || p.chart.X+p.chart.W != inner.X+inner.W || p.chart.Y+p.chart.H != inner.Y+inner.H) {
		t.Errorf("chart in %+v: %+v", inner, p)
	}
	if inner.H >= fewSiteTextLines+minServiceLines && p.services.H == 0 && p.chart.H == 0 {
		t.Errorf("%+v has room for the services: %+v", inner, p)
	}
}
