export { ERROR_CODES, type ErrorCode } from './codes';
export { isNavinError, NavinError, type JsonValue, type NavinErrorOptions } from './error';
