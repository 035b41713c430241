// Package setup is the guided start. It asks for the address of a platform and a login, one
// question on each screen. It tests the connection, shows what the platform has, and writes
// the configuration.
//
// The package draws the screens and handles keys. A [Backend] connects to the platform and
// writes the files. Its requests run in commands of Bubble Tea, which end when the viewer goes
// back or quits. The guide writes nothing before the last question.
package setup
