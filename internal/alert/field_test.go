package alert

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"wallboard/model"
)

// filler gives every field of a record a different value.
type filler struct {
	n    int64
	want map[string]string // by JSON name, as formatted by show and String
}

func (f *filler) fill(v reflect.Value) {
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Tag.Get("json"), v.Field(i)
		if name == "-" {
			continue // the platform does not send the field
		}
		f.n++
		number := fmt.Sprint(f.n)
		switch p := field.Addr().Interface().(type) {
		case *model.Int:
			*p = model.IntOf(f.n)
		case *model.Float:
			*p = model.FloatOf(float64(f.n))
		case *model.ProfilesInStatus:
			p.Count = model.IntOf(f.n)
		case *model.Instant:
			*p = model.InstantOf(noon().Add(-time.Duration(f.n) * time.Second))
		case *model.Text:
			*p = model.TextOf(number)
		case *model.UserStatus:
			*p = model.UserStatus(number)
		case *model.Channel:
			*p = model.Channel(number)
		default:
			if field.Kind() == reflect.Struct {
				f.fill(field)
			}
			continue
		}
		f.want[name] = number
	}
}

// filled returns a floor with one record of every scope and the expected value of each
// name.
func filled(t *testing.T) (*floor, map[Scope]map[string]string) {
	t.Helper()
	f := newFloor(t, Options{})
	fl := filler{n: 100}
	want := make(map[Scope]map[string]string)
	fill := func(s Scope, rec any) {
		fl.want = make(map[string]string)
		fl.fill(reflect.ValueOf(rec).Elem())
		want[s] = fl.want
	}
	var (
		service  model.Service
		group    model.Group
		user     model.UserStat
		campaign model.Campaign
	)
	fill(Service, &service)
	fill(Group, &group)
	fill(User, &user)
	fill(Campaign, &campaign)
	f.store.Services.Put(&service)
	f.store.Groups.Put(&group)
	f.store.UserStats.Put(&user)
	f.store.Campaigns.Put(&campaign)
	f.after(0)
	return f, want
}

// TestEveryFieldHasItsName checks that every figure and text of the records has a name
// with its value, so that new fields of document 2 are not forgotten.
func TestEveryFieldHasItsName(t *testing.T) {
	t.Parallel()
	f, want := filled(t)
	for scope, fields := range want {
		p := f.engine.rowsByScope[scope]
		fr := f.engine.loadFrame(p, p.rows[0])
		for name, value := range fields {
			field, got := p.library.fields[name], ""
			switch {
			case field == nil:
			case field.kind == textKind:
				got = field.text(fr).String()
			default:
				got = show(field.number(fr))
			}
			if got != value {
				t.Errorf("in the scope %s %s is %q, want %q", scope, name, got, value)
			}
		}
	}
}

// TestFormulasOfBuiltInKPIs checks that the displayed formulas of built-in KPIs give
// their values.
func TestFormulasOfBuiltInKPIs(t *testing.T) {
	t.Parallel()
	inWords := []string{"timeToEmpty", "serviceLevel", "serviceLevelTarget", "missesLeft", "toRecover"}
	f, _ := filled(t)
	seen := 0
	for _, scope := range Scopes() {
		p := f.engine.rowsByScope[scope]
		for _, k := range f.engine.KPIs(scope) {
			if slices.Contains(inWords, k.Name) {
				continue
			}
			formula, fault := p.library.compile(k.Expr, numberKind)
			if fault != nil {
				t.Errorf("the formula of %s %s: %s", scope, k.Name, fault.message)
				continue
			}
			for _, r := range p.rows {
				is, ok := f.engine.Value(k.Name, r.key).Get()
				says, _ := formula.number(f.engine.loadFrame(p, r)).Get()
				if ok && is != says {
					t.Errorf("%s %s is %v, its formula says %v", scope, k.Name, is, says)
				}
				if ok {
					seen++
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d KPIs were known", seen)
	}
}

// TestFloorFields checks the sums of the floor; without users the number of ready
// agents is unknown.
func TestFloorFields(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	key := Key{Scope: Floor, Channel: model.Call}
	f.queue(3, 20)
	f.after(0)
	if got := show(f.engine.Value("readyUsers", key)); got != "–" {
		t.Errorf("without users %s are ready", got)
	}
	for i, s := range []model.UserStatus{model.Ready, model.Ready, model.NotReadyBusy, model.WNR, model.Booked, model.BusyDNCallIn} {
		f.agent(fmt.Sprint(i), func(r *model.UserStat) { r.Status = s })
	}
	f.after(time.Second)
	for name, want := range map[string]string{
		"queuedCalls": "3", "longestWait": "20", "services": "1", "readyUsers": "2", "notReadyUsers": "1",
		"postCallUsers": "1", "bookedUsers": "1", "busyOnDNCallUsers": "1", "busyOnServUsers": "0", "loggedUsers": "6",
	} {
		if got := show(f.engine.Value(name, key)); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
