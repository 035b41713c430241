// Package setup is the guided start: it asks for the address of a platform and a login, one question
// on each screen, tries them, shows what was found, and has the answers written.
//
// The package draws and handles keys. A [Backend] talks to the platform and writes the files; its
// requests run in commands of Bubble Tea, which end when the viewer goes back or quits. Nothing is
// written before the last question.
package setup
