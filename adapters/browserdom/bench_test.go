//go:build unix

package browserdom

import (
	"slices"
	"sync"
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// BenchmarkClicks clicks as fast as the browser takes it: how much is recorded, and how long an act takes to reach Go.
func BenchmarkClicks(b *testing.B) {
	var mu sync.Mutex
	var took []time.Duration
	startShared(b)
	a := New(Options{Browser: shared.m})
	a.arrived = func(occurred, now time.Time) {
		mu.Lock()
		defer mu.Unlock()
		took = append(took, now.Sub(occurred))
	}
	srv, host := site(b, map[string]string{"/": `<h1>Fast</h1><button onclick="n.textContent=++c">Fast</button><p role=status id=n></p><script>c=0</script>`})
	w := observeWith(b, a, host)
	p := shared.hand.open(b, srv.URL+"/")
	performed := 0
	b.ResetTimer()
	begin := time.Now()
	for b.Loop() {
		p.burst("button", 500)
		performed += 500
	}
	rate := float64(2*performed) / time.Since(begin).Seconds()
	b.StopTimer()
	waitClicks(w, "Fast", performed)
	b.ReportMetric(float64(clicks(w.Seen(), "Fast"))/float64(performed), "browser_recorded_ratio")
	b.ReportMetric(rate, "input_events_per_s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPaced clicks at a person's fastest pace: the latency of an act, from the page's event to Go.
func BenchmarkPaced(b *testing.B) {
	var mu sync.Mutex
	var took []time.Duration
	startShared(b)
	a := New(Options{Browser: shared.m})
	a.arrived = func(occurred, now time.Time) {
		mu.Lock()
		defer mu.Unlock()
		took = append(took, now.Sub(occurred))
	}
	srv, host := site(b, map[string]string{"/": orders})
	observeWith(b, a, host)
	p := shared.hand.open(b, srv.URL+"/")
	x, y := p.at("#plus")
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for b.Loop() {
		for range 200 {
			<-tick.C
			p.clickAt(x, y)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(took)
	ms := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
	b.ReportMetric(ms(0.5), "browser_p50_ms")
	b.ReportMetric(ms(0.99), "browser_p99_ms")
	b.ReportMetric(float64(len(took)), "n")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTraps clicks in pages that navigate at mousedown, at click, by a link and by a form.
func BenchmarkTraps(b *testing.B) {
	srv, host := site(b, traps)
	w := observe(b, Options{}, host)
	names := map[string]string{"/down": "Down", "/click": "Click", "/link": "Link", "/form": "Form"}
	performed := 0
	for b.Loop() {
		for path := range names {
			p := shared.hand.open(b, srv.URL+path)
			for range 25 {
				x, y := p.at("button, a")
				var was float64
				_ = p.eval("performance.timeOrigin", &was)
				p.clickAt(x, y)
				performed++
				p.untilAfter(was)
			}
		}
	}
	recorded := 0
	for _, name := range names {
		waitClicks(w, name, performed/len(names))
		recorded += clicks(w.Seen(), name)
	}
	b.ReportMetric(float64(recorded)/float64(performed), "browser_traps_ratio")
	b.ReportMetric(float64(performed), "n")
	b.ReportMetric(0, "ns/op")
}

// waitClicks waits until n clicks were seen, or no more come.
func waitClicks(w *watch, name string, n int) {
	last, since := -1, time.Now()
	for {
		got := clicks(w.Seen(), name)
		if got >= n || got == last && time.Since(since) > 4*time.Second {
			return
		}
		if got != last {
			last, since = got, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// BenchmarkDigest looks at a large page: what one act costs it.
func BenchmarkDigest(b *testing.B) {
	srv, host := site(b, map[string]string{"/": `<h1>Large</h1><button onclick="n.textContent=++c">Fast</button><p role=status id=n></p><table id=t><thead><tr><th>A<th>B<th>C</thead></table>
		<script>c=0; let h=""; for (let i=0;i<1500;i++) h+="<tr><td>"+i+"<td><a href=/x>link</a><td><input>"; t.insertAdjacentHTML("beforeend",h)</script>`})
	w := observe(b, Options{}, host)
	p := shared.hand.open(b, srv.URL+"/")
	w.find(capture.NewTab, 1)
	var slowest float64
	_ = p.eval(`window.L=[]; addEventListener("pointerdown", e => L.push(performance.now()-e.timeStamp)); 0`, nil)
	n := 0
	for b.Loop() {
		n++
		p.click("button")
		w.Wait(b, "click", 5*time.Second, func(s []adaptertest.Seen) bool { return clicks(s, "Fast") >= n })
	}
	_ = p.eval("L.sort((a,b)=>a-b)[Math.floor(L.length/2)]", &slowest)
	b.ReportMetric(slowest, "ms_to_page")
	b.ReportMetric(0, "ns/op")
}
