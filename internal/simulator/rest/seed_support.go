package rest

import (
	"fmt"
	"time"
)

// addChats generates closed chat sessions. One of them has several pages of messages.
func (s *seeder) addChats() {
	lines := []string{
		"Good morning, how can I help you?", "My router has been blinking red since yesterday.",
		"I am sorry to hear that. Could you tell me your customer number?", "Sure: 4711-0815",
		"Thank you. I restart the line now.\nThis takes about two minutes.", "ok 👍", "It is green again, thanks!",
		"You are welcome. Is there anything else?", "No, that was all. Grazie mille!",
		// These control characters stand for text that a customer pasted. A wallboard must not send
		// them to its terminal.
		"it says \x1b[31mERROR\x1b[0m \u202etxt.exe\u202c and then\tnothing",
	}
	for i := range 12 {
		session := fmt.Sprintf("chat-%d", 2001+i)
		agent, customer, service := s.randomAgent(), s.randomCustomer(), pickOne(s, s.services)
		n := 6 + s.rng.IntN(20)
		if i == 0 {
			n = 230 // several pages
		}
		age := time.Duration(i+1)*3*time.Hour + time.Duration(n)*20*time.Second
		messages := make([]object, n)
		for k := range n {
			messageAge := age - time.Duration(k)*20*time.Second
			m := object{
				"id": fmt.Sprintf("%s-%d", session, k+1), "messageId": fmt.Sprint(700_000 + 1000*i + k), "sessionId": session,
				"message": lines[k%len(lines)], "agent": agent, "customer": customer,
				"channelType": "WIDGET", "messageType": "MESSAGE", "sender": []string{"AGENT", "CUSTOMER"}[k%2],
				"insertTime": s.timeAgo(messageAge), "receivedTime": s.timeAgo(messageAge - time.Second), "readTime": s.timeAgo(messageAge - 2*time.Second), "updateTime": s.timeAgo(messageAge - 2*time.Second),
				"service": object{"code": service, "name": s.serviceName(service), "exten": "800", "type": "IVR", "registration": "DISABLED", "version": 1},
			}
			switch k {
			case 0:
				m["messageType"], m["message"] = "OPEN_SESSION", ""
			case 4:
				m["attachment"] = object{"file": "f-" + fmt.Sprint(i), "fileName": "router.jpg", "mimeType": "image/jpeg"}
			}
			messages[k] = m
		}
		s.resources.chats[session] = messages
	}
}

// addTickets generates open and closed tickets with one to four articles each.
func (s *seeder) addTickets() {
	subjects := []string{"Invoice 2026/118 is wrong", "No signal since Monday", "Change of address", "Réclamation livraison", "Vertragskündigung", "Rückruf erbeten"}
	bodies := []struct{ kind, text string }{
		{"text/plain", "Good morning,\n\nI was charged twice for the same month.\nCould you please check?\n\nBest regards"},
		{"text/html", "<div>Dear customer,<br>we looked into it and <b>refunded</b> the amount.<br><br>Kind regards,<br>the billing team</div>"},
		{"text/plain", "Thanks, received.\r\nYou may close this."},
		{"text/html", "<p>Internal: same cause as ticket <a href=\"#7004\">7004</a> &amp; others.</p><ul><li>line card</li><li>cabinet 12</li></ul>"},
	}
	article := int64(81_000)
	for i := range 24 {
		agent, customer := s.randomAgent(), s.randomCustomer()
		t := supportTicket{
			owner: scalarText(agent["uid"]), customer: scalarText(customer["uid"]), service: pickOne(s, s.services),
			state: pickOne(s, []string{"1", "2", "3", "4"}), submitter: scalarText(customer["uid"]),
			context:      pickOne(s, []string{"IVR", "MAIL", "WEB"}),
			customFields: map[string]string{"region": pickOne(s, []string{"north", "south"})},
		}
		subject := pickOne(s, subjects)
		for k := range 1 + s.rng.IntN(4) {
			article++
			body, at := bodies[k], time.Duration(i+1)*5*time.Hour-time.Duration(k)*time.Hour
			from, to, sender := customer, agent, "Customer"
			if k%2 == 1 {
				from, to, sender = agent, customer, "Agent"
			}
			a := object{
				"id": jsonNumber(article), "ticket_id": 7001 + i, "sender_id": 1 + k%2, "type_id": 1, "created_by_id": 3, "updated_by_id": 3,
				"body": body.text, "content_type": body.kind, "subject": subject, "internal": k == 3,
				"from": from["displayName"], "to": to["displayName"], "created_by": from["displayName"], "updated_by": from["displayName"],
				"message_id":   fmt.Sprintf("<%d.%d@example.com>", 7001+i, article),
				"created_at":   s.timeAgo(at),
				"updated_at":   s.timeAgo(at),
				"sender":       sender,
				"type":         "email",
				"preferences":  object{"delivery_status": "success", "retries": 0},
				"attachments":  []object{},
				"service_code": t.service, // a field that document 1 does not show
			}
			if k == 0 && i%4 == 0 {
				a["attachments"] = []object{{
					"id": 1, "filename": "invoice.pdf", "mime-type": "application/pdf", "size": "48213",
					"preferences": map[string]string{"Content-Disposition": "attachment"},
				}}
			}
			t.articles = append(t.articles, a)
		}
		s.resources.support.tickets = append(s.resources.support.tickets, t)
	}
}
