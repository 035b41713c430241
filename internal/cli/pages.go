package cli

import (
	"cmp"
	"strconv"
	"time"

	"wallboard/internal/config"
	"wallboard/model"
	"wallboard/ui/panes"
)

// paneKinds returns the kinds of panes for the check of a configuration.
func paneKinds() []config.PaneKind {
	kinds := panes.PaneKinds()
	out := make([]config.PaneKind, len(kinds))
	for i, k := range kinds {
		out[i] = config.PaneKind(k)
	}
	return out
}

// pageSpecs returns the configured pages, nil if there are none.
func pageSpecs(c *config.Config) []panes.PageSpec {
	var out []panes.PageSpec
	for i := range c.Pages {
		p := &c.Pages[i]
		spec := panes.PageSpec{Name: cmp.Or(p.Name, p.Builtin), Key: p.Key, Builtin: p.Builtin}
		for _, row := range p.Rows {
			r := panes.RowSpec{Weight: row.Weight}
			for j := range row.Panes {
				r.Panes = append(r.Panes, paneSpec(&row.Panes[j]))
			}
			spec.Rows = append(spec.Rows, r)
		}
		out = append(out, spec)
	}
	return out
}

func paneSpec(p *config.Pane) panes.PaneSpec {
	s := panes.PaneSpec{
		Kind: p.Kind, Title: p.Title, Weight: p.Weight, Priority: p.Priority,
		Channel: model.Channel(p.Channel), Site: int64(p.Site), Services: p.Services, Groups: p.Groups, Filter: p.Filter,
		Columns: p.Columns, Sort: p.Sort, Descending: p.Descending,
		KPIs: p.KPIs, Digits: p.Digits, By: p.By, Target: p.Target.Value, Text: p.Text, Speed: p.Speed,
		Span: map[string]time.Duration{"15m": 15 * time.Minute, "1h": time.Hour, "shift": 8 * time.Hour}[p.Span],
	}
	for _, id := range p.Campaigns {
		s.Campaigns = append(s.Campaigns, strconv.Itoa(id))
	}
	if p.Zone != "" {
		s.Zone, _ = time.LoadLocation(p.Zone) // checked when the configuration was read; nil means the board's zone
	}
	return s
}
