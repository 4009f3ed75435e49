import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { Behaviour, Exchange } from './faultServer';

/** JSON, as an API server answers. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return ({ response }) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Any text. */
export function text(body: string, status = 200, contentType = 'text/plain; charset=utf-8'): Behaviour {
  return ({ response }) => {
    response.writeHead(status, { 'Content-Type': contentType }).end(body);
  };
}

/** A `Status` of failure. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code };
  return json(status, code, headers);
}

/** The overload answer of API Priority and Fairness: text, and how long to wait. */
export function overloaded(retryAfter: string | undefined, date?: string): Behaviour {
  return ({ response }) => {
    response
      .writeHead(429, {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
        ...(date === undefined ? {} : { Date: date }),
      })
      .end('Too many requests, please try again later.\n');
  };
}

/** A web page, as proxies and captive portals answer. */
export function html(status = 200, page = '<!DOCTYPE html><html><body>Sign in</body></html>'): Behaviour {
  return text(page, status, 'text/html; charset=utf-8');
}

/** A redirect. */
export function redirect(location: string, status = 302): Behaviour {
  return ({ response }) => {
    response.writeHead(status, { Location: location }).end();
  };
}

/** Resets the connection instead of answering. */
export function reset(): Behaviour {
  return (exchange) => {
    exchange.reset();
  };
}

/** Closes the connection properly instead of answering. */
export function hangUp(): Behaviour {
  return ({ socket }) => {
    socket.destroy();
  };
}

/** Sends the head and some of the body, then resets the connection. */
export function resetInBody(part: string, status = 200, contentType = 'application/json'): Behaviour {
  return async ({ response, ...exchange }) => {
    response.writeHead(status, { 'Content-Type': contentType });
    response.flushHeaders();
    if (part !== '') await write(response, part);
    exchange.reset();
  };
}

/** Sends the head and some of the body, and no more; the connection stays open until the client gives it up. */
export function stallInBody(part: string, contentType = 'application/json'): Behaviour {
  return ({ response }) => {
    response.writeHead(200, { 'Content-Type': contentType });
    response.write(part);
  };
}

/** Never answers. */
export function stall(): Behaviour {
  return () => undefined;
}

/** Promises more bytes than it sends, then closes the connection. */
export function shortOfContentLength(body: string, promised: number): Behaviour {
  return ({ response, socket }) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': String(promised) });
    response.write(body, () => {
      socket.destroySoon();
    });
  };
}

/** Sends the body in pieces, each when `next` resolves. */
export function pieces(
  parts: readonly (string | Buffer)[],
  next: () => Promise<void> = () => Promise.resolve(),
  contentType = 'application/json',
): Behaviour {
  return async ({ response }) => {
    response.writeHead(200, { 'Content-Type': contentType });
    response.flushHeaders();
    for (const part of parts) {
      await next();
      if (response.destroyed) return;
      await write(response, part);
    }
    response.end();
  };
}

/** A gzip body, real or damaged. */
export function gzip(body: string | Buffer, options: { readonly cutTo?: number } = {}): Behaviour {
  return ({ response }) => {
    const packed = gzipSync(body);
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .end(packed.subarray(0, options.cutTo ?? packed.length));
  };
}

/** A small gzip body that unpacks to so many bytes of spaces. */
export function gzipBomb(unpackedBytes: number): Behaviour {
  return gzip(Buffer.alloc(unpackedBytes, 0x20));
}

/** JSON without end, until the client gives up. */
export function endless(piece = `${' '.repeat(65_535)}\n`): Behaviour {
  return async ({ response, socket }) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const closed = once(response, 'close');
    while (!socket.destroyed && !response.destroyed) {
      if (response.write(piece)) continue;
      const stop = new AbortController();
      await Promise.race([once(response, 'drain', stop), closed]);
      stop.abort();
    }
  };
}

/** A watch window: one event a line, then a proper end. */
export function watchEvents(...events: readonly unknown[]): Behaviour {
  return text(events.map((event) => `${JSON.stringify(event)}\n`).join(''), 200, 'application/json');
}

/** Not HTTP at all. */
export function garbage(bytes = 'SSH-2.0-OpenSSH_9.9\r\n'): Behaviour {
  return ({ response }) => {
    response.socket?.end(bytes);
  };
}

function write(response: Exchange['response'], part: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(part, () => {
      resolve();
    });
  });
}
