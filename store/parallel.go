package store

import (
	"errors"
	"runtime"
	"sync"
)

// worthwhile is from how many records on another goroutine pays; encoding or decoding one takes about 10 us.
const worthwhile = 64

// parallel calls fn for 0..n-1, in several goroutines if there are many, and waits for them.
func parallel(n int, fn func(i int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n/worthwhile+1)
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * n / workers; i < (w+1)*n/workers && errs[w] == nil; i++ {
				errs[w] = fn(i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
