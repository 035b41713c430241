package cli

import (
	"iter"

	"github.com/spf13/pflag"

	"wallboard/restclient"
)

// paging are the flags of a paged search. Without them every page is read.
type paging struct{ number, size int }

func (p *paging) flags(fs *pflag.FlagSet) {
	fs.IntVar(&p.number, "page", 0, "read only this page, from 1")
	fs.IntVar(&p.size, "page-size", 0, "size of a page")
}

// given tells whether one page is wanted.
func (p *paging) given() bool { return *p != paging{} }

func (p *paging) page() restclient.Page {
	return restclient.Page{Number: p.number, Size: p.size}
}

// readPaged reads one page, or everything.
func readPaged[T any](one bool, page func() (restclient.Result[T], error), all iter.Seq2[T, error]) ([]T, error) {
	if one {
		r, err := page()
		return r.Items, err
	}
	var list []T
	for v, err := range all {
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}
