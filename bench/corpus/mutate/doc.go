// Package mutate measures how well a target is found again on a page that has changed: by browser/find, and side by side by the
// locators of Playwright's code generator and by @puppeteer/replay, on the very same page in the same browser.
//
// A page is stored HTML with the selectors of its targets. Each target is described on the page as it was (by the script parts that
// the recorder uses, browser/page), then a mutation of mutations.js is done to the page that is open, and each finder says where the
// target is now. What is the truth is kept in variables of the page's own world, which the finder cannot see.
//
// Guarantees: every mutation is done to a fresh copy of the page; all finders see the same copy; a step counts as wrong when
// anything else than the target, or what stands in it, was found, and as refused when nothing was.
//
// Not guaranteed: that the stored pages stand for all pages. Half of them are held out: nothing in the finder was adjusted to
// them, and both halves are reported.
//
// How to test: TestMeasure runs a small part; BenchmarkFind gives the times; Measure is what make bench-learn calls.
package mutate
