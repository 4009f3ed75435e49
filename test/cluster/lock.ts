import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pause } from './api';

/** SQLite's "somebody else holds it". */
const SQLITE_BUSY = 5;
const RETRY_INTERVAL_MS = 250;

/**
 * Does something while no other process on this machine does it.
 *
 * The lock is SQLite's file lock, which the kernel drops when its holder dies, so there is no such thing as a stale one.
 *
 * @param file lock file, created when missing and left behind
 * @param onWait called once when another process holds the lock
 */
export async function withLock<T>(file: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited = false; !tryLock(database); waited = true) {
      if (!waited) onWait?.();
      await pause(RETRY_INTERVAL_MS);
    }
    return await work();
  } finally {
    database.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
