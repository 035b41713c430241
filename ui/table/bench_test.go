package table

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
)

// The benchmarks draw a wallboard of 200x56: 55 visible rows of 14 columns. The
// baseline is the same board with one Lip Gloss Render per cell, in the same run:
// compare ratios, not nanoseconds.

const benchColumns = 14

// agents is a source of figures as a page would implement it.
type agents []*agent

type agent struct {
	key     string
	name    string
	state   string
	version uint64
	n       [benchColumns]int64
}

func (a agents) Len() int             { return len(a) }
func (a agents) Key(i int) string     { return a[i].key }
func (a agents) Version(i int) uint64 { return a[i].version }

func (a agents) Cell(i, col int, dst *Cell) {
	switch r := a[i]; col {
	case 0:
		dst.AppendString(r.name)
	case 1:
		dst.AppendString(r.state)
		dst.Style = "\x1b[38;2;127;217;146m"
	default:
		dst.Text = strconv.AppendInt(dst.Text, r.n[col], 10)
	}
}

func (a agents) Compare(i, j, col int) int {
	switch x, y := a[i], a[j]; col {
	case 0:
		return strings.Compare(x.name, y.name)
	case 1:
		return strings.Compare(x.state, y.state)
	default:
		return cmp.Compare(x.n[col], y.n[col])
	}
}

func (a agents) Matches(i int, filter string) bool { return strings.Contains(a[i].name, filter) }

func newAgents(n int) agents {
	out := make(agents, n)
	for i := range out {
		r := &agent{key: fmt.Sprintf("agent-%05d", i), name: fmt.Sprintf("José Agent %d", i), state: "TALKING"}
		for c := range r.n {
			r.n[c] = int64((i*7919 + c*104729) % 5000)
		}
		out[i] = r
	}
	return out
}

// change returns a copy in which the given rows have new figures.
func (a agents) change(rows []int, step int) agents {
	out := append(agents(nil), a...)
	for _, i := range rows {
		r := *out[i]
		r.version++
		for c := range r.n {
			r.n[c] = (r.n[c] + int64(step+c)) % 5000
		}
		out[i] = &r
	}
	return out
}

func benchModel(a agents) *Model {
	cols := []Column{{ID: "name", Title: "Agent", Min: 16, Weight: 1}, {ID: "state", Title: "State", Min: 10}}
	for c := len(cols); c < benchColumns; c++ {
		cols = append(cols, Column{ID: strconv.Itoa(c), Title: "Fig" + strconv.Itoa(c), Min: 8, Align: Right})
	}
	m := New(WithColumns(cols...), WithScrollbar(), WithStyles(Styles{
		Header: "\x1b[1m", Selected: "\x1b[48;2;44;52;80m", Flash: "\x1b[48;2;58;54;32m",
	}))
	m.SetSize(200, 56)
	m.SetTime(time.Unix(0, 0))
	m.SetSource(a)
	m.View()
	return m
}

func BenchmarkView(b *testing.B) {
	for _, total := range []int{500, 5000} {
		visible := make([]int, 55)
		for i := range visible {
			visible[i] = i
		}
		for _, changed := range []int{0, 5, 55} {
			b.Run(fmt.Sprintf("rows=%d/changed=%d", total, changed), func(b *testing.B) {
				a := newAgents(total)
				m, now := benchModel(a), time.Unix(0, 0)
				frames := [2]agents{a.change(visible[:changed], 1), a}
				for i := range frames {
					frames[i] = frames[i].change(visible[:changed], i+1)
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					now = now.Add(100 * time.Millisecond)
					m.SetTime(now)
					m.SetSource(frames[i%2])
					m.dirty = true // assemble the frame even if no row has changed
					m.View()
				}
			})
		}
	}
	b.Run("baseline=lipgloss", func(b *testing.B) {
		a, styles := newAgents(55), lipglossStyles()
		b.ReportAllocs()
		for b.Loop() {
			lipglossView(a, styles)
		}
	})
}

func BenchmarkSort(b *testing.B) {
	all := newAgents(5000)
	rows := make([]int, len(all))
	for i := range rows {
		rows[i] = (i * 7919) % len(all)
	}
	for _, changed := range []int{50, 500, 5000} {
		b.Run(fmt.Sprintf("rows=5000/changed=%d", changed), func(b *testing.B) {
			m := benchModel(all)
			m.SortBy("5", true)
			frames := [2]agents{all.change(rows[:changed], 3), all}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.SetSource(frames[i%2])
			}
		})
	}
	b.Run("rows=5000/moved=1", func(b *testing.B) {
		m := benchModel(all)
		m.SortBy("5", true)
		frames := [2]agents{all[1:], all}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			m.SetSource(frames[i%2])
		}
	})
}

func lipglossStyles() [benchColumns]lipgloss.Style {
	var out [benchColumns]lipgloss.Style
	for c := range out {
		out[c] = lipgloss.NewStyle().Width(9).Align(lipgloss.Right)
	}
	out[0] = lipgloss.NewStyle().Width(20)
	out[1] = lipgloss.NewStyle().Width(11).Foreground(lipgloss.Color("#7fd992")) //nolint:forbidigo // the baseline
	return out
}

// lipglossView draws the same cells with Lip Gloss and prepared styles.
func lipglossView(a agents, styles [benchColumns]lipgloss.Style) string {
	var (
		sb   strings.Builder
		cell Cell
	)
	for i := range a {
		for c, style := range styles {
			cell.Text = cell.Text[:0]
			a.Cell(i, c, &cell)
			sb.WriteString(style.Render(string(cell.Text)))
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}
