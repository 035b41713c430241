// Package fixedpages holds the pages with a fixed layout, which are not made of configurable
// panes: Breaks and Sites. The page History is in ui/history.
package fixedpages
