package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// openChat asks which chat to read.
func openChat(m *Model) tea.Cmd {
	d, cmd := openSearch(m, "Read a chat", "Read", []form.Field{{ID: "id", Label: "Session id", Required: true}})
	d.Done = func() tea.Cmd { return showChat(m, d.Fields.Value("id")) }
	return cmd
}

func showChat(m *Model, id string) tea.Cmd {
	c, sc := m.scene.Controller, m.scene
	return m.dialogs.Open(&dialog.Sheet[model.Found[resource.ChatMessage]]{
		On: m.dialogs, Name: "Chat " + id, None: "The chat has no messages.",
		Read: func(ctx context.Context) (model.Found[resource.ChatMessage], error) { return c.Chat(ctx, id) },
		Draw: func(found model.Found[resource.ChatMessage], w int) []dialog.Line {
			out, chat := sc.short(found.Short, again, w), found.Items
			for i, msg := range chat {
				if i > 0 {
					out = append(out, dialog.Line{Item: i})
				}
				way := chatWay(msg)
				if i > 0 && way == chatWay(chat[i-1]) {
					way = "" // said above
				}
				for _, l := range sc.chatLines(msg, way, w) {
					l.Item = i + 1
					out = append(out, l)
				}
			}
			return out
		},
	})
}

// chatWay says what a message is and how it came.
func chatWay(msg resource.ChatMessage) string {
	return joined(", ", msg.MessageType, msg.ChannelType)
}

// chatLines draws one message: when, who, and what. way is what it is and how it
// came, "" when that is known.
func (sc *scene) chatLines(msg resource.ChatMessage, way string, w int) []dialog.Line {
	who, token := or(msg.Sender, "?"), themes.Title
	switch {
	case msg.Sender == "AGENT" && msg.Agent != nil:
		who = "Agent " + personName(*msg.Agent)
		token = themes.Accent
	case msg.Sender == "CUSTOMER" && msg.Customer != nil:
		who = "Customer " + personName(*msg.Customer)
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	if at := sc.when(msg.InsertTime); at != "" {
		l.Add(sc.look.Style(themes.Dim), at).Space(themes.Style{}, 2)
	}
	l.Add(sc.look.Style(token), who).Note(sc.look.Style(themes.Dim), way)
	out := []dialog.Line{{Text: l.String()}}
	if msg.Message != "" {
		text := msg.Message
		if isHTML("", text) {
			text = htmlText(text)
		}
		out = append(out, dialog.Paragraph(sc.look, themes.Text, text, w)...)
	}
	if a := msg.Attachment; a != nil {
		out = append(out, dialog.Pairs(sc.look, w, pair("attachment", joined(" ", or(a.FileName, a.File), inBrackets(a.MIMEType))))...)
	}
	return out
}
