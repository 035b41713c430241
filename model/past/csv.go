package past

import (
	"encoding/csv"
	"io"
	"strings"
)

// WriteCSV writes rows with the line ends of RFC 4180. A cell that a spreadsheet
// would take for a formula is made a text.
func WriteCSV(to io.Writer, head []string, rows [][]string) error {
	w := csv.NewWriter(to)
	w.UseCRLF = true
	for _, row := range append([][]string{head}, rows...) {
		safe := make([]string, len(row))
		for i, cell := range row {
			if safe[i] = cell; cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				safe[i] = "'" + cell
			}
		}
		if err := w.Write(safe); err != nil {
			return err //nolint:wrapcheck // it is of the caller's writer
		}
	}
	w.Flush()
	return w.Error() //nolint:wrapcheck // likewise
}
