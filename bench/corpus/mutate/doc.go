// Package mutate measures how well a target is found again on a page that has changed: by browser/find, and beside it
// by the locators of Playwright's code generator and by @puppeteer/replay, on the same page in the same browser.
//
// A page is stored HTML with the selectors of its targets. Each target is described on the original page (by the
// script parts that the recorder uses, browser/page), then a mutation of mutations.js is applied to the open page,
// and each finder says where the target is now. The truth is kept in variables of the page's own world, which the
// finder cannot see.
//
// Guarantees: every mutation is applied to a fresh copy of the page; all finders see the same copy; a step counts as
// wrong if anything other than the target or its content was found, and as refused if nothing was.
//
// Not guaranteed: that the stored pages represent all pages. Half of them are held out: nothing in the finder was
// tuned to them, and both halves are reported.
//
// How to test: TestMeasure runs a small part; BenchmarkFind gives the times; Measure is what make bench-learn calls.
package mutate
