package alert

import (
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// valueKind is the type of an expression.
type valueKind uint8

const (
	numberKind valueKind = iota
	textKind
	truthKind
)

// String returns the kind as users see it, such as "a number".
func (k valueKind) String() string {
	switch k {
	case textKind:
		return "a text"
	case truthKind:
		return "a condition"
	case numberKind:
	}
	return "a number"
}

// Functions that compute the value of an expression of each kind from a frame.
type (
	numberFunc func(*evalEnv) model.Figure
	textFunc   func(*evalEnv) model.Text
	truthFunc  func(*evalEnv) truth
)

// field is a name that expressions may use, with the function that computes its value.
type field struct {
	name          string
	kind          valueKind
	number        numberFunc
	certainNumber numberFunc // for estimates: the part that is certain, used by rules; nil: rules use number
	text          textFunc
	truth         truthFunc

	format         Format
	isCounter      bool           // the number only grows, but may restart at 0
	growthRate     growthRate     // set if the number changes with time alone
	isDaily        bool           // the number is counted since the start of the day
	usesTarget     bool           // the number depends on the target of the service level
	presumableTime model.Presumed // which time of the platform the number is, if the unit of that time may be presumed
	isForecast     bool           // the number comes from [Forecasts]
	isIdentifying  bool           // the value identifies the record or comes from the configuration
	kpi            *KPI           // definition, if the name is a built-in KPI
}

// Name describes a name of a scope, for documentation and completion.
type Name struct {
	Name   string
	Kind   string // "a number", "a text" or "a condition"
	Format Format
	// Counter reports whether the number only grows. The function rate accepts only counters.
	Counter bool
	BuiltIn bool // true if the name is a built-in KPI
}

// fieldsOf returns the names that expressions about a scope may use.
func fieldsOf(s Scope) []field {
	switch s {
	case Service:
		return serviceFields()
	case Group:
		return groupFields()
	case User:
		return userFields()
	case Campaign:
		return campaignFields()
	case Floor:
		return floorFields()
	case Feed:
		return feedFields()
	}
	return nil
}

// gaugeField returns the field of a number that goes up and down.
func gaugeField[T any](name string, get func(*T) model.Int) field {
	return field{name: name, number: func(f *evalEnv) model.Figure { return get(record[T](f)).Figure() }}
}

// counterField returns the field of a number that grows over the day.
func counterField[T any](name string, get func(*T) model.Int) field {
	f := gaugeField(name, get)
	f.isCounter, f.isDaily = true, true
	return f
}

// secondsField returns the field of a duration in seconds that goes up and down.
func secondsField[T any](name string, get func(*T) model.Int) field {
	f := gaugeField(name, get)
	f.format = Duration
	return f
}

// totalTimeField returns the field of a duration in seconds that grows over the day.
func totalTimeField[T any](name string, get func(*T) model.Int) field {
	f := counterField(name, get)
	f.format = Duration
	return f
}

// headCountField returns the field of the number of user profiles in a state.
func headCountField[T any](name string, get func(*T) *model.ProfilesInStatus) field {
	return gaugeField(name, func(r *T) model.Int { return get(r).Count })
}

// textField returns the field of a string.
func textField[T any](name string, get func(*T) model.Text) field {
	return field{name: name, kind: textKind, text: func(f *evalEnv) model.Text { return get(record[T](f)) }}
}

// asIdentifier returns f, marked as a field that identifies the record.
func asIdentifier(f field) field {
	f.isIdentifying = true
	return f
}

// enumField returns the field of a string whose empty value means unknown.
func enumField[T any, E ~string](name string, get func(*T) E) field {
	return textField(name, func(r *T) model.Text {
		if v := get(r); v != "" {
			return model.TextOf(string(v))
		}
		return model.Text{}
	})
}

// catalogFields returns the fields of the built-in figures of a scope. numberOf returns the
// function that computes a figure.
func catalogFields(s Scope, numberOf func(*kpi.ScopeFigure) numberFunc) []field {
	var out []field
	for _, figure := range kpi.Figures() {
		form := figure.FormFor(s)
		if form == nil {
			continue
		}
		f := field{name: figure.Name, format: Format(figure.Unit), number: numberOf(form), isDaily: figure.IsDaily, presumableTime: figure.Presumable}
		if figure.CertainPart != nil {
			certainForm := *form
			certainForm.Calls = func(c *model.ServiceCalls, _ kpi.Goal) model.Figure { return figure.CertainPart(c) }
			f.certainNumber = numberOf(&certainForm)
		}
		f.usesTarget = figure.DependsOnGoal && figure.Name != ToleratedServiceLevel // the service level depends only on the formula
		f.isIdentifying = figure.Name == "serviceLevelTarget"
		if !figure.IsCount {
			f.kpi = &KPI{
				Name: figure.Name, Title: words.FigureTitle(figure.Name, s).In(nil), Scope: s, Expr: form.Formula,
				Format: Format(figure.Unit), Direction: figure.Better, BuiltIn: true,
			}
		}
		out = append(out, f)
	}
	return out
}

// record returns the record of the frame as a *T. The type assertion holds because names are
// compiled only for records of their scope.
func record[T any](f *evalEnv) *T { return f.record.(*T) }

// markPresumed wraps the functions of the field so that they mark their results as presumed while
// the unit of the time is presumed.
func (f *field) markPresumed() {
	if f.presumableTime == 0 {
		return
	}
	for _, number := range []*numberFunc{&f.number, &f.certainNumber} {
		if get, time := *number, f.presumableTime; get != nil {
			*number = func(f *evalEnv) model.Figure { return get(f).WithPresumedUnit(f.presumed.Has(time)) }
		}
	}
}
