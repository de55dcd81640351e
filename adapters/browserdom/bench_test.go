//go:build unix

package browserdom

import (
	"testing"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// BenchmarkInput sends 1,000 input events a second: half of them mouse presses and releases, half of them keys. It
// reports how many of the clicks and characters were recorded.
func BenchmarkInput(b *testing.B) {
	srv, host := site(b, map[string]string{
		"/": `<h1>Fast</h1><button onclick="n.textContent=++c">Fast</button><input id=i><p role=status id=n></p><script>c=0</script>`})
	w := observe(b, Options{}, host)
	p := shared.hand.open(b, srv.URL+"/")
	const rounds, perTick = 100, 5 // of two events each, every 10 ms
	var clicked, typed int
	var spent time.Duration
	for b.Loop() {
		begin := time.Now()
		x, y := p.at("button")
		paced(rounds, func() {
			for range perTick {
				p.send("mousePressed", x, y)
				p.send("mouseReleased", x, y)
			}
		})
		clicked += rounds * perTick
		p.until("true") // answered after all of them
		p.click("#i")
		paced(rounds, func() {
			for range perTick {
				p.sendKey("k")
			}
		})
		typed += rounds * perTick
		p.until("true")
		spent += time.Since(begin)
		p.click("h1")
		waitClicks(w, "Fast", clicked)
		p.eval("i.value=''", nil)
	}
	characters := 0
	w.Wait(b, "what was typed", time.Minute, func(seen []adaptertest.Seen) bool {
		characters = 0
		for _, o := range seen {
			if o.Verb == capture.Type {
				characters += len(o.Value.Text)
			}
		}
		return characters >= typed
	})
	b.ReportMetric(float64(clicks(w.Seen(), "Fast")+characters)/float64(clicked+typed), "browser_recorded_ratio")
	b.ReportMetric(2*float64(clicked+typed)/spent.Seconds(), "input_events_per_s")
	b.ReportMetric(float64(clicked+typed), "n")
	b.ReportMetric(0, "ns/op")
}

// paced calls f n times, every 10 ms.
func paced(n int, f func()) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range n {
		<-tick.C
		f()
	}
}

// BenchmarkPaced clicks at a person's fastest pace. It measures how long an act takes from the page's event to Go,
// and to the disk beyond the time for which it is held for its outcome, and this side's processor time for one act.
func BenchmarkPaced(b *testing.B) {
	startShared(b)
	a, stored := New(Options{Browser: shared.m}), newStored(b)
	a.arrived = stored.arrived
	srv, host := site(b, map[string]string{"/": orders})
	p := shared.hand.open(b, srv.URL+"/")
	x, y := p.at("#plus")
	burst := func() (cpu time.Duration) {
		before := processorTime()
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for range 200 {
			<-tick.C
			p.clickAt(x, y)
		}
		return processorTime() - before
	}
	var with, without time.Duration
	n := 0
	for b.Loop() {
		n += 200
		without += burst()
		pipe, end := stored.observe(b, a, host)
		with += burst()
		end()
		if kept := pipe.Kept(); kept < 200 {
			b.Fatalf("%d of 200 kept", kept)
		}
	}
	b.ReportMetric(stored.reached.at(0.5), "browser_p50_ms")
	b.ReportMetric(stored.reached.at(0.99), "browser_p99_ms")
	b.ReportMetric(stored.kept.at(0.5), "browser_store_p50_ms")
	b.ReportMetric(stored.kept.at(0.99), "browser_store_p99_ms")
	b.ReportMetric(float64((with-without).Microseconds())/float64(n), "browser_cpu_us")
	b.ReportMetric(float64(n), "n")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTraps clicks in pages that navigate on mousedown, on click, by a link and by a form.
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
		time.Sleep(20 * time.Millisecond) // bench: between two looks
	}
}
