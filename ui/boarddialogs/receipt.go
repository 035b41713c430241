package boarddialogs

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/report/figureproof"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/dialog"
)

// FigureProofCommands returns the palette's command that saves receipts for all figures of the record k, as
// the snapshot shows them. It returns nil if save or s is nil. The command computes the receipts in the
// background, because it tries every field of the record for each figure.
func FigureProofCommands(l *words.Language, save dialog.Saver, s *model.Snapshot, k alert.Key, rules figureproof.Rules) []dialog.Command {
	if save == nil || s == nil {
		return nil
	}
	return []dialog.Command{{
		Name: words.DialogReceipt().In(l), Keywords: words.DialogReceiptKeywords().In(l),
		Run: func() tea.Cmd {
			goal := rules.Goal(k.Code) // the code of the floor is ""
			rules.Goal = func(string) kpi.Goal { return goal }
			return dialog.RecoverPanic(func() tea.Msg {
				all := figureproof.AllReceipts(s, rules, func(other alert.Key) bool { return other == k })
				if len(all) == 0 {
					return dialog.NoticeMsg{Text: words.DialogReceiptNoFigures().In(l)}
				}
				text, err := json.MarshalIndent(figureproof.Document{Receipts: all}, "", "  ")
				if err != nil {
					return dialog.NoticeMsg{Text: words.DialogReceiptFailed(words.TextOf(err)).In(l)}
				}
				return dialog.SaveFile(l, save, "receipt-"+s.At.Local().Format("2006-01-02-150405")+".json", text)
			})
		},
	}}
}
