import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

/**
 * The most characters of JSON that a call by an AI agent gives back, about 40,000 tokens: n8n hands all of it to the model,
 * whose memory a list without a limit would fill.
 */
const MAX_CHARACTERS = 160_000;
/** The most of one text of a result that is too long: its beginning and its end. */
const MAX_TEXT = 40_000;

/** Whether a node is the variant that n8n makes of it for AI agents. */
export function isTool({ type }: Pick<INode, 'type'>): boolean {
  return type.endsWith('Tool');
}

/**
 * What an agent gets of the items of a call: all of them, or as many as fit and an item that says that there are more. What
 * was done is done by then, so it is no error.
 */
export function toolResult(items: readonly INodeExecutionData[]): readonly INodeExecutionData[] {
  if (sizeOf(items.map(({ json }) => json)) <= MAX_CHARACTERS) return items;
  const kept: INodeExecutionData[] = [];
  let left = MAX_CHARACTERS;
  for (const item of items) {
    const json = shortTexts(item.json) as IDataObject;
    left -= sizeOf(json);
    if (left < 0) break;
    kept.push({ ...item, json });
  }
  return [...kept, { json: noteOf(kept.length, items.length) }];
}

function noteOf(shown: number, all: number): IDataObject {
  const message = `The result is too long for one call: ${String(shown)} of ${String(all)} items are shown, long texts are cut. Ask for less: a limit, a selector, fewer lines.`;
  return { truncated: true, shown, items: all, message };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

function shortTexts(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return value.map(shortTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortTexts(entry)]));
}

function shortText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const half = MAX_TEXT / 2;
  return `${text.slice(0, half)}\n… ${String(text.length - MAX_TEXT)} characters left out …\n${text.slice(-half)}`;
}
