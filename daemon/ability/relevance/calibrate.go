package relevance

import "math"

const (
	Most     = 0.6  // the largest relevance
	Verbatim = 0.4  // the least relevance of a request that contains a trigger phrase
	oneWord  = 0.33 // what a request of one word is worth that is no trigger phrase
)

// anchors map the mix of words and angles to a relevance, by straight lines between them. They were fitted so that in
// the private lane, without checkpoint health, 15 % of the unrelated requests of one public set are listed and 5 % are
// routed; docs/lookup.md has the other figures.
var anchors = [][2]float64{{0, 0}, {.235, .1323}, {.33, .2647}, {1, Most}}

// Among many abilities the best one fits better by chance: measured from 40 to 25,000 abilities, the score that 5 % of
// unrelated requests reach grows with the logarithm of their number.
const (
	few     = 50
	perFold = .08 // how much it grows each time that there are e times as many, as a part of what it is among few
)

func (x *Index) calibrate(score float64) float64 {
	score /= 1 + perFold*math.Log(max(1, float64(x.live)/few))
	for i := 1; i < len(anchors); i++ {
		a, b := anchors[i-1], anchors[i]
		if score <= b[0] {
			return a[1] + (score-a[0])/(b[0]-a[0])*(b[1]-a[1])
		}
	}
	return Most
}
