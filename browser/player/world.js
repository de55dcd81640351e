// Runs in every document and worker before its own scripts, in their world: removes the interfaces that the browser
// cannot intercept.
(() => {
  const g = globalThis;
  if (g[Symbol.for('showhow.player')]) return;
  Object.defineProperty(g, Symbol.for('showhow.player'), { value: true });
  for (const gone of [
    'RTCPeerConnection',
    'webkitRTCPeerConnection',
    'WebTransport',
    'WebSocketStream',
    'TCPSocket',
    'UDPSocket',
    'TCPServerSocket',
  ]) {
    try {
      delete g[gone];
    } catch {
      /* frozen */
    }
    if (gone in g)
      try {
        Object.defineProperty(g, gone, { value: undefined });
      } catch {
        /* frozen */
      }
  }
  if (g.ServiceWorkerContainer) {
    const refuse = function register() {
      return Promise.reject(new DOMException('Failed to register a ServiceWorker', 'SecurityError'));
    };
    try {
      Object.defineProperty(g.ServiceWorkerContainer.prototype, 'register', {
        value: refuse,
        writable: true,
        configurable: true,
        enumerable: true,
      });
    } catch {
      /* frozen */
    }
  }
  const Socket = g.WebSocket,
    Request = g.XMLHttpRequest,
    Address = g.URL;
  if (!Socket) return;
  const { open, send } = Request ? Request.prototype : {};
  const status = Request && Object.getOwnPropertyDescriptor(Request.prototype, 'status').get;
  const call = Function.prototype.call.bind(Function.prototype.call);
  const allowed = (u) => {
    if (!Request) return false;
    try {
      const x = new Request();
      call(
        open,
        x,
        'GET',
        (u.protocol === 'wss:' ? 'https://' : 'http://') + u.host + '/.showhow-player-socket?u=' + encodeURIComponent(u.href),
        false,
      );
      call(send, x);
      return call(status, x) === 204;
    } catch {
      return false;
    }
  };
  const guarded = new Proxy(Socket, {
    construct(Target, args, as) {
      let u;
      try {
        u = new Address(String(args[0]), g.location.href);
      } catch {
        return Reflect.construct(Target, args, as); // it throws what the page expects
      }
      if (u.protocol === 'http:') u.protocol = 'ws:';
      if (u.protocol === 'https:') u.protocol = 'wss:';
      if (!allowed(u))
        args = [u.protocol + '//127.0.0.1:1/', ...Array.prototype.slice.call(args, 1)]; // a port that no browser connects to
      else args = [u.href, ...Array.prototype.slice.call(args, 1)];
      return Reflect.construct(Target, args, as);
    },
  });
  Socket.prototype.constructor = guarded;
  // What is sent through a socket is asked about first, one message after the other; a refused one is dropped.
  const { send: pass, close: shut } = Socket.prototype;
  const state = Object.getOwnPropertyDescriptor(Socket.prototype, 'readyState').get;
  const where = Object.getOwnPropertyDescriptor(Socket.prototype, 'url').get;
  const ask = g.fetch && g.fetch.bind(g);
  const answer = g.Response && Object.getOwnPropertyDescriptor(g.Response.prototype, 'status').get;
  const last = new WeakMap(); // of each socket: the end of what it has to send
  const passes = async (socket, data) => {
    const u = new Address(call(where, socket));
    const to = (u.protocol === 'wss:' ? 'https://' : 'http://') + u.host + '/.showhow-player-socket?m=1&u=' + encodeURIComponent(u.href);
    try {
      return call(answer, await ask(to, { method: 'POST', body: data, credentials: 'omit', cache: 'no-store' })) === 204;
    } catch {
      return false;
    }
  };
  const copied = (data) => {
    if (data instanceof ArrayBuffer) return data.slice(0);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    return g.Blob && data instanceof g.Blob ? data : String(data);
  };
  const replace = (name, value) =>
    Object.defineProperty(Socket.prototype, name, { value, writable: true, configurable: true, enumerable: true });
  replace('send', function send(...args) {
    if (args.length === 0 || call(state, this) !== 1) return call(pass, this, ...args); // it throws, or nothing is sent
    const data = copied(args[0]);
    const sent = (last.get(this) || Promise.resolve()).then(async () => {
      if (await passes(this, data)) call(pass, this, data);
    });
    last.set(this, sent);
  });
  replace('close', function close(...args) {
    const before = last.get(this);
    if (!before) return call(shut, this, ...args);
    before.then(() => call(shut, this, ...args));
  });
  g.WebSocket = guarded;
})();
