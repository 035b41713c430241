// Package boarddialogs contains the dialogs that show data of a board: the causes of a situation,
// the history of figures and the handover report of a shift. Other parts answer questions, change
// the columns of a table, write notes and tolerances, tick off playbooks, test alert rules, and
// connect the board with other viewers.
package boarddialogs
