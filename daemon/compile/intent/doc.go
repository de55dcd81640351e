// Package intent analyses the goal of the work: it parses a goal or a button's label into verb, object and circumstance,
// finds its nouns, and generates what people would say for the same request or for one that only sounds like it.
//
// It guarantees to leave a text unchanged that it cannot analyse (Goal.English is false then). It knows nothing of
// pages, demonstrations or parameters.
//
// It is a leaf of compile: all stages may import it. It is pure; tests need only texts.
package intent
