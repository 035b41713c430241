package dialogs

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/report/receipt"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/dialog"
)

// ReceiptCommands returns the palette's command that saves receipts for all figures of the record k,
// as the snapshot shows them. There is none for agents, and without save or snapshot. The command
// computes the receipts in the background, because those of the floor sum up all agents several
// times.
func ReceiptCommands(host dialog.Host, save dialog.Saver, s *model.Snapshot, k alert.Key, goals receipt.Goals) []dialog.Command {
	if save == nil || s == nil || k.Scope == alert.User {
		return nil
	}
	return []dialog.Command{{
		Name: "receipt", Keywords: "proof verify formula source fields figures",
		Run: func() tea.Cmd {
			goal := goals(k.Code) // the code of the floor is ""
			return dialog.Guard(func() tea.Msg {
				all := receipt.All(s, func(string) kpi.Goal { return goal }, func(other alert.Key) bool { return other == k })
				if len(all) == 0 {
					return dialog.NoticeMsg{Text: "No figures are known here."}
				}
				text, err := json.MarshalIndent(receipt.Document{Receipts: all}, "", "  ")
				if err != nil {
					return dialog.NoticeMsg{Text: "No receipt: " + err.Error()}
				}
				return dialog.Save(host, save, "receipt-"+s.At.Local().Format("2006-01-02-150405")+".json", text)()
			})
		},
	}}
}
