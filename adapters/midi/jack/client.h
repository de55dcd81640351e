#ifndef SHOWHOW_JACK_CLIENT_H
#define SHOWHOW_JACK_CLIENT_H

#include <jack/jack.h>
#include <jack/midiport.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// A record's head, in front of size bytes of a message. Both ends of the pipe are this program.
typedef struct {
	int64_t at;    // when the message came, in nanoseconds since 1970
	uint32_t size; // of the message
	uint32_t _;
} record;

enum { max_record = 4096, max_message = max_record - sizeof(record) }; // PIPE_BUF: written whole or not at all

// One port with its pipe. JACK's thread uses it between busy and not busy, and only while it is open.
typedef struct {
	jack_port_t *port;
	int pipe;
	bool output;
	atomic_bool open, busy;
	atomic_uint_least64_t missed; // messages that were too long or found no room
} slot;

enum { slots = 64 };

typedef struct {
	jack_client_t *jack;
	atomic_bool gone; // the server has ended, or has thrown the client out
	slot slot[slots];
} client;

// client_open returns NULL without a server. The client is active at once.
client *client_open(const char *name);
// client_listen gives an input connected to the port from, which writes records to pipe; client_speak an output that plays
// those it reads. Both return the slot, or -1.
int client_listen(client *c, const char *from, int pipe);
int client_speak(client *c, const char *port, int pipe);
// client_hush takes a port away. The pipe is not used afterwards, and is the caller's to close.
void client_hush(client *c, int i);
void client_close(client *c);

#endif
