import { expect, it } from '@jest/globals';
import { findRenderPrograms, ProgramError } from './programs';
import { describeSandbox } from '../testing/machine';

async function problemOf(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    await findRenderPrograms(env);
  } catch (error) {
    if (error instanceof ProgramError) return error.message;
    throw error;
  }
  throw new Error('Found');
}

it('a machine without prlimit is told what to install', async () => {
  expect(await problemOf({ PATH: '/nowhere', HELM_BIN: '/bin/true' })).toBe(
    'prlimit is missing: charts are rendered with a limit of memory only. Install util-linux.',
  );
});

describeSandbox('helm that cannot be used is named', () => {
  const PATH = process.env.PATH ?? '';

  it.each(['helm', './helm', '/nowhere/helm'])('%s', async (file) => {
    expect(await problemOf({ PATH, HELM_BIN: file })).toBe(
      'HELM_BIN does not name a program by its whole path. Set HELM_BIN to helm v4.1.4.',
    );
  });

  it('when it is another program', async () => {
    expect(await problemOf({ PATH, HELM_BIN: '/bin/echo' })).toBe(
      '/bin/echo is not helm v4.1.4. Set HELM_BIN to that version.',
    );
  });
});
