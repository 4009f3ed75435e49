/** One piece of work that a queue has begun, ended by the test. */
export interface Piece {
  readonly key: string;
  readonly signal: AbortSignal;
  /** @param again look at it again after so many ms */
  readonly succeed: (again?: number) => void;
  readonly fail: (error: unknown) => void;
}

/** Work that lasts until the test ends it. */
export class ManualWork {
  /** Begun and not ended. */
  readonly open: Piece[] = [];
  /** All keys that were begun, in order. */
  readonly begun: string[] = [];

  readonly work = (key: string, signal: AbortSignal): Promise<number | undefined> => {
    this.begun.push(key);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.open.splice(this.open.indexOf(piece), 1);
      };
      const piece: Piece = {
        key,
        signal,
        succeed: (again) => {
          end();
          resolve(again);
        },
        fail: (error) => {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      this.open.push(piece);
    });
  };

  /** The piece of a key that is open. */
  piece(key: string): Piece {
    const piece = this.open.find((entry) => entry.key === key);
    if (!piece) throw new Error(`nothing is done on ${key}`);
    return piece;
  }
}
