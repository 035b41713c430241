package simulator

// chatHistory serves GET /rest/chat/history/session/{id}.
func (r *rest) chatHistory(c *restCall) (any, error) {
	id, err := c.pathText("id")
	if err != nil {
		return nil, err
	}
	messages := r.store.chats[id]
	if messages == nil {
		return nil, notFound("chat session", id)
	}
	return paged(c, messages, wrongPage)
}
