// Package relevance says by words alone how well a request fits what an ability says of itself: its trigger phrases, title, goal,
// description and inputs (decisions G1). The answer is a number from 0 to Most, and the words it is made of.
//
// An Index is an inverted index over stems. Every word of a request counts by its rarity, in the collection and in requests at large
// (lang.Ordinary), and stands for the words that are spelled like it, too: "cancelling" reaches "cancellation". A first pass adds up
// BM25 over the request's own weight; the best candidates are then compared as angles, phrase by phrase and as a whole, with
// neighbouring words counted together. Half of that mix is calibrated, so that a number means the same for every request.
//
// Guaranteed: the same collection and request give the same answer, in whatever order abilities were put in. Put and Remove change the
// index in place; nothing is written. The contributions of the terms of a Hit add up to its relevance. Safe for concurrent use.
//
// Not guaranteed: meaning. A request that shares no word, name, number or spelling with an ability does not find it.
//
// daemon/ability imports it. To test against it, put texts in and compare orders; never compare a number that calibration decides.
package relevance
