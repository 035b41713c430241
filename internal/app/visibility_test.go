package app

import (
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/model"
)

func TestVisibleRules(t *testing.T) {
	t.Parallel()
	rules := []alert.Rule{
		{Name: "all", Scope: alert.User},
		{Name: "anna", Scope: alert.User, Codes: []string{"anna"}},
		{Name: "two", Scope: alert.Service, Codes: []string{"SRV01", "SRV02"}},
		{Name: "other", Scope: alert.Service, Codes: []string{"SRV02"}},
		{Name: "group", Scope: alert.Group, Codes: []string{"G1"}},
		{Name: "campaign", Scope: alert.Campaign, Codes: []string{"7"}},
	}
	text := func(v hub.Visibility) (out string) {
		for _, r := range VisibleRules(rules, v) {
			out += r.Name + " "
			for _, code := range r.Codes {
				out += code + " "
			}
		}
		return out
	}
	const everything = "all anna anna two SRV01 SRV02 other SRV02 group G1 campaign 7 "
	for _, tt := range []struct {
		v    hub.Visibility
		want string
	}{
		{hub.Visibility{}, everything},
		{hub.Visibility{Names: model.NamesFull}, everything},
		{hub.Visibility{Names: model.NamesInitials}, "all two SRV01 SRV02 other SRV02 group G1 campaign 7 "},
		{hub.Visibility{Names: model.NamesFull, Part: model.FloorPart{Services: []string{"SRV01"}}}, "all two SRV01 "},
		{hub.Visibility{Names: model.NamesHidden, Part: model.FloorPart{Services: []string{"SRV01"}, Groups: []string{"G1"}}}, "all two SRV01 group G1 "},
		{hub.Visibility{Part: model.FloorPart{Groups: []string{"G2"}}}, "all two SRV01 SRV02 other SRV02 "},
	} {
		if got := text(tt.v); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.v, got, tt.want)
		}
	}
	if text(hub.Visibility{}) != everything {
		t.Error("the rules were changed")
	}
}
