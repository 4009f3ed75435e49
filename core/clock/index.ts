/** Time as an argument: the clock of this process, and what tests put in its place (testing/fakeClock.ts). */
export { isAborted, systemClock, type Clock } from './clock';
