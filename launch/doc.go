// Package launch runs the programs and opens the links that a configuration names,
// with the record that the viewer points at. There is no shell, no value becomes an
// option, no secret is in the environment, and the audit file has a line of each.
package launch
