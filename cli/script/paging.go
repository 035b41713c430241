package script

import (
	"iter"

	"github.com/spf13/pflag"

	"wallboard/model"
	"wallboard/restclient"
)

// paging are the flags of a paged search. Without them every page is read.
type paging struct{ number, size int }

func (p *paging) flags(fs *pflag.FlagSet) {
	fs.IntVar(&p.number, "page", 0, "read only this page, from 1")
	fs.IntVar(&p.size, "page-size", 0, "size of a page")
}

// given reports whether one page is wanted.
func (p *paging) given() bool { return *p != paging{} }

func (p *paging) page() restclient.Page {
	return restclient.Page{Number: p.number, Size: p.size}
}

// readPaged reads one page, or everything.
func readPaged[T any](one bool, page func() (restclient.Result[T], error), all iter.Seq2[T, error]) (model.Found[T], error) {
	if !one {
		return model.Collect(all) //nolint:wrapcheck // the command makes a sentence of it
	}
	r, err := page()
	return r.Found(), err
}

// theRest says how to get what a command did not list: with which flag, or
// without which.
type theRest string

// The ways to get the rest of a list.
const (
	restByAll   theRest = "--all reads all of them"
	restByPages theRest = "Without --page and --page-size all of them are read"
	restBySize  theRest = "Without --index and --size all of them are read"
	restByLimit theRest = "Without --limit all of them are read"
	restAgain   theRest = "Run the command again"
)

// pagedRest is how to get the rest of what is read page by page anyway.
func pagedRest(one bool, way theRest) theRest {
	if one {
		return way
	}
	return restAgain
}

// shortWords is what is said of a list that is not all there is, "" of any
// other.
func shortWords(s *model.Short, way theRest) string {
	if s == nil {
		return ""
	}
	return s.String() + ". " + string(way) + "."
}
