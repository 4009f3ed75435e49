import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** Files as n8n keeps them, in memory: what a node is given, and what it made. */
export interface FileHelpers {
  readonly helpers: Partial<IExecuteFunctions['helpers']>;
  /** What was made, in order. */
  readonly made: { readonly name: string | undefined; readonly data: Buffer }[];
}

/** @param input the file each item has in `data` */
export function fileHelpers(input?: { readonly name: string; readonly data: Buffer }): FileHelpers {
  const made: FileHelpers['made'] = [];
  const binary = (name: string | undefined): IBinaryData => ({
    data: '',
    mimeType: 'application/octet-stream',
    ...(name === undefined ? {} : { fileName: name }),
  });
  const helpers: Partial<IExecuteFunctions['helpers']> = {
    assertBinaryData: (_item, field) => {
      if (input === undefined || field !== 'data') throw new Error('no such file');
      return binary(input.name);
    },
    getBinaryDataBuffer: () => Promise.resolve(input?.data ?? Buffer.alloc(0)),
    prepareBinaryData: (data, name) => {
      made.push({ name, data: data as Buffer });
      return Promise.resolve(binary(name));
    },
  };
  return { helpers, made };
}
