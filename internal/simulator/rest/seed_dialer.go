package rest

import (
	"fmt"
	"strings"
	"time"

	"wallboard/internal/simulator/world"
)

// addRuns generates one or two runs for each campaign.
func (s *seeder) addRuns() {
	for i, c := range s.campaigns {
		for _, name := range []string{"morning", "afternoon"}[:1+i%2] {
			s.resources.runs.lastID++
			contacts := []object{}
			for n := range 3 {
				contacts = append(contacts, object{
					"campaignId": c.ID, "id": fmt.Sprint(9000 + 10*s.resources.runs.lastID + n), "itemNumber": n + 1,
					"value": world.CallerNumber(10*i + n), "itemContactType": "VENDOR4YOU", "templateLanguage": "IT",
					"customFields": map[string]string{"name": "customer " + fmt.Sprint(n+1)},
				})
			}
			s.resources.runs.list = append(s.resources.runs.list, object{
				"id": jsonNumber(s.resources.runs.lastID), "campaignId": jsonNumber(c.ID), "listId": jsonNumber(firstListID(c)), "name": name,
				"number": "+390200000" + fmt.Sprint(100+i), "template": "appointment_reminder",
				"runStatus": "DISABLE", "instantMessagingRunStatus": "DISABLE", "instantMessagingStatusDetail": "",
				"startDate": s.timeAgo(26 * time.Hour), "endDate": s.timeAgo(22 * time.Hour),
				"scheduledStartDate": s.timeAgo(26 * time.Hour), "scheduledEndDate": s.timeAgo(22 * time.Hour),
				"instantMessagingStartDate": s.timeAgo(25 * time.Hour), "instantMessagingEndDate": s.timeAgo(23 * time.Hour),
				"contacts": contacts,
			})
		}
	}
}

// firstListID returns the ID of the first list of a campaign, or 0 if it has none.
func firstListID(c world.Campaign) int64 {
	if len(c.Lists) == 0 {
		return 0
	}
	return c.Lists[0].ListID
}

// addTemplates generates the message templates of the chat app.
func (s *seeder) addTemplates() {
	for _, name := range []string{"appointment_reminder", "payment_due", "welcome", "survey", "delivery_today", "callback_offer"} {
		for _, language := range []string{"it", "en"} {
			s.resources.messaging.templates = append(s.resources.messaging.templates, object{
				"name": name, "language": language, "category": "UTILITY", "category_change": nil,
				"status": pickOne(s, []string{"APPROVED", "APPROVED", "PENDING"}), "waba_id": "104233000000001",
				"components": []object{
					{"type": "HEADER", "text": strings.ReplaceAll(name, "_", " ")},
					{"type": "BODY", "text": "Dear {{1}},\nthis is about {{2}}.\nYour contact center"},
				},
			})
		}
	}
}

// addMessages generates the message history of the campaigns.
func (s *seeder) addMessages() {
	if len(s.campaigns) == 0 {
		return
	}
	for i := range 140 {
		c := pickOne(s, s.campaigns)
		age := time.Duration(i+1) * 7 * time.Hour
		m := object{
			"__typename":      "DatamodelPowerDialerInstantMessagingHistory",
			"contactCustumId": fmt.Sprint(firstContactID + i%numContacts), "contactUUID": fmt.Sprintf("6f1c%04d-0000-4000-8000-000000000000", i),
			"contactItem": jsonNumber(1 + i), "executionId": jsonNumber(500 + i/10), "listId": jsonNumber(firstListID(c)), "messageResult": jsonNumber(s.rng.IntN(3)),
			"imStatus": pickOne(s, []string{"DELIVERED", "READ", "SENT", "FAILED"}), "imRecipientId": world.CallerNumber(i),
			"imConversationOriginType": "utility", "messageTemplate": "appointment_reminder",
			"messageFromNumber": "+390200000100", "messageToNumber": world.CallerNumber(i), "messageId": fmt.Sprintf("m-%05d", 90_000+i),
			"insertTime": s.timeAgo(age), "messageInsertTime": s.timeAgo(age), "messageCloseTime": s.timeAgo(age - time.Minute),
			"messageParam01": "Signora Rossi", "messageParam02": "Tuesday\n10:30",
			"campaign": object{
				"__typename": "DatamodelCampaign", "id": jsonNumber(c.ID), "name": c.Name, "enabled": c.Enabled, "priority": jsonNumber(c.Priority),
				"openFrom": "09:00", "openTo": "18:00", "instantMessagingTemplate": "appointment_reminder",
				"abilitation": object{"id": jsonNumber(1), "description": "Default", "enabled": true},
				"service":     object{"code": c.ServiceCode, "description": s.serviceName(c.ServiceCode)},
				"list": []object{{
					"id": jsonNumber(firstListID(c)), "name": c.Name + " contacts",
					"busy": object{"attempts": 5, "interval": 600}, "noAnswer": object{"attempts": 3, "interval": 3600},
				}},
			},
		}
		s.resources.messaging.history = append(s.resources.messaging.history, m)
	}
}
