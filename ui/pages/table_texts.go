package pages

import (
	"wallboard/internal/words"
	"wallboard/ui/table"
)

// filterProblem says what is wrong with a filter. The result is the zero Text if nothing is.
func filterProblem(p table.Problem) words.Text {
	switch p.Kind {
	case table.MissingValue:
		return words.ColumnNeedsValue(p.Name)
	case table.InvalidValue:
		return words.ColumnNoValue(p.Name)
	case table.UnknownColumn:
		return words.ColumnUnknown(p.Name)
	case table.AmbiguousColumn:
		return words.ColumnAmbiguous(p.Name, words.NameTexts(p.Titles))
	case table.NoFigures:
		return words.ColumnNoFigures(p.Name)
	case table.NoProblem:
	}
	return words.Text{}
}

// LayoutMessages returns the messages about the layouts of tables. The result is the zero Text if
// there are none.
func LayoutMessages(list []table.LayoutMessage) words.Text {
	texts := make([]words.Text, len(list))
	for i, m := range list {
		switch {
		case m.Err != nil:
			texts[i] = words.ColumnLayoutsUnreadable(words.TextOf(m.Err))
		case len(m.Missing) > 0:
			texts[i] = words.ColumnMissing(m.Table, words.NameTexts(m.Missing))
		default:
			texts[i] = words.Name(m.Text)
		}
	}
	return words.JoinStatements(texts...)
}
