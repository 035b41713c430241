package restclient

import (
	"context"
	"iter"

	"wallboard/model/resource"
)

// Messages accesses text messages, their templates and history, and chats (document 1,
// sections Chat, SMS and support tickets).
type Messages struct{ session *Session }

// ChatHistory returns page p of the messages of a chat session (document 1, section Chat).
func (m *Messages) ChatHistory(ctx context.Context, session string, p Page) (Result[resource.ChatMessage], error) {
	ck := requestCheck{op: resource.OpChatHistory}
	ck.checkPathID("session", "the id of the chat session", session)
	ck.checkPage(p)
	if err := ck.err(); err != nil {
		return Result[resource.ChatMessage]{}, err
	}
	var found Result[resource.ChatMessage]
	err := m.session.send(ctx, request{op: resource.OpChatHistory, path: []string{session}, query: p.query(), decodeInto: &found})
	return found, err
}

// ChatMessages returns all messages of a chat session in the platform's order. It reads them
// page by page.
func (m *Messages) ChatMessages(ctx context.Context, session string) iter.Seq2[resource.ChatMessage, error] {
	return allPages(resource.OpChatHistory, func(at pagePosition) (Result[resource.ChatMessage], error) {
		return m.ChatHistory(ctx, session, at.page())
	})
}

// SendSMS sends a text message (document 1, section SMS and support tickets) and returns
// the platform's answer. [ErrNotAllowed] means that the user may not send messages.
func (m *Messages) SendSMS(ctx context.Context, s resource.SMS) (bool, error) {
	if err := checkSMS(s); err != nil {
		return false, err
	}
	return m.session.getBool(ctx, request{op: resource.OpSMSSend, body: s})
}

// Templates returns a page of the templates of a chat app (document 1, section Power Dialer
// (edition 1.4.0)).
func (m *Messages) Templates(ctx context.Context, q resource.TemplateQuery) (Result[resource.Template], error) {
	ck := requestCheck{op: resource.OpTemplates}
	ck.checkInt32("limit", "the limit", q.Limit)
	ck.checkInt32("offset", "the offset", q.Offset)
	if err := ck.err(); err != nil {
		return Result[resource.Template]{}, err
	}
	var found Result[resource.Template]
	err := m.session.send(ctx, request{op: resource.OpTemplates, body: q, secrets: []string{q.APIKey}, decodeInto: &found})
	return found, err
}

// AllTemplates returns all templates of a chat app. It reads them page by page and ignores
// q.Limit and q.Offset.
func (m *Messages) AllTemplates(ctx context.Context, q resource.TemplateQuery) iter.Seq2[resource.Template, error] {
	return allPages(resource.OpTemplates, func(at pagePosition) (Result[resource.Template], error) {
		q.Limit, q.Offset = sizePointer(at.size), &at.skip
		return m.Templates(ctx, q)
	})
}

// MessageHistory searches the messaging history. It returns the page that q selects, or all
// results if q selects none. Document 1 shows no path for this operation, so [Options.Paths]
// must contain one; otherwise the error is [ErrNoPath].
func (m *Messages) MessageHistory(ctx context.Context, q resource.MessageQuery) (Result[resource.MessageRecord], error) {
	if err := checkMessageQuery(q); err != nil {
		return Result[resource.MessageRecord]{}, err
	}
	var found Result[resource.MessageRecord]
	err := m.session.send(ctx, request{op: resource.OpMessageHistory, body: q, decodeInto: &found})
	return found, err
}

// AllMessages returns all messages that match q. It reads them page by page and ignores
// q.Pagination.
func (m *Messages) AllMessages(ctx context.Context, q resource.MessageQuery) iter.Seq2[resource.MessageRecord, error] {
	return allPages(resource.OpMessageHistory, func(at pagePosition) (Result[resource.MessageRecord], error) {
		q.Pagination = &resource.Pagination{PageNumber: at.number, PageSize: at.size}
		if at.size == 0 {
			q.Pagination = nil
		}
		return m.MessageHistory(ctx, q)
	})
}
