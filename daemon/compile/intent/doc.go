// Package intent reads what the work is for: a goal or a button's words as verb, object and circumstance, the nouns in them, and what
// people would say for the same wish or for one that only sounds like it.
//
// It guarantees to leave a text alone that it cannot take apart (Goal.English is false then). It knows nothing of pages, demonstrations
// or parameters.
//
// It is a leaf of the room: all stages may import it. It is pure; tests need texts alone.
package intent
