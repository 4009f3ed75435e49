import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../faultServer';
import { linesOf, written } from './answerBody';
import type { WatchFault } from './plan';
import { headersOf } from './upstream';
import { WatchStream, type StreamStep } from './watchStream';

/** A window and its surroundings. */
export interface WindowOptions {
  readonly exchange: Exchange;
  readonly fault: WatchFault | undefined;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Aborts when the time of the window is over, too. */
  readonly end: AbortSignal;
  /** Ms of the client's clock. */
  readonly pause: (ms: number) => Promise<void>;
  /** The client is told that its history is gone, after it was given all up to a version (0: nothing). */
  readonly onExpired: (reached: number) => void;
}

/** Passes one window of a watch on, line by line, as its fault will have it. */
export class WatchWindow {
  private readonly stream: WatchStream;

  constructor(private readonly options: WindowOptions) {
    this.stream = new WatchStream(options.fault);
  }

  async pass(answer: IncomingMessage): Promise<void> {
    const { stream } = this;
    const { exchange, end, signal } = this.options;
    exchange.response.writeHead(200, headersOf(answer.headers));
    exchange.response.flushHeaders();
    try {
      if (await this.perform(stream.begin())) return;
      for await (const line of linesOf(answer, end)) if (await this.perform(stream.line(line))) return;
      if (!signal.aborted) await this.perform(stream.end());
    } finally {
      answer.destroy();
    }
  }

  /** Returned: whether this was the end of the answer. */
  private async perform(steps: readonly StreamStep[]): Promise<boolean> {
    const { stream } = this;
    const { exchange, signal, pause, onExpired } = this.options;
    if (stream.expired && !signal.aborted) onExpired(stream.reached);
    stream.expired = false;
    for (const step of steps) {
      switch (step.do) {
        case 'send':
          await written(exchange.response, step.bytes);
          break;
        case 'pause':
          await pause(step.ms);
          break;
        case 'end':
          exchange.response.end();
          return true;
        case 'reset':
          exchange.reset();
          return true;
        case 'stall':
          return true;
      }
    }
    return false;
  }
}
