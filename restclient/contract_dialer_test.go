package restclient_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"wallboard/model/resource"
	"wallboard/restclient"
)

func campaignRows() []row {
	create := func(campaign resource.Campaign) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) { return c.Campaigns.CreateCampaign(ctx, campaign) }
	}
	update := func(campaign resource.Campaign) func(context.Context, caller) (any, error) {
		return func(ctx context.Context, c caller) (any, error) {
			return c.Campaigns.UpdateCampaign(ctx, campaign, nil)
		}
	}
	begin, _ := resource.ParseTime("2026-02-01")
	rows := []row{
		{
			op: resource.OpCampaignCreate, effects: 1,
			call: create(resource.Campaign{
				Name: "Spring <&>", ServiceCode: "SRV01", Enabled: is(false), StartDate: begin, Priority: is(3), ReservedChannels: is(0), BusyChannels: is(2),
				BusyChannelsType: "PRESENT", Lists: []resource.CampaignList{{Enabled: is(true), Priority: is(1), ListID: is(701)}},
			}),
			body: `{"name":"Spring <&>","serviceCode":"SRV01","enabled":false,"startDate":"2026-02-01T00:00:00.000Z","priority":3,"reservedChannels":0,` +
				`"busyChannels":2,"busyChannelsType":"PRESENT","lists":[{"enabled":true,"priority":1,"listId":701}]}`,
			want: `{"name":"Spring <&>","enabled":false,"startDate":"2026-02-01T00:00:00.000Z","endDate":null,"lists":[{"listId":701}]}`,
		},
		{
			op: resource.OpCampaignUpdate, effects: 1, query: "resetStats=true",
			body: `{"id":301,"name":"Changed","serviceCode":"SRV01","priority":7}`, want: `{"id":301,"name":"Changed","priority":7}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Campaigns.UpdateCampaign(ctx, resource.Campaign{ID: is(301), Name: "Changed", ServiceCode: "SRV01", Priority: is(7)}, is(true))
			},
		},
		{
			op: resource.OpCampaignUpdate, name: "no word of statistics", effects: 1,
			call: update(resource.Campaign{ID: is(301), Name: "Changed", ServiceCode: "SRV01"}),
			body: `{"id":301,"name":"Changed","serviceCode":"SRV01"}`, want: `{"priority":5}`,
		},
		{
			op: resource.OpCampaignSearch, query: "pageNumber=1&pageSize=5&priority=5&term=302", want: `{"Total":1,"Items":[{"id":302,"serviceCode":"SRV02"}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Campaigns.SearchCampaigns(ctx, restclient.CampaignTerm{Term: "302", Priority: is(5)}, restclient.Page{Number: 1, Size: 5})
			},
		},
		{op: resource.OpCampaignCreate, name: "no such service", status: http.StatusNotFound, call: create(resource.Campaign{Name: "C", ServiceCode: "x"}), body: `{"name":"C","serviceCode":"x"}`},
		{
			op: resource.OpCampaignCreate, status: http.StatusNotAcceptable, call: create(resource.Campaign{Name: "C", ServiceCode: "SRV01", Priority: is(11)}),
			body: `{"name":"C","serviceCode":"SRV01","priority":11}`,
		},
		{
			op: resource.OpCampaignCreate, status: http.StatusConflict, call: create(resource.Campaign{ID: is(301), Name: "C", ServiceCode: "SRV01"}),
			body: `{"id":301,"name":"C","serviceCode":"SRV01"}`,
		},
		{
			op: resource.OpCampaignCreate, status: http.StatusPreconditionFailed, exception: required, call: create(resource.Campaign{ServiceCode: "SRV01"}),
			body: `{"serviceCode":"SRV01"}`,
		},
		{
			op: resource.OpCampaignUpdate, status: http.StatusNotFound, call: update(resource.Campaign{ID: is(1), Name: "C", ServiceCode: "SRV01"}),
			body: `{"id":1,"name":"C","serviceCode":"SRV01"}`,
		},
		{
			op: resource.OpCampaignUpdate, status: http.StatusNotAcceptable, call: update(resource.Campaign{ID: is(301), Name: "C", ServiceCode: "SRV01", ReservedChannels: is(-1)}),
			body: `{"id":301,"name":"C","serviceCode":"SRV01","reservedChannels":-1}`,
		},
		{
			op: resource.OpCampaignUpdate, status: http.StatusPreconditionFailed, exception: required, call: update(resource.Campaign{ID: is(301), Name: "C"}),
			body: `{"id":301,"name":"C"}`,
		},
	}
	for _, op := range []resource.Operation{resource.OpCampaignStop, resource.OpCampaignStart} {
		turn := func(ctx context.Context, c caller, id int, reset *bool) (any, error) {
			if op == resource.OpCampaignStop {
				return c.Campaigns.StopCampaign(ctx, id, reset)
			}
			return c.Campaigns.StartCampaign(ctx, id, reset)
		}
		rows = append(rows, row{
			op: op, path: []string{"302"}, want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) { return turn(ctx, c, 302, nil) },
		}, row{
			op: op, name: "with statistics", path: []string{"302"}, query: "resetStats=true", want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) { return turn(ctx, c, 302, is(true)) },
		}, row{
			op: op, path: []string{"1"}, query: "resetStats=false", status: http.StatusNotFound,
			call: func(ctx context.Context, c caller) (any, error) { return turn(ctx, c, 1, is(false)) },
		}, row{
			op: op, path: []string{"302"}, arrange: refuses(http.StatusPreconditionFailed, required), status: http.StatusPreconditionFailed, exception: required,
			call: func(ctx context.Context, c caller) (any, error) { return turn(ctx, c, 302, nil) },
		})
	}
	return failing(rows)
}

// newItem adds an item to a list.
func newItem(t *testing.T, p *platform) {
	t.Helper()
	answer, err := p.operator.Lists.AddItems(t.Context(), []resource.Item{{CampaignID: is(302), PhoneNumber: "0612"}})
	if err != nil {
		t.Fatal(err)
	}
	var items []struct{ ID json.Number }
	if err := json.Unmarshal(answer, &items); err != nil || len(items) != 1 {
		t.Fatalf("%s: %v", answer, err)
	}
	p.id = items[0].ID.String()
}

func listRows() []row {
	remove := func(ctx context.Context, c caller, reset *bool) (any, error) {
		var item resource.Item
		if err := json.Unmarshal([]byte(c.p.fill(`{"id":{id}}`)), &item); err != nil {
			return nil, err
		}
		return c.Lists.DeleteItems(ctx, []resource.Item{item}, reset)
	}
	return failing([]row{
		{
			op: resource.OpListCreate, body: `{"name":"Fresh","busyAttempts":0,"busyTimeout":60}`, want: `{"name":"Fresh","busyAttempts":0,"busyTimeout":60}`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.CreateList(ctx, resource.List{Name: "Fresh", BusyAttempts: is(0), BusyTimeout: is(60)})
			},
		},
		{
			op: resource.OpListCreate, body: `{"voicemailEnabled":true,"noAnswerAttempts":0,"vendorClosedTimeout":60}`, status: http.StatusPreconditionFailed, exception: required,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.CreateList(ctx, resource.List{VoicemailEnabled: is(true), NoAnswerAttempts: is(0), VendorClosedTimeout: is(60)})
			},
		},
		{
			op: resource.OpListCreate, body: `{"id":701,"name":"L"}`, status: http.StatusConflict,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.CreateList(ctx, resource.List{ID: is(701), Name: "L"})
			},
		},
		{
			op: resource.OpListUpdate, body: `{"id":701,"name":"Other"}`, want: `{"id":701,"name":"Other"}`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.UpdateList(ctx, resource.List{ID: is(701), Name: "Other"})
			},
		},
		{
			op: resource.OpListUpdate, body: `{"id":1,"name":"L"}`, status: http.StatusNotFound,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.UpdateList(ctx, resource.List{ID: is(1), Name: "L"})
			},
		},
		{
			op: resource.OpListUpdate, body: `{"id":701}`, status: http.StatusPreconditionFailed, exception: required,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.UpdateList(ctx, resource.List{ID: is(701)})
			},
		},
		{
			op: resource.OpListSearch, query: "pageNumber=1&pageSize=5&term=702", want: `{"Total":1,"Items":[{"id":702}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.SearchLists(ctx, "702", restclient.Page{Number: 1, Size: 5})
			},
		},
		{
			op: resource.OpItemsAdd, effects: 1, want: `[{"campaignId":302,"listId":702,"phoneNumber":"0612","data":["a","b"],"contactInfo":{"id":"5","vip":true}}]`,
			body: `[{"campaignId":302,"listId":702,"phoneNumber":"0612","data":["a","b"],"contactInfo":{"id":"5","vip":true,"addressbookBackendIds":["x"]}}]`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.AddItems(ctx, []resource.Item{{
					CampaignID: is(302), ListID: is(702), PhoneNumber: "0612", Data: []string{"a", "b"},
					ContactInfo: &resource.ItemPerson{ID: "5", VIP: is(true), AddressbookBackendIDs: []string{"x"}},
				}})
			},
		},
		{
			op: resource.OpItemsAdd, body: `[{"campaignId":1,"phoneNumber":"0612"}]`, status: http.StatusNotFound,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.AddItems(ctx, []resource.Item{{CampaignID: is(1), PhoneNumber: "0612"}})
			},
		},
		{
			op: resource.OpItemsDelete, arrange: newItem, body: `[{"id":{id}}]`, want: `[{"id":{id},"campaignId":302}]`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) { return remove(ctx, c, nil) },
		},
		{
			op: resource.OpItemsDelete, name: "with statistics", arrange: newItem, body: `[{"id":{id}}]`, query: "resetStats=true", want: `[{"id":{id}}]`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) { return remove(ctx, c, is(true)) },
		},
		{
			op: resource.OpItemsDelete, body: `[{"id":99}]`, status: http.StatusNotFound,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.DeleteItems(ctx, []resource.Item{{ID: is(99)}}, nil)
			},
		},
		{
			op: resource.OpItemsDelete, body: `[{"campaignId":302}]`, status: http.StatusPreconditionFailed, exception: required,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Lists.DeleteItems(ctx, []resource.Item{{CampaignID: is(302)}}, nil)
			},
		},
		{
			op: resource.OpItemsReset, want: `true`, effects: 1,
			call: func(ctx context.Context, c caller) (any, error) { return c.Lists.ResetItems(ctx) },
		},
	})
}

// runRows lists the dialer operations of edition 1.4.0.
func runRows() []row {
	begin, _ := resource.ParseTime("2026-02-01 10:00")
	return []row{
		{
			op: resource.OpRunAdd, effects: 1, want: `{"name":"night / 1","runStatus":"DISABLE","contacts":[{"value":"0612"}]}`,
			body: `{"campaignId":301,"listId":701,"name":"night / 1","number":"0612","template":"welcome","startDate":"2026-02-01T10:00:00.000Z",` +
				`"contacts":[{"campaignId":301,"id":"1","itemNumber":1,"value":"0612","itemContactType":"VENDOR4YOU","templateLanguage":"IT","customFields":{"a":"b"}}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Runs.AddRun(ctx, resource.Run{
					CampaignID: is(301), ListID: is(701), Name: "night / 1", Number: "0612", Template: "welcome", StartDate: begin,
					Contacts: []resource.RunContact{{
						CampaignID: is(301), ID: "1", ItemNumber: is(1), Value: "0612", ItemContactType: "VENDOR4YOU", TemplateLanguage: "IT",
						CustomFields: map[string]string{"a": "b"},
					}},
				})
			},
		},
		{
			op: resource.OpRunEdit, effects: 1, body: `{"id":2,"campaignId":302,"name":"noon","runStatus":"DISABLE"}`, want: `{"id":2,"name":"noon"}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Runs.EditRun(ctx, resource.Run{ID: is(2), CampaignID: is(302), Name: "noon", RunStatus: "DISABLE"})
			},
		},
		{
			op: resource.OpRun, path: []string{"1"}, query: "instantMessagingEndDate=2026-02-01T10%3A00%3A00.000Z", want: `{"id":1,"campaignId":301,"name":"morning"}`,
			call: func(ctx context.Context, c caller) (any, error) { return c.Runs.Run(ctx, 1, begin) },
		},
		{
			op: resource.OpRunNamed, path: []string{"302", "day%20%2F%202"}, want: `{"campaignId":302,"name":"day / 2"}`,
			arrange: func(t *testing.T, p *platform) {
				t.Helper()
				if _, err := p.operator.Runs.AddRun(t.Context(), resource.Run{CampaignID: is(302), Name: "day / 2"}); err != nil {
					t.Fatal(err)
				}
			},
			call: func(ctx context.Context, c caller) (any, error) { return c.Runs.RunNamed(ctx, 302, "day / 2") },
		},
		{
			op: resource.OpTemplates, body: `{"apiKey":"key-1234","limit":1,"number":"0612","offset":11,"sid":"s"}`, want: `{"Total":12,"Items":[{"name":"callback_offer"}]}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Messages.Templates(ctx, resource.TemplateQuery{APIKey: "key-1234", Limit: is(1), Number: "0612", Offset: is(11), SID: "s"})
			},
		},
		{
			op: resource.OpMessageHistory, want: `{"Items":[{"messageId":"m-90007","messageParam02":"Tuesday\n10:30"}]}`,
			body: `{"pagination":{"pageNumber":1,"pageSize":5},"sorting":{"orderField":"MESSAGE_ID","orderType":"ASC"},` +
				`"search":{"year":2026,"messageId":{"operator":"NULL","value":["m-90007"]},"messageInsertTime":{"operator":"NULL","valueLeft":"2020","valueRight":"2030"}}}`,
			call: func(ctx context.Context, c caller) (any, error) {
				return c.Messages.MessageHistory(ctx, resource.MessageQuery{
					Pagination: &resource.Pagination{PageNumber: 1, PageSize: 5}, Sorting: &resource.Sorting{OrderField: "MESSAGE_ID", OrderType: "ASC"},
					Search: &resource.MessageSearch{
						Year: is(2026), MessageID: &resource.Filter{Operator: "NULL", Value: json.RawMessage(`["m-90007"]`)},
						MessageInsert: &resource.Filter{Operator: "NULL", Left: "2020", Right: "2030"},
					},
				})
			},
		},
	}
}
