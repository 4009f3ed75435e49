import { NavinError } from '../errors';
import { responseError } from './errors';

/** The media type of everything the API server takes and gives. */
export const JSON_TYPE = 'application/json';
/** Requests larger than this are refused before they are sent; the API server takes 3 MiB. */
const MAX_REQUEST_BODY = 8 * 1024 * 1024;

/** A value as the body of a request. @throws NavinError `k8s_parameter_invalid` when it is too large */
export function encodeBody(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  if (body.length <= MAX_REQUEST_BODY) return body;
  throw new NavinError('k8s_parameter_invalid', 'The object is too large to be sent.', {
    details: { parameter: 'body', maxBytes: MAX_REQUEST_BODY },
  });
}

/** Whether a media type is JSON. */
export function isJson(mediaType: string): boolean {
  return mediaType === JSON_TYPE || mediaType.endsWith('+json');
}

/** Whether an answer is a web page, by its type or by how it begins. */
export function isHtml(mediaType: string, body: Buffer): boolean {
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return true;
  return !isJson(mediaType) && /^\s*<(?:!doctype|html|\?xml)/i.test(body.toString('latin1', 0, 256));
}

/** The error for a good status with something other than JSON. */
export function notJson(mediaType: string): NavinError {
  if (!isHtml(mediaType, Buffer.alloc(0))) return responseError('The server answered with something that is not JSON.');
  return new NavinError(
    'k8s_not_kubernetes',
    'The server answered with a web page: this is not a Kubernetes API server, or a proxy in front of it answered.',
    { hint: 'Check the address, port and path of the API server.' },
  );
}

/** One `JSON.parse` of the whole text: the fastest way in Node, and exact for what an API server sends. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the text.
    throw responseError('The answer is not valid JSON.');
  }
}

/** The value of a JSON text, or undefined. */
export function tryJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
