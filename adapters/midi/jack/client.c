//go:build midi_jack && cgo && linux

#include "client.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void silent(const char *message) { (void)message; }

static void shut_down(void *arg) { atomic_store(&((client *)arg)->gone, true); }

static void hear(client *c, slot *s, jack_nframes_t frames) {
	void *buffer = jack_port_get_buffer(s->port, frames);
	uint32_t n = buffer ? jack_midi_get_event_count(buffer) : 0;
	if (n == 0) return;
	// JACK's own clock runs off on a busy machine. Now is the end of the cycle in which the messages came.
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	int64_t end = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec, rate = jack_get_sample_rate(c->jack);
	for (uint32_t i = 0; i < n; i++) {
		jack_midi_event_t e;
		if (jack_midi_event_get(&e, buffer, i) || e.size == 0) continue;
		char out[max_record];
		record head = {.at = end - (int64_t)(frames - e.time) * 1000000000 / rate, .size = e.size};
		if (e.size <= max_message) {
			memcpy(out, &head, sizeof head);
			memcpy(out + sizeof head, e.buffer, e.size);
		}
		if (e.size > max_message || write(s->pipe, out, sizeof head + e.size) < 0) atomic_fetch_add(&s->missed, 1);
	}
}

static void say(slot *s, jack_nframes_t frames) {
	void *buffer = jack_port_get_buffer(s->port, frames);
	if (!buffer) return;
	jack_midi_clear_buffer(buffer);
	record head;
	char message[max_message];
	while (read(s->pipe, &head, sizeof head) == sizeof head) {
		if (head.size > max_message || read(s->pipe, message, head.size) != (ssize_t)head.size) return;
		jack_midi_data_t *space = jack_midi_event_reserve(buffer, 0, head.size);
		if (space) memcpy(space, message, head.size);
		else atomic_fetch_add(&s->missed, 1);
	}
}

static int process(jack_nframes_t frames, void *arg) {
	client *c = arg;
	for (int i = 0; i < slots; i++) {
		slot *s = &c->slot[i];
		atomic_store(&s->busy, true);
		if (atomic_load(&s->open)) {
			if (s->output) say(s, frames);
			else hear(c, s, frames);
		}
		atomic_store(&s->busy, false);
	}
	return 0;
}

client *client_open(const char *name) {
	jack_set_error_function(silent);
	jack_set_info_function(silent);
	client *c = calloc(1, sizeof *c);
	if (!c) return NULL;
	// The threads that JACK starts inherit this: signals are for Go's own.
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	c->jack = jack_client_open(name, JackNoStartServer, NULL);
	if (c->jack) {
		jack_on_shutdown(c->jack, shut_down, c);
		if (jack_set_process_callback(c->jack, process, c) || jack_activate(c->jack)) {
			jack_client_close(c->jack);
			c->jack = NULL;
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!c->jack) {
		free(c);
		return NULL;
	}
	return c;
}

static int add(client *c, const char *name, int pipe, bool output) {
	int i = 0;
	while (i < slots && atomic_load(&c->slot[i].open)) i++;
	if (i == slots) return -1;
	slot *s = &c->slot[i];
	s->port = jack_port_register(c->jack, name, JACK_DEFAULT_MIDI_TYPE, output ? JackPortIsOutput : JackPortIsInput, 0);
	if (!s->port) return -1;
	s->pipe = pipe;
	s->output = output;
	atomic_store(&s->missed, 0);
	atomic_store(&s->open, true);
	return i;
}

int client_listen(client *c, const char *from, int pipe) {
	static unsigned n; // the caller holds a lock
	char name[32];
	snprintf(name, sizeof name, "in_%u", ++n);
	int i = add(c, name, pipe, false);
	if (i >= 0 && jack_connect(c->jack, from, jack_port_name(c->slot[i].port))) {
		client_hush(c, i);
		return -1;
	}
	return i;
}

int client_speak(client *c, const char *port, int pipe) { return add(c, port, pipe, true); }

void client_hush(client *c, int i) {
	slot *s = &c->slot[i];
	atomic_store(&s->open, false);
	while (atomic_load(&s->busy)) sched_yield();
	jack_port_unregister(c->jack, s->port);
}

void client_close(client *c) {
	jack_deactivate(c->jack);
	jack_client_close(c->jack); // returns when its threads have ended
	free(c);
}
