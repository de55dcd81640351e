// Package live delivers stored records to the watchers of a session.
//
// Delivery: Publish never blocks. A subscriber that falls behind loses records and is told how many are missing, and
// where, so that it can read them from the store. Records come in the order of their sequence, after their commit.
package live
