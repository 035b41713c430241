package alerts

import (
	"fmt"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/hub"
	"wallboard/model"
)

// LocalEngineOptions configures the engine of a board without a hub.
type LocalEngineOptions struct {
	// Rules returns an engine with the configured rules; nil: the built-in rules, with the targets
	// below.
	Rules        func() (*alert.Engine, error)
	ServiceLevel model.ServiceLevelFormula
	SLTarget     float64 // from 0 to 1
	Names        model.Names
	Breaks       breaks.Limits
	Now          func() time.Time
}

// DefaultSLTarget is the default target of the service level: the 80 in "80/20", that is, 80 % of
// the calls answered within 20 seconds.
const DefaultSLTarget = 0.8

// Open returns the engine. If Rules cannot be used, it returns an engine with the built-in rules,
// and an error.
func (p LocalEngineOptions) Open() (Engine, error) {
	e, err := hub.NewPrivateViewer(p.HubOptions())
	if err == nil {
		return e, nil
	}
	builtIn := LocalEngineOptions{ServiceLevel: model.SLAllAbandons, SLTarget: DefaultSLTarget, Names: p.Names, Now: p.Now}
	e, builtInErr := hub.NewPrivateViewer(builtIn.HubOptions())
	if builtInErr != nil {
		panic("the built-in rules are broken: " + builtInErr.Error())
	}
	return e, fmt.Errorf("the alert rules cannot be used: %w", err)
}

// HubOptions returns the options of a hub for the engine.
func (p LocalEngineOptions) HubOptions() hub.Options {
	newEngine := p.Rules
	if newEngine == nil {
		newEngine = p.builtIn
	}
	return hub.Options{Engine: func(model.FloorPart) (*alert.Engine, error) { return newEngine() }, Names: p.Names, Breaks: p.Breaks, Now: p.Now}
}

// builtIn returns an engine with the built-in rules.
func (p LocalEngineOptions) builtIn() (*alert.Engine, error) {
	goal := alert.DefaultGoal()
	goal.Formula, goal.ServiceLevel = p.ServiceLevel, model.FloatOf(p.SLTarget)
	return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: goal, Names: p.Names})
}
