// Package boarddialogs contains the dialogs that show data of a board: the causes of an alert, the
// history of figures and the handover report of a shift. They show current data, even while the
// snapshot is frozen. Other dialogs change the columns of a table, write notes and tolerances, and
// test alert rules.
package boarddialogs
