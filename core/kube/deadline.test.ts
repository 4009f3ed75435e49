import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Deadline, sleep } from './deadline';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('Deadline', () => {
  it('stops when its time is over', () => {
    const deadline = new Deadline([], 100);
    jest.advanceTimersByTime(99);
    expect(deadline.reason).toBeUndefined();
    jest.advanceTimersByTime(1);
    expect([deadline.reason, deadline.signal.aborted]).toEqual(['timeout', true]);
  });

  it('stops with any of its signals, and keeps the first reason', () => {
    const stop = new AbortController();
    const deadline = new Deadline([undefined, stop.signal], 100);
    stop.abort();
    jest.advanceTimersByTime(200);
    expect(deadline.reason).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is stopped from the start by a signal that has aborted', () => {
    const deadline = new Deadline([AbortSignal.abort()], 100);
    expect(deadline.reason).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('can be given a new limit, or none', () => {
    const deadline = new Deadline([], 100);
    deadline.limit(500);
    jest.advanceTimersByTime(499);
    deadline.unlimit();
    jest.advanceTimersByTime(1000);
    expect(deadline.reason).toBeUndefined();
  });

  it('leaves nothing behind', () => {
    const stop = new AbortController();
    const removed = jest.spyOn(stop.signal, 'removeEventListener');
    const deadline = new Deadline([stop.signal], 100);
    deadline.dispose();
    stop.abort();
    expect(deadline.reason).toBeUndefined();
    expect(removed).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('sleep', () => {
  it('waits', async () => {
    const done = jest.fn();
    const waiting = sleep(100).then(done);
    jest.advanceTimersByTime(99);
    await Promise.resolve();
    expect(done).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await waiting;
    expect(done).toHaveBeenCalled();
  });

  it('ends early with its signal', async () => {
    const stop = new AbortController();
    const waiting = sleep(100_000, stop.signal);
    stop.abort();
    await waiting;
    expect(jest.getTimerCount()).toBe(0);
    await sleep(100_000, AbortSignal.abort());
  });
});
