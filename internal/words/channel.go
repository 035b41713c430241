package words

import (
	"strings"

	"wallboard/model"
)

// ChannelName returns the display name of a channel. For a channel that document 2 does not list, it
// returns the code.
func ChannelName(ch model.Channel) Text {
	switch ch {
	case model.Call:
		return ChannelCalls()
	case model.Custom1:
		return ChannelCustom1()
	case model.Custom2:
		return ChannelCustom2()
	case model.Custom3:
		return ChannelCustom3()
	case model.Video:
		return ChannelVideo()
	case model.Chat:
		return ChannelChat()
	case model.MailACD:
		return ChannelMail()
	case model.LiveHelp:
		return ChannelLiveHelp()
	case model.OmniDesk:
		return ChannelOmnidesk()
	}
	return Name(string(ch))
}

// ShortChannelName returns a short name of a channel, for the heading of a narrow column.
func ShortChannelName(ch model.Channel) Text {
	switch ch {
	case model.Custom1:
		return ChannelShortCustom1()
	case model.Custom2:
		return ChannelShortCustom2()
	case model.Custom3:
		return ChannelShortCustom3()
	case model.LiveHelp:
		return ChannelShortLiveHelp()
	case model.OmniDesk:
		return ChannelShortOmnidesk()
	case model.Call, model.Video, model.Chat, model.MailACD:
	}
	return ChannelName(ch)
}

// ChannelInSentence returns the name of a channel for use within a sentence.
func ChannelInSentence(ch model.Channel) Text {
	switch ch {
	case model.Call:
		return ChannelInCalls()
	case model.Custom1:
		return ChannelInCustom1()
	case model.Custom2:
		return ChannelInCustom2()
	case model.Custom3:
		return ChannelInCustom3()
	case model.Video:
		return ChannelInVideo()
	case model.Chat:
		return ChannelInChat()
	case model.MailACD:
		return ChannelInMail()
	case model.LiveHelp:
		return ChannelInLiveHelp()
	case model.OmniDesk:
		return ChannelOmnidesk()
	}
	return Name(strings.ToLower(strings.ReplaceAll(string(ch), "_", " ")))
}

// FloorTitle returns the title of the figures of the floor on a channel: "The floor · chat".
func FloorTitle(ch model.Channel) Text {
	if ch == "" || ch == model.Call {
		return SituationFloorPlace()
	}
	return SituationPlaceOn(SituationFloorPlace(), ChannelInSentence(ch))
}

// BusyWord returns the word for an agent in the state BUSY on a channel.
func BusyWord(ch model.Channel) Text {
	switch ch {
	case model.Chat, model.MailACD, model.LiveHelp, model.OmniDesk,
		model.Custom1, model.Custom2, model.Custom3:
		return ChannelHandling()
	case model.Call, model.Video:
	}
	return ChannelTalking()
}

// ComponentName returns the display name of a component of an attendant.
func ComponentName(c model.Component) Text {
	switch c {
	case model.ComponentAll:
		return ChannelComponentAll()
	case model.ComponentInternal:
		return ChannelComponentInternal()
	case model.ComponentExternal:
		return ChannelComponentExternal()
	case model.ComponentReturns:
		return ChannelComponentReturns()
	}
	return Name(string(c))
}

// CountWaiting returns a number of contacts that wait on a channel: "3 callers", "1 chat".
func CountWaiting(n int, ch model.Channel) Text {
	if ch == model.Call {
		return CountCallers(n)
	}
	return CountContactsOn(n, ch)
}

// CountContactsOn returns a number of contacts on a channel: "3 calls", "1 chat".
func CountContactsOn(n int, ch model.Channel) Text {
	switch ch {
	case model.Call:
		return CountCalls(n)
	case model.Chat, model.LiveHelp:
		return CountChats(n)
	case model.MailACD:
		return CountMails(n)
	case model.Custom1, model.Custom2, model.Custom3, model.Video, model.OmniDesk:
	}
	return CountContacts(n)
}

// WaitingNoun returns the noun for one contact that waits on a channel: "caller", "chat".
func WaitingNoun(ch model.Channel) Text {
	if ch == model.Call {
		return NounCaller()
	}
	return ContactNoun(ch)
}

// WaitingNouns returns the noun for several contacts that wait on a channel: "callers", "chats".
func WaitingNouns(ch model.Channel) Text {
	if ch == model.Call {
		return NounCallers()
	}
	return ContactNouns(ch)
}

// ContactNoun returns the noun for one contact on a channel: "call", "chat".
func ContactNoun(ch model.Channel) Text {
	one, _ := contactNouns(ch)
	return one
}

// ContactNouns returns the noun for several contacts on a channel: "calls", "chats".
func ContactNouns(ch model.Channel) Text {
	_, many := contactNouns(ch)
	return many
}

func contactNouns(ch model.Channel) (one, many Text) {
	switch ch {
	case model.Call:
		return NounCall(), NounCalls()
	case model.Chat, model.LiveHelp:
		return NounChat(), NounChats()
	case model.MailACD:
		return NounMail(), NounMails()
	case model.Custom1, model.Custom2, model.Custom3, model.Video, model.OmniDesk:
	}
	return NounContact(), NounContacts()
}

// WaitText returns a waiting time, such as "0:58" or, for an estimate, "about 0:58". If its unit is
// presumed, it says so.
func WaitText(f model.Figure) Text {
	d, _ := f.Seconds()
	text := Duration(d)
	if f.IsEstimated() {
		text = TimeAbout(d)
	}
	if f.IsUnitPresumed() {
		return Presumed(text)
	}
	return text
}
