package rest

// chats maps session IDs to the messages of chat sessions.
type chats map[string][]object

// history serves GET /rest/chat/history/session/{id}.
func (h chats) history(c *apiRequest) (any, error) {
	id, err := c.pathText("id")
	if err != nil {
		return nil, err
	}
	messages := h[id]
	if messages == nil {
		return nil, notFoundError("chat session", id)
	}
	return pageOf(c, messages, invalidPageError)
}
