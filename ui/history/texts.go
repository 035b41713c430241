package history

import (
	"errors"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/style"
)

// kindNames holds the names of a kind of contact: for several contacts within a sentence and as a
// title, and for one contact.
type kindNames struct{ plural, title, singular words.Text }

func kindNamesOf(k contact.Kind) kindNames {
	switch k {
	case contact.Inbound:
		return kindNames{words.HistoryInbound(), words.HistoryInboundTitle(), words.HistoryInboundOne()}
	case contact.Outbound:
		return kindNames{words.HistoryOutbound(), words.HistoryOutboundTitle(), words.HistoryOutboundOne()}
	case contact.Video:
		return kindNames{words.HistoryVideo(), words.HistoryVideoTitle(), words.HistoryVideoOne()}
	case contact.Chat:
		return kindNames{words.HistoryChats(), words.HistoryChatsTitle(), words.HistoryChatsOne()}
	}
	return kindNames{words.HistoryContacts(), words.HistoryContactsTitle(), words.HistoryContactsOne()}
}

// errorText returns the text of an error for viewers. The text of an error of the service is cleaned, because it may
// quote the platform.
func errorText(err error) words.Text {
	if told, ok := errors.AsType[*words.Error](err); ok {
		return told.Text
	}
	return words.Name(model.CleanText(style.OneLine(err.Error()), model.MaxBody))
}

// groupingText returns the word for a grouping of contacts within a sentence. Unknown groupings have the name of the
// platform in lower case.
func groupingText(grouping string) words.Text {
	switch grouping {
	case "ORGANIZATION":
		return words.HistoryOrganization()
	case "SERVICE":
		return words.HistoryService()
	}
	return words.Name(strings.ToLower(strings.ReplaceAll(grouping, "_", " ")))
}
