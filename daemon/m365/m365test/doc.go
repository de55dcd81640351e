// Package m365test is a local Microsoft Graph with its sign-in, for tests. It judges every request and every answer by
// graph.json, a description of the operations that Showhow uses: paths, parameters, bodies, statuses.
//
// Guarantees: a request that the description does not know fails the test, and so does an answer of its own. A request
// without a good access token is answered with 401. The file host, at another origin, fails the test if it is sent
// credentials.
//
// Not guaranteed: that Microsoft's service does the same. graph.json was written by hand from the public documentation,
// and its properties were compared with those in Microsoft's metadata.
//
// Only tests import it.
package m365test
