package model_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

func TestValuesMarshal(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 10, 0, 0, 123_999_999, time.FixedZone("", 3600))
	for _, c := range []struct {
		name  string
		value json.Marshaler
		want  string
	}{
		{"unknown int", model.Int{}, `null`},
		{"zero", model.IntOf(0), `0`},
		{"smallest int", model.IntOf(math.MinInt64 + 1), `-9223372036854775807`},
		{"beyond the smallest int", model.IntOf(math.MinInt64), `null`},
		{"unknown float", model.Float{}, `null`},
		{"float", model.FloatOf(12.5), `12.5`},
		{"large float", model.FloatOf(1e21), `1e+21`},
		{"small float", model.FloatOf(1e-9), `1e-09`},
		{"not a number", model.FloatOf(math.NaN()), `null`},
		{"infinity", model.FloatOf(math.Inf(-1)), `null`},
		{"unknown text", model.Text{}, `null`},
		{"empty text", model.TextOf(""), `""`},
		{"text", model.TextOf(`a "b" ü`), `"a \"b\" ü"`},
		{"not present", model.TextOf("__EMPTY__"), `"__EMPTY__"`},
		{"unknown instant", model.Instant{}, `null`},
		{"instant", model.InstantOf(at), `"2026-11-21T09:00:00.123Z"`},
		{"1970", model.InstantOfMilli(0), `"1970-01-01T00:00:00.000Z"`},
		{"unknown scalar", model.Scalar{}, `null`},
		{"text scalar", model.ScalarText("12"), `"12"`},
		{"number scalar", model.ScalarNumber("12.50", 12.5), `12.50`},
		{"truth", model.ScalarBool(true), `true`},
		{"falsehood", model.ScalarBool(false), `false`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(c.value)
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestEnumsMarshal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value json.Marshaler
		want  string
	}{
		{model.UserStatus(""), `null`},
		{model.BusyDNCallIn, `"BUSY_dn_call_in"`},
		{model.UserStatus("ON_THE_MOON"), `"ON_THE_MOON"`},
		{model.Channel(""), `null`},
		{model.Call, `"CALL"`},
		{model.Component(""), `null`},
		{model.ComponentAll, `"ALL"`},
		{model.Mutation(""), `null`},
		{model.Deleted, `"DELETED"`},
	} {
		got, err := json.Marshal(c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%q: %s, %v, want %s", c.value, got, err, c.want)
		}
	}
}

// TestRecordsMarshal checks that a dumped record has null for unknown values and 0 for 0.
func TestRecordsMarshal(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(model.Campaign{CampaignID: model.IntOf(7), StartedCalls: model.IntOf(0), Stamp: model.Stamp{Version: 3}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"campaignId":7,"startedCalls":0,"availableResources":null,"freeResources":null,"allocatedChannels":null,` +
		`"usedChannels":null,"totalContacts":null,"triedContacts":null,"ringingContacts":null,"okContacts":null,` +
		`"talkingContacts":null,"toDoContacts":null}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("campaign (-want +got):\n%s", diff)
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	t.Parallel()
	if (model.Int{}).Known() || !model.IntOf(0).Known() || model.IntOf(0) == (model.Int{}) {
		t.Error("an unknown Int is 0")
	}
	if (model.Int{}).Or(-1) != -1 || model.IntOf(0).Or(-1) != 0 {
		t.Error("Int.Or takes 0 for unknown")
	}
	if (model.Float{}).Or(-1) != -1 || model.FloatOf(0).Or(-1) != 0 {
		t.Error("Float.Or takes 0 for unknown")
	}
	if (model.Int{}).Float().Known() || model.IntOf(3).Float() != model.FloatOf(3) {
		t.Error("Int.Float changes whether the value is known")
	}
	if s, ok := (model.Text{}).Get(); ok || s != "" || !model.TextOf("").Known() {
		t.Error("an unknown Text is empty")
	}
	if _, ok := (model.Instant{}).Since(noon); ok {
		t.Error("an unknown Instant lies in the past")
	}
	if _, ok := (model.Figure{}).Seconds(); ok || (model.Figure{}).Known() || (model.Figure{}).IsNotApplicable() {
		t.Error("the zero Figure is not unknown")
	}
	if f := model.FigureOf(0); !f.Known() || f.IsNotApplicable() {
		t.Error("a Figure of 0 is not known")
	}
}

func TestNotPresentIsShownAsNothing(t *testing.T) {
	t.Parallel()
	text := model.TextOf("__EMPTY__")
	if raw, ok := text.Get(); text.String() != "" || raw != "__EMPTY__" || !ok {
		t.Errorf("Text shows %q, holds %q, %v", text, raw, ok)
	}
	if s := model.ScalarText("__EMPTY__"); s.String() != "" || !s.Known() {
		t.Errorf("Scalar shows %q", s)
	}
}

func TestSinceIsNeverNegative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ago, want time.Duration }{
		{90 * time.Second, 90 * time.Second},
		{0, 0},
		{-5 * time.Second, 0}, // the platform's clock runs ahead
	} {
		if got, ok := model.InstantOf(noon.Add(-c.ago)).Since(noon); got != c.want || !ok {
			t.Errorf("Since %v ago: %v, %v, want %v", c.ago, got, ok, c.want)
		}
	}
}

func TestScalarNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   model.Scalar
		want model.Float
	}{
		{model.ScalarNumber("1.50", 1.5), model.FloatOf(1.5)},
		{model.ScalarText("-3"), model.FloatOf(-3)},
		{model.ScalarText("three"), model.Float{}},
		{model.ScalarText("inf"), model.Float{}},
		{model.ScalarText(""), model.Float{}},
		{model.ScalarBool(true), model.Float{}},
		{model.Scalar{}, model.Float{}},
	} {
		if got := c.in.Number(); got != c.want {
			t.Errorf("%v as a number: %v, want %v", c.in, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	var none model.Names
	if got := none.NameOf(model.NameService, "4711"); got != "4711" {
		t.Errorf("no names: %q, want the code", got)
	}
	names := make(model.Names)
	names.Add(model.NameService, "4711", "Hotline")
	names.Add(model.NameGroup, "4711", "Spanish")
	names.Add(model.NameService, "4712", "Sales")
	names.Add(model.NameService, "4713", " \u3000\t") // an invisible name is ignored
	for _, c := range []struct {
		kind model.NameKind
		code string
		want string
	}{
		{model.NameService, "4711", "Hotline"},
		{model.NameGroup, "4711", "Spanish"},
		{model.NameService, "4712", "Sales"},
		{model.NameGroup, "4712", "4712"},
		{model.NameService, "4713", "4713"},
		{model.NameSite, "4711", "4711"},
	} {
		if got := names.NameOf(c.kind, c.code); got != c.want {
			t.Errorf("Of(%s, %s) = %q, want %q", c.kind, c.code, got, c.want)
		}
	}
}

// TestEveryChannelHasItsPlace checks that every channel has its own field in the maps by channel.
func TestEveryChannelHasItsPlace(t *testing.T) {
	t.Parallel()
	statuses, texts := make(map[string]string), make(map[string]string)
	for _, c := range model.Channels() {
		if !c.Known() {
			t.Errorf("%s is not known", c)
		}
		statuses[string(c)], texts[string(c)] = "state on "+string(c), "code on "+string(c)
	}
	user := model.User{
		Statuses: model.ChannelStatuses{
			Call: "state on CALL", Custom1: "state on CUSTOM_1", Custom2: "state on CUSTOM_2", Custom3: "state on CUSTOM_3",
			Video: "state on VIDEO", Chat: "state on CHAT", MailACD: "state on MAIL_ACD", LiveHelp: "state on LIVEHELP", OmniDesk: "state on OMNIDESK",
		},
		ActivityCodes: model.ChannelTexts{
			Call: model.TextOf("code on CALL"), Custom1: model.TextOf("code on CUSTOM_1"), Custom2: model.TextOf("code on CUSTOM_2"),
			Custom3: model.TextOf("code on CUSTOM_3"), Video: model.TextOf("code on VIDEO"), Chat: model.TextOf("code on CHAT"),
			MailACD: model.TextOf("code on MAIL_ACD"), LiveHelp: model.TextOf("code on LIVEHELP"), OmniDesk: model.TextOf("code on OMNIDESK"),
		},
	}
	for _, c := range model.Channels() {
		if got := string(user.Statuses.ForChannel(c)); got != statuses[string(c)] {
			t.Errorf("state on %s: %q", c, got)
		}
		if got := user.ActivityCodes.ForChannel(c).String(); got != texts[string(c)] {
			t.Errorf("activity code on %s: %q", c, got)
		}
	}
	if model.Channel("FAX").Known() || user.Statuses.ForChannel("FAX") != "" || user.ActivityCodes.ForChannel("FAX").Known() {
		t.Error("a channel that is not listed has a place")
	}
	for _, s := range model.UserStatuses() {
		if !s.Known() {
			t.Errorf("%s is not known", s)
		}
	}
	if model.UserStatus("ON_THE_MOON").Known() {
		t.Error("a state that is not listed is known")
	}
}
