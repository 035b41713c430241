package app

import (
	"fmt"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/model"
)

// NewEngine returns an alert engine with the rules of a configuration. names provides display names
// for the texts of alerts.
func NewEngine(c *config.Config, names model.Names) (*alert.Engine, error) {
	return newAlertEngine(c.AlertOptions(names))
}

func newAlertEngine(o alert.Options) (*alert.Engine, error) {
	e, err := alert.New(o)
	if err != nil { // cannot happen: the configuration was checked when it was loaded
		return nil, ConfigError{Err: fmt.Errorf("figures and alerts: %w", err)}
	}
	return e, nil
}
