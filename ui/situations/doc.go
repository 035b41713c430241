// Package situations tells situations on the screen: the words they are told in, and
// the panel that says what needs a person now.
package situations
