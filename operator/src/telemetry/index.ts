/** What an operator tells of itself: logs, metrics and probes. None of it holds a secret, or a value of an object. */
export { logEvents } from './logEvents';
export { createLogger, LOG_LEVELS, type Logger, type LogLevel } from './logger';
export { Metrics } from './metrics';
export { operatorPages } from './pages';
export { Probes } from './probes';
export { shownError } from './shownError';
export { tellAll } from './tell';
