package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// Messages sends text messages and reads chats.
type Messages struct {
	executor *executor
	feed     *liveFeed
	service  MessageService
	session  SessionService
}

// Chat returns the messages of a chat session.
func (d *Messages) Chat(ctx context.Context, session string) (model.FetchedList[resource.ChatMessage], error) {
	all, err := model.Collect(d.service.ChatMessages(ctx, session))
	return recordRead(d.executor.status, func(reason words.Text) words.Text { return words.ControlReadChat(session, reason) }, all, err)
}
