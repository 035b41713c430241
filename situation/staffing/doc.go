// Package staffing says how many more agents it takes, and when it clears.
package staffing
