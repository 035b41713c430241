// Package agentmap draws a map of all agents of a floor: as blocks with name and time if
// they fit, otherwise as glyphs, in the colors of their states.
package agentmap
