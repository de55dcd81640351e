// Package relevance scores by words alone how well a request fits an ability's texts: its trigger phrases, title,
// goal, description and inputs (decisions G1). The result is a number from 0 to Most, with the words that it is made
// of.
//
// An Index is an inverted index over stems. Every word of a request counts by its rarity, in the collection and in
// requests at large (lang.Ordinary), and also matches words of similar spelling: "cancelling" reaches "cancellation".
// A first pass adds up BM25 over the request's own weight; the best candidates are then compared by cosine, phrase by
// phrase and as a whole, with pairs of neighbouring words counted too. Their weighted mix is calibrated, so that a
// number means the same for every request.
//
// Guaranteed: the same collection and request give the same result, in whatever order abilities were added. Put and
// Remove change the index in place; nothing is written. The contributions of a Hit's terms add up to its relevance.
// Safe for concurrent use.
//
// Not guaranteed: meaning. A request that shares no word, name, number or spelling with an ability does not find it.
//
// daemon/ability imports it. To test against it, add texts and compare orders; never compare a number that calibration
// decides.
package relevance
