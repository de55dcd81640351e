package lazyre

import (
	"sync"
	"testing"
)

func TestCompiledOnceAndForgotten(t *testing.T) {
	r := New(`^a+$`)
	if r.re.Load() != nil {
		t.Fatal("compiled before its first use")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if !r.MatchString("aaa") || r.MatchString("ab") {
					t.Error("matched wrongly")
				}
				Forget()
			}
		})
	}
	wg.Wait()
	r.MatchString("a")
	if len(compiled) != 1 {
		t.Fatalf("%d expressions are kept, want 1", len(compiled))
	}
	Forget()
	if r.re.Load() != nil || compiled != nil {
		t.Fatal("kept after Forget")
	}
}

func TestBadExpressionPanicsWhereItIsDeclared(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("a bad expression was accepted")
		}
	}()
	New(`(`)
}
