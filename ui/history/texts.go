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
type kindNames struct{ many, title, one words.Text }

func namesOf(k contact.Kind) kindNames {
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

// volumeText returns a phrase for how the number of contacts compares with the typical one.
func volumeText(v contact.Volume) words.Text {
	switch v {
	case contact.AsUsual:
		return words.HistoryTypical()
	case contact.More:
		return words.HistoryAbove()
	case contact.Fewer:
		return words.HistoryBelow()
	case contact.SlightlyMore:
		return words.HistorySlightlyAbove()
	case contact.SlightlyFewer:
		return words.HistorySlightlyBelow()
	case contact.NotComparable:
	}
	return words.HistoryNotComparable()
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

// partText says how much of a list came.
func partText(s *model.Incomplete) (part words.Text) {
	switch {
	case s.Total > s.Got:
		part = words.HistoryPartOf(s.Got, s.Total)
	case s.More:
		part = words.HistoryPartMore(s.Got)
	case s.Total < 0:
		part = words.HistoryPartUnknown(s.Got)
	default:
		part = words.Count(s.Got)
	}
	if s.Changed {
		return words.HistoryPartChanged(part)
	}
	return part
}

func formulaText(f model.ServiceLevelFormula) words.Text {
	switch f {
	case model.SLAnsweredOnly:
		return words.HistoryFormulaAnswered()
	case model.SLShortIgnored:
		return words.HistoryFormulaShort()
	case model.SLAllAbandons:
	}
	return words.HistoryFormulaAll()
}
