package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/ui/task"
)

// The forms of an export.
const (
	exportCSV  = "csv"
	exportJSON = "json"
)

// savedMsg tells what became of a file that was asked for.
type savedMsg struct {
	path string
	err  error
}

// save writes a file.
func (m *Model) save(name string, data []byte) tea.Cmd {
	save := m.scene.Save
	if save == nil {
		return m.say("Nothing can be saved from this board.")
	}
	return task.Guard(func() tea.Msg {
		path, err := save(name, data)
		return savedMsg{path, err}
	})
}

// saved says where a file is.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	if msg.err != nil {
		return m.say("It could not be saved: " + msg.err.Error())
	}
	return m.say("Saved as " + msg.path)
}

// sheetOf is what a view shows as a table, for other programs.
type sheetOf struct {
	name  string // of the file, without its end
	head  []string
	rows  [][]string
	value any // the same for JSON
}

// export writes what the view shows to a file.
func (m *Model) export(p *pastPage, form string) tea.Cmd {
	if p.panel().value == nil {
		return m.say("There is nothing to export yet.")
	}
	s := p.sheet(m.scene)
	var data bytes.Buffer
	var err error
	if form == exportCSV {
		err = past.WriteCSV(&data, s.head, s.rows)
	} else {
		enc := json.NewEncoder(&data)
		enc.SetIndent("", "  ")
		err = enc.Encode(s.value)
	}
	if err != nil {
		return m.say("It could not be written: " + err.Error())
	}
	return m.save(s.name+"."+form, data.Bytes())
}

// sheet is what the present view shows.
func (p *pastPage) sheet(sc *scene) sheetOf {
	q := &p.panel().asked
	day, kind := q.date.Format(time.DateOnly), strings.ReplaceAll(q.kind.String(), " ", "-")
	switch v := p.panel().value.(type) {
	case dayAnswer:
		return v.sheet("history-day-" + day)
	case past.Heat:
		if q.weeks == aMonth {
			return heatSheet(v, "history-"+kind+"-weekdays-"+q.date.Format("2006-01"))
		}
		return heatSheet(v, fmt.Sprintf("history-%s-%d-weeks-to-%s", kind, q.weeks, day))
	case groupAnswer:
		if q.month {
			day = q.date.Format("2006-01")
		}
		s := sheetOf{name: "history-" + kind + "-by-" + strings.ToLower(v.by) + "-" + day, head: []string{"name", "id", "count"}, value: v.groups}
		for _, g := range v.groups {
			s.rows = append(s.rows, []string{g.Name, g.ID, strconv.Itoa(g.Count)})
		}
		return s
	case callAnswer:
		if c, ok := v.call(p.open); ok {
			return sc.callSheet(callAnswer{calls: []past.Call{c}}, "history-"+strings.ReplaceAll(v.kind.String(), " ", "-")+"-"+fileWord(c.ID))
		}
		return sc.callSheet(v, "history-"+strings.ReplaceAll(v.kind.String(), " ", "-")+"-"+sc.at(sc.floor.Ours).Format("2006-01-02")+partOf(v.short))
	case model.Found[past.Contact]:
		s := sheetOf{name: "history-contacts" + partOf(v.Short), head: []string{"uuid", "name", "organization", "mail"}, value: v.Items}
		for _, c := range v.Items {
			s.rows = append(s.rows, []string{c.UUID, nameOf(c), c.Organization, strings.Join(c.Mail, " ")})
		}
		return s
	}
	return sheetOf{name: "history"}
}

// partOf marks the name of a file that does not hold all there is.
func partOf(s *model.Short) string {
	if s == nil {
		return ""
	}
	return "-part"
}

// fileWord is a text as a part of a file's name.
func fileWord(text string) string {
	const longest = 80
	if len(text) > longest {
		text = text[:longest]
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, text)
}

func (a dayAnswer) sheet(name string) sheetOf {
	s := sheetOf{name: name, head: []string{"hour", "kind", "count", "so_far", "usual_median", "usual_low", "usual_high"}}
	var value []past.Comparison
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i := range a.kinds {
		k := &a.kinds[i]
		if k.err != "" {
			continue
		}
		value = append(value, k.Comparison)
		for _, hour := range k.Day.Hours {
			row := []string{hour.Start.Format(time.RFC3339), k.Day.Kind.String(), "", strconv.FormatBool(hour.Partial), "", "", ""}
			if hour.Known {
				row[2] = strconv.Itoa(hour.Count)
			}
			if u := k.Usual.Hours[hour.Start.Hour()]; u.Days > 0 {
				row[4], row[5], row[6] = number(u.Median), number(u.Low), number(u.High)
			}
			s.rows = append(s.rows, row)
		}
	}
	s.value = value
	return s
}

func heatSheet(v past.Heat, name string) sheetOf {
	s := sheetOf{name: name, head: []string{"weekday", "hour", "mean", "days"}, value: v}
	for i := range 7 {
		day := time.Weekday((i + 1) % 7)
		for hour, c := range v.Cells[day] {
			if c.Days > 0 {
				mean := strconv.FormatFloat(math.Round(c.Mean*100)/100, 'f', -1, 64)
				s.rows = append(s.rows, []string{day.String(), strconv.Itoa(hour), mean, strconv.Itoa(c.Days)})
			}
		}
	}
	return s
}

func (sc *scene) callSheet(a callAnswer, name string) sheetOf {
	s := sheetOf{name: name, head: []string{"id", "step", "start", "end", "seconds"}, value: a.calls}
	when := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return sc.at(t).Format(time.RFC3339)
	}
	for _, c := range a.calls {
		for _, step := range c.Steps {
			took := ""
			if !step.Start.IsZero() && !step.End.Before(step.Start) {
				took = strconv.FormatInt(int64(step.End.Sub(step.Start)/time.Second), 10)
			}
			s.rows = append(s.rows, []string{c.ID, strconv.Itoa(step.Number), when(step.Start), when(step.End), took})
		}
	}
	return s
}
