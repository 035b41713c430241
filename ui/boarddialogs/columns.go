package boarddialogs

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// columnsDialog lets the viewer choose and arrange the columns of a table. Changes are visible
// immediately, because the table reads its layout from the store.
type columnsDialog struct {
	dialogs        *dialog.Stack
	table          *panes.RecordTable
	store          *table.LayoutStore
	name           string
	originalLayout *table.Layout // the viewer's layout when the dialog was opened; esc restores it; nil: the standard layout

	rows          []columnRow // all columns in the order of the dialog, shown and hidden ones
	sortColumn    string      // ID of the column by which the table is sorted
	descending    bool
	selected, top int // index of the row with the cursor, and index of the first visible row
}

// columnRow is a row of the dialog. It represents a column of the table.
type columnRow struct {
	table.Column

	isShown bool
	width   int // width in cells; 0: the default width
}

// layoutSavedMsg reports that the viewer's layout was saved, or the error.
type layoutSavedMsg struct{ err error }

// OpenColumns opens the dialog for choosing the columns of a table. Changes are stored in b.
func OpenColumns(dialogs *dialog.Stack, t *panes.RecordTable, b *table.LayoutStore) tea.Cmd {
	d := &columnsDialog{dialogs: dialogs, table: t, store: b, name: t.LayoutName()}
	d.originalLayout = b.Layout(d.name)
	d.setLayout(t.Layout())
	return dialogs.Open(d)
}

// setLayout sets the rows and the sort order according to the layout l.
func (d *columnsDialog) setLayout(l table.Layout) {
	all := d.table.Rows.All()
	d.rows = d.rows[:0]
	for _, c := range l.Columns {
		if index := slices.IndexFunc(all, func(column table.Column) bool { return column.ID == c.ID }); index >= 0 {
			d.rows = append(d.rows, columnRow{Column: all[index], isShown: true, width: c.Width})
		}
	}
	for _, c := range all {
		if !slices.ContainsFunc(d.rows, func(r columnRow) bool { return r.ID == c.ID }) {
			d.rows = append(d.rows, columnRow{Column: c})
		}
	}
	d.sortColumn, d.descending = l.Sort, l.Descending
	d.selected = min(d.selected, len(d.rows)-1)
}

// layout returns the layout represented by the rows.
func (d *columnsDialog) layout() *table.Layout {
	l := &table.Layout{Sort: d.sortColumn, Descending: d.descending}
	for _, r := range d.rows {
		if r.isShown {
			l.Columns = append(l.Columns, table.ColumnLayout{ID: r.ID, Width: r.width})
		}
	}
	return l
}

// Title implements [dialog.Dialog].
func (d *columnsDialog) Title() string { return d.translate(words.DialogColumns(d.table.Noun)) }

// translate returns a text in the language of the viewer.
func (d *columnsDialog) translate(t words.Text) string { return t.In(d.dialogs.Look().Format.Words) }

const (
	columnsWidth     = 58
	keyLines         = 2 // number of lines with key hints
	explanationLines = 2 // number of lines that explain a column
)

// Size implements [dialog.Dialog].
func (d *columnsDialog) Size(maxW, maxH int) (w, h int) {
	return min(columnsWidth, maxW), min(len(d.rows)+explanationLines+keyLines+1, maxH)
}

// View implements [dialog.Dialog].
func (d *columnsDialog) View(w, h int) []string {
	lk := d.dialogs.Look()
	about := d.explanation(w, h)
	available := max(h-keyLines-len(about)-1, 1)
	d.top = max(min(d.top, d.selected), d.selected-available+1)
	out := make([]string, 0, h)
	for i := d.top; i < min(d.top+available, len(d.rows)); i++ {
		out = append(out, d.drawRow(lk, i, w))
	}
	out = style.FitLines(out, w, max(h-keyLines-len(about), 0), lk.Glyphs.Ellipsis)
	out = append(out, about...)
	hint := func(description words.Text, keys ...string) style.KeyHint {
		return style.KeyHint{Key: strings.Join(keys, " "), Description: d.translate(description)}
	}
	out = append(out,
		lk.HintLine(w, hint(words.DialogKeyShow(), "space"), hint(words.DialogKeyMove(), "<", ">"), hint(words.DialogKeyWidth(), "left", "right"), hint(words.KeysSort(), "s")),
		lk.HintLine(w, hint(words.DialogKeyKeep(), "enter"), hint(words.DialogKeyUndo(), "esc"), hint(words.DialogKeyStandard(), "r")))
	return out[:min(h, len(out))]
}

// explanation returns the lines that explain the column with the cursor. It returns nil if a dialog
// of h lines has no room for them.
func (d *columnsDialog) explanation(w, h int) []string {
	const least = 4 // minimum number of rows with columns
	if h < least+explanationLines+keyLines || d.selected < 0 {
		return nil
	}
	lk := d.dialogs.Look()
	var out []string
	for _, line := range style.WrapText(d.rows[d.selected].Explanation, max(w, 1)) {
		out = append(out, lk.Style(themes.Dim).Render(line))
	}
	return style.FitLines(out, w, explanationLines, lk.Glyphs.Ellipsis)
}

// drawRow draws the line of the column with index i: whether it is shown, its name, its sort
// direction and its width.
func (d *columnsDialog) drawRow(lk *style.Look, i, w int) string {
	r := d.rows[i]
	mark := "[ ] "
	if r.isShown {
		mark = "[x] "
	}
	name := r.Title
	if name == "" {
		name = r.ID
	}
	var more string
	if r.width > 0 {
		more = d.translate(words.DialogCells(r.width))
	}
	if r.ID == d.sortColumn {
		direction := words.DialogAscending()
		if d.descending {
			direction = words.DialogDescending()
		}
		more = strings.TrimRight(d.translate(direction)+"  "+more, " ")
	}
	st := lk.Style(themes.Text)
	switch {
	case i == d.selected:
		st = lk.Style(themes.Selection)
	case !r.isShown:
		st = lk.Style(themes.Dim)
	}
	left := style.Fit(mark+name, max(w-style.Width(more)-1, 0), lk.Glyphs.Ellipsis)
	return st.Render(style.Fit(left+" "+more, w, lk.Glyphs.Ellipsis))
}

// Update implements [dialog.Dialog].
func (d *columnsDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case layoutSavedMsg:
		d.dialogs.Close(d)
		if msg.err != nil {
			return d.dialogs.ShowMessage(d.translate(words.DialogColumnsNotKept(words.TextOf(msg.err))))
		}
		return d.dialogs.ShowMessage(d.translate(words.DialogColumnsKept(d.table.Noun)))
	case tea.KeyPressMsg:
		return d.press(msg)
	case tea.MouseClickMsg:
		if i := d.top + msg.Y; msg.Button == tea.MouseLeft && msg.Y >= 0 && i < len(d.rows) {
			d.selected = i
			d.toggleColumn()
		}
	case tea.MouseWheelMsg:
		directions := map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}
		d.moveSelection(directions[msg.Button])
	}
	return nil
}

func (d *columnsDialog) press(msg tea.KeyPressMsg) tea.Cmd {
	rows := table.DefaultKeyMap()
	switch {
	case key.Matches(msg, rows.LineUp):
		d.moveSelection(-1)
	case key.Matches(msg, rows.LineDown):
		d.moveSelection(1)
	case key.Matches(msg, rows.GotoTop):
		d.moveSelection(-len(d.rows))
	case key.Matches(msg, rows.GotoBottom):
		d.moveSelection(len(d.rows))
	}
	switch msg.String() {
	case "space", "x":
		d.toggleColumn()
	case "<", "shift+up", "K":
		d.moveColumn(-1)
	case ">", "shift+down", "J":
		d.moveColumn(1)
	case "left", "-":
		d.changeWidth(-1)
	case "right", "+", "=":
		d.changeWidth(1)
	case "s":
		d.sortBy()
	case "r":
		d.store.SetLayout(d.name, nil)
		d.setLayout(d.table.StandardLayout())
	case "enter":
		return d.dialogs.RouteAnswer(d, d.save())
	}
	return nil
}

// save returns a command that saves the viewer's layout in the layouts file.
func (d *columnsDialog) save() tea.Cmd {
	write := d.store.SaveLayout(d.name)
	return func() tea.Msg { return layoutSavedMsg{write()} }
}

// HandleEsc implements [dialog.EscHandler]. The key esc undoes all changes and closes the dialog.
func (d *columnsDialog) HandleEsc() bool {
	d.store.SetLayout(d.name, d.originalLayout)
	return false
}

func (d *columnsDialog) moveSelection(delta int) {
	d.selected = max(min(d.selected+delta, len(d.rows)-1), 0)
}

// applyLayout stores the layout represented by the rows. The table reads it from the store.
func (d *columnsDialog) applyLayout() { d.store.SetLayout(d.name, d.layout()) }

// toggleColumn shows or hides the column with the cursor. The last shown column cannot be hidden.
// If the table was sorted by the hidden column, it is then sorted by the first shown column that
// allows sorting.
func (d *columnsDialog) toggleColumn() {
	r := &d.rows[d.selected]
	if r.isShown && len(d.layout().Columns) == 1 {
		return
	}
	r.isShown = !r.isShown
	if !r.isShown && d.sortColumn == r.ID {
		d.sortColumn = ""
		for i := range d.rows {
			if c := &d.rows[i]; c.isShown && !c.NoSort {
				d.sortColumn, d.descending = c.ID, c.SortDescending
				break
			}
		}
	}
	d.applyLayout()
}

// moveColumn moves the column with the cursor by delta places.
func (d *columnsDialog) moveColumn(delta int) {
	to := d.selected + delta
	if to < 0 || to >= len(d.rows) {
		return
	}
	d.rows[d.selected], d.rows[to] = d.rows[to], d.rows[d.selected]
	d.selected = to
	d.applyLayout()
}

// changeWidth changes the width of the column with the cursor by delta cells. If the width would be
// less than the minimum, it restores the default width, so that figures are not cut.
func (d *columnsDialog) changeWidth(delta int) {
	r := &d.rows[d.selected]
	minimum := max(r.Min, 1)
	switch now := r.width; {
	case now == 0 && delta < 0:
		return
	case now == 0:
		r.width = max(r.Ideal, minimum)
	default:
		r.width = min(now+delta, table.MaxColumnWidth)
	}
	if r.width < minimum {
		r.width = 0
	}
	d.applyLayout()
}

// sortBy sorts the table by the column with the cursor. If the table is already sorted by this
// column, sortBy reverses the direction. It does nothing for a hidden column or a column that does
// not allow sorting.
func (d *columnsDialog) sortBy() {
	r := &d.rows[d.selected]
	switch {
	case r.NoSort || !r.isShown:
		return
	case d.sortColumn == r.ID:
		d.descending = !d.descending
	default:
		d.sortColumn, d.descending = r.ID, r.SortDescending
	}
	d.applyLayout()
}
