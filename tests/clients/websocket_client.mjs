// What the WebSocket tests share: npm's ws, one message at a time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import { command, ms, setting } from './tap.mjs';

const http = setting('ASSAY_HTTP');
const address = (path, base = http) => base.replace(/^http/, 'ws') + path;
export const long = (args) => command(args, { clockLimit: 200_000 * ms });

// A socket whose messages are awaited one by one.
export class Socket {
  constructor(path, { base, headers } = {}) {
    this.socket = new WebSocket(address(path, base), { headers });
    this.messages = [];
    this.changed = () => {};
    this.socket.on('message', (data, binary) => {
      this.messages.push(binary ? data : data.toString());
      this.changed();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    this.socket.on('error', (error) => {
      this.error = error;
    });
  }
  static async open(...where) {
    const made = new Socket(...where);
    await once(made.socket, 'open');
    return made;
  }
  async next() {
    const closed = this.closed.then(() => 'closed');
    while (this.messages.length === 0) {
      const change = new Promise((resolve) => (this.changed = resolve));
      if ((await Promise.race([change, closed])) === 'closed' && this.messages.length === 0)
        assert.fail('the server closed the connection');
    }
    return this.messages.shift();
  }
  close() {
    this.socket.close();
    return this.closed;
  }
}
